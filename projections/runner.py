"""A worker: takes references of its group from the feeds and has its keeper do the rest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import structlog

from events.store import Fenced, Position, Reference, Store, Unavailable
from projections.heart import Heart, Superseded
from projections.histories import Histories
from projections.keeper import Keeper
from projections.projection import Projection
from projections.shares import Shares
from projections.story import Library, Stories
from projections.wake import Wake

log = structlog.get_logger(__name__)

Taken = Mapping[int, Sequence[Reference]]

_ROUNDS = 10
"""Times that more is taken before it is looked whether the shares have changed."""


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How often, in seconds; `idle_ms` must be longer than the longest honest run, and `lease` is
    how long a worker may be silent. `again`: looks whether something deferred is due."""

    sweep: float = 1.0
    claim: float = 5.0
    again: float = 2.0
    trim: float = 60.0
    retry: float = 1.0
    lease: float = 10.0
    idle_ms: int = 30_000
    limit: int = 100


@dataclass
class Tally:
    """What a worker has done so far."""

    references: int = 0
    claimed: int = 0
    trimmed: int = 0


class Runner:
    """One projection's worker under a name that stays its own from start to start.

    Many may run at once, here and elsewhere: they share the partitions. A match's order is kept
    by the gate of its cell all the same. A `heart` that is handed in beats already.
    """

    def __init__(
        self,
        store: Store,
        projection: Projection,
        consumer: str,
        stories: Stories | None = None,
        pace: Pace | None = None,
        heart: Heart | None = None,
    ) -> None:
        self.keeper = Keeper(store, projection, stories or Library(store))
        self.consumer = consumer
        self.tally = Tally()
        self._store = store
        self._group = projection.name
        self._pace = pace or Pace()
        self._stopping = False
        self._interrupted = False
        self._wake = Wake(store, store.partitions)
        self._histories = Histories(store)
        self._due = {"claim": 0.0, "trim": 0.0, "again": 0.0}
        self._again: asyncio.Task[None] | None = None
        self._lent = heart
        self._heart = heart or Heart(store, consumer, self._pace.lease)
        self.shares = Shares(store, self._group, self._heart)
        self.keeper.held = self.shares.held

    @property
    def references(self) -> int:
        return self.tally.references

    async def run(self) -> None:
        """Until `stop`: no outage of the store ends it, nor an error of our own.

        Raises Superseded.
        """
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._wake)
            stack.push_async_callback(self._look_no_more)
            if self._lent is None:
                await stack.enter_async_context(self._heart)
            self._heart.join(self._group, self._wake.prod)
            while not self._stopping:
                try:
                    await self._work()
                except Unavailable as error:
                    log.warning("store unavailable", projection=self._group, error=str(error))
                    await asyncio.sleep(self._pace.retry)
                except Fenced as error:
                    log.warning("lease lost", projection=self._group, error=str(error))
                    self.shares.doubt()
                except Superseded:
                    raise
                except Exception:
                    log.exception("worker failed", projection=self._group)
                    self._interrupted = True
                    await asyncio.sleep(self._pace.retry)
                self._interrupted = True
            await self._leave()

    async def _leave(self) -> None:
        """What it held is free at once."""
        try:
            await self.shares.give_back()
            await self._heart.leave(self._group)
            await self._store.remove_consumer(self._group, self.consumer)
        except Unavailable as error:
            log.warning("consumer stays", projection=self._group, error=str(error))

    def stop(self) -> None:
        """`run` ends after what it is at; nothing that it took stays behind."""
        self._stopping = True
        self._wake.prod()

    async def _work(self) -> None:
        await self._join()
        while not self._stopping:
            moved = await self._wake.next(self._pace.sweep)
            gained = await self.shares.settle()
            if self._interrupted:
                # What was taken and not acknowledged in what remains of our share is ours still.
                gained, self._interrupted = self.shares.mine(), False
            await self._inherit(gained)
            if await self._sweep(moved):
                self._wake.prod()
            if self._is_due("claim", self._pace.claim):
                await self._claim(self.shares.mine())
            if self._is_due("again", self._pace.again):
                self._look_again()
            if 0 in self.shares.held and self._is_due("trim", self._pace.trim):
                self.tally.trimmed += await self._store.trim()

    def _look_again(self) -> None:
        if self._again is None or self._again.done():
            self._again = asyncio.create_task(self._looked_again())

    async def _look_no_more(self) -> None:
        if self._again is not None:
            self._again.cancel()
            await asyncio.wait([self._again])

    async def _looked_again(self) -> None:
        """Whatever it meets, the work goes on: it will be due again."""
        try:
            await self.keeper.look_again(self.shares.mine())
        except (Unavailable, Fenced, Superseded) as error:
            log.warning("not looked again", projection=self._group, error=str(error))
        except Exception:
            log.exception("worker failed", projection=self._group)

    def _is_due(self, what: str, every: float) -> bool:
        now = time.monotonic()
        if now < self._due[what]:
            return False
        self._due[what] = now + every
        return True

    async def begin(self) -> None:
        """First of all do again what was taken and not acknowledged."""
        await self._join()
        self._histories.note(None)
        while own := await self._store.own(self._group, self.consumer, self._pace.limit):
            await self._handle(own)

    async def _join(self) -> None:
        """A new group has not seen what the feeds no longer hold: it joins when that is made good,
        and not where more was lost meanwhile."""
        while not await self._store.joined(self._group):
            await self._make_good(range(self._store.partitions))

    async def _make_good(self, partitions: Iterable[int]) -> None:
        wanted = dict.fromkeys(partitions, Position())
        ends = {n: beyond.end for n, beyond in (await self._store.beyond(wanted, 1)).items()}
        await self.keeper.repair(wanted)
        await self._store.join(self._group, ends)

    async def _inherit(self, gained: Sequence[int]) -> None:
        """Nobody else works on a partition that is ours now: what is unfinished there is ours."""
        while gained and (taken := await self._take_over(0, gained)):
            await self._handle(taken)

    async def _sweep(self, moved: Iterable[int] | None) -> bool:
        """Whether there may be more."""
        for _ in range(_ROUNDS):
            mine = self.shares.mine(moved)
            taken = await self._take(mine) if mine else {}
            if not taken:
                return False
            await self._handle(taken)
            moved = set(taken)
        return True

    async def _take(self, partitions: Iterable[int] | None) -> Taken:
        self._histories.note(partitions)
        return await self._store.take(self._group, self.consumer, self._pace.limit, partitions)

    async def claim(self) -> None:
        """Take over what others took and never finished."""
        await self._claim(None)

    async def _claim(self, partitions: Iterable[int] | None) -> None:
        await self._handle(await self._take_over(self._pace.idle_ms, partitions))

    async def _take_over(self, idle_ms: int, partitions: Iterable[int] | None) -> Taken:
        self._histories.note(partitions)
        some = (self._group, self.consumer, idle_ms, self._pace.limit)
        taken = await self._store.claim(*some, partitions)
        self.tally.claimed += sum(map(len, taken.values()))
        return taken

    async def drain(self) -> None:
        """All that is there to do now, and no more; without any lease."""
        await self.begin()
        await self.claim()
        await self.keeper.look_again(range(self._store.partitions))
        while taken := await self._take(None):
            await self._handle(taken)

    async def _handle(self, taken: Taken) -> None:
        """Acknowledged last, when every effect is written: what is lost before comes again."""
        wanted: dict[str, int] = {}
        for references in taken.values():
            for _, match, version in references:
                wanted[match] = max(version, wanted.get(match, 0))
        if wanted.pop("", None) is not None:
            await self._make_good(
                [n for n, references in taken.items() if any(not r.match for r in references)]
            )
        await self.keeper.catch_up(wanted)
        await self._store.ack(self._group, taken)
        self.tally.references += sum(map(len, taken.values()))
        if changed := self._histories.changed(taken):
            log.warning("history changed", projection=self._group, partitions=sorted(changed))
            # Rows may lie on a server that has only lost what other partitions show.
            everywhere = self._histories.changed(range(self._store.partitions))
            await self._make_good(everywhere)
            await self.keeper.repair()
            self._histories.settle(everywhere)
