"""A worker process: the groups it is given, each a fold with a cursor, until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple, Protocol

import structlog

from projections.disputes import Disputes
from projections.heart import Heart
from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.projection import Projection
from projections.runner import Pace, Runner
from projections.story import Library, Stories
from projections.summary import Summaries
from projections.upkeep import Upkeep
from projections.versions import named
from projections.views import Views
from services import bots, keeper
from services.exporter import Exporter
from services.settings import Settings
from services.wiring import Parts

log = structlog.get_logger(__name__)


class Job(Protocol):
    """What does the work of one group."""

    async def run(self) -> None:
        """Until `stop`."""

    def stop(self) -> None: ...


class Place(NamedTuple):
    """What the jobs of one process share: its parts, what it has folded, its signs of life."""

    parts: Parts
    settings: Settings
    stories: Stories
    heart: Heart

    @property
    def pace(self) -> Pace:
        return Pace(lease=self.settings.lease_seconds)


Make = Callable[[Place], Job]


def _projection(make: Callable[[], Projection]) -> Make:
    def job(place: Place) -> Job:
        return Upkeep(place.parts.store, make(), place.stories, place.pace, place.heart)

    return job


def _bots(place: Place) -> Job:
    parts = place.parts
    return bots.runner(parts.store, parts.keys, place.heart.worker, place.pace, place.heart)


def _keeper(place: Place) -> Job:
    parts = place.parts
    name, settings = place.heart.worker, place.settings
    return keeper.runner(parts.store, parts.keys, name, settings, place.pace, place.heart)


def _archive(place: Place) -> Job:
    parts = place.parts
    if parts.archive is None:
        return Idle()
    from services.archiving import Archiving

    given = parts.store, parts.archive, parts.vault, place.settings
    return Archiving(*given, heart=place.heart)


class Idle:
    """Has nothing to do until it is stopped."""

    def __init__(self) -> None:
        self._stopped = asyncio.Event()

    async def run(self) -> None:
        await self._stopped.wait()

    def stop(self) -> None:
        self._stopped.set()


_PROJECTIONS: tuple[Callable[[], Projection], ...] = (Views, Lobby, Inbox, Summaries, Disputes)

PROJECTIONS: dict[str, Callable[[], Projection]] = {make().name: make for make in _PROJECTIONS}
"""Those groups that keep read models, which can be rebuilt."""

GROUPS: dict[str, Make] = {
    **{name: _projection(make) for name, make in PROJECTIONS.items()},
    "bots": _bots,
    "keeper": _keeper,
}
"""Every group that reads feeds, by its name."""

JOBS: dict[str, Make] = {**GROUPS, "archive": _archive}
"""And those that look at matches when it is time."""


async def work(settings: Settings, groups: Sequence[str], name: str) -> None:
    """Does the work of these groups under a name that no other process of theirs has.

    Ends after SIGTERM or SIGINT, when all is done that was begun. Raises as `Parts.open`;
    Superseded where another process takes the name; OSError where the port for metrics is taken.
    """
    parts = await Parts.open(settings)
    try:
        async with Heart(parts.store, name, settings.lease_seconds) as heart:
            place = Place(parts, settings, Library(parts.store), heart)
            jobs = {group: JOBS[group](place) for group in groups}
            with ExitStack() as stack:
                port = settings.worker_metrics_port
                if port is not None:
                    token = settings.metrics_token.get_secret_value()
                    shown = (settings.host, port, token, lambda: runners(jobs))
                    exporter = Exporter(*shown, lambda: heart.awake)
                    port = stack.enter_context(exporter).port
                _stop_on_signals(list(jobs.values()))
                log.info("working", groups=list(groups), name=name, metrics_port=port)
                await asyncio.gather(*[job.run() for job in jobs.values()])
                log.info("stopped", groups=list(groups), name=name)
    finally:
        await parts.aclose()


def runners(jobs: Mapping[str, Job]) -> Iterator[tuple[str, Runner]]:
    """What these jobs run on feeds, one a version of a projection."""
    for group, job in jobs.items():
        if isinstance(job, Runner):
            yield group, job
        elif isinstance(job, Upkeep):
            for version, runner in list(job.runners.items()):
                yield named(group, version), runner


def _stop_on_signals(jobs: Sequence[Job]) -> None:
    def stop() -> None:
        for job in jobs:
            job.stop()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
