"""Commands over a Redis Cluster: each to the server that has its slot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AskError, MovedError, TryAgainError

from events.redis_address import Address, Place
from events.redis_errors import LINE_DOWN, NotSent, code
from events.redis_link import FAILURES, Asker, Link
from events.redis_pipe import Command
from events.redis_slots import Slots, slot_of

_KEY_AT = {"EVALSHA": 3, "XGROUP": 2, "XREADGROUP": 7, "XINFO": 2}
"""Where the first key stands in a command, if not right behind its name."""

_DOUBTFUL = frozenset((LINE_DOWN, "CLUSTERDOWN", "READONLY", "MASTERDOWN", "NOREPLICAS"))
"""Answers after which who has what is learnt anew."""


class _Sent(NamedTuple):
    """A command by its number in the exchange, and whether its slot is only just coming there."""

    number: int
    asking: bool = False


class ClusterLink(Asker):
    """Keeps a link to every server that has slots."""

    def __init__(
        self, address: Address, size: int, timeout: float, slots: Slots | None = None
    ) -> None:
        self.timeout = timeout
        self.slots = Slots(address.places) if slots is None else slots
        self._address = address
        self._size = size
        self._links: dict[Place, Link] = {}
        self._held: dict[AbstractConnection, Place] = {}
        self._turn = 0
        self.slots.followers.add(self)

    def sibling(self, size: int) -> ClusterLink:
        return ClusterLink(self._address, size, self.timeout, self.slots)

    def apart(self, size: int) -> ClusterLink:
        return ClusterLink(self._address, size, self.timeout)

    def history(self, key: str) -> str:
        return self.slots.history(key)

    async def exchange(self, commands: Sequence[Command], replies: list[Any]) -> None:
        """As `Link.exchange`, but what one server fails to answer is a value among the replies.

        What has moved is sent once more, to where it is now. A WAIT at the end goes to every
        server that has a part in it; its answer is the least.
        """
        await self.slots.known(self.link)
        waits = [command for command in commands[-1:] if command[0] == "WAIT"]
        found: list[Any] = [None] * len(commands)
        reached: list[Any] = []
        plan: dict[Place, list[_Sent]] = {}
        for number, command in enumerate(commands[: len(commands) - len(waits)]):
            plan.setdefault(self.slots.owner(_key(command)), []).append(_Sent(number))
        for _ in range(2):
            asked = [self._ask(at, part, commands, found, waits) for at, part in plan.items()]
            reached += [reply for part in await asyncio.gather(*asked) for reply in part]
            plan = self._redirected(plan, found)
        for part in plan.values():
            for number, _ in part:
                found[number] = TryAgainError(str(found[number]))
        if any(isinstance(reply, Exception) and code(reply) in _DOUBTFUL for reply in found):
            self.slots.doubt()
        if waits:
            found[-1] = _least(reached)
        replies += found

    async def _ask(
        self,
        place: Place,
        part: Sequence[_Sent],
        commands: Sequence[Command],
        found: list[Any],
        waits: Sequence[Command],
    ) -> list[Any]:
        """One server its part; what it says to WAIT, where it has anything to wait for."""
        wanted: list[Command] = []
        for number, asking in part:
            wanted += [("ASKING",), commands[number]] if asking else [commands[number]]
        wanted += waits
        got: list[Any] = []
        try:
            await self.link(place).exchange(wanted, got)
        except (*FAILURES, NotSent) as error:
            got += [error] * (len(wanted) - len(got))
        end = len(got) - len(waits)
        answers = [
            reply
            for command, reply in zip(wanted[:end], got[:end], strict=True)
            if command[0] != "ASKING"
        ]
        for (number, _), reply in zip(part, answers, strict=True):
            found[number] = reply
        served = any(not isinstance(reply, AskError) for reply in answers)
        return got[end:] if served else []

    def _redirected(
        self, plan: dict[Place, list[_Sent]], found: Sequence[Any]
    ) -> dict[Place, list[_Sent]]:
        """What its server has said is elsewhere."""
        again: dict[Place, list[_Sent]] = {}
        for place, part in plan.items():
            for number, _ in part:
                reply = found[number]
                if isinstance(reply, AskError):
                    target = (reply.host or place[0], reply.port)
                    moved = isinstance(reply, MovedError)
                    if moved:
                        self.slots.moved(reply.slot_id, target)
                    again.setdefault(target, []).append(_Sent(number, asking=not moved))
        return again

    def link(self, place: Place) -> Link:
        if place not in self._links:
            told = self.slots.of(place)
            self._links[place] = Link(self._address.at(place), self._size, self.timeout, told)
        return self._links[place]

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AbstractConnection]:
        """To any server with slots: what is published on one is heard on all. Raises NotSent."""
        await self.slots.known(self.link)
        places = self.slots.places
        self._turn += 1
        place = places[self._turn % len(places)]
        async with self.link(place).connection() as connection:
            self._held[connection] = place
            try:
                yield connection
            finally:
                del self._held[connection]

    async def abandon(self, gone: set[Place]) -> None:
        """Nothing can be heard from a server that the others have parted with."""
        for connection, place in list(self._held.items()):
            if place in gone:
                await connection.disconnect(nowait=True)

    async def aclose(self) -> None:
        self.slots.followers.discard(self)
        for link in self._links.values():
            await link.aclose()


def _key(command: Command) -> str:
    return str(command[_KEY_AT.get(command[0], 1)])


def _least(reached: Sequence[Any]) -> Any:
    failed = [reply for reply in reached if isinstance(reply, Exception)]
    return failed[0] if failed else min(reached, default=0)


__all__ = ["ClusterLink", "slot_of"]
