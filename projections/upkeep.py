"""Keeps a projection: the version that is read and, while one is built, that one too."""

from __future__ import annotations

import asyncio
import time

import structlog

from events.store import Store, Unavailable
from projections.heart import Heart
from projections.projection import Projection
from projections.runner import Pace, Runner
from projections.story import Stories
from projections.versions import REMAINS, Version, retire

log = structlog.get_logger(__name__)


class Upkeep:
    """A runner for each version that is to be kept; looks every `pace.sweep` which those are."""

    def __init__(
        self, store: Store, projection: Projection, stories: Stories, pace: Pace, heart: Heart
    ) -> None:
        self.runners: dict[int, Runner] = {}
        self._store = store
        self._projection = projection
        self._stories = stories
        self._pace = pace
        self._heart = heart
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stopping = asyncio.Event()
        self._tidied = time.monotonic()

    async def run(self) -> None:
        """Until `stop`. Raises Superseded."""
        try:
            while not self._stopping.is_set():
                try:
                    await self._look()
                except Unavailable as error:
                    name = self._projection.name
                    log.warning("store unavailable", projection=name, error=str(error))
                await self._pause()
        finally:
            await self._end(list(self._tasks))

    def stop(self) -> None:
        """`run` ends after what it is at."""
        self._stopping.set()

    async def _pause(self) -> None:
        """A runner that has ended by itself ends us too."""
        stopping = asyncio.ensure_future(self._stopping.wait())
        await asyncio.wait(
            (stopping, *self._tasks.values()),
            timeout=self._pace.sweep,
            return_when=asyncio.FIRST_COMPLETED,
        )
        stopping.cancel()
        for task in self._tasks.values():
            if task.done():
                task.result()

    async def _look(self) -> None:
        versions = await self._store.versions(self._projection.name)
        for version in versions.kept - self.runners.keys():
            self._begin(version)
        await self._end([version for version in self.runners if version not in versions.kept])
        first = 0 in self.runners[versions.live].shares.mine()
        if first and time.monotonic() - self._tidied >= REMAINS:
            self._tidied = time.monotonic()
            for name in await retire(self._store, self._projection.name):
                log.info("retired", projection=name)

    def _begin(self, version: int) -> None:
        projection = Version(self._projection, version)
        name = self._heart.worker
        runner = Runner(self._store, projection, name, self._stories, self._pace, self._heart)
        self.runners[version] = runner
        self._tasks[version] = asyncio.create_task(runner.run())

    async def _end(self, versions: list[int]) -> None:
        for version in versions:
            self.runners.pop(version).stop()
        ended = [self._tasks.pop(version) for version in versions]
        await asyncio.gather(*ended)
