"""The servers behind a run: one Redis or Valkey, and the lines through which it is reached."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Protocol

from events.redis_link import Link
from events.server import Binary, Server, candidates
from tests.faults.lines import Line


class Backing(Protocol):
    """What keeps the matches. `lines` are those that a nemesis may disturb; after a fault of its
    own it takes `settles` seconds to be itself again."""

    name: str
    lossy: bool
    replicas: int
    settles: float
    lines: list[Line]

    @property
    def direct(self) -> str:
        """The address that no line leads to: for the checker's own reading, when all is healed."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What a nemesis may do to it, by the names of methods; each ends what it has begun."""

    async def start(self, processes: int) -> list[str]:
        """Starts it; the addresses for so many processes."""

    async def healed(self) -> None:
        """Everything up again and reachable."""

    async def kill(self) -> None:
        """`kill -9` of all servers at once."""

    async def stop(self) -> None: ...


def binary_for(seed: int) -> Binary:
    """Redis and Valkey in turn, where both are here."""
    found = list(candidates())
    return found[seed % len(found)]


class Standalone:
    """One server with an append-only file; each process has a line of its own to it."""

    name = "standalone"
    lossy = False
    replicas = 0
    settles = 0.0
    faults: tuple[str, ...] = ("restart_killed", "restart_cleanly", "freeze", "fill")

    def __init__(self, directory: Path, binary: Binary | None = None) -> None:
        self.server = Server(directory, binary)
        self.lines: list[Line] = []

    @property
    def direct(self) -> str:
        return self.server.url

    async def start(self, processes: int) -> list[str]:
        await asyncio.to_thread(self.server.start)
        path = str(self.server.socket)
        self.lines = [
            Line(f"line {n}", lambda: asyncio.open_unix_connection(path)) for n in range(processes)
        ]
        for line in self.lines:
            await line.start()
        return [f"redis://127.0.0.1:{line.port}" for line in self.lines]

    async def healed(self) -> None:
        for line in self.lines:
            line.heal()
        if self.server.process is None:
            await asyncio.to_thread(self.server.start)
        self._signal(signal.SIGCONT)
        await self._config("maxmemory", "0")

    async def kill(self) -> None:
        await asyncio.to_thread(self.server.kill)

    async def stop(self) -> None:
        for line in self.lines:
            line.heal()
            await line.stop()
        self._signal(signal.SIGCONT)
        await asyncio.to_thread(self.server.kill)

    async def restart_killed(self, seconds: float) -> None:
        """A crash; for a while there is nobody."""
        await self.kill()
        await asyncio.sleep(seconds / 4)
        await asyncio.to_thread(self.server.start)

    async def restart_cleanly(self, seconds: float) -> None:
        await asyncio.to_thread(self.server.stop)
        await asyncio.sleep(seconds / 4)
        await asyncio.to_thread(self.server.start)

    async def freeze(self, seconds: float) -> None:
        self._signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self._signal(signal.SIGCONT)

    async def fill(self, seconds: float) -> None:
        """No memory is left: appends are refused, reads go on."""
        await self._config("maxmemory", "1")
        await asyncio.sleep(seconds)
        await self._config("maxmemory", "0")

    def _signal(self, number: int) -> None:
        if self.server.process is not None:
            os.kill(self.server.process.pid, number)

    async def _config(self, name: str, value: str) -> None:
        link = Link(self.direct, 1, 5)
        try:
            await link.call("CONFIG", "SET", name, value)
        finally:
            await link.aclose()
