"""A worker keeps its cells right whatever happens to it, to others and to the feeds."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from events.store import Cell, Reference, Unavailable
from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.runner import Pace, Runner
from projections.summary import Summaries
from projections.views import Views
from tests.projections.matches import Recording, entry_of, recorded, store_up, wrong, wrong_rows

QUICK = Pace(sweep=0.05, claim=0.05, trim=0.1, retry=0.02, idle_ms=50, limit=20)
ALL = (Views(), Lobby(), Inbox(), Summaries())


async def _until(holds: Any, seconds: float = 10) -> None:
    async with asyncio.timeout(seconds):
        while await holds():  # noqa: ASYNC110 - what is waited for happens in the store
            await asyncio.sleep(0.01)


async def _checked(store: Any, matches: list[Recording]) -> None:
    for projection in ALL:
        assert await wrong(store, projection, matches) == []
        assert await wrong_rows(store, projection, matches) == []


async def test_every_projection_follows_its_logs(store: Any) -> None:
    """Serving goes on while matches move; a burst costs one write."""
    runners = [Runner(store, projection, "w", pace=QUICK) for projection in ALL]
    tasks = [asyncio.create_task(runner.run()) for runner in runners]
    matches = [recorded(n) for n in range(5)]
    await asyncio.gather(*[store_up(store, match) for match in matches])
    commits = sum(len(match.entries) for match in matches)

    async def behind() -> bool:
        return any([await store.lag(projection.name) for projection in ALL])

    await _until(behind)
    for runner in runners:
        runner.stop()
    await asyncio.gather(*tasks)
    await _checked(store, matches)
    for runner in runners:
        assert runner.references == commits
        assert len(matches) <= runner.keeper.counts.written <= commits
        assert await store.own(runner.keeper.projection.name, "w", 10) == {}


async def test_workers_share_the_work(store: Any) -> None:
    runners = [Runner(store, Lobby(), f"w{n}", pace=QUICK) for n in range(3)]
    tasks = [asyncio.create_task(runner.run()) for runner in runners]
    matches = [recorded(n) for n in range(8)]
    longest = max(len(match.entries) for match in matches)
    for first in range(1, longest + 1, 6):
        await asyncio.gather(*[store_up(store, m, first, first + 5) for m in matches])

    async def behind() -> bool:
        return await store.lag("lobby") > 0

    await _until(behind)
    for runner in runners:
        runner.stop()
    await asyncio.gather(*tasks)
    assert await wrong(store, Lobby(), matches) == []
    assert await wrong_rows(store, Lobby(), matches) == []


async def test_08_killed_after_the_effect_before_the_acknowledgement(store: Any) -> None:
    match = recorded(1)
    await store_up(store, match)
    first = Runner(store, Lobby(), "w", pace=QUICK)
    await store.join("lobby")
    taken = await store.take("lobby", "w", 100)
    await first.keeper.catch_up({match.id: len(match.entries)})
    assert first.keeper.counts.written == 1
    second = Runner(store, Lobby(), "w", pace=QUICK)
    await second.drain()
    assert second.references == sum(map(len, taken.values()))
    assert second.keeper.counts.written == 0
    assert await store.lag("lobby") == 0
    assert await wrong_rows(store, Lobby(), [match]) == []


async def test_09_a_stalled_worker_that_goes_on_changes_nothing(store: Any) -> None:
    match = recorded(2)
    await store_up(store, match, 1, 6)
    await store.join("lobby")
    go_on = asyncio.Event()
    put = store.put

    async def slow(*args: Any) -> bool:
        await go_on.wait()
        return bool(await put(*args))

    stalled_store = _Patched(store, put=slow)
    stalled = Runner(stalled_store, Lobby(), "slow", pace=QUICK)
    task = asyncio.create_task(stalled.drain())
    await _until(lambda: _nothing_taken(store))
    await store_up(store, match, 7)
    await asyncio.sleep(0.06)
    other = Runner(store, Lobby(), "w", pace=QUICK)
    await other.drain()
    rows = await store.rows("lobby", "all *")
    go_on.set()
    await task
    assert stalled.keeper.counts.refused == 1
    assert await store.rows("lobby", "all *") == rows
    assert await wrong(store, Lobby(), [match]) == []


async def _nothing_taken(store: Any) -> bool:
    return not await store.own("lobby", "slow", 1)


class _Patched:
    """A store with some of its methods replaced."""

    def __init__(self, store: Any, **methods: Any) -> None:
        self._store = store
        self.__dict__.update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


async def test_a_writer_that_was_beaten_looks_again(store: Any) -> None:
    """Who was faster may have read less of the log."""
    match = Recording("01JB", ("ann", "ben")).begin()
    await store_up(store, match)
    put = store.put
    beaten = []

    async def second_best(name: str, id: str, base: int, cell: Any, *more: Any) -> bool:
        if not beaten:
            beaten.append(id)
            assert await put(name, id, base, Cell(3, b"less"), [])
        return bool(await put(name, id, base, cell, *more))

    await store.join("summary")
    runner = Runner(_Patched(store, put=second_best), Summaries(), "w", pace=QUICK)
    await runner.drain()
    assert runner.keeper.counts.refused == 1
    assert await wrong(store, Summaries(), [match]) == []
    await store.append(match.id, entry_of(match, b"no commit"), "playing")
    await store.drop("summary")
    beaten.clear()
    await runner.drain()
    assert runner.keeper.counts.refused == 2
    assert (await store.get("summary", match.id)).cursor == len(match.entries)
    assert list(await store.parked("summary")) == [match.id]


async def test_duplicate_references_do_nothing(store: Any) -> None:
    match = recorded(3)
    await store_up(store, match)
    runner = Runner(store, Lobby(), "w", pace=QUICK)
    await runner.drain()
    for _ in range(5):
        await store.touch(match.id)
    await runner.drain()
    assert runner.references == len(match.entries) + 5
    assert runner.keeper.counts.written == 1


async def test_references_in_any_order_give_the_same(store: Any) -> None:
    """A group does not keep a match's order."""
    match = recorded(4)
    await store_up(store, match)
    await store.join("lobby")
    ((number, references),) = (await store.take("lobby", "gone", 100)).items()
    runner = Runner(store, Lobby(), "w", pace=QUICK)
    shuffled = random.Random(4).sample(references, len(references))
    for reference in shuffled:
        await runner.keeper.catch_up({reference.match: reference.version})
        await store.ack("lobby", {number: [reference]})
    assert await wrong(store, Lobby(), [match]) == []


async def test_stalled_work_is_claimed(store: Any) -> None:
    match = recorded(5)
    await store_up(store, match)
    await store.join("lobby")
    await store.take("lobby", "dead", 100)
    runner = Runner(store, Lobby(), "w", pace=QUICK)
    task = asyncio.create_task(runner.run())

    async def behind() -> bool:
        return await store.lag("lobby") > 0

    await _until(behind)
    runner.stop()
    await task
    assert await wrong(store, Lobby(), [match]) == []


async def test_31_a_lost_group_is_made_again_and_everything_looked_at(store: Any) -> None:
    """Also where the feed no longer holds what the group never saw."""
    match = recorded(6)
    await store_up(store, match)
    await store.join("other")
    await store.ack("other", await store.take("other", "x", 1000))
    await store.trim()
    runner = Runner(store, Lobby(), "w", pace=QUICK)
    await runner.drain()
    assert await wrong(store, Lobby(), [match]) == []
    assert await wrong_rows(store, Lobby(), [match]) == []


async def test_12_references_lost_while_they_were_pending(store: Any) -> None:
    """The worker looks at the whole partition instead."""
    match = recorded(7)
    await store_up(store, match)
    taken = {number: [Reference("", "", 0)] for number in range(store.partitions)}
    done: list[Any] = []

    async def own(*_: Any) -> Any:
        return taken if not done else {}

    async def ack(group: str, what: Any) -> None:
        done.append(what)

    await store.join("lobby")
    runner = Runner(_Patched(store, own=own, ack=ack), Lobby(), "w", pace=QUICK)
    await runner.begin()
    assert done == [taken]
    assert await wrong(store, Lobby(), [match]) == []


async def test_22_a_poison_commit_parks_its_match_alone(store: Any) -> None:
    """The worker goes on; what comes later waits behind it; after the fix all is done in order."""
    good, bad = recorded(8), recorded(9)
    await store_up(store, good, 1, 5)
    await store_up(store, bad, 1, 5)
    runner = Runner(store, Fragile(), "w", pace=QUICK)
    Fragile.breaks_at = (bad.id, 7)
    await store_up(store, bad, 6)
    await store_up(store, good, 6)
    await runner.drain()
    assert await wrong(store, Fragile(), [good]) == []
    parked = await store.parked("fragile")
    assert list(parked) == [bad.id] and "cannot fold this" in parked[bad.id][1]
    assert runner.keeper.counts.parked == 1
    assert await store.lag("fragile") == 0
    await store.touch(bad.id)
    await runner.drain()
    assert runner.keeper.counts.parked == 1
    assert [letter.match for letter in await store.letters()] == [bad.id]
    await runner.keeper.release(bad.id)
    assert list(await store.parked("fragile")) == [bad.id]
    Fragile.breaks_at = ("", 0)
    await runner.keeper.release(bad.id)
    assert await store.parked("fragile") == {}
    assert await wrong(store, Fragile(), [good, bad]) == []


class Fragile(Summaries):
    """Cannot stand one match from one version on."""

    name = "fragile"
    breaks_at = ("", 0)

    def made(self, story: Any) -> Any:
        match, version = self.breaks_at
        if story.now.match.id == match and story.version >= version:
            raise ValueError("cannot fold this")
        return super().made(story)


async def test_28_bytes_that_are_no_commit_park_at_their_version(store: Any) -> None:
    """What came before them is shown."""
    match = Recording("01JBAD", ("ann", "ben"))
    await store_up(store, match)
    await store.append(match.id, entry_of(match, b"\x93 no commit"), "lobby")
    runner = Runner(store, Summaries(), "w", pace=QUICK)
    await runner.drain()
    ((version, why),) = (await store.parked("summary")).values()
    assert version == len(match.entries) + 1 and "Error" in why
    cell = await store.get("summary", match.id)
    assert cell.cursor == len(match.entries)


async def test_20_events_of_a_newer_writer_are_kept_and_skipped(store: Any) -> None:
    match = Recording("01JNEW", ("ann", "ben")).begin()
    await store_up(store, match)
    unknown: Any = msgspec.msgpack.decode(match.entries[-1].facts)
    unknown[0] += 1
    unknown[5] = [["from_the_future", 1, {"x": 2}]]
    newer = entry_of(match, msgspec.msgpack.encode(unknown))
    await store.append(match.id, newer, "playing")
    for projection in ALL:
        runner = Runner(store, projection, "w", pace=QUICK)
        await runner.drain()
        assert await store.parked(projection.name) == {}
        assert (await store.get(projection.name, match.id)).cursor == newer.version


async def test_a_game_that_is_not_known_here_parks(store: Any) -> None:
    match = recorded(10)
    strange: Any = msgspec.msgpack.decode(match.entries[0].facts)
    strange[5][0][2] = "chess"
    first = match.entries[0]._replace(facts=msgspec.msgpack.encode(strange))
    await store.append("01JX", first, "lobby")
    await store_up(store, match)
    runner = Runner(store, Summaries(), "w", pace=QUICK)
    await runner.drain()
    parked = await store.parked("summary")
    assert list(parked) == ["01JX"] and parked["01JX"][0] == 1 and "chess" in parked["01JX"][1]
    assert await store.get("summary", "01JX") is None
    assert await wrong(store, Summaries(), [match]) == []


async def test_17_no_outage_ends_a_worker(memory: Any) -> None:
    """Nor an error of our own; what it had taken is done when the store is back."""
    troubles: list[Exception] = [Unavailable("loading"), ValueError("a bug"), Unavailable("gone")]

    async def put(*args: Any) -> bool:
        if troubles:
            raise troubles.pop()
        return bool(await memory.put(*args))

    match = recorded(17)
    await store_up(memory, match)
    runner = Runner(_Patched(memory, put=put), Lobby(), "w", pace=QUICK)

    async def behind() -> bool:
        return bool(troubles) or await memory.lag("lobby") > 0

    with capture_logs() as logs:
        task = asyncio.create_task(runner.run())
        await _until(behind)
        runner.stop()
        await task
    assert [line["event"] for line in logs].count("worker failed") == 1
    assert await wrong(memory, Lobby(), [match]) == []


async def test_17_what_an_outage_left_is_done_at_once(memory: Any) -> None:
    """Not only when it has been idle for as long as another's would have to be."""
    troubles = [Unavailable("gone")]

    async def ack(*words: Any) -> None:
        if troubles:
            raise troubles.pop()
        await memory.ack(*words)

    await store_up(memory, recorded(17))
    slow = replace(QUICK, claim=60.0, idle_ms=60_000)
    runner = Runner(_Patched(memory, ack=ack), Lobby(), "w", pace=slow)
    task = asyncio.create_task(runner.run())

    async def behind() -> bool:
        return bool(troubles) or await memory.lag("lobby") > 0

    await _until(behind)
    runner.stop()
    await task


@pytest.mark.parametrize("projection", [Lobby(), Views()], ids=lambda p: p.name)
async def test_16_an_effect_that_a_failover_lost_is_made_again(
    memory: Any, projection: Any
) -> None:
    """The cell was written to the old server, the acknowledgement went to the new one."""
    match = recorded(17)
    histories = ["old"]

    async def put(*words: Any) -> bool:
        if len(histories) == 1:
            return True
        return bool(await memory.put(*words))

    async def ack(*words: Any) -> None:
        histories.append("new")
        await memory.ack(*words)

    def history(match: str) -> str:
        return histories[-1]

    await store_up(memory, match)
    patched = _Patched(memory, put=put, ack=ack, history=history)
    runner = Runner(patched, projection, "w", pace=QUICK)
    await runner.drain()
    assert runner.keeper.counts.written == 2
    assert await wrong(memory, projection, [match]) == []
    assert await memory.lag(projection.name) == 0
    await memory.touch(match.id)
    await runner.drain()
    assert runner.keeper.counts.written == 2


async def test_a_worker_stops_though_the_store_is_gone(memory: Any) -> None:
    async def remove_consumer(*_: Any) -> bool:
        raise Unavailable("gone")

    runner = Runner(_Patched(memory, remove_consumer=remove_consumer), Lobby(), "w", pace=QUICK)
    runner.stop()
    await runner.run()


@pytest.mark.parametrize("projection", ALL, ids=lambda p: p.name)
async def test_the_same_cells_from_any_place_on(memory: Any, projection: Any) -> None:
    """Every version of the log, with and without what was folded before."""
    match = recorded(18)
    runner = Runner(memory, projection, "w", pace=QUICK)
    for version in range(1, len(match.entries) + 1):
        await store_up(memory, match, version, version)
        await runner.drain()
        assert await wrong(memory, projection, [match]) == []
        assert await wrong_rows(memory, projection, [match]) == []
