"""A link to wherever the store's address leads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio.connection import AbstractConnection

from events.redis_address import parse
from events.redis_cluster import ClusterLink
from events.redis_errors import NotSent
from events.redis_link import Asker, Link, Told
from events.redis_pipe import Command
from events.redis_sentinel import Primary, SentinelLink
from events.store import Unavailable


async def connect(url: str, size: int, reply_within: float) -> Asker:
    """At most `size` connections a server, each waiting so many seconds for a reply.

    An address of one server that belongs to a cluster leads to the cluster.
    Raises BadAddress, Unavailable.
    """
    address = parse(url)
    if address.kind == "sentinel":
        return SentinelLink(Primary(address, reply_within), size, reply_within)
    if address.kind == "cluster":
        return ClusterLink(address, size, reply_within)
    first = Link(url, 1, reply_within)
    try:
        clustered = b"cluster_enabled:1" in await first.call("INFO", "cluster")
    finally:
        await first.aclose()
    if clustered:
        return ClusterLink(address, size, reply_within)
    return Link(url, size, reply_within, Told())


class Later(Asker):
    """Connects when it is first used. Raises BadAddress at once."""

    def __init__(self, url: str, size: int, timeout: float) -> None:
        parse(url)
        self.timeout = timeout
        self._url = url
        self._size = size
        self._link: Asker | None = None
        self._connecting = asyncio.Lock()

    async def _made(self) -> Asker:
        """Raises Unavailable."""
        async with self._connecting:
            if self._link is None:
                self._link = await connect(self._url, self._size, self.timeout)
            return self._link

    async def exchange(self, commands: Sequence[Command], replies: list[Any]) -> None:
        """As any link, but raises Unavailable where there is none yet: that was waited for."""
        await (await self._made()).exchange(commands, replies)

    def sibling(self, size: int) -> Later:
        return Later(self._url, size, self.timeout)

    def apart(self, size: int) -> Later:
        return Later(self._url, size, self.timeout)

    def history(self, key: str) -> str:
        return self._link.history(key) if self._link is not None else ""

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AbstractConnection]:
        """Raises NotSent."""
        try:
            link = await self._made()
        except Unavailable as error:
            raise NotSent(str(error)) from error.__cause__
        async with link.connection() as connection:
            yield connection

    async def aclose(self) -> None:
        if self._link is not None:
            await self._link.aclose()
