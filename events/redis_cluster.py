"""Commands over a Redis Cluster: each to the server that has its slot."""

from __future__ import annotations

import asyncio
from binascii import crc_hqx
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import TryAgainError

from events.redis_errors import LINE_DOWN, NotSent, code
from events.redis_link import FAILURES, Asker, Command, Link

_SLOTS = 16384
_KEY_AT = {"EVALSHA": 3, "XGROUP": 2, "XREADGROUP": 7}
"""Where the first key stands in a command, if not right behind its name."""


def slot_of(key: str) -> int:
    """Of the part in braces, which all keys of a partition share."""
    _, _, rest = key.partition("{")
    tag, brace, _ = rest.partition("}")
    return crc_hqx((tag if tag and brace else key).encode(), 0) % _SLOTS


async def connect(url: str, size: int, reply_within: float) -> Asker:
    """A link to a server, or to the cluster that it belongs to. Raises Unavailable."""
    first = Link(url, 1, reply_within)
    try:
        clustered = b"cluster_enabled:1" in await first.call("INFO", "cluster")
    finally:
        await first.aclose()
    kind = ClusterLink if clustered else Link
    return kind(url, size, reply_within)


class ClusterLink(Asker):
    """Keeps a link to every server; learns anew who has which slot when one says it has moved."""

    def __init__(self, url: str, size: int, timeout: float) -> None:
        self.timeout = timeout
        self._url = urlsplit(url)
        self._size = size
        self._seed = Link(url, size, timeout)
        self._links: dict[tuple[str, int], Link] = {}
        self._owners: list[tuple[int, int, Link]] = []

    def sibling(self, size: int) -> ClusterLink:
        return ClusterLink(self._url.geturl(), size, self.timeout)

    async def exchange(self, commands: Sequence[Command], replies: list[Any]) -> None:
        """As `Link.exchange`, but what one server fails to answer is a value among the replies.

        A WAIT at the end goes to every server that has a part in it; its answer is the least.
        """
        if not self._owners:
            await self._learn()
        waits = [command for command in commands[-1:] if command[0] == "WAIT"]
        parts: dict[Link, list[int]] = {}
        for place, command in enumerate(commands[: len(commands) - len(waits)]):
            parts.setdefault(self._owner(command), []).append(place)
        found: list[Any] = [None] * len(commands)
        reached: list[Any] = []

        async def ask(link: Link, places: list[int]) -> None:
            got: list[Any] = []
            wanted = [*[commands[place] for place in places], *waits]
            try:
                await link.exchange(wanted, got)
            except (*FAILURES, NotSent) as error:
                got += [error] * (len(wanted) - len(got))
            for place, reply in zip(places, got, strict=False):
                found[place] = self._taken(reply)
            reached.extend(got[len(places) :])

        await asyncio.gather(*[ask(link, places) for link, places in parts.items()])
        if waits:
            failed = [reply for reply in reached if isinstance(reply, Exception)]
            found[-1] = failed[0] if failed else min(reached)
        replies += found

    def _taken(self, reply: Any) -> Any:
        """A slot that has moved, or a server that is gone: ask who has what before trying again."""
        if isinstance(reply, Exception) and code(reply) in (LINE_DOWN, "MOVED", "ASK"):
            self._owners = []
            if code(reply) != LINE_DOWN:
                return TryAgainError(str(reply))
        return reply

    def _owner(self, command: Command) -> Link:
        slot = slot_of(command[_KEY_AT.get(command[0], 1)])
        for first, last, link in self._owners:
            if first <= slot <= last:
                return link
        return self._seed

    async def _learn(self) -> None:
        """From any server that answers. Raises NotSent, or one of FAILURES."""
        troubles: list[BaseException] = []
        for link in (*self._links.values(), self._seed):
            replies: list[Any] = []
            try:
                await link.exchange([("CLUSTER", "SLOTS")], replies)
            except (*FAILURES, NotSent) as error:
                troubles.append(error)
                continue
            self._owners = [
                (first, last, self._link(primary[0], primary[1]))
                for first, last, primary, *_ in replies[0]
            ]
            return
        raise NotSent("no server of the cluster answers") from troubles[-1]

    def _link(self, host: bytes, port: int) -> Link:
        name = host.decode() or self._url.hostname or ""
        if (name, port) not in self._links:
            user, at, _ = self._url.netloc.rpartition("@")
            place = f"{user}{at}[{name}]:{port}" if ":" in name else f"{user}{at}{name}:{port}"
            url = urlunsplit(self._url._replace(netloc=place))
            self._links[name, port] = Link(url, self._size, self.timeout)
        return self._links[name, port]

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AbstractConnection]:
        """To any server: what is published on one is heard on all. Raises NotSent."""
        last = None
        for link in (self._seed, *self._links.values()):
            try:
                async with link.connection() as connection:
                    yield connection
                    return
            except NotSent as error:
                last = error
        raise NotSent("no server of the cluster answers") from last

    async def aclose(self) -> None:
        for link in (self._seed, *self._links.values()):
            await link.aclose()
