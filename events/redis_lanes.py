"""Appends over a cluster: those to one server leave together, and wait for no other server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from events.log import Entry
from events.partitions import feed_key, partition
from events.redis_address import Place
from events.redis_append import Accepted, Appender, Appends
from events.redis_cluster import ClusterLink
from events.redis_link import Asker


class Lanes:
    """An appender for each server. Where a slot moves, what is in its lane is sent on."""

    def __init__(
        self, link: ClusterLink, partitions: int, made: Callable[[Asker], Appender]
    ) -> None:
        self._link = link
        self._partitions = partitions
        self._made = made
        self._lanes: dict[Place, Appender] = {}

    def lane(self, match: str) -> Appender:
        place = self._link.slots.owner(feed_key(partition(match, self._partitions)))
        if place not in self._lanes:
            self._lanes[place] = self._made(self._link.sibling(1))
        return self._lanes[place]

    def append(
        self, match: str, entry: Entry, status: str, before: bytes = b""
    ) -> asyncio.Future[None]:
        return self.lane(match).append(match, entry, status, before)

    async def confirm(self, match: str) -> None:
        await self.lane(match).confirm(match)

    async def aclose(self) -> None:
        for lane in self._lanes.values():
            await lane.aclose()


def appending(
    link: Asker, partitions: int, patience: float, replicas: int, accepted: Accepted
) -> Appends:
    """As the link needs it."""

    def made(link: Asker) -> Appender:
        return Appender(link, partitions, patience, replicas, accepted=accepted)

    if isinstance(link, ClusterLink):
        return Lanes(link, partitions, made)
    return made(link.sibling(1))
