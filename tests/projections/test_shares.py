"""Workers of a group share its partitions: evenly, one each, and on while they come and go."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from structlog.testing import capture_logs

from events.memory import MemoryStore
from events.partitions import feed_key, partition
from events.store import Fenced, Lease, Unavailable
from projections.heart import Heart, Superseded
from projections.lobby import Lobby
from projections.runner import Pace, Runner
from projections.shares import Shares, due
from projections.story import Library
from projections.upkeep import Upkeep
from tests.projections.matches import recorded, store_up, wrong, wrong_rows
from tests.projections.test_runner import _Patched

QUICK = Pace(sweep=0.02, claim=0.05, trim=0.1, retry=0.02, lease=0.5, idle_ms=60_000, limit=20)

LEASE = 1.0
"""Seconds that must be enough for a sign of life, though the machine has much else to do."""


async def until(holds: Any, seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - what is waited for happens in the store
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("workers", "partitions"), [(1, 64), (3, 64), (5, 64), (3, 2), (7, 7)])
def test_all_is_due_to_somebody_and_evenly(workers: int, partitions: int) -> None:
    names = [f"w{n}" for n in range(workers)]
    shares = [due(names, name, partitions) for name in names]
    assert sum(shares) == partitions and max(shares) - min(shares) <= 1


def stand_still(seconds: float) -> None:
    """Nothing else runs in this thread meanwhile."""
    time.sleep(seconds)


class Workers:
    """Lobby workers of a store by name, each with a heart of its own."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.runners: dict[str, Runner] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def come(self, *names: str) -> None:
        for name in names:
            self.runners[name] = Runner(self.store, Lobby(), name, pace=QUICK)
            self.tasks[name] = asyncio.create_task(self.runners[name].run())

    async def go(self, *names: str) -> None:
        for name in names:
            self.runners.pop(name).stop()
            await self.tasks.pop(name)

    async def shared(self) -> bool:
        """Every partition is somebody's, who knows it, and as many are each one's as are due."""
        leases = await self.store.leases("lobby")
        for name, runner in self.runners.items():
            held = {n: lease.token for n, lease in leases.items() if lease.worker == name}
            if held != runner.shares.held:
                return False
            if len(held) != due(sorted(self.runners), name, self.store.partitions):
                return False
        return True


async def test_workers_come_and_go(store: Any) -> None:
    """Nobody waits for a lease to run out where a worker leaves by itself."""
    workers = Workers(store)
    match = recorded(3)
    workers.come("b")
    await until(workers.shared)
    await store_up(store, match, 1, 4)
    workers.come("c", "a")
    await until(workers.shared)
    assert sorted(len(r.shares.held) for r in workers.runners.values()) == [2, 3, 3]
    await store_up(store, match, 5, 8)
    await workers.go("b", "c")
    await until(workers.shared)
    await store_up(store, match, 9)

    async def done() -> bool:
        return await store.lag("lobby") == 0

    await until(done)
    await workers.go("a")
    assert await store.workers("lobby") == ()
    assert {lease.worker for lease in (await store.leases("lobby")).values()} == {""}
    assert await wrong(store, Lobby(), [match]) == []


async def test_what_a_killed_worker_took_is_taken_over_after_its_lease(store: Any) -> None:
    """At once then, whatever `idle_ms` says: nobody else works on it."""
    match = recorded(4)
    await store.join("lobby")
    await store.beat("dead", {"lobby": 0}, 200)
    await store.lease("lobby", "dead", await store.leases("lobby"))
    await store_up(store, match)
    await store.take("lobby", "dead", 100)
    workers = Workers(store)
    workers.come("w")
    await until(workers.shared)

    async def done() -> bool:
        return await store.lag("lobby") == 0

    await until(done)
    assert workers.runners["w"].tally.claimed == len(match.entries)
    await workers.go("w")
    assert await wrong(store, Lobby(), [match]) == []


async def test_12_a_feed_that_was_trimmed_under_what_is_pending(store: Any, url: str) -> None:
    """Whoever takes that over finds it empty, looks at the logs instead, and acknowledges it."""
    if not url:
        pytest.skip("nobody but the store itself can trim a feed in memory")
    match = recorded(10)
    await store.join("lobby")
    await store_up(store, match)
    await store.take("lobby", "dead", 100)
    await store._link.call("XTRIM", feed_key(partition(match.id, store.partitions)), "MAXLEN", 0)
    workers = Workers(store)
    workers.come("w")

    async def done() -> bool:
        return await store.lag("lobby") == 0

    await until(done)
    await workers.go("w")
    assert await wrong(store, Lobby(), [match]) == []
    assert await wrong_rows(store, Lobby(), [match]) == []


async def test_a_process_that_is_started_again_waits_for_nothing(store: Any) -> None:
    """It takes over what its name held, and gives back what it does not need of that."""
    await store.join("lobby")
    await store.beat("w", {"lobby": 0}, 60_000)
    tokens = await store.lease("lobby", "w", await store.leases("lobby"))
    workers = Workers(store)
    workers.come("v", "w")
    await until(workers.shared)
    held = workers.runners["w"].shares.held
    assert all(token > tokens[number] for number, token in held.items())
    await workers.go("v", "w")


async def test_09_a_worker_that_stood_still_has_its_write_refused(store: Any) -> None:
    """It stands between reading a log and writing a cell; what it took is done by another."""
    match = recorded(5)
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def put(*words: Any) -> bool:
        reached.set()
        await go_on.wait()
        return bool(await store.put(*words))

    slow = Runner(_Patched(store, put=put), Lobby(), "slow", pace=QUICK)
    task = asyncio.create_task(slow.run())
    await until(lambda: _holds(slow))
    await store_up(store, match, 1, 5)
    await asyncio.wait_for(reached.wait(), 10)
    seen = await store.leases("lobby")
    await store.lease("lobby", "other", seen)
    await store.beat("other", {"lobby": 0}, 60_000)
    taken = await store.claim("lobby", "other", 0, 100)
    go_on.set()

    async def refused() -> bool:
        return slow.keeper.counts.fenced > 0

    await until(refused)
    assert slow.keeper.counts.fenced == 1 and slow.keeper.counts.written == 0
    assert await store.get("lobby", match.id) is None
    assert await store.own("lobby", "other", 100) == taken, "it has acknowledged nothing"
    slow.stop()
    await task


async def test_what_was_interrupted_is_gone_on_with_at_once(store: Any) -> None:
    """By an outage, or by a mistake of ours: what was taken is pending under our own name."""
    troubles: list[Exception] = [Unavailable("gone"), ValueError("a bug"), Fenced("late")]

    async def put(*words: Any) -> bool:
        if troubles:
            raise troubles.pop()
        return bool(await store.put(*words))

    match = recorded(9)
    runner = Runner(_Patched(store, put=put), Lobby(), "w", pace=QUICK)
    task = asyncio.create_task(runner.run())
    await until(lambda: _holds(runner))

    async def done() -> bool:
        return not troubles and await store.lag("lobby") == 0

    with capture_logs():
        await store_up(store, match)
        await until(done)
    runner.stop()
    await task
    assert await wrong(store, Lobby(), [match]) == []


async def test_work_does_not_keep_a_worker_from_its_signs_of_life(store: Any) -> None:
    """Each fold stops the event loop for longer than a lease lasts."""
    runner = Runner(store, Slow(), "w", pace=Pace(sweep=0.02, lease=LEASE))
    task = asyncio.create_task(runner.run())

    async def has() -> bool:
        return len(runner.shares.held) == store.partitions

    await until(has)
    tokens = dict(runner.shares.held)
    await store_up(store, recorded(6), 1, 4)

    async def done() -> bool:
        return await store.lag("slow") == 0

    await until(done)
    assert runner.shares.held == tokens and runner._heart._pulses["slow"].lapses == 1
    runner.stop()
    await task


class Slow(Lobby):
    name = "slow"

    def made(self, story: Any) -> Any:
        stand_still(1.2 * LEASE)
        return super().made(story)


async def test_a_loop_that_stands_still_for_good_falls_silent(memory: MemoryStore) -> None:
    async with Heart(memory, "w", LEASE / 2, patience=LEASE / 2) as heart:
        heart.join("g", lambda: None)

        async def heard() -> bool:
            return heart.pulse("g") is not None

        await until(heard)
        before = heart._pulses["g"].lapses
        stand_still(1.5 * LEASE)
        assert heart.pulse("g") is None and await memory.workers("g") == ()
        await until(heard)
        assert heart._pulses["g"].lapses == before + 1


async def test_of_two_processes_under_one_name_the_newer_works(store: Any) -> None:
    old = Runner(store, Lobby(), "w", pace=QUICK)
    ended = asyncio.create_task(old.run())
    await until(lambda: _holds(old))
    async with Heart(store, "w", QUICK.lease) as heart:
        new = Upkeep(store, Lobby(), Library(store), QUICK, heart)
        task = asyncio.create_task(new.run())
        with pytest.raises(Superseded, match="works under the name 'w'"):
            await asyncio.wait_for(ended, 10)
        await until(lambda: _holds(new.runners[0]))
        new.stop()
        await task


async def test_a_superseded_runner_ends_its_upkeep(memory: MemoryStore) -> None:
    async with Heart(memory, "w", QUICK.lease) as heart:
        upkeep = Upkeep(memory, Lobby(), Library(memory), QUICK, heart)
        task = asyncio.create_task(upkeep.run())

        async def begun() -> bool:
            return bool(upkeep.runners) and await _holds(upkeep.runners[0])

        await until(begun)
        await memory.beat("w", {"lobby": 0}, 60_000)
        with pytest.raises(Superseded):
            await asyncio.wait_for(task, 10)


async def _holds(runner: Runner) -> bool:
    return bool(runner.shares.held)


async def test_26_a_clock_that_jumps_costs_a_lease_and_no_more(memory: Any) -> None:
    """The workers' own clocks are monotonic; the store's goes back an hour, then forth again."""
    offset = 0.0
    memory._clock = lambda: time.monotonic() + offset
    workers = Workers(memory)
    workers.come("a", "b")
    await until(workers.shared)
    for jump in (-3600.0, 3600.0):
        offset += jump
        await asyncio.sleep(0.3)
        await until(workers.shared)
    match = recorded(7)
    await store_up(memory, match)

    async def done() -> bool:
        return await memory.lag("lobby") == 0

    await until(done)
    await workers.go("a", "b")
    assert await wrong(memory, Lobby(), [match]) == []
    assert await wrong_rows(memory, Lobby(), [match]) == []


async def test_what_was_refused_or_lost_is_looked_at_again(memory: MemoryStore) -> None:
    async with Heart(memory, "w", 5) as heart:
        shares = Shares(memory, "g", heart)
        assert await shares.settle() == [] and shares.mine() == []
        heart.join("g", lambda: None)

        async def heard() -> bool:
            return heart.pulse("g") is not None

        await until(heard)
        assert sorted(await shares.settle()) == [0, 1, 2, 3] == shares.mine()
        assert shares.mine([2, 9]) == [2] and await shares.settle() == []
        lease = (await memory.leases("g"))[1]
        await memory.lease("g", "thief", {1: lease})
        assert await shares.settle() == [] and 1 in shares.held
        shares.doubt()
        assert await shares.settle() == [1], "a thief that does not live keeps nothing"
        await shares.give_back()
        assert shares.held == {} and (await memory.leases("g"))[0].worker == ""
        await shares.settle()
        heart._pulses["g"] = heart._pulses["g"]._replace(until=0.0)
        assert shares.mine() == [] and await shares.settle() == [] == list(shares.held)


async def test_an_outage_of_the_store_ends_no_heart() -> None:
    outages = 3

    class Away(MemoryStore):
        async def beat(self, *words: Any) -> Any:
            nonlocal outages
            if outages:
                outages -= 1
                raise Unavailable("gone")
            return await super().beat(*words)

    async with Heart(Away(4), "w", 0.05) as heart:
        heart.join("g", lambda: None)

        async def heard() -> bool:
            return heart.pulse("g") is not None

        await until(heard)
        assert not outages


async def test_fenced_writes_say_so(memory: MemoryStore) -> None:
    match = recorded(8)
    await store_up(memory, match)
    runner = Runner(memory, Lobby(), "w")
    runner.shares.held.update(dict.fromkeys(range(4), 5))
    with pytest.raises(Fenced):
        await runner.drain()
    assert (await memory.leases("lobby"))[0] == Lease()
