"""The store in memory: for tests and for the command line without a server. Keeps nothing."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from events.log import Entry
from events.memory_leases import MemoryLeases
from events.memory_shelf import MemoryShelf
from events.memory_versions import MemoryVersions
from events.partitions import partition
from events.store import (
    TAIL,
    Backlog,
    Beyond,
    Cell,
    Conflict,
    Fenced,
    Letter,
    Meta,
    Position,
    Reference,
    Row,
)

Taken = dict[int, list[Reference]]


class _Pending(NamedTuple):
    consumer: str
    since: float
    reference: Reference


class _Group:
    """How far a group has read one feed, and what its consumers have not acknowledged."""

    def __init__(self) -> None:
        self.last = 0
        self.pending: dict[int, _Pending] = {}


class _Feed:
    """One partition's references by number, counted from 1, and its groups."""

    def __init__(self) -> None:
        self.added = 0
        self.times: dict[int, float] = {}
        self.references: dict[int, Reference] = {}
        self.groups: dict[str, _Group] = {}

    def add(self, match: str, version: int, at: float) -> None:
        self.added += 1
        self.times[self.added] = at
        self.references[self.added] = Reference(f"{self.added}-0", match, version)

    def beyond(self, last: int) -> list[int]:
        return [number for number in self.references if number > last]


class _Shown(NamedTuple):
    """What one match shows in a projection's listings, and as of which version."""

    cursor: int
    rows: tuple[Row, ...]


class MemoryStore(MemoryLeases, MemoryVersions, MemoryShelf):
    """All ports of `events.store` in plain dicts."""

    def __init__(self, partitions: int = 64, clock: Callable[[], float] = time.monotonic) -> None:
        MemoryLeases.__init__(self)
        MemoryVersions.__init__(self)
        MemoryShelf.__init__(self)
        self.partitions = partitions
        self._clock = clock
        self._logs: dict[str, list[Entry]] = {}
        self._metas: dict[str, Meta] = {}
        self._feeds = [_Feed() for _ in range(partitions)]
        self._cells: dict[tuple[str, str], Cell] = {}
        self._shown: defaultdict[str, dict[str, _Shown]] = defaultdict(dict)
        self._parked: defaultdict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
        self._listeners: set[asyncio.Queue[tuple[str, int]]] = set()
        self._letters: list[Letter] = []

    async def append(self, match: str, entry: Entry, status: str, before: bytes = b"") -> None:
        meta = self._metas.get(match, Meta(0, b"", ""))
        forked = bool(before and meta.version and meta.head != before)
        if self._fenced(match) or forked or meta.version != entry.version - 1:
            raise Conflict(meta, self._logs.get(match, [])[entry.version - 1 :][:TAIL])
        self._logs.setdefault(match, []).append(entry)
        self._metas[match] = Meta(entry.version, entry.head, status)
        self._tell(match, entry.version)

    async def confirm(self, match: str) -> None:
        """There is nowhere else that it could be."""

    def history(self, match: str) -> str:
        return "memory"

    def _tell(self, match: str, version: int) -> None:
        self._feed(match).add(match, version, self._clock())
        for queue in self._listeners:
            queue.put_nowait((match, version))

    def _feed(self, match: str) -> _Feed:
        return self._feeds[partition(match, self.partitions)]

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        entries = self._logs.get(match, [])[after:]
        return entries if limit is None else entries[:limit]

    async def meta(self, match: str) -> Meta | None:
        return self._metas.get(match)

    async def metas(self, matches: Sequence[str]) -> list[Meta | None]:
        return [self._metas.get(match) for match in matches]

    async def matches(self, partition: int | None = None) -> AsyncIterator[str]:
        for match in list(self._metas):
            if partition is None or self._feed(match) is self._feeds[partition]:
                yield match

    async def moved(self) -> AsyncIterator[tuple[str, int]]:
        queue: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield "", 0
            while True:
                yield await queue.get()
        finally:
            self._listeners.discard(queue)

    async def joined(self, group: str) -> bool:
        return all(group in feed.groups for feed in self._feeds)

    async def join(self, group: str, since: Mapping[int, Position] | None = None) -> None:
        for number in range(self.partitions) if since is None else since:
            feed = self._feeds[number]
            seen = feed.added if since is None else since[number].added
            if feed.added - seen > len(feed.beyond(seen)):
                continue
            feed.groups.setdefault(group, _Group())

    async def take(
        self, group: str, consumer: str, limit: int, partitions: Iterable[int] | None = None
    ) -> Taken:
        now = self._clock()
        taken: Taken = {}
        for number in range(self.partitions) if partitions is None else partitions:
            feed = self._feeds[number]
            if group not in feed.groups:
                taken[number] = [Reference("", "", 0)]
                continue
            state = feed.groups[group]
            for place in feed.beyond(state.last)[:limit]:
                reference = feed.references[place]
                state.last = place
                state.pending[place] = _Pending(consumer, now, reference)
                taken.setdefault(number, []).append(reference)
        return taken

    async def beyond(self, positions: Mapping[int, Position], limit: int) -> dict[int, Beyond]:
        found = {}
        for number, position in positions.items():
            feed = self._feeds[number]
            places = feed.beyond(position.added)
            references = [feed.references[place] for place in places[:limit]]
            lost = feed.added - position.added > len(places)
            end = Position(f"{feed.added}-0", feed.added)
            found[number] = Beyond(references, lost, end)
        return found

    async def own(self, group: str, consumer: str, limit: int) -> Taken:
        return self._pending(group, limit, lambda p: p.consumer == consumer)

    async def claim(
        self,
        group: str,
        consumer: str,
        idle_ms: int,
        limit: int,
        partitions: Iterable[int] | None = None,
    ) -> Taken:
        now = self._clock()
        stale = self._pending(group, limit, lambda p: (now - p.since) * 1000 >= idle_ms)
        if partitions is not None:
            wanted = set(partitions)
            stale = {number: some for number, some in stale.items() if number in wanted}
        for number, references in stale.items():
            pending = self._feeds[number].groups[group].pending
            for reference in references:
                place = _place(reference)
                pending[place] = _Pending(consumer, now, reference)
        return stale

    def _pending(self, group: str, limit: int, wanted: Callable[[_Pending], bool]) -> Taken:
        found: Taken = {}
        for number, feed in enumerate(self._feeds):
            pending = feed.groups[group].pending if group in feed.groups else {}
            references = [p.reference for _, p in sorted(pending.items()) if wanted(p)]
            if references:
                found[number] = references[:limit]
        return found

    async def ack(self, group: str, done: Mapping[int, Sequence[Reference]]) -> None:
        for number, references in done.items():
            for reference in references:
                if reference.id:
                    self._feeds[number].groups[group].pending.pop(_place(reference), None)

    async def touch(self, match: str) -> None:
        if match in self._metas:
            self._tell(match, self._metas[match].version)

    async def trim(self, gone_ms: int = 3_600_000) -> int:
        gone = 0
        for feed in self._feeds:
            if feed.groups:
                safe = min(min(g.pending, default=g.last) for g in feed.groups.values())
                done = [number for number in feed.references if number < safe]
                gone += len(done)
                for number in done:
                    del feed.references[number], feed.times[number]
        return gone

    async def lag(self, group: str) -> int:
        return (await self.backlog(group)).references

    async def backlog(self, group: str) -> Backlog:
        now = oldest = self._clock()
        references = 0
        for feed in self._feeds:
            state = feed.groups.get(group, _Group())
            places = [*sorted(state.pending), *feed.beyond(state.last)[:1000]]
            references += len(places)
            oldest = min([oldest, *[feed.times[place] for place in places[:1]]])
        return Backlog(references, int((now - oldest) * 1000))

    async def groups(self) -> set[str]:
        return {group for feed in self._feeds for group in feed.groups}

    async def disband(self, group: str) -> None:
        self._disband(group)
        for feed in self._feeds:
            feed.groups.pop(group, None)

    async def remove_consumer(self, group: str, consumer: str) -> bool:
        return not await self.own(group, consumer, 1)

    async def get(self, projection: str, match: str) -> Cell | None:
        return self._cells.get((projection, match))

    async def cursors(self, projection: str, matches: Sequence[str]) -> list[int]:
        none = Cell(0, b"")
        return [self._cells.get((projection, match), none).cursor for match in matches]

    async def put(
        self,
        projection: str,
        match: str,
        base: int,
        cell: Cell,
        rows: Sequence[Row] | None = None,
        fence: int | None = None,
    ) -> bool:
        shown = self._shown[projection]
        if rows is not None and (match not in shown or shown[match].cursor <= cell.cursor):
            shown[match] = _Shown(cell.cursor, tuple(rows))
        lease = (await self.leases(projection))[partition(match, self.partitions)]
        if fence not in (None, lease.token):
            raise Fenced(f"{projection}: token {fence} is outdated")
        if await self.cursors(projection, [match]) != [base]:
            return False
        self._cells[projection, match] = cell
        return True

    async def rows(
        self, projection: str, listing: str, after: str = "", limit: int = 50, newest: bool = False
    ) -> list[Row]:
        all_shown = self._shown[projection].values()
        rows = [row for shown in all_shown for row in shown.rows if row.listing == listing]
        rows.sort(key=_position)
        if not newest:
            return rows[bisect_right(rows, after, key=_position) :][:limit]
        return [row for row in reversed(rows) if not after or row.position < after][:limit]

    async def shown(self, projection: str, match: str) -> list[Row]:
        return list(self._shown[projection].get(match, _Shown(0, ())).rows)

    async def drop(self, projection: str) -> None:
        self._parked.pop(projection, None)
        self._shown.pop(projection, None)
        self._cells = {key: cell for key, cell in self._cells.items() if key[0] != projection}

    async def forget(self, projection: str, match: str) -> None:
        self._shown[projection].pop(match, None)
        self._cells.pop((projection, match), None)
        self._parked[projection].pop(match, None)

    async def park(self, projection: str, match: str, version: int, why: str) -> None:
        self._parked[projection][match] = (version, why)
        self._letters.append(Letter(int(time.time() * 1000), projection, match, version, why))

    async def parked(self, projection: str) -> dict[str, tuple[int, str]]:
        return dict(self._parked[projection])

    async def is_parked(self, projection: str, matches: Sequence[str]) -> list[bool]:
        return [match in self._parked[projection] for match in matches]

    async def release(self, projection: str, match: str) -> None:
        self._parked[projection].pop(match, None)

    async def letters(self, limit: int = 100) -> list[Letter]:
        return self._letters[::-1][:limit]


def _place(reference: Reference) -> int:
    return int(reference.id.split("-")[0])


def _position(row: Row) -> str:
    return row.position
