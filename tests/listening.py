"""What tests listen with; when it stops, no line is left open, taken already or about to be."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from typing import Any
from weakref import WeakSet

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]
"""Serves one line until either end has enough; the line is closed after it."""

SETTLED = 0.01
"""Seconds in which the loop has taken what was knocking, and closed what was to be closed."""


class Listening:
    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._stopped = False
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: WeakSet[asyncio.StreamWriter] = WeakSet()

    async def on(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> int:
        """The port it listens on; 0 asks for a free one."""
        self._server = await asyncio.start_server(self._take, host, port, ssl=tls)
        taken: int = self._server.sockets[0].getsockname()[1]
        return taken

    async def at(self, path: str) -> None:
        self._server = await asyncio.start_unix_server(self._take, path)

    async def stop(self) -> None:
        """Whatever is still being served is cut off."""
        self._stopped = True
        # CPython's server, closed between a call and its transport, leaves that line open for good.
        for listening in self._server.sockets if self._server else ():
            asyncio.get_running_loop().remove_reader(listening.fileno())
        await asyncio.sleep(SETTLED)
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(SETTLED)

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Called by the loop itself: a line is known from the moment it is there."""
        if self._stopped:
            writer.transport.abort()
            return
        self._writers.add(writer)
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)

        def served(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            writer.close()

        task.add_done_callback(served)
