"""Builds a projection anew from the logs, beside the version that is read, and swaps the two."""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import structlog

from events.store import Store, Unavailable
from projections.heart import Heart, Pulse
from projections.keeper import Keeper, chunks
from projections.projection import Projection
from projections.story import Library
from projections.versions import Version, named

log = structlog.get_logger(__name__)

SAMPLE = 20
"""Matches of a chunk whose cells are compared with a fresh fold."""


class Rebuilding(Exception):
    """Another rebuild of this projection is at work."""


class NotSwapped(Exception):
    """What was built is not fit to be read: it stays beside, and the old version is read on."""


class Report(NamedTuple):
    """The version that is read from now on; how many matches it has, how many of those are parked,
    and how many of those that were compared differ from the old version."""

    version: int
    matches: int
    parked: int
    compared: int
    differ: int


class Rebuild:
    """One rebuild of one projection. Killed, it is gone on with by the next.

    `at_once` matches are folded at a time; `seconds` is how long a rebuild that was killed keeps
    the next one out, `patience` how long the workers may take to keep the new version up.
    """

    def __init__(
        self,
        store: Store,
        projection: Projection,
        at_once: int = 16,
        seconds: float = 10.0,
        patience: float = 30.0,
    ) -> None:
        self._store = store
        self._projection = projection
        self._at_once = at_once
        self._patience = patience
        self._lock = f"rebuild {projection.name}"
        me = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._heart = Heart(store, me, seconds)

    async def run(self) -> Report:
        """Raises Rebuilding, NotSwapped, Unavailable."""
        async with self._heart:
            self._heart.join(self._lock, lambda: None)
            token = await self._begin(await self._pulse())
            try:
                return await self._build(token)
            finally:
                with suppress(Unavailable):
                    await self._store.unlease(self._lock, self._heart.worker, {0: token})
                    await self._heart.leave(self._lock)

    async def _pulse(self) -> Pulse:
        until = time.monotonic() + self._patience
        while (pulse := self._heart.pulse(self._lock)) is None:
            if time.monotonic() > until:
                raise Unavailable("the store does not answer")
            await asyncio.sleep(0.01)
        return pulse

    async def _begin(self, pulse: Pulse) -> int:
        """The token under which this rebuild is the only one."""
        lease = (await self._store.leases(self._lock))[0]
        if lease.worker not in pulse.workers:
            got = await self._store.lease(self._lock, self._heart.worker, {0: lease})
            if got:
                return got[0]
            lease = (await self._store.leases(self._lock))[0]
        await self._heart.leave(self._lock)
        name, who, seconds = self._projection.name, lease.worker, self._heart.seconds
        raise Rebuilding(
            f"{name} is being rebuilt by {who}; if that was killed, try again in {seconds:.0f} s"
        )

    async def _build(self, token: int) -> Report:
        """The group is there before the first log is read, so that nothing is missed."""
        store, name = self._store, self._projection.name
        live = (await store.versions(name)).live
        number = await store.build(name)
        version = Version(self._projection, number)
        keeper = Keeper(store, version, Library(store), self._at_once)
        log.info("rebuilding", projection=name, version=number)
        await store.join(version.name)
        await keeper.repair()
        await self._kept_up(named(name, live), version.name)
        report = await _Comparison(store, keeper, named(name, live), version).made(number)
        if (await store.leases(self._lock))[0].token != token:
            raise Rebuilding(f"another rebuild of {name} has taken over")
        if not await store.swap(name, live, number):
            raise NotSwapped(f"version {number} of {name} was given up meanwhile")
        log.info("swapped", projection=name, version=number)
        return report

    async def _kept_up(self, old: str, new: str) -> None:
        """Where workers keep the old version, they must keep the new one too before it is read."""
        until = time.monotonic() + self._patience
        while await self._store.workers(old):
            keeping = await self._store.workers(new)
            leases = (await self._store.leases(new)).values()
            if {lease.worker for lease in leases} <= set(keeping):
                return
            if time.monotonic() > until:
                raise NotSwapped(
                    f"the workers of {old} do not keep {new} up; do they run an older release?"
                )
            await asyncio.sleep(0.05)


class _Comparison:
    """Brings the new version to where every log stands now, and looks whether it is right."""

    def __init__(self, store: Store, keeper: Keeper, old: str, new: Version) -> None:
        self._store = store
        self._keeper = keeper
        self._old = old
        self._new = new
        self._chance = random.Random(new.name)
        self._parked: list[str] = []
        self._compared = self._differ = self._matches = 0

    async def made(self, version: int) -> Report:
        """Raises NotSwapped."""
        async for matches in chunks(self._store.matches()):
            metas = zip(matches, await self._store.metas(matches), strict=True)
            wanted = {match: meta.version for match, meta in metas if meta}
            await self._keeper.catch_up(wanted)
            parked = await self._barrier(wanted)
            free = sorted(wanted.keys() - parked)
            for match in self._chance.sample(free, min(SAMPLE, len(free))):
                await self._compare(match)
            self._matches += len(wanted)
            self._parked += parked
        return Report(version, self._matches, len(self._parked), self._compared, self._differ)

    async def _barrier(self, wanted: Mapping[str, int]) -> Sequence[str]:
        """The matches that are parked, as they were in the old version too; the others stand where
        their logs stood."""
        matches = list(wanted)
        parked = await self._store.is_parked(self._new.name, matches)
        before = await self._store.is_parked(self._old, matches)
        cursors = await self._store.cursors(self._new.name, matches)
        found = list(zip(matches, parked, before, cursors, strict=True))
        if newly := [match for match, now, was, _ in found if now and not was]:
            why = (await self._store.parked(self._new.name))[newly[0]][1]
            raise NotSwapped(f"it cannot fold {len(newly)} matches, as {newly[0]}: {why}")
        if late := [m for m, now, _, cursor in found if not now and cursor < wanted[m]]:
            raise NotSwapped(f"it stands behind the log of {late[0]}{await self._why()}")
        return [match for match, now, _, _ in found if now]

    async def _why(self) -> str:
        """What an archive that is away has to do with it."""
        for deferred in (await self._store.deferred(self._new.name)).values():
            return f": {deferred.why}"
        return ""

    async def _compare(self, match: str) -> None:
        """With a fresh fold, where the match has not moved on meanwhile; and with what is read."""
        story = await Library(self._store).story(match)
        cell = await self._store.get(self._new.name, match)
        rows = await self._store.shown(self._new.name, match)
        if story is None or cell is None or cell.cursor != story.version:
            return
        made = self._new.made(story)
        if cell.value != made.value or sorted(rows) != sorted(made.rows or ()):
            raise NotSwapped(f"match {match} is not what a fresh fold gives")
        old = await self._store.get(self._old, match)
        self._compared += 1
        self._differ += (
            old is None
            or old.value != cell.value
            or sorted(rows) != sorted(await self._store.shown(self._old, match))
        )
