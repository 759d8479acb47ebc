"""Who watches what: every watcher gets every commit once, in order, and never a gap.

Nothing is told that is not in a log. What this process got accepted is told from memory; what
others did is read, woken by the store's news, and all watched versions are compared now and then,
so that no correctness hangs on the news.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import structlog

from events.store import Corrupt, Log, Meta, Unavailable
from services.keys import UnknownKey
from services.live import Live
from services.matches import Matches, UnknownMatch
from services.metrics import Metrics

_logger = structlog.get_logger()


NOWHERE = Meta(0, b"", "")


class Watcher(Protocol):
    """Stands at a version of its match; told of newer ones."""

    match: str
    digest: str

    def moved(self, live: Live) -> None:
        """The match has moved on, perhaps several versions at once. Must not wait."""

    def lost(self) -> None:
        """The match's history was lost behind what this watcher has seen."""

    def failed(self) -> None:
        """It could not be told, by a mistake of ours: what it has is not to be gone on with."""

    def dismissed(self) -> None:
        """The token was revoked."""


class Hub:
    """The watchers of one process."""

    def __init__(self, store: Log, matches: Matches, metrics: Metrics, every: float) -> None:
        self._store = store
        self._matches = matches
        self._metrics = metrics
        self._every = every
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._behind: dict[str, int] = {}
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.stopping = asyncio.Event()

    def start(self) -> None:
        self._matches.deliver = self._deliver
        loops = (self._listen(), self._compare(), self._refresh())
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def stop(self) -> None:
        self.stopping.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def watchers(self) -> list[Watcher]:
        return [watcher for group in self._watchers.values() for watcher in group]

    def add(self, watcher: Watcher) -> None:
        self._watchers[watcher.match].add(watcher)
        self._metrics.watched.set(len(self._watchers))

    def remove(self, watcher: Watcher) -> None:
        group = self._watchers[watcher.match]
        group.discard(watcher)
        if not group:
            del self._watchers[watcher.match]
        self._metrics.watched.set(len(self._watchers))

    def dismiss(self, digest: str) -> None:
        """Close what watches by a token that was revoked."""
        for watcher in self.watchers:
            if watcher.digest == digest:
                watcher.dismissed()

    async def until(self, match: str, done: Callable[[Live], bool], seconds: float) -> None:
        """Return when the match is as wanted, or time is up, or this server stops."""
        waiter = _Waiter(match, done)
        self.add(waiter)
        self._metrics.waiting.inc()
        stopping = asyncio.ensure_future(self.stopping.wait())
        try:
            waiter.moved(await self._matches.refresh(match))
            await asyncio.wait(
                (waiter.done, stopping), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            stopping.cancel()
            self.remove(waiter)
            self._metrics.waiting.dec()

    def _deliver(self, live: Live) -> None:
        group = self._watchers.get(live.id)
        if group:
            for watcher in tuple(group):
                try:
                    watcher.moved(live)
                except Exception as error:
                    # The others, and who sent the command, have nothing to do with it.
                    _logger.error("cannot_tell", match=live.id, exc_info=error)
                    watcher.failed()

    def _note(self, match: str, version: int) -> None:
        known = self._matches.known(match)
        if match in self._watchers and (known is None or known.version < version):
            self._behind[match] = version
            self._news.set()

    def _deleted(self, match: str) -> None:
        """It was deleted for good: what this process has of it goes, and who watches it."""
        self._matches.forget(match)
        for watcher in tuple(self._watchers.get(match, ())):
            watcher.lost()

    async def _listen(self) -> None:
        while True:
            with suppress(Unavailable):
                async for match, version in self._store.moved():
                    if match and not version:
                        self._deleted(match)
                    elif match:
                        self._note(match, version)
                    else:
                        await self._look()
            await asyncio.sleep(self._every)

    async def _compare(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            await self._look()

    async def _look(self) -> None:
        """Compare the version of every watched match with what this process knows."""
        watched = list(self._watchers)
        for start in range(0, len(watched), 500):
            part = watched[start : start + 500]
            with suppress(Unavailable):
                metas = await self._store.metas(part)
                for match, meta in zip(part, metas, strict=True):
                    if meta is not None:
                        self._note(match, meta.version)
                    await self._doubt(match, meta or NOWHERE)

    async def _doubt(self, match: str, found: Meta) -> None:
        """A log that stands behind what was confirmed, or elsewhere, has lost history."""
        live = self._matches.known(match)
        if live is None or live.lock.locked():
            return
        if live.history != self._store.history(match):
            with suppress(UnknownMatch, UnknownKey, Corrupt):
                await self._matches.load(match)
            return
        stood = live.version, live.head
        if found.version > live.version or found[:2] == stood:
            return
        found = await self._store.meta(match) or NOWHERE
        if found.version > stood[0] or found[:2] == stood:
            return
        if (live.version, live.head) != stood or live.lock.locked():
            return
        with suppress(UnknownMatch, UnknownKey, Corrupt):
            await self._matches.renew(match)

    async def _refresh(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            behind, self._behind = self._behind, {}
            await asyncio.gather(*(self._catch_up(*each) for each in behind.items()))

    async def _catch_up(self, match: str, version: int) -> None:
        try:
            self._deliver(await self._matches.refresh(match, version))
        except Unavailable:
            self._behind.setdefault(match, version)
        except (UnknownMatch, UnknownKey, Corrupt) as error:
            _logger.error("cannot_follow", match=match, why=str(error))


class _Waiter:
    """A request that waits for its match to move."""

    digest = ""

    def __init__(self, match: str, wanted: Callable[[Live], bool]) -> None:
        self.match = match
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wanted = wanted
        self._lineage: object = None

    def moved(self, live: Live) -> None:
        """Also that what it stood at is gone is news."""
        self._lineage = self._lineage or live.lineage
        lost = live.lineage is not self._lineage
        if not self.done.done() and (lost or self._wanted(live)):
            self.done.set_result(None)

    def lost(self) -> None:
        self.dismissed()

    def failed(self) -> None:
        self.dismissed()

    def dismissed(self) -> None:
        if not self.done.done():
            self.done.set_result(None)
