"""A worker's share of the partitions: as many as are its due, each under a lease."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from events.store import Store
from projections.heart import Heart


def due(workers: Sequence[str], worker: str, partitions: int) -> int:
    """How many partitions a worker is to have: all are shared out, as evenly as can be."""
    each, rest = divmod(partitions, len(workers))
    return each + (workers.index(worker) < rest)


class Shares:
    """What one worker of a group holds: `held` is the token of each partition it has.

    Only `settle` changes it, so that nothing is given away that is being worked on.
    """

    def __init__(self, store: Store, group: str, heart: Heart) -> None:
        self.held: dict[int, int] = {}
        self._store = store
        self._group = group
        self._heart = heart
        self._settled: tuple[int, tuple[str, ...]] | None = None

    def mine(self, partitions: Iterable[int] | None = None) -> list[int]:
        """Those of these (or all) that are held by a lease that has not run out."""
        if self._heart.pulse(self._group) is None:
            return []
        return sorted(self.held if partitions is None else self.held.keys() & set(partitions))

    def doubt(self) -> None:
        """Something was refused: look who holds what before going on."""
        self._settled = None

    async def settle(self) -> list[int]:
        """Give back what is too much, take what is due; the partitions that are new.

        The store is asked only where something has changed. Raises Unavailable, Superseded.
        """
        pulse = self._heart.pulse(self._group)
        if pulse is None:
            self.held.clear()
            self._settled = None
            return []
        wanted = due(pulse.workers, self._heart.worker, self._store.partitions)
        seen = (pulse.lapses, pulse.workers)
        if seen == self._settled and len(self.held) == wanted:
            return []
        gained = await self._look(pulse.workers, wanted)
        self._settled = seen
        return gained

    async def _look(self, workers: Sequence[str], wanted: int) -> list[int]:
        """Leases before workers: who has taken one since has given a sign of life by then."""
        leases = await self._store.leases(self._group)
        living = await self._store.workers(self._group)
        ours = {n: lease.token for n, lease in leases.items() if lease.worker == self._heart.worker}
        for number in [n for n, token in self.held.items() if ours.get(n) != token]:
            del self.held[number]
        surplus = {number: self.held.pop(number) for number in sorted(self.held)[wanted:]}
        free = [
            number
            for number, lease in leases.items()
            if number not in self.held
            and number not in surplus
            and (lease.worker not in living or lease.worker == self._heart.worker)
        ]
        some = self._some(free, workers, wanted - len(self.held))
        # What an earlier process of our name held and we do not need would be nobody's for ever.
        surplus |= {n: token for n, token in ours.items() if n not in self.held and n not in some}
        await self._store.unlease(self._group, self._heart.worker, surplus)
        seen = {number: leases[number] for number in some}
        got = await self._store.lease(self._group, self._heart.worker, seen)
        self.held.update(got)
        return list(got)

    def _some(self, free: list[int], workers: Sequence[str], room: int) -> list[int]:
        """Each worker begins elsewhere, so that few ask for the same."""
        first = len(free) * workers.index(self._heart.worker) // len(workers)
        return [*free[first:], *free[:first]][:room]

    async def give_back(self) -> None:
        """All of it, at once. Raises Unavailable."""
        held = dict(self.held)
        self.held.clear()
        await self._store.unlease(self._group, self._heart.worker, held)
