"""A worker that shares its group's partitions, killed at every call; another takes over."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from events.memory import MemoryStore
from projections.lobby import Lobby
from projections.runner import Pace, Runner
from tests.projections.matches import recorded, store_up, wrong, wrong_rows
from tests.projections.test_crash_points import CALLS, Killed, Mortal

QUICK = Pace(sweep=0.01, claim=60, trim=60, retry=0.01, lease=10, idle_ms=3_600_000, limit=7)
MATCHES = [recorded(n) for n in (31, 32)]
LEASES = CALLS | {"leases", "workers", "lease", "unlease", "remove_consumer"}


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("name", ["w", "other"], ids=["same-name", "other-name"])
async def test_08_every_step_under_leases(name: str, after: bool, monkeypatch: Any) -> None:
    """Nothing is claimed for having been left long: who has the partition has all of it."""
    monkeypatch.setattr("tests.projections.test_crash_points.CALLS", LEASES)
    at, killed = 0, True
    while killed:
        at += 1
        now = [1000.0]
        store = MemoryStore(2, partial(now.__getitem__, 0))
        for match in MATCHES:
            await store_up(store, match, 1, 4)
        killed = await _killed(Mortal(store, at, after), store)
        for match in MATCHES:
            await store_up(store, match, 5)
        now[0] += 11 if name == "other" else 0
        second = Runner(store, Lobby(), name, pace=QUICK)
        task = asyncio.create_task(second.run())
        await _until_done(store, task)
        second.stop()
        await task
        assert {lease.worker for lease in (await store.leases("lobby")).values()} == {""}
        assert await wrong(store, Lobby(), MATCHES) == [], f"killed at step {at}"
        assert await wrong_rows(store, Lobby(), MATCHES) == [], f"killed at step {at}"
    assert at > 25


async def _killed(mortal: Any, store: MemoryStore) -> bool:
    """Whether it was, before it had done all and left."""
    runner = Runner(mortal, Lobby(), "w", pace=QUICK)
    task = asyncio.create_task(runner.run())
    await _until_done(store, task)
    runner.stop()
    try:
        await task
    except Killed:
        return True
    return False


async def _until_done(store: MemoryStore, task: asyncio.Task[None]) -> None:
    """All is worked off, or the worker is dead."""
    async with asyncio.timeout(20):
        while not task.done():
            if await store.joined("lobby") and not await store.lag("lobby"):
                return
            await asyncio.sleep(0.002)
