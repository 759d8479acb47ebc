"""A worker: takes references of its group from the feeds and has its keeper do the rest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from events.store import Reference, Store, Unavailable
from projections.keeper import Keeper
from projections.projection import Projection
from projections.story import Library, Stories
from projections.wake import Wake

log = structlog.get_logger(__name__)

Taken = Mapping[int, Sequence[Reference]]


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How often, in seconds; `idle_ms` must be longer than the longest honest run."""

    sweep: float = 1.0
    claim: float = 5.0
    trim: float = 60.0
    retry: float = 1.0
    idle_ms: int = 30_000
    limit: int = 100


class Runner:
    """One projection's worker under a name that stays its own from start to start.

    Many may run at once, here and elsewhere: a match's order is kept by the gate of its cell.
    """

    def __init__(
        self,
        store: Store,
        projection: Projection,
        consumer: str,
        stories: Stories | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.keeper = Keeper(store, projection, stories or Library(store))
        self.consumer = consumer
        self.references = 0
        self._store = store
        self._group = projection.name
        self._pace = pace or Pace()
        self._stopping = False
        self._wake = Wake(store, store.partitions)
        self._due = {"claim": 0.0, "trim": 0.0}

    async def run(self) -> None:
        """Until `stop`: no outage of the store ends it, nor an error of our own."""
        async with self._wake:
            while not self._stopping:
                try:
                    await self._work()
                except Unavailable as error:
                    log.warning("store unavailable", projection=self._group, error=str(error))
                    await asyncio.sleep(self._pace.retry)
                except Exception:
                    log.exception("worker failed", projection=self._group)
                    await asyncio.sleep(self._pace.retry)
            try:
                await self._store.remove_consumer(self._group, self.consumer)
            except Unavailable as error:
                log.warning("consumer stays", projection=self._group, error=str(error))

    def stop(self) -> None:
        """`run` ends after what it is at; nothing that it took stays behind."""
        self._stopping = True
        self._wake.prod()

    async def _work(self) -> None:
        await self.begin()
        while not self._stopping:
            await self._sweep(await self._wake.next(self._pace.sweep))
            if self._is_due("claim", self._pace.claim):
                await self.claim()
            if self._is_due("trim", self._pace.trim):
                await self._store.trim()

    def _is_due(self, what: str, every: float) -> bool:
        now = time.monotonic()
        if now < self._due[what]:
            return False
        self._due[what] = now + every
        return True

    async def begin(self) -> None:
        """First of all do again what was taken and not acknowledged.

        A new group has not seen what the feeds no longer hold: it joins when that is made good.
        """
        if not await self._store.joined(self._group):
            await self.keeper.repair()
            await self._store.join(self._group)
        while own := await self._store.own(self._group, self.consumer, self._pace.limit):
            await self._handle(own)

    async def _sweep(self, partitions: set[int] | None) -> None:
        limit = self._pace.limit
        while taken := await self._store.take(self._group, self.consumer, limit, partitions):
            await self._handle(taken)
            partitions = set(taken)

    async def claim(self) -> None:
        """Take over what others took and never finished."""
        pace = self._pace
        taken = await self._store.claim(self._group, self.consumer, pace.idle_ms, pace.limit)
        await self._handle(taken)

    async def drain(self) -> None:
        """All that is there to do now, and no more."""
        await self.begin()
        await self.claim()
        await self._sweep(None)

    async def _handle(self, taken: Taken) -> None:
        """Acknowledged last, when every effect is written: what is lost before comes again."""
        wanted: dict[str, int] = {}
        for references in taken.values():
            for _, match, version in references:
                wanted[match] = max(version, wanted.get(match, 0))
        if wanted.pop("", None) is not None:
            lost = [n for n, references in taken.items() if any(not r.match for r in references)]
            await self.keeper.repair(lost)
            await self._store.join(self._group)
        await self.keeper.catch_up(wanted)
        await self._store.ack(self._group, taken)
        self.references += sum(map(len, taken.values()))
