"""Read models in memory: gated cells, listings, dead letters."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from events.partitions import partition
from events.store import Cell, Fenced, Letter, Row

from events.memory_leases import MemoryLeases
from events.memory_versions import MemoryVersions


class _Shown(NamedTuple):
    """What one match shows in a projection's listings, and as of which version."""

    cursor: int
    rows: tuple[Row, ...]


class MemoryCells(MemoryLeases, MemoryVersions):
    """The ports `Cells` and `DeadLetters`."""

    def __init__(self) -> None:
        super().__init__()
        self._cells: dict[tuple[str, str], Cell] = {}
        self._shown: defaultdict[str, dict[str, _Shown]] = defaultdict(dict)
        self._parked: defaultdict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
        self._letters: list[Letter] = []

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


def _position(row: Row) -> str:
    return row.position
