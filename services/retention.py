"""What leaves the archive: matches that are deleted for good, and segments nothing is needed of.

A match is buried first: nobody can read it any more, and its fence stays. Then its read models and
the words about it go, and its segment is written anew without it; the others are copied byte for
byte, checked, and pointed to one by one. Whoever dies on the way, or finds the archive away, leaves
the rest to who deletes it again, or to the next sweep: until all is gone the store remembers where
it lay.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

import structlog

from events.archive import Archive, new_segment, written_at
from events.bucket import Missing
from events.partitions import partition
from events.segments import Packed, Record, Unsound
from events.shelf import DELETED, Standing
from events.store import Corrupt, Store, Unavailable, Unconfirmed
from services.vault import Vault
from services.worker import GROUPS

_logger = structlog.get_logger()

DAY = 86_400_000
YOUNG = 3_600_000
"""How old, in ms, a segment is before one of which nothing is needed counts as left behind."""


class NotArchived(Exception):
    """The match lies in no archive, so it cannot be deleted there; says where it is."""


class Swept(NamedTuple):
    """What was done: matches deleted, segments written anew, segments deleted."""

    deleted: int = 0
    written: int = 0
    dropped: int = 0

    def plus(self, other: Swept, deleted: int = 0) -> Swept:
        more = other.deleted + deleted, other.written, other.dropped
        return Swept(*[mine + its for mine, its in zip(self, more, strict=True)])


class Retention:
    """Over one store and its archive; `clock` gives UTC milliseconds."""

    def __init__(
        self, store: Store, archive: Archive, vault: Vault, clock: Callable[[], int]
    ) -> None:
        self.store = store
        self.archive = archive
        self.vault = vault
        self.clock = clock

    async def delete(self, match: str) -> None:
        """For good: log, read models, the words of its disputes. What was begun before is finished.
        Raises NotArchived, Corrupt, Unsound, Unavailable."""
        (stands,) = await self.store.standings([match])
        begun = (await self.store.deleting()).get(match)
        if begun is not None:
            await self._finish(match, begun.segment)
            return
        if stands is None or stands.status == DELETED:
            raise NotArchived(f"there is no match {match}")
        if stands.place is None:
            raise NotArchived(
                f"match {match} is not in the archive: it is under way, or held by a dispute, or "
                "has not been archived yet"
            )
        if not await self._bury(match, stands):
            raise NotArchived(f"match {match} was moved at this moment; look at it again")
        await self._finish(match, stands.place.segment)

    async def _finish(self, match: str, segment: str) -> None:
        """What there is of a buried match beside its log goes first: that is what people see."""
        await self._erase([match])
        await self.compact(segment)

    async def _bury(self, match: str, stands: Standing) -> bool:
        """False where it moved meanwhile."""
        if stands.place is None or not await self.store.bury(match, stands.place):
            return False
        await self.store.tally({"deleted": 1})
        _logger.info("deleted", match=match)
        return True

    async def _erase(self, matches: Sequence[str]) -> None:
        """What there is of buried matches beside their logs; again is the same as once."""
        names = sorted({*GROUPS, *await self.store.groups()}) if matches else []
        for match in matches:
            for name in names:
                await self.store.forget(name, match, deleted=True)
            await self.vault.forget(match)

    async def _erased(self, segment: str, done: Sequence[str] = ()) -> None:
        """The segment is gone, and with it the last of what lay there and was deleted; so much is
        `done` of what there was beside."""
        deleting = await self.store.deleting()
        gone = [match for match, place in deleting.items() if place.segment == segment]
        await self._erase([match for match in gone if match not in done])
        for match in gone:
            await self.store.erased(match)

    async def expire(self, days: float) -> Swept:
        """Delete all whose last change lies so many days back."""
        before = self.clock() - int(days * DAY)
        swept = Swept()
        async for segment, records in self._segments(before):
            old = [record for record in records if record.at <= before]
            gone = 0
            for record, stands in await self._lying(segment, old):
                gone += await self._bury(record.match, stands)
            if gone:
                swept = swept.plus(await self._compacted(segment), deleted=gone)
        return swept

    async def sweep(self) -> Swept:
        """Write segments anew that hold deleted matches, or of which half is needed no more: what
        came back, and what somebody who died has left behind."""
        swept = Swept()
        for segment in sorted({place.segment for place in (await self.store.deleting()).values()}):
            swept = swept.plus(await self._compacted(segment))
        async for segment, records in self._segments(self.clock() - YOUNG):
            found = await self._standing(records)
            buried = any(stands and stands.status == DELETED for _, stands in found)
            needed = sum(each[0].length for each in found if _needed(segment, *each))
            if buried or 2 * needed <= sum(record.length for record in records):
                swept = swept.plus(await self._compacted(segment))
        return swept

    async def _segments(self, before: int) -> AsyncIterator[tuple[str, list[Record]]]:
        """Those written until then, with what is in them; what cannot be read is left alone."""
        for segment in await self.archive.segments():
            if written_at(segment) <= before:
                try:
                    yield segment, await self.archive.index(segment)
                except (Missing, Unsound) as error:
                    _logger.error("segment_damaged", segment=segment, why=str(error))

    async def _compacted(self, segment: str) -> Swept:
        """One that cannot be copied whole stays as it is."""
        try:
            return Swept(0, await self.compact(segment), 1)
        except (Corrupt, Unsound) as error:
            _logger.error("segment_damaged", segment=segment, why=str(error))
            return Swept()

    async def compact(self, segment: str) -> bool:
        """Have nothing in a segment but what is needed: whether a new one took its place. Raises
        Corrupt, Unsound.

        What is reserved for it but does not lie there yet is not going there any more. What the
        store does not know, or not so far, is kept: the store may have lost it.
        """
        try:
            records = await self.archive.index(segment)
        except Missing:
            await self._erased(segment)
            return False
        for record in records:
            await self.store.unreserve(record.match, segment)
        found = await self._standing(records)
        deleted = [r.match for r, stands in found if stands and stands.status == DELETED]
        await self._erase(deleted)
        needed = [record for record, stands in found if _needed(segment, record, stands)]
        if len(needed) == len(records) and records:
            return False
        if needed:
            await self._copied(segment, needed)
        if not await self._lying(segment, records):
            await self._settled(records)
            await self.archive.drop(segment)
            await self._erased(segment, deleted)
        return bool(needed)

    async def _settled(self, records: Sequence[Record]) -> None:
        """Replicas know it too, or a failover would have matches read from what is gone. Raises
        Unavailable."""
        each = {partition(r.match, self.store.partitions): r.match for r in records}
        try:
            for match in each.values():
                await self.store.confirm(match)
        except Unconfirmed as error:
            raise Unavailable(f"{error}; a sweep drops the segment when they do") from None

    async def _copied(self, segment: str, records: Sequence[Record]) -> None:
        """To a new segment, from whose bytes their digests come out again."""
        new = new_segment(self.clock())
        packed = []
        for record in records:
            await self.store.reserve(record.match, record.version, record.status, new)
            data = await self.archive.packed(record.match, record.place(segment))
            about = (record.version, record.head, record.status, record.at)
            packed.append(Packed(record.match, record.kind, *about, data))
        olds = {record.match: record.place(segment) for record in records}
        for record in await self.archive.write(new, packed):
            await self.archive.packed(record.match, record.place(new))
            await self.store.move(record.match, olds[record.match], record.place(new))

    async def _lying(
        self, segment: str, records: Sequence[Record]
    ) -> list[tuple[Record, Standing]]:
        """The records that their matches are read from, with how those stand."""
        return [
            (record, stands)
            for record, stands in await self._standing(records)
            if stands is not None and stands.place == record.place(segment)
        ]

    async def _standing(self, records: Sequence[Record]) -> list[tuple[Record, Standing | None]]:
        standings = await self.store.standings([record.match for record in records])
        return list(zip(records, standings, strict=True))


def _needed(segment: str, record: Record, stands: Standing | None) -> bool:
    """Not where the match is deleted, or the store has all of it elsewhere."""
    if stands is None:
        return True
    if stands.status == DELETED:
        return False
    if stands.place == record.place(segment) or stands.version < record.version:
        return True
    return stands.version == record.version and stands.head != record.head
