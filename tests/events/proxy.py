"""A line between client and server that can be cut, delayed or silenced at a chosen moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from tests.listening import Listening

Rule = Callable[[bytes], str]
"""What to do with a piece of data: `pass`, `cut`, `swallow`, `late` (cut, but pass it on later)."""


def passes(data: bytes) -> str:
    return "pass"


class Proxy:
    """Listens on a Unix socket and forwards to another; rules for either way may be changed."""

    def __init__(self, path: str, target: str) -> None:
        self.path = path
        self.target = target
        self.up: Rule = passes
        self.down: Rule = passes
        self.cuts = 0
        self.lines = 0
        self._listening = Listening(self._serve)

    @property
    def url(self) -> str:
        return f"unix://{self.path}"

    async def __aenter__(self) -> Self:
        await self._listening.at(self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._listening.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines += 1
        with suppress(OSError):
            await self._between(reader, writer)

    async def _between(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self.target)
        ways = [
            asyncio.create_task(self._forward(reader, back, writer, lambda d: self.up(d))),
            asyncio.create_task(self._forward(there, writer, back, lambda d: self.down(d))),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            back.close()
            writer.close()
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _forward(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        other: asyncio.StreamWriter,
        rule: Rule,
    ) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                what = rule(data)
                if what == "pass":
                    target.write(data)
                elif what == "cut":
                    self.cuts += 1
                    return
                elif what == "late":
                    self.cuts += 1
                    other.close()
                    await asyncio.sleep(0.01)
                    target.write(data)
                    await asyncio.sleep(0.005)
                    return
