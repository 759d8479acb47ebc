"""A projection is built anew beside the old one, which is read until the two are swapped."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from events.memory import MemoryStore
from events.store import Versions
from projections import lobby
from projections.heart import Heart
from projections.lobby import Lobby
from projections.rebuild import NotSwapped, Rebuild, Rebuilding, Report
from projections.runner import Pace, Runner
from projections.served import Served
from projections.story import Library
from projections.summary import Summaries, summary
from projections.upkeep import Upkeep
from projections.versions import Version, named, parted, retire
from tests.projections.matches import recorded, store_up, wrong, wrong_rows
from tests.projections.test_crash_points import CALLS, Killed, Mortal

QUICK = Pace(sweep=0.02, claim=0.05, trim=0.1, retry=0.02, lease=1.0, idle_ms=50, limit=20)
MATCHES = [recorded(n) for n in range(11, 15)]


class Newer(Lobby):
    """The lobby as newer code makes it: other listings."""

    def made(self, story: Any) -> Any:
        made = super().made(story)
        rows = [row._replace(listing="new " + row.listing) for row in made.rows or ()]
        return made._replace(value=b"new", rows=tuple(rows))


async def filled(store: Any, last: int = 6) -> None:
    await store.join("lobby")
    for match in MATCHES:
        await store_up(store, match, 1, last)
    await Runner(store, Lobby(), "w").drain()


async def right(store: Any, version: int, projection: Any = None) -> None:
    shown = Version(projection or Lobby(), version)
    assert await wrong(store, shown, MATCHES) == []
    assert await wrong_rows(store, shown, MATCHES) == []


def test_names_of_versions() -> None:
    assert named("lobby", 0) == "lobby" and named("lobby", 3) == "lobby@3"
    assert parted("lobby") == ("lobby", 0) and parted("lobby@12") == ("lobby", 12)


async def test_it_is_built_beside_and_swapped_once(store: Any) -> None:
    await filled(store)
    served = Served(store, 0)
    before = await lobby.matches(served)
    assert len(before.matches) == len(MATCHES)
    report = await Rebuild(store, Lobby()).run()
    assert report == Report(1, 4, 0, 4, 0)
    assert (await store.versions("lobby"))[:2] == (1, 0)
    assert await lobby.matches(served) == before
    await right(store, 1)
    assert (await Rebuild(store, Newer()).run()).differ == 4
    await right(store, 2, Newer())
    assert (await lobby.matches(served)).matches == []


async def test_readers_ask_once_in_a_while_which_version_is_read(store: Any) -> None:
    await store.join("summary")
    await store_up(store, MATCHES[0])
    await Runner(store, Summaries(), "w").drain()
    kept, asking = Served(store, 60), Served(store, 0)
    assert await summary(kept, MATCHES[0].id) == await summary(asking, MATCHES[0].id) is not None
    await Rebuild(store, Summaries()).run()
    await store.drop("summary")
    assert await summary(kept, MATCHES[0].id) is None
    assert await summary(asking, MATCHES[0].id) is not None


async def test_a_slow_read_is_done_again_under_the_new_name(monkeypatch: Any) -> None:
    """What it looked at first may be gone by then."""
    store = MemoryStore(2)
    await filled(store)
    monkeypatch.setattr("projections.served.REMAINS", 0.02)
    served, rows, slow = Served(store, 0.001), store.rows, True

    async def rows_slowly(name: str, *more: Any) -> Any:
        nonlocal slow
        if slow:
            slow = False
            await Rebuild(store, Lobby()).run()
            await store.drop(name)
            await asyncio.sleep(0.03)
        return await rows(name, *more)

    monkeypatch.setattr(store, "rows", rows_slowly)
    assert len((await lobby.matches(served)).matches) == len(MATCHES)


async def test_the_old_version_is_read_while_matches_move(store: Any) -> None:
    """With workers that keep both: nothing is behind after the swap, and no group is left over."""
    await filled(store, 4)
    async with Heart(store, "w", QUICK.lease) as heart:
        upkeep = Upkeep(store, Lobby(), Library(store), QUICK, heart)
        task = asyncio.create_task(upkeep.run())
        served, seen = Served(store, 0), []

        async def play() -> None:
            for version in range(5, 30):
                for match in MATCHES:
                    await store_up(store, match, version, version)
                seen.append(len((await lobby.matches(served)).matches))

        report, _ = await asyncio.gather(Rebuild(store, Lobby()).run(), play())
        assert report.version == 1 and set(seen) == {len(MATCHES)}
        async with asyncio.timeout(10):
            while await store.lag("lobby@1") or list(upkeep.runners) != [1]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        upkeep.stop()
        await task
    for match in MATCHES:
        await store_up(store, match, len(await store.read(match.id)) + 1)
    await Runner(store, Version(Lobby(), 1), "w").drain()
    await right(store, 1)


async def test_what_is_read_no_more_is_forgotten_later(store: Any, monkeypatch: Any) -> None:
    await filled(store)
    await store.build("lobby")
    await store.join("lobby@1")
    await store.give_up("lobby")
    await Rebuild(store, Lobby()).run()
    assert await retire(store, "lobby") == []
    assert await store.groups() == {"lobby", "lobby@1", "lobby@2"}
    monkeypatch.setattr("projections.versions.REMAINS", -1)
    assert sorted(await retire(store, "lobby")) == ["lobby", "lobby@1"]
    assert await store.groups() == {"lobby@2"}
    assert await store.get("lobby", MATCHES[0].id) is None
    assert await store.rows("lobby", "all *") == []
    assert await retire(store, "lobby") == [] == await retire(store, "inbox")
    await right(store, 2)


async def test_workers_retire_what_is_read_no_more(store: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("projections.versions.REMAINS", 0.0)
    monkeypatch.setattr("projections.upkeep.REMAINS", 0.0)
    await filled(store)
    async with Heart(store, "w", QUICK.lease) as heart:
        upkeep = Upkeep(store, Lobby(), Library(store), QUICK, heart)
        task = asyncio.create_task(upkeep.run())
        await Rebuild(store, Lobby()).run()
        async with asyncio.timeout(10):
            while await store.groups() != {"lobby@1"}:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        upkeep.stop()
        await task
    await right(store, 1)


async def test_two_at_a_time_are_refused(store: Any, monkeypatch: Any) -> None:
    await filled(store)
    first, go_on = Rebuild(store, Lobby()), asyncio.Event()
    join = store.join

    async def waiting(*words: Any) -> None:
        await go_on.wait()
        await join(*words)

    monkeypatch.setattr(store, "join", waiting)
    task = asyncio.create_task(first.run())
    while not (await store.versions("lobby")).building:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    with pytest.raises(Rebuilding, match="lobby is being rebuilt by"):
        await Rebuild(store, Lobby()).run()
    go_on.set()
    assert (await task).version == 1
    assert (await Rebuild(store, Lobby()).run()).version == 2


async def test_what_was_taken_over_does_not_swap(store: Any, monkeypatch: Any) -> None:
    """09: a rebuild that stood still for longer than its lease."""
    await filled(store)
    slow, metas = Rebuild(store, Lobby()), store.metas

    async def meanwhile(matches: Any) -> Any:
        monkeypatch.setattr(store, "metas", metas)
        seen = (await store.leases("rebuild lobby"))[0]
        await store.lease("rebuild lobby", "other", {0: seen})
        return await metas(matches)

    monkeypatch.setattr(store, "metas", meanwhile)
    with pytest.raises(Rebuilding, match="has taken over"):
        await slow.run()
    assert (await store.versions("lobby"))[:2] == (0, 1)


async def test_what_was_given_up_meanwhile_is_not_swapped(store: Any, monkeypatch: Any) -> None:
    await filled(store)
    metas = store.metas

    async def meanwhile(matches: Any) -> Any:
        await store.give_up("lobby")
        return await metas(matches)

    monkeypatch.setattr(store, "metas", meanwhile)
    with pytest.raises(NotSwapped, match="given up"):
        await Rebuild(store, Lobby()).run()
    assert (await store.versions("lobby"))[:2] == (0, 0)


class Fragile(Lobby):
    """Cannot stand one match."""

    def made(self, story: Any) -> Any:
        if story.now.match.id == MATCHES[1].id:
            raise ValueError("cannot fold this")
        return super().made(story)


async def test_what_cannot_fold_all_is_not_read(store: Any) -> None:
    """After the fix the same build is gone on with; what was parked before may stay so."""
    await filled(store)
    with pytest.raises(NotSwapped, match=r"cannot fold 1 matches, as .*: ValueError"):
        await Rebuild(store, Fragile()).run()
    assert (await store.versions("lobby"))[:2] == (0, 1)
    await store.park("lobby", MATCHES[1].id, 6, "as before")
    assert await Rebuild(store, Fragile()).run() == Report(1, 4, 1, 3, 0)


class Fickle(Lobby):
    """Never makes the same twice."""

    times = 0

    def made(self, story: Any) -> Any:
        Fickle.times += 1
        return super().made(story)._replace(value=b"%d" % Fickle.times)


async def test_what_is_no_function_of_the_log_is_not_read(store: Any) -> None:
    await filled(store)
    with pytest.raises(NotSwapped, match="fresh fold"):
        await Rebuild(store, Fickle()).run()


async def test_a_match_that_stays_behind_its_log_is_told(store: Any, monkeypatch: Any) -> None:
    await filled(store)

    async def cursors(projection: str, matches: Any) -> Any:
        return [9_999 if projection == "lobby" else 0 for _ in matches]

    async def put(*words: Any) -> bool:
        return True

    monkeypatch.setattr(store, "put", put)
    with pytest.raises(NotSwapped, match="stands behind the log"):
        await Rebuild(store, Lobby()).run()


async def test_workers_that_know_no_versions_keep_the_old_one_read(store: Any) -> None:
    await filled(store)
    await store.beat("old", {"lobby": 0}, 60_000)
    with pytest.raises(NotSwapped, match="older release"):
        await Rebuild(store, Lobby(), patience=0.1).run()
    assert await store.versions("lobby") == Versions(0, 1, pytest.approx(0, abs=60_000))


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_23_killed_twice_at_every_step(after: bool, monkeypatch: Any) -> None:
    """Matches move meanwhile and workers keep both; the third ends equal to a fresh fold."""
    calls = CALLS | {"build", "swap", "shown", "versions", "leases", "lease", "unlease", "get"}
    monkeypatch.setattr("tests.projections.test_crash_points.CALLS", calls)
    now, at, killed = [1000.0], 0, True
    while killed:
        at += 1
        store = MemoryStore(2, partial(now.__getitem__, 0))
        await filled(store, 3)
        for _ in range(2):
            killed = await _killed(Mortal(store, at, after))
            now[0] += 20
            for match in MATCHES:
                stands = len(await store.read(match.id))
                await store_up(store, match, stands + 1, stands + 1)
            await _kept(store)
        live, building, _ = await store.versions("lobby")
        assert {live, building} <= {0, 1, 2}
        report = await Rebuild(store, Lobby()).run()
        assert report.version == (building or live + 1) and report.differ == 0
        await right(store, report.version)
    assert at > 20


async def _killed(store: Any) -> bool:
    """As SIGKILL does it: nothing is cleaned up; the lock is let go when its time is over."""
    try:
        await Rebuild(store, Lobby()).run()
    except Killed:
        return True
    return False


async def _kept(store: MemoryStore) -> None:
    versions = await store.versions("lobby")
    for version in versions.kept:
        await Runner(store, Version(Lobby(), version), "w").drain()
