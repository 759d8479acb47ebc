"""Logs that leave the store in memory for the archive, and come back."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

from events.log import Entry
from events.shelf import DELETED, Place, Standing
from events.store import Meta


class MemoryShelf:
    """The port `Shelf`."""

    _logs: dict[str, list[Entry]]
    _metas: dict[str, Meta]
    _listeners: set[asyncio.Queue[tuple[str, int]]]

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[str, Place] = {}
        self._reserved: dict[str, str] = {}
        self._restored: dict[str, int] = {}
        self._buried: set[str] = set()
        self._deleting: dict[str, Place] = {}
        self._tallied: Counter[str] = Counter()

    def _fenced(self, match: str) -> bool:
        """Whether its log is not here, so that no append is accepted."""
        return match in self._places or match in self._buried

    async def standings(self, matches: Sequence[str]) -> list[Standing | None]:
        return [self._standing(match) for match in matches]

    def _standing(self, match: str) -> Standing | None:
        if match in self._buried:
            return Standing(0, b"", DELETED)
        meta = self._metas.get(match)
        if meta is None:
            return None
        return Standing(*meta, self._places.get(match), self._restored.get(match, 0))

    async def reserve(self, match: str, version: int, status: str, segment: str) -> bool:
        if not self._stands(match, version, status):
            return False
        self._reserved[match] = segment
        return True

    def _stands(self, match: str, version: int, status: str) -> bool:
        meta = self._metas.get(match)
        return meta is not None and (meta.version, meta.status) == (version, status)

    async def unreserve(self, match: str, segment: str) -> None:
        if self._reserved.get(match) == segment:
            del self._reserved[match]

    async def shelve(self, match: str, place: Place, status: str) -> bool:
        if self._places.get(match) == place:
            return True
        here = match not in self._places and self._stands(match, place.version, status)
        if not here or self._reserved.get(match) != place.segment:
            return False
        self._places[match] = place
        del self._reserved[match], self._logs[match]
        self._restored.pop(match, None)
        return True

    async def move(self, match: str, place: Place, to: Place) -> bool:
        if self._places.get(match) != place or self._reserved.get(match) != to.segment:
            return False
        self._places[match] = to
        del self._reserved[match]
        return True

    async def unshelve(self, match: str, place: Place, entries: Sequence[Entry], at: int) -> bool:
        if self._places.get(match) != place or len(entries) != place.version:
            return False
        self._logs[match] = list(entries)
        del self._places[match]
        self._reserved.pop(match, None)
        self._restored[match] = at
        return True

    async def adopt(self, match: str, place: Place, head: bytes, status: str) -> bool:
        if match in self._metas or match in self._buried:
            return False
        self._metas[match] = Meta(place.version, head, status)
        self._places[match] = place
        return True

    async def bury(self, match: str, place: Place) -> bool:
        if self._places.get(match) != place:
            return False
        del self._places[match], self._metas[match]
        self._reserved.pop(match, None)
        self._buried.add(match)
        self._deleting[match] = place
        for queue in self._listeners:
            queue.put_nowait((match, 0))
        return True

    async def deleting(self) -> dict[str, Place]:
        return dict(self._deleting)

    async def erased(self, match: str) -> None:
        self._deleting.pop(match, None)

    async def tally(self, counts: Mapping[str, int]) -> None:
        self._tallied.update(counts)

    async def tallied(self) -> dict[str, int]:
        return dict(self._tallied)
