"""The store's own figures for `/metrics`: what waits, what is parked, who works."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Gauge

from events.store import Store, Unavailable
from services.condition import Condition, conditions

EVERY = 5.0
"""Seconds for which what was read of the store is shown again."""

DONE = ("matches", "bytes", "failures", "restored", "deleted")
"""What is counted of an archive, shown as 0 until it is."""

PATIENCE = 4.0
"""Seconds in which the store must have told: Prometheus gives up after ten."""


class Gauges:
    """Read when somebody asks for the metrics, at most once in `every` seconds; a store that has
    not told all within `patience` seconds counts as away."""

    def __init__(
        self,
        registry: CollectorRegistry,
        store: Store,
        groups: Sequence[str],
        every: float = EVERY,
        patience: float = PATIENCE,
    ) -> None:
        self._store = store
        self._groups = groups
        self._every = every
        self._patience = patience
        self._due = 0.0
        self._busy = asyncio.Lock()

        def gauge(name: str, what: str, *labels: str) -> Gauge:
            return Gauge(f"hallowstream_{name}", what, ["group", *labels], registry=registry)

        self._waiting = gauge("lag_references", "References that the group has not acknowledged")
        self._oldest = gauge("lag_seconds", "Age of the oldest of them")
        self._parked = gauge("parked_matches", "Matches that the group leaves alone for an error")
        self._deferred = gauge("deferred", "Partitions with matches in an archive that is away")
        self._workers = gauge("workers", "Workers of the group that give signs of life")
        self._leases = gauge("leases", "Partitions that a worker of the group has", "worker")
        self._free = gauge("partitions_free", "Partitions of the group that no worker has")
        self._version = gauge("projection_version", "Version of the projection that is read")
        self._building = gauge("projection_building", "Version that is being built, 0 for none")
        self._archive = Gauge(
            "hallowstream_archive",
            "What was done in the archive so far: matches and bytes that went there, failures, "
            "matches restored and deleted",
            ["what"],
            registry=registry,
        )
        self._up = Gauge("hallowstream_store_up", "Whether the store answers", registry=registry)

    async def refresh(self) -> None:
        """While the store is away the last figures go, and `store_up` is 0."""
        async with self._busy:
            if time.monotonic() < self._due:
                return
            self._due = time.monotonic() + self._every
            try:
                async with asyncio.timeout(self._patience):
                    found = await conditions(self._store, self._groups)
                    done = dict.fromkeys(DONE, 0) | await self._store.tallied()
                    for what, count in done.items():
                        self._archive.labels(what).set(count)
            except (Unavailable, TimeoutError):
                found = []
            self._up.set(bool(found))
            self._show(found)

    def _show(self, found: Sequence[Condition]) -> None:
        self._leases.clear()
        if not found:
            shown = (self._waiting, self._oldest, self._parked, self._deferred)
            for gauge in (*shown, self._workers, self._free):
                gauge.clear()
        for one in found:
            self._waiting.labels(one.group).set(one.waiting)
            self._oldest.labels(one.group).set(one.oldest_ms / 1000)
            self._parked.labels(one.group).set(one.parked_count)
            self._deferred.labels(one.group).set(one.deferred)
            self._workers.labels(one.group).set(len(one.workers))
            self._free.labels(one.group).set(one.free)
            self._version.labels(one.group).set(one.version)
            self._building.labels(one.group).set(one.building)
            for worker, count in one.workers.items():
                self._leases.labels(one.group, worker).set(count)
