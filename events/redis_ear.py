"""What the append script publishes, heard by everybody in this process over one connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from redis.asyncio.connection import AbstractConnection

from events.redis_errors import NotSent
from events.redis_link import FAILURES, Asker

Move = tuple[str, int]
LOOK_AGAIN: Move = ("", 0)
_PAUSE = 0.2
_BACKLOG = 10_000


class Ear:
    """Listens while anybody does; subscribes anew when the line breaks.

    A listener that is too slow loses what it has not heard and is told to look again.
    """

    def __init__(self, link: Asker, channels: Sequence[str], quiet: float = 10.0) -> None:
        self._link = link
        self._channels = channels
        self._quiet = quiet
        self._listeners: set[asyncio.Queue[Move]] = set()
        self._task: asyncio.Task[None] | None = None
        self._up = False

    async def moved(self) -> AsyncIterator[Move]:
        queue: asyncio.Queue[Move] = asyncio.Queue(_BACKLOG)
        if self._up:
            queue.put_nowait(LOOK_AGAIN)
        self._listeners.add(queue)
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        try:
            while True:
                yield await queue.get()
        finally:
            self._listeners.discard(queue)

    async def _run(self) -> None:
        while True:
            try:
                async with self._link.connection() as connection:
                    try:
                        await self._listen(connection)
                    finally:
                        self._up = False
                        await connection.disconnect(nowait=True)
            except (*FAILURES, NotSent):
                await asyncio.sleep(_PAUSE)

    async def _listen(self, connection: AbstractConnection) -> None:
        async with asyncio.timeout(self._link.timeout):
            await connection.send_command("SUBSCRIBE", *self._channels)
            for _ in self._channels:
                await connection.read_response()
        self._up = True
        self._tell(LOOK_AGAIN)
        while True:
            await self._hear(connection, await connection.read_response(timeout=self._quiet))

    async def _hear(self, connection: AbstractConnection, said: Any) -> None:
        """A message, or nothing for long: a line that only looks alive does not answer then."""
        if said is None:
            async with asyncio.timeout(self._link.timeout):
                await connection.send_command("PING")
                said = await connection.read_response()
        if said[0] == b"message":
            version, match = said[2].split(b" ", 1)
            self._tell((match.decode(), int(version)))

    def _tell(self, move: Move) -> None:
        for queue in self._listeners:
            if queue.full():
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(LOOK_AGAIN)
            queue.put_nowait(move)

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._link.aclose()
