"""The store in memory: for tests and for the command line without a server. Keeps nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence

from events.log import Entry
from events.memory_cells import MemoryCells
from events.memory_feeds import Feed, MemoryFeeds
from events.memory_shelf import MemoryShelf
from events.partitions import partition
from events.store import TAIL, Conflict, Meta


class MemoryStore(MemoryFeeds, MemoryCells, MemoryShelf):
    """All ports of `events.store` in plain dicts."""

    def __init__(self, partitions: int = 64, clock: Callable[[], float] = time.monotonic) -> None:
        self.partitions = partitions
        self._clock = clock
        super().__init__()
        self._logs: dict[str, list[Entry]] = {}
        self._metas: dict[str, Meta] = {}
        self._listeners: set[asyncio.Queue[tuple[str, int]]] = set()

    async def append(self, match: str, entry: Entry, status: str, before: bytes = b"") -> None:
        meta = self._metas.get(match, Meta(0, b"", ""))
        forked = bool(before and meta.version and meta.head != before)
        if self._fenced(match) or forked or meta.version != entry.version - 1:
            raise Conflict(meta, self._logs.get(match, [])[entry.version - 1 :][:TAIL])
        self._logs.setdefault(match, []).append(entry)
        self._metas[match] = Meta(entry.version, entry.head, status)
        self._tell(match, entry.version)

    def begin_append(
        self, match: str, entry: Entry, status: str, before: bytes = b""
    ) -> asyncio.Future[None]:
        return asyncio.ensure_future(self.append(match, entry, status, before))

    async def confirm(self, match: str) -> None:
        """There is nowhere else that it could be."""

    def history(self, match: str) -> str:
        return "memory"

    def _tell(self, match: str, version: int) -> None:
        self._feed(match).add(match, version, self._clock())
        for queue in self._listeners:
            queue.put_nowait((match, version))

    def _feed(self, match: str) -> Feed:
        return self._feeds[partition(match, self.partitions)]

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        entries = self._logs.get(match, [])[after:]
        return entries if limit is None else entries[:limit]

    async def meta(self, match: str) -> Meta | None:
        return self._metas.get(match)

    async def metas(self, matches: Sequence[str]) -> list[Meta | None]:
        return [self._metas.get(match) for match in matches]

    async def matches(self, partition: int | None = None, after: str = "") -> AsyncIterator[str]:
        wanted = self._feeds if partition is None else [self._feeds[partition]]
        found = sorted(match for match in self._metas if match > after)
        for feed in wanted:
            for match in found:
                if self._feed(match) is feed:
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

    async def touch(self, match: str) -> None:
        if match in self._metas:
            self._tell(match, self._metas[match].version)
