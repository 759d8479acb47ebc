"""Read models in memory: gated cells, listings, dead letters."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from events.log import Entry
from events.memory_leases import MemoryLeases
from events.memory_versions import MemoryVersions
from events.partitions import partition
from events.store import (
    FENCE,
    FENCED_MS,
    MARK,
    Cell,
    Deferred,
    Fenced,
    Letter,
    Mark,
    Marks,
    Meta,
    Row,
)


class _Shown(NamedTuple):
    """What one match shows in a projection's listings, and as of what."""

    mark: Mark
    rows: tuple[Row, ...]


class MemoryCells(MemoryLeases, MemoryVersions):
    """The ports `Cells`, `DeadLetters` and `Deferrals`."""

    _logs: dict[str, list[Entry]]
    _metas: dict[str, Meta]
    _buried: set[str]

    def __init__(self) -> None:
        super().__init__()
        self._cells: dict[tuple[str, str], Cell] = {}
        self._shown: defaultdict[str, dict[str, _Shown]] = defaultdict(dict)
        self._parked: defaultdict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
        self._letters: list[Letter] = []
        self._fences: dict[tuple[str, str], float] = {}
        self._deferred: defaultdict[str, dict[int, Deferred]] = defaultdict(dict)

    async def get(self, projection: str, match: str) -> Cell | None:
        cell = self._cells.get((projection, match))
        return cell and cell._replace(head=b"")

    async def cursors(self, projection: str, matches: Sequence[str]) -> list[int]:
        return [marks.cell.version for marks in await self.marks(projection, matches)]

    async def marks(self, projection: str, matches: Sequence[str]) -> list[Marks]:
        none, blank = Cell(0, b""), _Shown(Mark(), ())
        cells = [self._cells.get((projection, match), none) for match in matches]
        shown = [self._shown[projection].get(match, blank) for match in matches]
        return [Marks(_mark(cell), one.mark) for cell, one in zip(cells, shown, strict=True)]

    def _holds(self, match: str, mark: Mark) -> bool:
        """Whether the log has what this was made from, as far as can be seen."""
        meta = self._metas.get(match, Meta(0, b"", ""))
        if mark.version == meta.version:
            return meta.head[:MARK] == mark.head
        log = self._logs.get(match, [])
        return mark.version <= len(log) and log[mark.version - 1].head[:MARK] == mark.head

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
        mark = _mark(cell)
        if rows is not None:
            stands = shown[match].mark if match in shown else Mark()
            lost = stands.head and not self._holds(match, stands)
            if stands.version <= cell.cursor or lost:
                shown[match] = _Shown(mark, tuple(rows))
        lease = (await self.leases(projection))[partition(match, self.partitions)]
        if fence not in (None, lease.token):
            raise Fenced(f"{projection}: token {fence} is outdated")
        (stands, _) = (await self.marks(projection, [match]))[0]
        if stands.version != base or (mark.head and not self._holds(match, mark)):
            return False
        back = mark.head and stands.head and stands.version > cell.cursor
        if back and self._holds(match, stands):
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
        return list(self._shown[projection].get(match, _Shown(Mark(), ())).rows)

    async def showing(self, projection: str) -> AsyncIterator[str]:
        for match in list(self._shown[projection]):
            yield match

    async def drop(self, projection: str) -> None:
        for kept in (self._parked, self._shown, self._deferred):
            kept.pop(projection, None)
        self._cells = {key: cell for key, cell in self._cells.items() if key[0] != projection}
        self._fences = {key: at for key, at in self._fences.items() if key[0] != projection}

    async def forget(self, projection: str, match: str, deleted: bool = False) -> None:
        self._cells.pop((projection, match), None)
        self._parked[projection].pop(match, None)
        shown, now = self._shown[projection], self._clock()
        if deleted and shown:
            shown[match] = _Shown(Mark(FENCE), ())
            self._fences[projection, match] = now
        elif (projection, match) not in self._fences:
            shown.pop(match, None)
        for name, other in [key for key, at in self._fences.items() if now - at > FENCED_MS / 1000]:
            self._shown[name].pop(other, None)
            del self._fences[name, other]

    async def park(self, projection: str, match: str, version: int, why: str) -> None:
        if match in self._buried:
            return
        self._parked[projection][match] = (version, why)
        self._letters.append(Letter(int(time.time() * 1000), projection, match, version, why))

    async def parked(self, projection: str, limit: int | None = None) -> dict[str, tuple[int, str]]:
        return dict(list(self._parked[projection].items())[:limit])

    async def count_parked(self, projection: str) -> int:
        return len(self._parked[projection])

    async def is_parked(self, projection: str, matches: Sequence[str]) -> list[bool]:
        return [match in self._parked[projection] for match in matches]

    async def release(self, projection: str, match: str) -> None:
        self._parked[projection].pop(match, None)

    async def letters(self, limit: int = 100) -> list[Letter]:
        return self._letters[::-1][:limit]

    async def defer(self, projection: str, partition: int, deferred: Deferred) -> None:
        self._deferred[projection][partition] = deferred

    async def deferred(self, projection: str) -> dict[int, Deferred]:
        return dict(self._deferred[projection])

    async def settle(self, projection: str, partition: int, seen: Deferred) -> bool:
        if self._deferred[projection].get(partition) != seen:
            return False
        del self._deferred[projection][partition]
        return True


def _mark(cell: Cell) -> Mark:
    return Mark(cell.cursor, cell.head[:MARK])


def _position(row: Row) -> str:
    return row.position
