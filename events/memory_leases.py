"""Leases in memory, by the clock of their store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from events.store import Beat, Lease


class _Life(NamedTuple):
    """The last sign of life of a worker, in ms, and for how long it counts."""

    number: int
    at: int
    ms: int


class MemoryLeases:
    """The port `Leases` in plain dicts."""

    partitions: int
    _clock: Callable[[], float]

    def __init__(self) -> None:
        super().__init__()
        self._lives: defaultdict[str, dict[str, _Life]] = defaultdict(dict)
        self._leases: defaultdict[str, dict[int, Lease]] = defaultdict(dict)

    def sibling(self) -> MemoryLeases:
        return self

    async def beat(self, worker: str, groups: Mapping[str, int], ms: int) -> dict[str, Beat]:
        return {group: self._beat(group, worker, n, ms) for group, n in groups.items()}

    def _beat(self, group: str, worker: str, number: int, ms: int) -> Beat:
        now = self._now()
        lives = self._lives[group]
        known = lives.get(worker)
        if known is not None and 0 < number < known.number:
            return Beat(known.number, True, ())
        same = known is not None and known.number == number
        lapsed = not (same and known is not None and 0 <= now - known.at <= known.ms)
        if not number:
            number = max(known.number + 1 if known else 0, now, 1)
        alive = {name: life._replace(at=min(life.at, now)) for name, life in lives.items()}
        alive = {name: life for name, life in alive.items() if now - life.at <= life.ms}
        self._lives[group] = alive | {worker: _Life(number, now, ms)}
        return Beat(number, lapsed, tuple(sorted(self._lives[group])))

    async def leave(self, group: str, worker: str, number: int) -> None:
        known = self._lives[group].get(worker)
        if known is not None and known.number == number:
            del self._lives[group][worker]

    async def workers(self, group: str) -> tuple[str, ...]:
        now = self._now()
        lives = self._lives[group].items()
        return tuple(sorted([name for name, life in lives if now - life.at <= life.ms]))

    async def leases(self, group: str) -> dict[int, Lease]:
        known = self._leases[group]
        return {number: known.get(number, Lease()) for number in range(self.partitions)}

    async def lease(self, group: str, worker: str, seen: Mapping[int, Lease]) -> dict[int, int]:
        stands = await self.leases(group)
        tokens = {}
        for number, lease in seen.items():
            if stands[number] == lease:
                tokens[number] = max(lease.token + 1, self._now())
                self._leases[group][number] = Lease(tokens[number], worker)
            elif stands[number].worker == worker and stands[number].token > lease.token:
                tokens[number] = stands[number].token
        return tokens

    async def unlease(self, group: str, worker: str, tokens: Mapping[int, int]) -> None:
        for number, token in tokens.items():
            if self._leases[group].get(number) == Lease(token, worker):
                self._leases[group][number] = Lease(token)

    async def aclose(self) -> None:
        """Nothing to give back."""

    def _disband(self, group: str) -> None:
        self._lives.pop(group, None)
        self._leases.pop(group, None)

    def _now(self) -> int:
        return int(self._clock() * 1000)
