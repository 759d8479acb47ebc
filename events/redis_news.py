"""What was appended here, told to the other processes: gathered for a moment, for each message
costs all who hear it more than it says."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from events.partitions import feed_key, partition
from events.redis_errors import NotSent
from events.redis_link import FAILURES, Asker

GATHERED = 0.005
"""Seconds between two tellings: the first after a pause goes out at once."""


class News:
    """The newest version of each match that has moved, on the channel of its partition.

    Nothing hangs on it: whoever misses it finds by comparing that a match has moved.
    """

    def __init__(self, link: Asker, partitions: int) -> None:
        self._link = link
        self._partitions = partitions
        self._untold: dict[str, int] = {}
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._telling: asyncio.Task[None] | None = None

    def tell(self, match: str, version: int) -> None:
        if version > self._untold.get(match, 0):
            self._untold[match] = version
        if self._timer is None and self._telling is None:
            self._plan()

    def _plan(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(max(self._due, loop.time()), self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._telling = asyncio.get_running_loop().create_task(self._tell_all())
        self._telling.add_done_callback(self._told)

    def _told(self, task: asyncio.Task[None]) -> None:
        self._telling = None
        self._due = asyncio.get_running_loop().time() + GATHERED
        if self._untold and not task.cancelled():
            self._plan()

    async def _tell_all(self) -> None:
        untold, self._untold = self._untold, {}
        said = [
            ("PUBLISH", feed_key(partition(match, self._partitions)), f"{version} {match}")
            for match, version in untold.items()
        ]
        with suppress(*FAILURES, NotSent):
            await self._link.exchange(said, [])

    async def aclose(self) -> None:
        """Tells what is left, also what came up while the last was told."""
        while self._timer is not None or self._telling is not None:
            if self._timer is not None:
                self._timer.cancel()
                self._begin()
            if self._telling is not None:
                await asyncio.wait([self._telling])
