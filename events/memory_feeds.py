"""Feeds in memory: references by number in consumer groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from events.memory_leases import MemoryLeases
from events.store import Backlog, Beyond, Position, Reference

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


class Feed:
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


class MemoryFeeds(MemoryLeases):
    """The port `Feeds`, but for `touch`."""

    def __init__(self) -> None:
        super().__init__()
        self._feeds = [Feed() for _ in range(self.partitions)]

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


def _place(reference: Reference) -> int:
    return int(reference.id.split("-")[0])
