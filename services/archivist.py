"""The archivist: moves matches whose play is final into the archive, checked before they go.

First a segment is written, read back and compared with the logs; only then, match by match, the
logs go. Dying at any point, or another archivist at work, leaves every match readable in one
place, and the next run goes on.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

import structlog

from events.archive import Archive, new_segment
from events.log import Entry
from events.packing import Dictionary, pack
from events.segments import Packed, Record
from events.shelf import Standing
from events.store import Corrupt, Store
from games import catalog, sight
from games.dispute import held
from games.rules import Refused
from services import pasts
from services.inventory import chunks
from services.settings import Settings

_logger = structlog.get_logger()

HOUR = 3_600_000
NEVER = 2**63
STATUS = "closed"
REMEMBERED = 200_000
ACTING = ("bots", "keeper")
"""Groups that keep no cells; matches parked for them stay here all the same."""

A_COMMIT = 30
"""About how many bytes a commit takes when it is packed."""

SAMPLES = 100
"""Matches of a kind that its dictionary is learnt from."""


class Candidate(NamedTuple):
    """A match that may go: `at` is its last change or its return from the archive (UTC, ms)."""

    match: str
    version: int
    at: int


class Done(NamedTuple):
    """What a run did: matches archived, their versions, bytes of segments, and how many could not
    go now."""

    matches: int = 0
    versions: int = 0
    size: int = 0
    left: int = 0

    def plus(self, other: Done) -> Done:
        return Done(*[mine + its for mine, its in zip(self, other, strict=True)])


class Archivist:
    """Over one store and its archive; `clock` gives UTC milliseconds."""

    def __init__(
        self, store: Store, archive: Archive, settings: Settings, clock: Callable[[], int]
    ) -> None:
        self.store = store
        self.archive = archive
        self.settings = settings
        self.clock = clock
        self._changed: dict[str, tuple[int, int]] = {}
        self._barred: dict[str, tuple[int, int]] = {}

    async def run(self, now: bool = False) -> Done:
        """Archive what may go, if it fills a segment or has waited long enough, or at once: then
        what could not go is looked at again."""
        if now:
            self._barred.clear()
        found = [candidate async for candidate in self.candidates()]
        if not found or not (now or self._due(found)):
            return Done()
        done = Done()
        for some in self._batches(found):
            done = done.plus(await self._segment(some))
        _logger.info("archived", **done._asdict())
        await self.store.tally({"matches": done.matches, "bytes": done.size})
        return done

    def _due(self, found: Sequence[Candidate]) -> bool:
        waited = self.settings.archive_grace_hours + self.settings.archive_wait_hours
        if min(candidate.at for candidate in found) + waited * HOUR <= self.clock():
            return True
        return sum(each.version for each in found) * A_COMMIT >= self._target()

    def _target(self) -> int:
        return int(self.settings.archive_segment_mb * 1_000_000)

    def _batches(self, found: Sequence[Candidate]) -> list[list[Candidate]]:
        batches: list[list[Candidate]] = [[]]
        size = 0
        for candidate in found:
            if size >= self._target():
                batches.append([])
                size = 0
            batches[-1].append(candidate)
            size += candidate.version * A_COMMIT
        return batches

    async def candidates(self) -> AsyncIterator[Candidate]:
        """Matches that are closed, that all workers are done with, and that had their grace."""
        groups = await self.store.groups()
        async for chunk in chunks(self.store):
            standings = await self.store.standings(chunk)
            here = {
                match: stands
                for match, stands in zip(chunk, standings, strict=True)
                if stands and stands.status == STATUS and stands.place is None
            }
            for match in await self._passed(here, groups):
                candidate = await self._candidate(match, here[match])
                if candidate is not None:
                    yield candidate

    async def _passed(self, here: dict[str, Standing], groups: set[str]) -> list[str]:
        """Those that no worker has still to fold, and that are parked for none."""
        matches = list(here)
        for group in sorted(groups):
            parked = await self.store.is_parked(group, matches)
            cursors = await self.store.cursors(group, matches)
            matches = [
                match
                for match, is_parked, cursor in zip(matches, parked, cursors, strict=True)
                if not is_parked and (group in ACTING or cursor >= here[match].version)
            ]
        return matches

    async def _candidate(self, match: str, stands: Standing) -> Candidate | None:
        """None before its time. When it last changed is read once for each version."""
        version, until = self._barred.get(match, (0, 0))
        if version == stands.version and self.clock() < until:
            return None
        known = self._changed.get(match)
        if known is None or known[0] != stands.version:
            try:
                entries = await self.store.read(match, stands.version - 1, 1)
                known = stands.version, changed_at(match, entries)
            except Corrupt as error:
                await self._failed(match, stands.version, error)
                return None
            _remember(self._changed, match, known)
        at = max(known[1], stands.restored)
        if at + self.settings.archive_grace_hours * HOUR > self.clock():
            return None
        return Candidate(match, stands.version, at)

    async def _segment(self, candidates: Sequence[Candidate]) -> Done:
        """One segment: reserve and pack, write, read back, compare; then let the logs go."""
        segment = new_segment(self.clock())
        ready: list[Packed] = []
        for kind, matches in (await self._by_kind(candidates)).items():
            dictionary = await self._dictionary(kind, matches)
            for candidate in matches:
                entries = await self._held_ready(candidate, segment)
                if entries:
                    data = await asyncio.to_thread(pack, entries, dictionary)
                    at = changed_at(candidate.match, entries)
                    about = (candidate.version, entries[-1].head, STATUS, at)
                    ready.append(Packed(candidate.match, kind, *about, data))
        left = len(candidates) - len(ready)
        if not ready:
            return Done(left=left)
        gone = []
        for record in await self.archive.write(segment, ready):
            if await self._shelved(segment, record):
                gone.append(record)
        size = sum(record.length for record in gone)
        versions = sum(record.version for record in gone)
        return Done(len(gone), versions, size, left + len(ready) - len(gone))

    async def _by_kind(self, candidates: Sequence[Candidate]) -> dict[str, list[Candidate]]:
        """What is alike: the matches of a game under the same rules."""
        kinds: defaultdict[str, list[Candidate]] = defaultdict(list)
        for candidate in candidates:
            try:
                (first,) = await self.store.read(candidate.match, 0, 1)
                made = catalog.created(first.facts)
                kinds[f"{made['game']}-{made['rules']}"].append(candidate)
            except (ValueError, Corrupt) as error:
                await self._failed(candidate.match, candidate.version, error)
        return dict(kinds)

    async def _dictionary(self, kind: str, candidates: Sequence[Candidate]) -> Dictionary | None:
        found = await self.archive.dictionary(kind)
        if found is not None:
            return found
        samples = [await self.store.read(each.match) for each in candidates[:SAMPLES]]
        return await self.archive.learn(kind, [entries for entries in samples if entries])

    async def _held_ready(self, candidate: Candidate, segment: str) -> list[Entry]:
        """Its log, reserved for the segment; none where it moved on, is held by a dispute, or
        does not fold: such a log stays where it can be mended."""
        match, version = candidate.match, candidate.version
        try:
            entries = await self.store.read(match, 0, version)
            if len(entries) < version:
                return []
            self.archive.check(match, entries[0].facts)
            free = self._free_from(match, entries)
        except (Corrupt, Refused) as error:
            await self._failed(match, version, error)
            return []
        if free > self.clock():
            _remember(self._barred, match, (version, free))
            return []
        return entries if await self.store.reserve(match, version, STATUS, segment) else []

    def _free_from(self, match: str, entries: Sequence[Entry]) -> int:
        """From when on (UTC, ms) no dispute holds it: none waits for a ruling, nor might still for
        an appeal."""
        table = pasts.more(match, pasts.first(match, entries[0]), entries).tables[-1]
        if not table.match.disputes:
            return 0
        appeal = int(self.settings.appeal_days * 24 * HOUR)
        return NEVER if held(table.match) else table.at + appeal

    async def _shelved(self, segment: str, record: Record) -> bool:
        """The log goes, if the archive gives back the very same entries."""
        match, place = record.match, record.place(segment)
        try:
            archived = await self.archive.fetch(match, place, record.head)
            if archived != await self.store.read(match, 0, record.version):
                raise Corrupt(match, record.version, "what was archived is not what is in the log")
        except Corrupt as error:
            await self._failed(match, record.version, error)
            await self.store.unreserve(match, segment)
            return False
        return await self.store.shelve(match, place, STATUS)

    async def _failed(self, match: str, version: int, error: Exception) -> None:
        """It stays where it can be looked at and mended, and is tried again only when it has waited
        once more: what is always due would have all others go at once, a few in a segment."""
        until = self.clock() + int(self.settings.archive_wait_hours * HOUR)
        _remember(self._barred, match, (version, until))
        _logger.error("cannot_archive", match=match, why=str(error))
        await self.store.tally({"failures": 1})


def _remember(known: dict[str, tuple[int, int]], match: str, about: tuple[int, int]) -> None:
    if len(known) >= REMEMBERED:
        known.clear()
    known[match] = about


def changed_at(match: str, entries: Sequence[Entry]) -> int:
    """When the last of these commits was made, UTC in ms. Raises Corrupt."""
    try:
        return int(sight.read(entries[-1].facts)[1])
    except (ValueError, IndexError, TypeError) as error:
        raise Corrupt(match, len(entries), f"it has no time: {error}") from None
