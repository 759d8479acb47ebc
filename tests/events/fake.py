"""A server that answers what it is told to, to see how each answer is taken."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Self

import hiredis

from tests.listening import Listening


class Fake:
    """Every command but those of a handshake gets the next answer; the last one stays.

    Right behind its answer to a command named `last` it closes the line, once. It takes nothing
    while it is not `awake`.
    """

    last = b""

    def __init__(self, path: str, *answers: bytes) -> None:
        self.path = path
        self.answers = deque(answers)
        self.commands: list[list[bytes]] = []
        self.connections = 0
        self.awake = asyncio.Event()
        self.awake.set()
        self._listening = Listening(self._serve)

    @property
    def url(self) -> str:
        return f"unix://{self.path}"

    def asked(self, word: bytes) -> int:
        return sum(command[0] == word for command in self.commands)

    async def __aenter__(self) -> Self:
        await self._listening.at(self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._listening.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        parser = hiredis.Reader()
        while data := await reader.read(65536):
            await self.awake.wait()
            parser.feed(data)
            while (command := parser.gets()) is not False:
                writer.write(self._answer(command))
                if command[0] == self.last:
                    self.last = b""
                    return

    def _answer(self, command: list[bytes]) -> bytes:
        if command[0] in (b"CLIENT", b"HELLO", b"SELECT"):
            return b"+OK\r\n"
        self.commands.append(command)
        if command[0] == b"SCRIPT":
            return b"+loaded\r\n"
        return self.answers.popleft() if len(self.answers) > 1 else self.answers[0]
