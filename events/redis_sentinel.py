"""A primary that sentinels watch over: found through them, and again when it is another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from events.redis_address import Address, Place
from events.redis_ear import heard
from events.redis_errors import NotSent, code
from events.redis_link import FAILURES, Asker, Link, Told
from events.redis_pipe import Command, Done
from events.redis_soon import answers

_SWITCHED = ("+switch-master", "+promoted-slave")
"""Told by every sentinel when all is done, and at once by the one that does it."""

_DOUBTFUL = frozenset(("READONLY", "MASTERDOWN", "NOREPLICAS", "LOADING"))
"""Answers after which the sentinels are asked again: it may have been replaced."""


class Primary:
    """Where the primary is. All links of one store share it.

    The sentinel that has seen the latest failover is believed, and the server has to say itself
    that it is a primary: a sentinel that was cut off knows an old one.
    """

    def __init__(self, address: Address, timeout: float) -> None:
        self.address = address
        self.told = Told(primary=True)
        self._timeout = timeout
        self._watchers = [Link(address.watcher(place), 2, timeout) for place in address.places]
        self._links: set[SentinelLink] = set()
        self._place: Place | None = None
        self._finding = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    def join(self, link: SentinelLink) -> None:
        self._links.add(link)

    async def part(self, link: SentinelLink) -> None:
        """The last one ends what was begun."""
        self._links.discard(link)
        if self._links:
            return
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for watcher in self._watchers:
            await watcher.aclose()

    async def place(self) -> Place:
        """Raises NotSent."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._listen(one)) for one in self._watchers]
        async with self._finding:
            if self._place is None:
                self._place = await self._find()
            return self._place

    def stands(self, place: Place) -> bool:
        """Whether it is this one, as far as is known."""
        return self._place == place

    def doubt(self, place: Place) -> None:
        """Ask again before it is used next."""
        if self._place == place:
            self._place = None

    async def _find(self) -> Place:
        found = await answers([self._asked(watcher) for watcher in self._watchers])
        return max(found)[1]

    async def _asked(self, watcher: Link) -> tuple[int, Place]:
        """What one sentinel says, and after which failover.

        Raises NotSent, or one of FAILURES.
        """
        replies: list[Any] = []
        service = self.address.service
        asked = ("SENTINEL", "MASTER", service), ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", service)
        await watcher.exchange(asked, replies)
        master, place = replies
        if isinstance(master, ResponseError):
            raise NotSent(f"a sentinel says: {master}") from master
        told = dict(zip(master[::2], master[1::2], strict=True))
        return int(told[b"config-epoch"]), (place[0].decode(), int(place[1]))

    async def _listen(self, watcher: Link) -> None:
        """Hear of a failover at once, also where the old primary goes on as if nothing were."""
        async for said in heard(watcher, _SWITCHED):
            if said and self.address.service.encode() in said.split(b" "):
                self._place = None
                for link in tuple(self._links):
                    await link.leave()


class SentinelLink(Asker):
    """A link to whoever is primary."""

    def __init__(self, primary: Primary, size: int, timeout: float) -> None:
        self.timeout = timeout
        self._primary = primary
        self._size = size
        self._at: Place | None = None
        self._link: Link | None = None
        primary.join(self)

    def sibling(self, size: int) -> SentinelLink:
        return SentinelLink(self._primary, size, self.timeout)

    def apart(self, size: int) -> SentinelLink:
        return SentinelLink(Primary(self._primary.address, self.timeout), size, self.timeout)

    def history(self, key: str) -> str:
        return self._primary.told.history

    async def exchange(self, commands: Sequence[Command], replies: list[Any]) -> None:
        """As `Link.exchange`."""
        place, link = await self._current()
        try:
            await link.exchange(commands, replies)
        except (*FAILURES, NotSent):
            self._primary.doubt(place)
            raise
        if _doubtful(commands, replies):
            self._primary.doubt(place)

    def begin(self, commands: Sequence[Command], replies: list[Any], done: Done) -> bool:
        """As `Asker.begin`."""
        place, link = self._at, self._link
        if place is None or link is None or not self._primary.stands(place):
            return False

        def ended(error: Exception | None) -> None:
            if error is not None or _doubtful(commands, replies):
                self._primary.doubt(place)
            done(error)

        return link.begin(commands, replies, ended)

    async def _current(self) -> tuple[Place, Link]:
        """Raises NotSent."""
        place = await self._primary.place()
        if self._link is None or self._at != place:
            await self.leave()
            url = self._primary.address.at(place)
            self._at, self._link = place, Link(url, self._size, self.timeout, self._primary.told)
        return place, self._link

    async def leave(self) -> None:
        """Break with the one that was primary."""
        if self._link is not None:
            link, self._link = self._link, None
            await link.leave()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AbstractConnection]:
        """For long: whoever needs another asks the sentinels first. Raises NotSent."""
        if self._at is not None:
            self._primary.doubt(self._at)
        _, link = await self._current()
        async with link.connection() as connection:
            yield connection

    async def aclose(self) -> None:
        if self._link is not None:
            await self._link.aclose()
        await self._primary.part(self)


def _doubtful(commands: Sequence[Command], replies: Sequence[Any]) -> bool:
    """Also where too few replicas follow: they may follow another by now."""
    last, reply = commands[-1], replies[-1]
    if last[0] == "WAIT" and not isinstance(reply, Exception) and reply < last[1]:
        return True
    return any(isinstance(one, Exception) and code(one) in _DOUBTFUL for one in replies)
