"""What is published, above all what others have appended, heard over one connection a process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any

from redis.asyncio.connection import AbstractConnection

from events.redis_errors import NotSent
from events.redis_link import FAILURES, Asker, buffered

Move = tuple[str, int]
LOOK_AGAIN: Move = ("", 0)
_PAUSE = 0.2
_BACKLOG = 10_000
_QUIET = 10.0

SUBSCRIBED = b""
"""Whoever hears it has heard nothing of what came before."""


async def heard(
    link: Asker, channels: Sequence[str], quiet: Callable[[], float] = lambda: _QUIET
) -> AsyncIterator[bytes | None]:
    """What is published, for ever: SUBSCRIBED after every (re)connection, None after a break.

    A line on which nothing came for `quiet` seconds has to show that it is alive.
    """
    while True:
        with suppress(*FAILURES, NotSent):
            async with link.connection() as connection:
                try:
                    async with asyncio.timeout(link.timeout):
                        await connection.send_command("SUBSCRIBE", *channels)
                        for _ in channels:
                            await connection.read_response()
                    yield SUBSCRIBED
                    while True:
                        yield await _message(connection, link.timeout, quiet())
                        for said in buffered(connection):
                            if said[0] == b"message":
                                yield bytes(said[2])
                finally:
                    await connection.disconnect(nowait=True)
        yield None
        await asyncio.sleep(_PAUSE)


async def _message(connection: AbstractConnection, within: float, quiet: float) -> bytes:
    """The next one. Raises one of FAILURES where the line only looked alive."""
    while True:
        said: Any = await connection.read_response(timeout=quiet)
        said = said or await _alive(connection, within)
        if said[0] == b"message":
            return bytes(said[2])


async def _alive(connection: AbstractConnection, within: float) -> Any:
    """What comes first after a PING: its answer, or a message after all."""
    async with asyncio.timeout(within):
        await connection.send_command("PING")
        return await connection.read_response()


class Ear:
    """Listens while anybody does; subscribes anew when the line breaks.

    A listener that is too slow loses what it has not heard and is told to look again.
    """

    def __init__(self, link: Asker, channels: Sequence[str], quiet: float = _QUIET) -> None:
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
        async for message in heard(self._link, self._channels, lambda: self._quiet):
            self._up = message is not None
            if message is SUBSCRIBED:
                self._tell(LOOK_AGAIN)
            elif message is not None:
                version, match = message.split(b" ", 1)
                self._tell((match.decode(), int(version)))

    def _tell(self, move: Move) -> None:
        for queue in self._listeners:
            try:
                queue.put_nowait(move)
            except asyncio.QueueFull:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(LOOK_AGAIN)
                queue.put_nowait(move)

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._link.aclose()
