"""The worker of group `archive`: archives, deletes what is kept no longer, sweeps what was left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import structlog

from events.archive import Archive
from events.segments import Unsound
from events.store import Corrupt, Store, Unavailable
from services.archivist import Archivist
from services.retention import Retention
from services.settings import Settings
from services.vault import Vault

_logger = structlog.get_logger()

SWEEP = 24 * 3600.0
"""Seconds between looks at every segment."""


def now() -> int:
    """UTC in milliseconds."""
    return time.time_ns() // 1_000_000


class Archiving:
    """Looks now and then, until it is stopped. Several at once do no harm."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        vault: Vault,
        settings: Settings,
        clock: Callable[[], int] = now,
    ) -> None:
        self.archivist = Archivist(store, archive, settings, clock)
        self.retention = Retention(store, archive, vault, clock)
        self._settings = settings
        self._stopped = asyncio.Event()
        self._swept = -SWEEP

    async def run(self) -> None:
        """No outage of the store or the archive ends it, nor an error of our own."""
        while not self._stopped.is_set():
            try:
                await self.once()
            except (Unavailable, Unsound, Corrupt) as error:
                _logger.warning("archive_unavailable", why=str(error))
                with suppress(Unavailable):
                    await self.archivist.store.tally({"failures": 1})
            except Exception:
                _logger.exception("worker_failed", worker="archive")
            try:
                await asyncio.wait_for(self._stopped.wait(), self._settings.archive_seconds)
            except TimeoutError:
                continue

    def stop(self) -> None:
        """`run` ends after what it is at."""
        self._stopped.set()

    async def once(self) -> None:
        """All that is due now."""
        await self.archivist.run()
        if time.monotonic() - self._swept < SWEEP:
            return
        if self._settings.archive_keep_days:
            await self.retention.expire(self._settings.archive_keep_days)
        await self.retention.sweep()
        self._swept = time.monotonic()
