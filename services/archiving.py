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
from projections.heart import Heart, Superseded
from projections.shares import Shares
from services.archivist import Archivist
from services.retention import Retention
from services.settings import Settings
from services.vault import Vault

_logger = structlog.get_logger()

GROUP = "archive"

SWEEP = 24 * 3600.0
"""Seconds between looks at every segment."""

LOOK = 1.0
"""Seconds between looks whether the work is ours by now."""


def now() -> int:
    """UTC in milliseconds."""
    return time.time_ns() // 1_000_000


class Archiving:
    """Looks now and then, until it is stopped. Several at once do no harm, but each would write
    segments of its own: of those with a `heart` one works, and another when that is gone."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        vault: Vault,
        settings: Settings,
        clock: Callable[[], int] = now,
        heart: Heart | None = None,
    ) -> None:
        self.archivist = Archivist(store, archive, settings, clock)
        self.retention = Retention(store, archive, vault, clock)
        self._settings = settings
        self._heart = heart
        self._shares = Shares(store, GROUP, heart) if heart is not None else None
        self._stopped = asyncio.Event()
        self._swept = -SWEEP

    async def run(self) -> None:
        """No outage of the store or the archive ends it, nor an error of our own.

        Raises Superseded.
        """
        if self._heart is not None:
            self._heart.join(GROUP, lambda: None)
        while not self._stopped.is_set():
            pause = self._settings.archive_seconds
            try:
                if await self._is_ours():
                    await self.once()
                else:
                    pause = min(pause, LOOK)
            except (Unavailable, Unsound, Corrupt) as error:
                _logger.warning("archive_unavailable", why=str(error))
                with suppress(Unavailable):
                    await self.archivist.store.tally({"failures": 1})
            except Superseded:
                raise
            except Exception:
                _logger.exception("worker_failed", worker=GROUP)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), pause)
        await self._leave()

    async def _is_ours(self) -> bool:
        """Who has the first partition works for all. Raises Unavailable, Superseded."""
        if self._shares is None:
            return True
        await self._shares.settle()
        return 0 in self._shares.mine()

    async def _leave(self) -> None:
        if self._heart is not None and self._shares is not None:
            with suppress(Unavailable):
                await self._shares.give_back()
                await self._heart.leave(GROUP)

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
