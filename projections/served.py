"""Read models as readers see them: of each projection the version that is to be read."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from events.store import Cell, Cells, Row
from projections.versions import REMAINS, named

Found = TypeVar("Found")


class Served:
    """Looks up which version that is once in `every` seconds at most."""

    def __init__(self, cells: Cells, every: float = 1.0) -> None:
        self._cells = cells
        self._every = every
        self._known: dict[str, tuple[float, str]] = {}

    async def get(self, projection: str, match: str) -> Cell | None:
        return await self._read(projection, lambda name: self._cells.get(name, match))

    async def rows(
        self, projection: str, listing: str, after: str = "", limit: int = 50, newest: bool = False
    ) -> list[Row]:
        return await self._read(
            projection, lambda name: self._cells.rows(name, listing, after, limit, newest)
        )

    async def _read(self, projection: str, ask: Callable[[str], Awaitable[Found]]) -> Found:
        """What took so long that its version may be gone by now is asked again."""
        while True:
            since, name = await self._name(projection)
            found = await ask(name)
            if time.monotonic() - since < REMAINS / 2:
                return found

    async def _name(self, projection: str) -> tuple[float, str]:
        """The name to read under, and as of when."""
        now = time.monotonic()
        known = self._known.get(projection)
        if known is None or now - known[0] >= self._every:
            version = (await self._cells.versions(projection)).live
            known = self._known[projection] = (now, named(projection, version))
        return known
