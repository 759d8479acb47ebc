"""Servers that fail and are replaced: nothing confirmed is lost, and what is lost is noticed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import sleep
from typing import TypeVar

import pytest

from events.log import Entry
from events.partitions import match_keys
from events.redis_sentinel import Primary, SentinelLink
from events.redis_slots import slot_of
from events.redis_store import RedisStore
from events.store import Conflict, Unavailable, Unconfirmed
from tests.events.entries import entries, entry, filled, hurry
from tests.redis_nodes import Node, wait_for
from tests.redis_servers import Cluster, Sentinels, Standalone, cluster, sentinels
from tests.servers import PARTITIONS

KIND = os.environ.get("HALLOWSTREAM_FAILOVER_SERVER", "redis")
LONG = pytest.mark.skipif(
    not os.environ.get("HALLOWSTREAM_FAILOVERS"),
    reason="many seconds of failovers: set HALLOWSTREAM_FAILOVERS=1",
)
PATIENT = 40.0
"""Seconds that an append is tried for where it must get through."""


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sentinels]:
    with sentinels(tmp_path_factory.mktemp("watched"), 2, KIND, parted=True) as servers:
        yield servers


@pytest.fixture(scope="module")
def sharded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("sharded"), 3, 1, KIND, parted=True) as servers:
        yield servers


@pytest.fixture(params=("watched", "sharded"))
def servers(request: pytest.FixtureRequest) -> Standalone:
    return whole(request.getfixturevalue(request.param))


Servers = TypeVar("Servers", bound=Standalone)


def whole(servers: Servers) -> Servers:
    """Nothing of the test before is left, neither harm nor data."""
    servers.healed()
    servers.emptied()
    return servers


@asynccontextmanager
async def opened(
    servers: Standalone, replicas: int = 0, patience: float = PATIENT
) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(servers.address, PARTITIONS, patience, 1.0, replicas)
    try:
        yield store
    finally:
        await store.aclose()


def master(servers: Standalone, match: str = "m") -> Node:
    """Who has the match."""
    if isinstance(servers, Cluster):
        return servers.owner(slot_of(match_keys(match, PARTITIONS).log))
    assert isinstance(servers, Sentinels)
    found = servers.master
    assert found is not None
    return found


async def replaced(servers: Standalone, old: Node) -> None:
    """Somebody else is master in its place."""
    lost: Callable[[], bool]
    if isinstance(servers, Cluster):
        lost = lambda: all(master(servers, m) is not old for m in "mno")  # noqa: E731
    else:
        assert isinstance(servers, Sentinels)
        lost = lambda: servers.master not in (None, old)  # noqa: E731
    await asyncio.to_thread(wait_for, lost, f"{old!r} is replaced")


async def played(store: RedisStore, matches: list[str], last: int) -> None:
    """Each match up to a version, all at once; what races or retries is made good."""

    async def play(match: str) -> None:
        for one in entries(last, match):
            while True:
                try:
                    await store.append(match, one, "playing")
                except Conflict as conflict:
                    if conflict.tail[:1] != (one,):
                        raise
                except Unavailable:
                    continue
                break
            await asyncio.sleep(0.02)

    await asyncio.gather(*[play(match) for match in matches])


@pytest.mark.parametrize(
    "how", ["asked", pytest.param("killed", marks=LONG), pytest.param("stopped", marks=LONG)]
)
async def test_appends_go_on_through_a_failover(servers: Standalone, how: str) -> None:
    """However it comes: nothing confirmed is lost, no gap, nothing doubled.

    All replicas are waited for. With one of two, a failover that is asked for may promote the
    other: the first has what was confirmed, but has to forget it.
    """
    matches = [f"m{n}" for n in range(12)]
    every = 2 if isinstance(servers, Sentinels) else 1
    async with opened(servers, replicas=every) as store:
        await filled(store, "m", 1)
        history = store.history("m")
        playing = asyncio.create_task(played(store, matches, 25))
        await asyncio.sleep(0.1)
        old = master(servers)
        await asyncio.to_thread(_fail, servers, old, how)
        await replaced(servers, old)
        await asyncio.to_thread(servers.healed)
        await asyncio.wait_for(playing, 60)
        for match in matches:
            assert await store.read(match) == entries(25, match)
        await store.append("m", entry(2), "playing")
        assert store.history("m") not in ("", history)


def _fail(servers: Standalone, old: Node, how: str) -> None:
    if how == "killed":
        old.kill()
    elif how == "stopped":
        old.stop()
    elif isinstance(servers, Cluster):
        servers.failover(servers.followers(old)[0])
    else:
        assert isinstance(servers, Sentinels)
        servers.failover()


async def _tried(store: RedisStore, match: str, one: Entry) -> str:
    try:
        await store.append(match, one, "playing")
    except (Unconfirmed, Unavailable) as error:
        return type(error).__name__
    return "ok"


async def test_16_19_what_a_lost_primary_took_alone_was_never_confirmed(
    servers: Standalone,
) -> None:
    """Clients still reach it, its replicas and all others don't: then it is replaced. What it was
    given comes back as unconfirmed, is gone, and the same append again gets it in for good."""
    async with opened(servers, replicas=1) as store, opened(servers) as careless:
        made = await filled(store, "m", 3)
        old = master(servers)
        old.cut()
        await careless.append("m", entry(4, "lost"), "playing", made[-1].head)
        told, beyond = careless.history("m"), await careless.read("m")
        assert [one.version for one in beyond] == [1, 2, 3, 4]
        hurry(store, 0.8)
        assert await _tried(store, "m", entry(5, "unsure")) == "Unconfirmed"
        with pytest.raises((Unconfirmed, Unavailable)):
            await store.confirm("m")
        await replaced(servers, old)
        await _stands_at(careless, 3)
        assert careless.history("m") != told
        with pytest.raises(Conflict) as caught:
            await careless.append("m", entry(5), "playing", entry(4, "lost").head)
        assert caught.value.meta.version == 3
        assert await careless.read("m") == made
        await asyncio.to_thread(servers.healed)
        assert await careless.read("m") == made, "nor does what is gone come back"
        hurry(store, PATIENT)
        await store.append("m", entry(4, "lost"), "playing", made[-1].head)
        await store.append("m", entry(5, "unsure"), "playing", entry(4, "lost").head)
        await store.confirm("m")
        assert await careless.read("m") == [*made, entry(4, "lost"), entry(5, "unsure")]


async def _stands_at(store: RedisStore, version: int) -> None:
    """As soon as this process has heard of it."""
    async with asyncio.timeout(30):
        while True:
            with suppress(Unavailable):
                meta = await store.meta("m")
                if meta is not None and meta.version == version:
                    return
            await asyncio.sleep(0.05)


async def test_an_entry_on_too_few_replicas_is_not_confirmed_by_being_found(
    servers: Standalone,
) -> None:
    """Over a new line to the same primary: WAIT counts what that line has written, and a refusal
    writes nothing."""
    async with opened(servers, replicas=1) as store:
        await filled(store, "m", 1)
        followers = list(servers.replicas)
        for node in followers:
            node.stop()
        hurry(store, 0.3)
        assert await _tried(store, "m", entry(2)) == "Unconfirmed"
        async with opened(servers, replicas=1, patience=0.3) as other:
            assert await other.read("m") == [entry(1, "m"), entry(2)]
            with pytest.raises((Unconfirmed, Unavailable)):
                await other.confirm("m")
            assert await _tried(other, "m", entry(3)) == "Unconfirmed"
        for node in followers:
            node.go_on()
        hurry(store, PATIENT)
        await store.append("m", entry(4), "playing")
    assert {one.version for one in await _all(servers)} == {1, 2, 3, 4}


async def _all(servers: Standalone) -> list[Entry]:
    async with opened(servers) as store:
        return await store.read("m")


async def test_17_a_primary_that_wants_replicas_refuses_without(servers: Standalone) -> None:
    """`min-replicas-to-write`: nothing is written, and it is waited for."""
    async with opened(servers) as store:
        await filled(store, "m", 1)
        node = master(servers)
        node.ask("CONFIG", "SET", "min-replicas-to-write", 3)
        hurry(store, 0.3)
        assert await _tried(store, "m", entry(2)) == "Unavailable"
        hurry(store, PATIENT)
        waiting = asyncio.create_task(store.append("m", entry(2), "playing"))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        node.ask("CONFIG", "SET", "min-replicas-to-write", 0)
        await waiting


async def test_slots_move_while_matches_are_played(sharded: Cluster) -> None:
    """Key by key, so that a match's keys lie on both servers for a while: what is there already is
    asked for there, what lies apart is waited for, and nothing is lost or doubled."""
    matches = [f"m{n}" for n in range(12)]
    async with opened(whole(sharded)) as store:
        await store.join("g")
        await asyncio.gather(*[filled(store, match, 3) for match in matches])
        playing = asyncio.create_task(_on(store, matches, 4, 20))
        slots = sorted({slot_of(match_keys(match, PARTITIONS).log) for match in matches})
        before = {slot: sharded.owner(slot) for slot in slots}
        for slot in slots:
            to = next(node for node in sharded.masters if node is not before[slot])
            await asyncio.to_thread(sharded.move, slot, to, 1, lambda: sleep(0.003))
        await asyncio.wait_for(playing, 60)
        for match in matches:
            assert await store.read(match) == entries(20, match)
        assert all(sharded.owner(slot) is not before[slot] for slot in slots)
        taken = await store.take("g", "a", 1000)
        heard = {(one.match, one.version) for found in taken.values() for one in found}
        assert heard == {(match, version) for match in matches for version in range(1, 21)}


async def _on(store: RedisStore, matches: list[str], first: int, last: int) -> None:
    async def play(match: str) -> None:
        for one in entries(last, match)[first - 1 :]:
            await store.append(match, one, "playing")
            await asyncio.sleep(0.01)

    await asyncio.gather(*[play(match) for match in matches])


@LONG
async def test_news_come_from_the_new_primary(servers: Standalone) -> None:
    """Listeners are told to look again, then hear of what is new."""
    async with opened(servers) as store:
        moves = store.moved()
        assert await asyncio.wait_for(anext(moves), 20) == ("", 0)
        old = master(servers)
        old.kill()
        await replaced(servers, old)
        await store.append("m", entry(1), "lobby")
        async with asyncio.timeout(30):
            while await anext(moves) not in (("m", 1), ("", 0)):
                pass
        await moves.aclose()  # type: ignore[attr-defined]


async def test_a_sentinel_that_was_cut_off_is_not_believed(watched: Sentinels) -> None:
    """It still names the old primary, which still says that it is one."""
    async with opened(whole(watched)) as store:
        await filled(store, "m", 2)
        old, stale = master(watched), watched.watchers[0]
        assert old.network is not None
        old.network.cut(old.home, stale.home)
        new = watched.watchers[1]
        await asyncio.to_thread(
            wait_for,
            lambda: _named(new) not in (None, old.port),
            "the others have another",
        )
        assert _named(stale) == old.port
        async with opened(watched) as fresh:
            assert isinstance(fresh._link, SentinelLink)
            place = await fresh._link._primary.place()
            assert place == ("127.0.0.1", _named(new))
            await fresh.append("m", entry(3), "playing")


def _named(watcher: Node) -> int | None:
    found = watcher.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "hallowstream")
    return int(found[1]) if found else None


async def test_a_replica_is_not_taken_for_a_primary(watched: Sentinels) -> None:
    """Whatever sentinels say of it: before they have heard, as after a change by hand."""
    async with opened(whole(watched)) as store:
        await filled(store, "m", 1)
        assert isinstance(store._link, SentinelLink)
        primary: Primary = store._link._primary
        replica = watched.replicas[0]
        primary._place = ("127.0.0.1", replica.port)
        assert await store.read("m") == [entry(1, "m")]
        assert await primary.place() != ("127.0.0.1", replica.port)


async def test_a_service_that_sentinels_do_not_know(watched: Sentinels) -> None:
    address = watched.address.replace("/hallowstream", "/other")
    with pytest.raises(Unavailable, match="No such master"):
        await RedisStore.open(address, PARTITIONS)


async def test_no_sentinel_answers(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        await RedisStore.open("redis+sentinel://127.0.0.1:1,127.0.0.1:2/s", PARTITIONS)
