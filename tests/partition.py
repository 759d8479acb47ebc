"""A network between servers that can be parted: what crosses the cut is swallowed, not kept.

To stop a replica's process is no partition: what the kernel has taken for it arrives later. Here
the bytes are read and thrown away, and when the cut heals their lines are broken.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Self

from tests.listening import Listening

HOST = "127.0.0.1"
"""Where every server can be reached, and where clients come from; servers come from elsewhere."""


class Door:
    """The address by which a server is known; what it lets through goes on to the real one."""

    def __init__(self, network: Network, port: int, target: int, home: str) -> None:
        self.port = port
        self.home = home
        self._network = network
        self._target = target
        self._listening = Listening(self._serve)

    async def open(self) -> None:
        await self._listening.on(HOST, self.port)

    async def close(self) -> None:
        await self._listening.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await self._between(reader, writer)

    async def _between(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        source = writer.get_extra_info("peername")[0]

        def parted() -> bool:
            return self._network.parted(source, self.home)

        while parted():
            if not await _swallowed(reader):
                return
        there, back = await asyncio.open_connection(HOST, self._target)
        ways = [
            asyncio.create_task(_forward(reader, back, parted)),
            asyncio.create_task(_forward(there, writer, parted)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            back.close()
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _swallowed(reader: asyncio.StreamReader) -> bool:
    """Reads and forgets for a moment; False once the line is closed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(0.05):
            return bool(await reader.read(65536))
    return True


async def _forward(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, parted: Callable[[], bool]
) -> None:
    """Until either end closes; a line that has lost something ends when the cut heals."""
    lost = False
    with suppress(OSError):
        while data := await source.read(65536):
            while parted():
                lost = True
                if not await _swallowed(source):
                    return
            if lost:
                return
            target.write(data)
            await target.drain()


class Network:
    """All doors, on a thread of their own; `home` is the address a server's calls come from."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._doors: list[Door] = []
        self._away: set[str] = set()

    def parted(self, one: str, other: str) -> bool:
        """Clients get through to everybody."""
        return one != HOST and (one in self._away) != (other in self._away)

    def cut(self, *homes: str) -> None:
        """These and the others hear nothing of each other from now on."""
        self._away = set(homes)

    def heal(self) -> None:
        self._away = set()

    def door(self, port: int, target: int, home: str) -> None:
        door = Door(self, port, target, home)
        self._doors.append(door)
        self._do(door.open())

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for door in self._doors:
            self._do(door.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()
