"""The two ways out of a stream: `fastws`, or here, through any ASGI server."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from starlette.websockets import WebSocket

Message = tuple[bytes, bytes]
"""What is said, and the same as a frame of a socket."""

ROOM = 256
"""Messages that may wait for a slow reader on the usual path."""


class Out(Protocol):
    """Where messages go; `full` says that the reader is behind."""

    @property
    def full(self) -> bool: ...

    def push(self, message: Message) -> None:
        """Send it, at the latest when this turn of the loop ends."""

    async def drained(self) -> None:
        """Until there is room again."""

    def stop(self) -> None: ...


class QueueOut:
    """A bounded queue and a task that sends what is in it."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._waiting: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._task = asyncio.create_task(self._send())

    @property
    def full(self) -> bool:
        return len(self._waiting) >= ROOM

    def push(self, message: Message) -> None:
        self._waiting.append(message[0])
        self._news.set()
        if self.full:
            self._room.clear()

    async def drained(self) -> None:
        await self._room.wait()

    def stop(self) -> None:
        self._task.cancel()

    async def _send(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                await self._socket.send_text(self._waiting.popleft().decode())
                self._room.set()
