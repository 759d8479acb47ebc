"""Lines between processes and servers, over TCP, which a nemesis can cut, hold, delay or halve."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from events.redis_append import _APPEND
from tests.listening import Listening

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Reach = Callable[[], Awaitable[Ends]]

LATE = 0.5
"""Seconds that a late append is under way."""

_MARK = _APPEND.sha.encode()


class _Pair:
    """One connection through a line: the client's end and the server's."""

    def __init__(self, line: Line, near: Ends, far: Ends) -> None:
        self._line = line
        self.near_in, self.near_out = near
        self.far_in, self.far_out = far
        self._appending = False

    async def run(self) -> None:
        ways = [asyncio.create_task(self._up()), asyncio.create_task(self._down())]
        try:
            # RuntimeError: written to an end that has been told that there is no more.
            with suppress(OSError, RuntimeError):
                await asyncio.gather(*ways)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self.close()

    def close(self) -> None:
        self.near_out.close()
        self.far_out.close()

    async def _up(self) -> None:
        """What the client has sent arrives, though the client be gone: so do networks."""
        while data := await self.near_in.read(65536):
            if _MARK in data:
                self._appending = True
                if self._line.late > 0:
                    self._line.late -= 1
                    self.near_out.close()
                    await asyncio.sleep(LATE)
            await self._line.passage()
            self.far_out.write(data)
            await self.far_out.drain()
        with suppress(OSError):
            self.far_out.write_eof()

    async def _down(self) -> None:
        while data := await self.far_in.read(65536):
            if self._appending:
                self._appending = False
                if self._line.lost > 0:
                    self._line.lost -= 1
                    break
            await self._line.passage()
            self.near_out.write(data)
            await self.near_out.drain()
        self.close()


class Line:
    """Listens on a port of its own and passes all on to one server.

    `delay`: seconds that everything takes. `lost`: so many appends lose their reply. `late`: so
    many appends are cut off at once and yet arrive, `LATE` seconds later.
    """

    def __init__(self, name: str, reach: Reach) -> None:
        self.name = name
        self.port = 0
        self.delay = 0.0
        self.lost = 0
        self.late = 0
        self.refusing = False
        self._reach = reach
        self._open = asyncio.Event()
        self._open.set()
        self._pairs: set[_Pair] = set()
        self._listening = Listening(self._serve)

    async def start(self) -> None:
        self.port = await self._listening.on("127.0.0.1", self.port)

    async def stop(self) -> None:
        await self._listening.stop()

    async def passage(self) -> None:
        """Wait as long as the line takes."""
        if self.delay:
            await asyncio.sleep(self.delay)
        await self._open.wait()

    def hold(self) -> None:
        """A black hole: nothing gets through, nobody is told."""
        self._open.clear()

    def cut(self) -> None:
        """All connections there are."""
        for pair in self._pairs:
            pair.close()

    def halve(self) -> None:
        """Both ends hear that the other has finished sending, and may go on themselves."""
        for pair in self._pairs:
            with suppress(OSError, RuntimeError):
                pair.near_out.write_eof()

    def heal(self) -> None:
        self.delay = 0.0
        self.lost = self.late = 0
        self.refusing = False
        self._open.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            return
        with suppress(OSError):
            pair = _Pair(self, (reader, writer), await self._reach())
            self._pairs.add(pair)
            try:
                await pair.run()
            finally:
                self._pairs.discard(pair)
