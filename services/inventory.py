"""What is in the archive: counted, verified to the last head, and made known to a store again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from events.archive import Archive
from events.bucket import Missing
from events.segments import Record, Unsound
from events.shelf import DELETED, Place
from events.store import Corrupt, Store, Unavailable

CHUNK = 500


class Stock(msgspec.Struct):
    """Segments, their bytes, what lies in them; and matches that the store reads from there."""

    segments: int = 0
    size: int = 0
    records: int = 0
    versions: int = 0
    oldest: int = 0
    archived: int = 0


class Flaw(msgspec.Struct, frozen=True):
    """What is wrong with a segment, or with a match."""

    where: str
    why: str


class Verified(msgspec.Struct):
    """Matches that came out whole, their versions, and what is wrong."""

    matches: int = 0
    versions: int = 0
    flaws: list[Flaw] = msgspec.field(default_factory=list)


class Reindexed(msgspec.Struct):
    """Matches made known again, pointed elsewhere, known already, and what is wrong."""

    adopted: int = 0
    moved: int = 0
    known: int = 0
    flaws: list[Flaw] = msgspec.field(default_factory=list)


class Inventory:
    """Over one store and its archive."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self.store = store
        self.archive = archive

    async def stock(self) -> Stock:
        """By the indexes alone. Raises Unsound."""
        found = Stock()
        for segment in await self.archive.segments():
            records = await self._index(segment)
            if not records:
                continue
            found.segments += 1
            found.records += len(records)
            found.versions += sum(record.version for record in records)
            found.size += sum(record.length for record in records)
            found.oldest = min([found.oldest or 2**63, *[record.at for record in records]])
        async for _, place in self._placed():
            found.archived += place is not None
        return found

    async def verify(self) -> Verified:
        """Every record of every segment unpacked, its chain made anew; and that every match the
        store reads from the archive is there."""
        found = Verified()
        there: set[Place] = set()
        for segment in await self.archive.segments():
            try:
                records = await self._index(segment)
            except (Unsound, Unavailable) as error:
                found.flaws.append(Flaw(segment, str(error)))
                continue
            for record in records:
                place = record.place(segment)
                there.add(place)
                await self._whole(found, segment, record.match, place, record.head)
        async for match, lies in self._placed():
            if lies is not None and lies not in there:
                await self._elsewhere(found, match)
        return found

    async def _whole(
        self, found: Verified, where: str, match: str, place: Place, head: bytes
    ) -> None:
        try:
            await self.archive.fetch(match, place, head)
        except (Corrupt, Unavailable) as error:
            found.flaws.append(Flaw(where, str(error)))
        else:
            found.matches += 1
            found.versions += place.version

    async def _elsewhere(self, found: Verified, match: str) -> None:
        """In no segment that was looked at: it may have gone to another since."""
        (stands,) = await self.store.standings([match])
        if stands is not None and stands.place is not None:
            await self._whole(found, match, match, stands.place, stands.head)

    async def reindex(self) -> Reindexed:
        """Make all that the archive holds known to a store that has lost it. What the store knows
        stays, unless the segment it names is gone."""
        found = Reindexed()
        newest: dict[str, tuple[str, Record]] = {}
        segments = await self.archive.segments()
        for segment in segments:
            try:
                records = await self._index(segment)
            except Unsound as error:
                found.flaws.append(Flaw(segment, str(error)))
                continue
            for record in records:
                known = newest.get(record.match)
                if known is None or known[1].version <= record.version:
                    newest[record.match] = segment, record
        for segment, record in newest.values():
            await self._known(found, set(segments), segment, record)
        return found

    async def _known(
        self, found: Reindexed, segments: set[str], segment: str, record: Record
    ) -> None:
        match, place = record.match, record.place(segment)
        if await self.store.adopt(match, place, record.head, record.status):
            await self.store.touch(match)
            found.adopted += 1
            return
        (stands,) = await self.store.standings([match])
        if stands is None or stands.place is None or stands.place.segment in segments:
            found.known += 1
            return
        same = (stands.version, stands.head) == (record.version, record.head)
        reserved = same and await self.store.reserve(match, record.version, record.status, segment)
        if reserved and await self.store.move(match, stands.place, place):
            found.moved += 1
            return
        why = f"the store has version {stands.version} of it, the archive another {record.version}"
        found.flaws.append(Flaw(match, why))

    async def _index(self, segment: str) -> list[Record]:
        """Nothing where it was dropped meanwhile. Raises Unsound."""
        try:
            return await self.archive.index(segment)
        except Missing:
            return []

    async def _placed(self) -> AsyncIterator[tuple[str, Place | None]]:
        """Every match of the store, with where it lies in the archive."""
        async for chunk in chunks(self.store):
            standings = await self.store.standings(chunk)
            for match, stands in zip(chunk, standings, strict=True):
                if stands is not None and stands.status != DELETED:
                    yield match, stands.place


async def chunks(store: Store) -> AsyncIterator[list[str]]:
    """All matches of a store, each once, many at a time."""
    for number in range(store.partitions):
        matches = list(dict.fromkeys([match async for match in store.matches(number)]))
        for start in range(0, len(matches), CHUNK):
            yield matches[start : start + CHUNK]
