"""A client that keeps to nothing: bytes on a connection, frames as they should not be."""

from __future__ import annotations

import asyncio
import os
import socket
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import msgspec

from tests.services.api import Running


class Raw:
    """A connection; `room` are the bytes that its kernel takes before it is read."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def to(cls, server: Running, room: int = 0) -> Raw:
        made = socket.socket()
        if room:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        made.setblocking(False)
        await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", server.port))
        return cls(*await asyncio.open_connection(sock=made, limit=max(room, 1024)))

    async def send(self, data: bytes) -> None:
        """As much as the other side takes; it may have hung up."""
        self.writer.write(data)
        await asyncio.sleep(0)

    async def all(self, seconds: float = 20) -> bytes:
        """What comes until the server hangs up."""
        got = b""
        try:
            async with asyncio.timeout(seconds):
                while part := await self.reader.read(65_536):
                    got += part
        except ConnectionError:
            pass
        finally:
            self.close()
        return got

    async def problem(self) -> tuple[int, str]:
        """The status and code of the reply after which the server hangs up."""
        head, _, body = (await self.all()).partition(b"\r\n\r\n")
        assert b"application/problem+json" in head and b"Traceback" not in body, head
        told = msgspec.json.decode(body)
        status = int(head.split(b" ", 2)[1])
        assert status == told["status"]
        return status, told["code"]

    async def upgraded(self, path: str, *headers: str) -> None:
        """Becomes a WebSocket."""
        key = b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            "Host: x",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *headers,
        ]
        await self.send("\r\n".join([*lines, "", ""]).encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head

    async def closed(self, seconds: float = 20) -> int:
        """The code of the close frame; 1006 where none comes."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    opcode, payload = await self.frame()
                    if opcode == 8:
                        return int.from_bytes(payload[:2], "big")
        except (ConnectionError, asyncio.IncompleteReadError):
            return 1006
        finally:
            self.close()

    async def frame(self) -> tuple[int, bytes]:
        """The next frame from the server."""
        opcode, size = await self.reader.readexactly(2)
        if size >= 126:
            long = await self.reader.readexactly(2 if size == 126 else 8)
            size = int.from_bytes(long, "big")
        return opcode & 15, await self.reader.readexactly(size)

    def close(self) -> None:
        self.writer.transport.abort()


def frame(opcode: int, payload: bytes = b"", fin: bool = True, reserved: int = 0) -> bytes:
    """One frame from a client, masked with nothing."""
    size = len(payload)
    first = opcode | (128 if fin else 0) | reserved
    if size < 126:
        head = bytes((first, 128 | size))
    elif size < 65_536:
        head = bytes((first, 128 | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, 128 | 127)) + size.to_bytes(8, "big")
    return head + bytes(4) + payload


def protocols(server: Running) -> list[Any]:
    """The server's own side of every connection."""
    return list(server.server.server_state.connections)


async def until(come: Callable[[], bool]) -> None:
    """What comes about in the server."""
    async with asyncio.timeout(20):
        while not come():  # noqa: ASYNC110 - it is the server that changes
            await asyncio.sleep(0.01)
