"""A worker process: the groups it is given, each a fold with a cursor, until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from typing import Protocol

import structlog

from projections.disputes import Disputes
from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.projection import Projection
from projections.runner import Runner
from projections.story import Library, Stories
from projections.summary import Summaries
from projections.views import Views
from services import bots, keeper
from services.settings import Settings
from services.wiring import Parts

log = structlog.get_logger(__name__)


class Job(Protocol):
    """What does the work of one group."""

    async def run(self) -> None:
        """Until `stop`."""

    def stop(self) -> None: ...


Make = Callable[[Parts, Settings, Stories, str], Job]


def _projection(make: Callable[[], Projection]) -> Make:
    def job(parts: Parts, settings: Settings, stories: Stories, name: str) -> Job:
        return Runner(parts.store, make(), name, stories)

    return job


def _bots(parts: Parts, settings: Settings, stories: Stories, name: str) -> Job:
    return bots.runner(parts.store, parts.keys, name)


def _keeper(parts: Parts, settings: Settings, stories: Stories, name: str) -> Job:
    return keeper.runner(parts.store, parts.keys, name, settings)


GROUPS: dict[str, Make] = {
    "views": _projection(Views),
    "lobby": _projection(Lobby),
    "inbox": _projection(Inbox),
    "summary": _projection(Summaries),
    "disputes": _projection(Disputes),
    "bots": _bots,
    "keeper": _keeper,
}
"""Every group there is, by its name."""


async def work(settings: Settings, groups: Sequence[str], name: str) -> None:
    """Does the work of these groups under a name that no other process of theirs has.

    Ends after SIGTERM or SIGINT, when all is done that was begun. Raises as `Parts.open`.
    """
    parts = await Parts.open(settings)
    try:
        stories = Library(parts.store)
        jobs = [GROUPS[group](parts, settings, stories, name) for group in groups]
        _stop_on_signals(jobs)
        log.info("working", groups=list(groups), name=name)
        await asyncio.gather(*[job.run() for job in jobs])
        log.info("stopped", groups=list(groups), name=name)
    finally:
        await parts.aclose()


def _stop_on_signals(jobs: Sequence[Job]) -> None:
    def stop() -> None:
        for job in jobs:
            job.stop()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
