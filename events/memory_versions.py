"""Versions of projections in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from events.store import Versions


class _Numbers:
    """What is read, what is built, the largest so far, and when one of them changed, in ms."""

    live = building = last = at = 0


class MemoryVersions:
    """The part of the port `Cells` that tells of versions."""

    _clock: Callable[[], float]

    def __init__(self) -> None:
        super().__init__()
        self._versions: defaultdict[str, _Numbers] = defaultdict(_Numbers)

    async def versions(self, projection: str) -> Versions:
        known = self._versions[projection]
        since = max(0, self._ms() - known.at) if known.last else 0
        return Versions(known.live, known.building, since)

    async def build(self, projection: str) -> int:
        known = self._versions[projection]
        if not known.building:
            known.building = known.last = known.last + 1
            known.at = self._ms()
        return known.building

    async def swap(self, projection: str, live: int, building: int) -> bool:
        known = self._versions[projection]
        if (known.live, known.building) == (live, building) and building:
            known.live, known.building, known.at = building, 0, self._ms()
        return (known.live, known.building) == (building, 0)

    async def give_up(self, projection: str) -> int:
        known = self._versions[projection]
        given, known.building, known.at = known.building, 0, self._ms()
        return given

    def _ms(self) -> int:
        return int(self._clock() * 1000)
