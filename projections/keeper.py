"""Brings the cells of one projection to where their logs stand: safe at any time, by anybody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import NamedTuple

import structlog

from events.partitions import partition
from events.shelf import DELETED
from events.store import MARK, ArchiveAway, Cell, Corrupt, Fenced, Mark, Marks, Meta, Store
from projections.deferring import Deferring
from projections.projection import Projection
from projections.story import Poison, Stories, Story

_AT_ONCE = 16
_CHUNK = 500

log = structlog.get_logger(__name__)


class Counts(NamedTuple):
    """What a keeper has done: cells written, writes that came too late, matches parked, writes
    that were refused for want of the lease."""

    written: int = 0
    refused: int = 0
    parked: int = 0
    fenced: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(*[mine + its for mine, its in zip(self, other, strict=True)])


class Keeper:
    """One projection over one store; `at_once` is how many matches it works on at a time.

    Where `held` names a partition, its cells are written under that lease's token alone.
    """

    def __init__(
        self, store: Store, projection: Projection, stories: Stories, at_once: int = _AT_ONCE
    ) -> None:
        self.store = store
        self.projection = projection
        self.counts = Counts()
        self.held: Mapping[int, int] = {}
        self.deferring = Deferring(store, projection.name)
        self._at_once = at_once
        self._name = projection.name
        self._stories = stories
        self._shows = False

    async def catch_up(self, wanted: dict[str, int]) -> None:
        """Each match at least to this version of its log; those that are parked stay as they are.

        A burst costs one write: the log is read to its end, whatever the references say.
        """
        matches = list(wanted)
        cursors = await self.store.cursors(self._name, matches)
        behind = [m for m, cursor in zip(matches, cursors, strict=True) if cursor < wanted[m]]
        parked = await self.store.is_parked(self._name, behind)
        await self._each([m for m, is_parked in zip(behind, parked, strict=True) if not is_parked])

    async def _each(self, matches: Sequence[str], anew: bool = False) -> None:
        """Many at a time; whatever one of them raises, the others are not left half way. Those
        whose archive is away are deferred."""
        away: dict[str, str] = {}
        for first in range(0, len(matches), self._at_once):
            some = matches[first : first + self._at_once]
            known = await self.deferring.away(some)
            away |= known
            away |= await self._some([match for match in some if match not in known], anew)
        await self.deferring.defer(away)

    async def _some(self, matches: Sequence[str], anew: bool) -> dict[str, str]:
        """At once; those that could not be read from the archive, and why."""
        done = await asyncio.gather(
            *[self._bring(match, anew) for match in matches], return_exceptions=True
        )
        away: dict[str, str] = {}
        for match, error in zip(matches, done, strict=True):
            if isinstance(error, ArchiveAway):
                away[match] = str(error)
            elif error is not None:
                raise error
        await self.deferring.notice(matches, away)
        return away

    async def _bring(self, match: str, anew: bool) -> None:
        """The write is refused unless the cell stands where it stood before the log was read, and
        the log has what was read; then the rows, written before, have to be made good as well."""
        while True:
            mark = (await self.store.marks(self._name, [match]))[0].cell
            try:
                story = await self._stories.story(match)
            except Poison as poison:
                if poison.story is None or await self._write(match, mark, poison.story, anew):
                    await self._park(match, poison)
                    return
            else:
                if story is None:
                    await self._deleted(match)
                    return
                if await self._write(match, mark, story, anew):
                    return
            anew = True

    async def _deleted(self, match: str) -> None:
        """There is no log. Where that was deleted since it was read here, rows that were made of it
        may have been written after all others went."""
        (stands,) = await self.store.standings([match])
        if stands is not None and stands.status == DELETED:
            await self.store.forget(self._name, match, deleted=True)

    async def _stands(self, match: str, mark: Mark, story: Story, anew: bool) -> bool:
        """Whether the cell is as new as the story, and the log has what it was made from."""
        if mark.version < story.version:
            return False
        if mark.version == story.version:
            return not anew and mark.head in (b"", story.head[:MARK])
        try:
            entries = await self.store.read(match, mark.version - 1, 1)
        except Corrupt:
            return True
        return not mark.head or (bool(entries) and entries[0].head[:MARK] == mark.head)

    async def _write(self, match: str, mark: Mark, story: Story, anew: bool) -> bool:
        """False where another was faster: look again."""
        if await self._stands(match, mark, story, anew):
            return True
        try:
            made = self.projection.made(story)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            await self._park(match, Poison(story.version, why, None))
            return True
        self._shows = made.rows is not None
        cell = Cell(story.version, made.value, story.head)
        fence = self.held.get(partition(match, self.store.partitions))
        try:
            done = await self.store.put(self._name, match, mark.version, cell, made.rows, fence)
        except Fenced:
            self.counts = self.counts._replace(fenced=self.counts.fenced + 1)
            raise
        if done:
            self.counts = self.counts._replace(written=self.counts.written + 1)
            return True
        self.counts = self.counts._replace(refused=self.counts.refused + 1)
        return False

    async def _park(self, match: str, poison: Poison) -> None:
        log.error(
            "parked", projection=self._name, match=match, version=poison.version, why=poison.why
        )
        await self.store.park(self._name, match, poison.version, poison.why)
        self.counts = self.counts._replace(parked=self.counts.parked + 1)

    async def release(self, match: str) -> None:
        """Try a parked match again, all that came since included; it may be parked again."""
        await self.store.release(self._name, match)
        await self._each([match])

    async def look_again(self, partitions: Iterable[int]) -> None:
        """At what was deferred in these partitions and is due, beside all other work: so it is not
        the others who wait for an archive that is still away."""
        due = sorted(set(await self.deferring.due()).intersection(partitions))
        if not due:
            return
        other = Keeper(self.store, self.projection, self._stories, self._at_once)
        other.deferring = Deferring(self.store, self._name, self._at_once)
        other.held, other._shows = self.held, self._shows
        try:
            await other.repair(due)
        finally:
            self.counts = self.counts.plus(other.counts)
        self.deferring.know(other.deferring.shut)

    def _stray(self, meta: Meta, marks: Marks) -> bool:
        """Whether a cell or rows are of a history that the log does not have, or rows of another
        version than their cell."""
        apart = marks.rows.version != marks.cell.version
        return (apart and bool(self._shows or marks.rows.version)) or any(
            mark.version > meta.version
            or (mark.version == meta.version and mark.head not in (b"", meta.head[:MARK]))
            for mark in marks
        )

    async def repair(self, partitions: Iterable[int] | None = None) -> None:
        """Compare every match (of these partitions) with its log, as if no feed had been kept.

        With all of them go the rows of matches that are nowhere any more. What was deferred is made
        good; what cannot be read now is deferred again.
        """
        deferred = await self.store.deferred(self._name)
        for number in range(self.store.partitions) if partitions is None else partitions:
            async for matches in chunks(self.store.matches(number)):
                metas = await self.store.metas(matches)
                found = {m: meta for m, meta in zip(matches, metas, strict=True) if meta}
                await self.catch_up({match: meta.version for match, meta in found.items()})
                marks = await self.store.marks(self._name, list(found))
                pairs = zip(found.items(), marks, strict=True)
                await self._each(
                    [m for (m, meta), marks in pairs if self._stray(meta, marks)], True
                )
            if number in deferred:
                await self.store.settle(self._name, number, deferred[number])
        if partitions is None:
            async for matches in chunks(self.store.showing(self._name)):
                metas = await self.store.metas(matches)
                for match in [m for m, meta in zip(matches, metas, strict=True) if meta is None]:
                    await self.store.forget(self._name, match)


async def chunks(matches: AsyncIterator[str]) -> AsyncIterator[list[str]]:
    """Many matches at a time."""
    chunk: list[str] = []
    async for match in matches:
        chunk.append(match)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
