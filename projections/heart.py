"""Says that a process's workers live: from a thread of its own, so that no work keeps it from that.

It falls silent where the event loop that does the work has stood still for long, so that others
take over.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple, Self

import structlog

from events.store import Beat, Leases, Store

log = structlog.get_logger(__name__)

BEATS = 5
"""Signs of life in the length of a lease."""


class Superseded(Exception):
    """Another process works under this worker's name."""


class Pulse(NamedTuple):
    """What was heard last for a group; good `until` this moment of the process's own clock.

    `lapses` counts how often the worker had been silent for too long.
    """

    until: float
    number: int
    lapses: int
    workers: tuple[str, ...]


class Heart:
    """Beats for one worker in all its groups; a lease is `seconds` long.

    `patience` is how long, in seconds, the loop may stand still.
    """

    def __init__(
        self, store: Store, worker: str, seconds: float = 10.0, patience: float = 60.0
    ) -> None:
        self.worker = worker
        self.seconds = seconds
        self._store = store
        self._patience = patience
        self._groups: dict[str, Callable[[], None]] = {}
        self._pulses: dict[str, Pulse] = {}
        self._superseded = False
        self._turned = time.monotonic()

    async def __aenter__(self) -> Self:
        self._main = asyncio.get_running_loop()
        self._own = asyncio.new_event_loop()
        self._prodded, self._busy = asyncio.Event(), asyncio.Lock()
        self._beats = self._own.create_task(self._beating())
        self._turned = time.monotonic()
        self._turns = asyncio.create_task(self._turning())
        self._thread = threading.Thread(target=self._run, name=f"heart of {self.worker}")
        self._thread.daemon = True
        self._thread.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._turns.cancel()
        self._own.call_soon_threadsafe(self._beats.cancel)
        await asyncio.to_thread(self._thread.join)
        await asyncio.wait([self._turns])

    @property
    def awake(self) -> bool:
        """Whether the loop that does the work has turned of late."""
        return time.monotonic() - self._turned <= self._patience

    def join(self, group: str, news: Callable[[], None]) -> None:
        """Beat for this group too; `news` is called in the caller's loop when there is any."""
        self._groups[group] = news
        self._own.call_soon_threadsafe(self._prodded.set)

    async def leave(self, group: str) -> None:
        """Beat for this group no more, and say so. Raises Unavailable."""
        leaving = asyncio.run_coroutine_threadsafe(self._leave(group), self._own)
        await asyncio.wrap_future(leaving)

    def pulse(self, group: str) -> Pulse | None:
        """None where there is none, or none that is good any more. Raises Superseded."""
        if self._superseded:
            raise Superseded(f"another process works under the name {self.worker!r}")
        pulse = self._pulses.get(group)
        return pulse if pulse is not None and time.monotonic() < pulse.until else None

    async def _turning(self) -> None:
        while True:
            self._turned = time.monotonic()
            await asyncio.sleep(self.seconds / BEATS)

    def _run(self) -> None:
        try:
            self._own.run_until_complete(asyncio.wait([self._beats]))
        finally:
            self._own.close()

    async def _beating(self) -> None:
        self._leases: Leases = self._store.sibling()
        try:
            while True:
                self._prodded.clear()
                try:
                    async with self._busy:
                        await self._beat()
                except Exception as error:
                    log.warning("no sign of life", worker=self.worker, why=str(error))
                try:
                    async with asyncio.timeout(self.seconds / BEATS):
                        await self._prodded.wait()
                except TimeoutError:
                    continue
        finally:
            await self._leases.aclose()

    async def _beat(self) -> None:
        """A lease counts from before its sign of life was sent."""
        if not self.awake:
            raise RuntimeError("the work stands still")
        sent = time.monotonic()
        groups = list(self._groups)
        numbers = {g: self._pulses[g].number if g in self._pulses else 0 for g in groups}
        ms = int(self.seconds * 1000)
        for group, beat in (await self._leases.beat(self.worker, numbers, ms)).items():
            self._heard(group, numbers[group], beat, sent)

    def _heard(self, group: str, number: int, beat: Beat, sent: float) -> None:
        if number and beat.number != number:
            self._superseded = True
        known = self._pulses.get(group, Pulse(0, 0, 0, ()))
        lapses = known.lapses + beat.lapsed
        pulse = Pulse(sent + self.seconds, beat.number, lapses, beat.workers)
        self._pulses[group] = pulse
        if pulse[1:] != known[1:] and group in self._groups:
            self._main.call_soon_threadsafe(self._groups[group])

    async def _leave(self, group: str) -> None:
        """Not while a beat is out: it would bring the worker back to life."""
        async with self._busy:
            self._groups.pop(group, None)
            pulse = self._pulses.pop(group, None)
            if pulse is not None:
                await self._leases.leave(group, self.worker, pulse.number)
