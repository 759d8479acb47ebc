"""Who has which slot of a cluster, as its servers tell."""

from __future__ import annotations

import asyncio
from binascii import crc_hqx
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from events.redis_address import Place
from events.redis_errors import NotSent
from events.redis_link import Link, Told
from events.redis_soon import answers

SLOTS = 16384


class Follower(Protocol):
    async def abandon(self, gone: set[Place]) -> None:
        """Break connections to servers that have no slots any more."""


class _Map(NamedTuple):
    """What one server believes; the one that knows of the latest election is believed."""

    well: bool
    epoch: int
    owners: list[tuple[int, int, Place]]


def slot_of(key: str) -> int:
    """Of the part in braces, which all keys of a partition share."""
    _, _, rest = key.partition("{")
    tag, brace, _ = rest.partition("}")
    return crc_hqx((tag if tag and brace else key).encode(), 0) % SLOTS


class Slots:
    """The map, shared by all links of one store; learnt anew when doubted.

    `told` is what each server has said of itself.
    """

    def __init__(self, seeds: Iterable[Place]) -> None:
        self.told: dict[Place, Told] = {}
        self.followers: set[Follower] = set()
        self._seeds = tuple(seeds)
        self._owners: list[tuple[int, int, Place]] = []
        self._moved: dict[int, Place] = {}
        self._doubted = True
        self._learning = asyncio.Lock()

    @property
    def owners(self) -> set[Place]:
        """The servers that have slots."""
        return {place for _, _, place in self._owners}

    @property
    def places(self) -> list[Place]:
        """All servers that have been heard of, those with slots first."""
        heard = [*sorted(self.owners), *self._moved.values(), *self.told, *self._seeds]
        return list(dict.fromkeys(heard))

    def owner(self, key: str) -> Place:
        slot = slot_of(key)
        if slot in self._moved:
            return self._moved[slot]
        for first, last, place in self._owners:
            if first <= slot <= last:
                return place
        return self.places[0]

    def history(self, key: str) -> str:
        told = self.told.get(self.owner(key))
        return told.history if told is not None else ""

    def of(self, place: Place) -> Told:
        return self.told.setdefault(place, Told())

    def doubt(self) -> None:
        """A slot has moved, or a server is gone."""
        self._doubted = True

    def moved(self, slot: int, place: Place) -> None:
        """As a server says that had it before."""
        self._moved[slot] = place
        self._doubted = True

    async def known(self, link: Callable[[Place], Link]) -> None:
        """Learn the map if it is in doubt. Raises NotSent."""
        async with self._learning:
            if self._doubted:
                await self._learn(link)

    async def _learn(self, link: Callable[[Place], Link]) -> None:
        before = self.owners
        found = await answers([_asked(link(place), place) for place in self.places])
        best = max(found)
        self._owners, self._doubted = best.owners, not best.well
        self._moved = {}
        with suppress(NotSent):
            await answers([self._heard(link(place), place) for place in self.owners])
        for follower in tuple(self.followers):
            await follower.abandon(before - self.owners)

    async def _heard(self, link: Link, place: Place) -> None:
        """What an owner says of itself by now; a line may outlive two failovers.

        Raises NotSent, or one of FAILURES.
        """
        replies: list[Any] = []
        await link.exchange([("INFO", "replication")], replies)
        if isinstance(replies[0], bytes):
            self.of(place).note(replies[0])


async def _asked(link: Link, place: Place) -> _Map:
    """Raises NotSent, or one of FAILURES."""
    replies: list[Any] = []
    await link.exchange([("CLUSTER", "INFO"), ("CLUSTER", "SLOTS")], replies)
    for reply in replies:
        if isinstance(reply, Exception):
            raise NotSent(str(reply)) from reply
    info, slots = replies
    told = dict(line.split(b":", 1) for line in info.splitlines() if b":" in line)
    owners = [(first, last, _place(primary, place)) for first, last, primary, *_ in slots]
    return _Map(
        told[b"cluster_state"] == b"ok", int(told[b"cluster_current_epoch"]), sorted(owners)
    )


def _place(primary: Any, asked: Place) -> Place:
    """A server that does not know its own address has the one it was asked at."""
    host = (primary[0] or b"").decode()
    return (asked[0] if host in ("", "?") else host), primary[1]
