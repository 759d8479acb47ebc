"""Tells a worker which partitions have moved, so that it need not sweep them all."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

from events.partitions import partition
from events.store import Log


class Wake:
    """Listens to the store's moves while it is open. No correctness hangs on it."""

    def __init__(self, log: Log, partitions: int) -> None:
        self._log = log
        self._partitions = partitions
        self._moved: set[int] = set()
        self._all = False
        self._event = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _listen(self) -> None:
        async for match, _ in self._log.moved():
            if match:
                self._moved.add(partition(match, self._partitions))
            else:
                self._all = True
            self._event.set()

    async def next(self, seconds: float) -> set[int] | None:
        """The partitions that moved since the last call; None for "look at all of them"."""
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            self._all = True
        moved, everything = self._moved, self._all
        self._moved, self._all = set(), False
        self._event.clear()
        return None if everything else moved

    def prod(self) -> None:
        """Ends the wait of `next`."""
        self._all = True
        self._event.set()
