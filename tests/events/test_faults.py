"""What goes wrong between a client and Redis, case by case."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import pytest_asyncio

from events.redis_link import Link
from events.redis_store import RedisStore
from events.store import Conflict, Corrupt, Unavailable, Unconfirmed
from tests.events.entries import entries, entry, filled
from tests.events.proxy import Proxy, passes
from tests.servers import PARTITIONS, emptied


@pytest_asyncio.fixture
async def proxy(server_url: str, tmp_path: Path) -> AsyncIterator[Proxy]:
    await emptied(server_url)
    target = unquote(server_url.removeprefix("unix://"))
    async with Proxy(str(tmp_path / "p"), target) as proxy:
        yield proxy


@pytest_asyncio.fixture
async def behind(proxy: Proxy) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(proxy.url, PARTITIONS, patience=60, reply_within=20)
    yield store
    proxy.up = proxy.down = passes
    await store.aclose()


def hurry(store: RedisStore) -> None:
    """From now on no append waits long for its answer; it is tried as often as before."""
    appender: Any = store._appender
    appender._link.timeout = 0.1


class Once:
    """The rule for the first piece of data that fits, or as long as wanted; all else passes."""

    def __init__(self, rule: str, holds: Callable[[bytes], bool]) -> None:
        self.met = asyncio.Event()
        self.again = False
        self._rule = rule
        self._holds = holds

    def __call__(self, data: bytes) -> str:
        if not self._holds(data) or (self.met.is_set() and not self.again):
            return "pass"
        self.met.set()
        return self._rule


async def met(rule: Once) -> None:
    await asyncio.wait_for(rule.met.wait(), 20)


def appending(data: bytes) -> bool:
    return b"EVALSHA" in data


def accepted(data: bytes) -> bool:
    return data.startswith(b":1")


async def test_01_a_lost_reply_is_asked_for_again(proxy: Proxy, behind: RedisStore) -> None:
    """The append was done and its reply cut off: one entry, and the caller sees no trouble."""
    await behind.append("m", entry(1), "lobby")
    proxy.down = Once("cut", accepted)
    await behind.append("m", entry(2), "lobby")
    assert proxy.cuts == 1
    assert await behind.read("m") == entries(2)


async def test_01_an_append_cut_off_on_its_way_is_sent_again(
    proxy: Proxy, behind: RedisStore
) -> None:
    await behind.append("m", entry(1), "lobby")
    proxy.up = Once("cut", appending)
    await behind.append("m", entry(2), "lobby")
    assert proxy.cuts == 1
    assert await behind.read("m") == entries(2)


async def test_01_an_append_that_lands_late_is_neither_lost_nor_doubled(
    proxy: Proxy, behind: RedisStore
) -> None:
    await behind.append("m", entry(1), "lobby")
    proxy.up = Once("late", appending)
    await behind.append("m", entry(2), "lobby")
    await asyncio.sleep(0.03)
    assert proxy.cuts == 1
    assert await behind.read("m") == entries(2)


async def test_01_many_writers_over_a_bad_line(proxy: Proxy, behind: RedisStore) -> None:
    """Nothing doubled, nothing lost, nobody told wrong."""
    rng = random.Random(7)
    proxy.up = lambda d: rng.choice(["cut", "late"]) if appending(d) and chance(rng) else "pass"
    proxy.down = lambda d: "cut" if accepted(d) and chance(rng) else "pass"

    async def play(match: str) -> None:
        for one in entries(15, match):
            await behind.append(match, one, "playing")

    matches = [f"m{n}" for n in range(8)]
    await asyncio.gather(*[play(match) for match in matches])
    assert proxy.cuts > 3
    proxy.up = proxy.down = passes
    for match in matches:
        assert await behind.read(match) == entries(15, match)


def chance(rng: random.Random) -> bool:
    return rng.random() < 0.1


async def test_01_another_commit_won_while_the_reply_was_lost(
    proxy: Proxy, behind: RedisStore, server_url: str
) -> None:
    """Then the refusal is final: the tail holds the other."""
    await behind.append("m", entry(1), "lobby")
    other = await RedisStore.open(server_url, PARTITIONS)
    hurry(behind)
    proxy.up = lost = Once("swallow", appending)
    lost.again = True
    late = asyncio.create_task(behind.append("m", entry(2, "late"), "lobby"))
    await met(lost)
    await other.append("m", entry(2, "first"), "lobby")
    lost.again = False
    with pytest.raises(Conflict) as caught:
        await late
    assert caught.value.tail == (entry(2, "first"),)
    await other.aclose()


async def test_19_no_reply_in_time_is_unconfirmed(proxy: Proxy, behind: RedisStore) -> None:
    """Never "refused": it is in the log, as the same append again finds."""
    await behind.append("m", entry(1), "lobby")
    hurry(behind)
    behind._appender._patience = 0.4
    proxy.down = lambda d: "swallow" if d.startswith((b":1", b"*2")) else "pass"
    with pytest.raises(Unconfirmed):
        await behind.append("m", entry(2), "lobby")
    proxy.down = passes
    behind._appender._patience = 60
    with pytest.raises(Conflict) as caught:
        await behind.append("m", entry(2), "lobby")
    assert caught.value.tail == (entry(2),)


async def test_44_references_whose_reply_was_lost_are_ones_own(
    proxy: Proxy, behind: RedisStore
) -> None:
    """Taking again would not bring them: whoever took them is told."""
    await behind.join("g")
    await filled(behind, "m", 3)
    proxy.down = Once("cut", lambda d: b"3" in d and b"feed" in d)
    with pytest.raises(Unavailable):
        await behind.take("g", "a", 10)
    assert await behind.take("g", "a", 10) == {}
    assert sum(map(len, (await behind.own("g", "a", 10)).values())) == 3


async def test_a_server_that_cannot_be_reached_is_unavailable(tmp_path: Path) -> None:
    """Nothing left: the caller may say so."""
    link = Link(f"unix://{tmp_path}/nobody", 1, 0.1)
    with pytest.raises(Unavailable):
        await link.call("PING")
    await link.aclose()
    with pytest.raises(Unavailable):
        await RedisStore.open(f"unix://{tmp_path}/nobody", PARTITIONS)


async def test_appends_to_a_server_that_went_away_are_unavailable(
    server_url: str, tmp_path: Path
) -> None:
    target = unquote(server_url.removeprefix("unix://"))
    async with Proxy(str(tmp_path / "p"), target) as proxy:
        store = await RedisStore.open(proxy.url, PARTITIONS, patience=0.2)
    with pytest.raises(Unavailable):
        await store.append("m", entry(1), "lobby")
    with pytest.raises(Unavailable):
        await store.read("m")
    await store.aclose()


@pytest.mark.parametrize("after", [0, 1, 2, 3, 5, 8])
async def test_07_a_cancelled_append_leaves_the_line_in_order(
    redis_store: RedisStore, after: int
) -> None:
    """Cancelled at every await: what comes next on the connection gets its own answer."""
    await filled(redis_store, "m", 1)
    task = asyncio.create_task(redis_store.append("m", entry(2), "lobby"))
    for _ in range(after):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await filled(redis_store, "n", 5)
    written = await redis_store.read("m")
    assert written in (entries(1, "m"), [*entries(1, "m"), entry(2)])
    with pytest.raises(Conflict) as caught:
        await redis_store.append("n", entry(3), "lobby")
    assert caught.value.meta.version == 5


@pytest.mark.parametrize("after", [0, 1, 2, 3, 4, 6])
async def test_07_a_cancelled_read_leaves_the_line_in_order(
    redis_store: RedisStore, after: int
) -> None:
    """Also not with the last connection of the pool in its hands."""
    await filled(redis_store, "m", 3)
    await filled(redis_store, "n", 2)
    redis_store._link._room = asyncio.Semaphore(1)
    for _ in range(5):
        task = asyncio.create_task(redis_store.read("m"))
        for _ in range(after):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert await redis_store.read("n") == entries(2, "n")
        meta = await redis_store.meta("m")
        assert meta is not None and meta.version == 3


async def test_07_a_slow_reply_goes_to_nobody_else(proxy: Proxy, behind: RedisStore) -> None:
    await filled(behind, "m", 3)
    await filled(behind, "n", 2)
    proxy.down = lost = Once("swallow", lambda d: b"3-0" in d)
    slow = asyncio.create_task(behind.read("m"))
    await met(lost)
    slow.cancel()
    assert await behind.read("n") == entries(2, "n")
    assert await behind.read("m") == entries(3, "m")


@pytest.mark.parametrize("broken", [False, True], ids=["reply", "no-reply"])
async def test_07_cancelled_while_its_reply_comes(redis_store: RedisStore, broken: bool) -> None:
    await filled(redis_store, "n", 1)
    link = redis_store._appender._link
    begin = link.begin

    def then_cancel(commands: Any, replies: list[Any], done: Any) -> bool:
        def cut(error: Exception | None) -> None:
            task.cancel()
            if broken:
                replies.clear()
                error = ConnectionError("cut")
            done(error)

        return begin(commands, replies, cut)

    link.begin = then_cancel  # type: ignore[method-assign]
    task = asyncio.create_task(redis_store.append("m", entry(1), "lobby"))
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    link.begin = begin  # type: ignore[method-assign]
    await redis_store.append("m", entry(2), "lobby")
    assert await redis_store.read("m") == entries(2)


async def test_an_error_of_our_own_leaves_nobody_waiting(redis_store: RedisStore) -> None:
    exchange = redis_store._appender._link.exchange

    async def broken(*_: Any) -> None:
        queued.append(redis_store.begin_append("n", entry(1), "lobby"))
        raise MemoryError

    queued: list[Any] = []
    redis_store._appender._link.exchange = broken  # type: ignore[method-assign]
    task = asyncio.create_task(redis_store.append("m", entry(1), "lobby"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    trying = redis_store._appender._trying
    with pytest.raises(Unconfirmed):
        await task
    (other,) = queued
    with pytest.raises(Unconfirmed):
        await asyncio.wait_for(other, 5)
    assert trying is not None and isinstance(trying.exception(), MemoryError)
    redis_store._appender._link.exchange = exchange  # type: ignore[method-assign]
    await redis_store.append("m", entry(1), "lobby")


async def test_closing_waits_for_what_is_on_its_way(server_url: str) -> None:
    await emptied(server_url)
    store = await RedisStore.open(server_url, PARTITIONS)
    appends = [asyncio.create_task(store.append(f"m{n}", entry(1), "lobby")) for n in range(9)]
    await asyncio.sleep(0)
    await store.aclose()
    assert await asyncio.gather(*appends) == [None] * 9


async def test_cancelled_before_it_left_it_is_never_sent(proxy: Proxy, behind: RedisStore) -> None:
    hurry(behind)
    proxy.up = lost = Once("swallow", appending)
    first = asyncio.create_task(behind.append("m", entry(1), "lobby"))
    await met(lost)
    second = asyncio.create_task(behind.append("n", entry(1), "lobby"))
    await asyncio.sleep(0)
    second.cancel()
    await first
    assert await behind.read("n") == []


async def test_14_a_fence_stands_where_the_log_has_gone(redis_store: RedisStore) -> None:
    """Archived: the version has moved to another field, and the log's key is deleted."""
    made = await filled(redis_store, "m", 3)
    keys = _keys("m")
    await redis_store._link.many(
        [("HSET", keys.meta, "w", 3), ("HDEL", keys.meta, "v"), ("DEL", keys.log)]
    )
    for version in (1, 4):
        with pytest.raises(Conflict) as caught:
            await redis_store.append("m", entry(version), "lobby")
        assert caught.value.meta.version == 3 and caught.value.tail == ()
    meta = await redis_store.meta("m")
    assert meta is not None and (meta.version, meta.head) == (3, made[-1].head)


def _keys(match: str) -> Any:
    from events.partitions import match_keys

    return match_keys(match, PARTITIONS)


@pytest.mark.parametrize(
    "damage",
    [
        ("DEL", "{log}"),
        ("XDEL", "{log}", "3-0"),
        ("XTRIM", "{log}", "MAXLEN", "2"),
        ("DEL", "{meta}"),
        ("HSET", "{meta}", "v", "2"),
        ("XADD", "{log}", "9-0", "c", "x"),
    ],
    ids=["log-gone", "newest-gone", "oldest-gone", "meta-gone", "meta-old", "log-ahead"],
)
async def test_log_and_meta_that_disagree_are_corrupt(
    redis_store: RedisStore, damage: tuple[str, ...]
) -> None:
    """As after a half-restored backup: refused before anything is written."""
    await filled(redis_store, "m", 3)
    keys = _keys("m")
    command = [part.format(log=keys.log, meta=keys.meta) for part in damage]
    await redis_store._link.call(*command)
    meta = await redis_store.meta("m")
    expected = meta.version if meta else 0
    before = await redis_store._link.call("XLEN", keys.feed)
    with pytest.raises(Corrupt) as caught:
        await redis_store.append("m", entry(expected + 1, "new"), "lobby")
    assert (caught.value.match, caught.value.version) == ("m", expected + 1)
    assert await redis_store._link.call("XLEN", keys.feed) == before


async def test_an_entry_id_ahead_of_its_count_is_corrupt(redis_store: RedisStore) -> None:
    """The log's own order is the second fence."""
    await filled(redis_store, "m", 3)
    keys = _keys("m")
    await redis_store._link.call("XADD", keys.log, "9-0", "c", "x")
    await redis_store._link.call("XDEL", keys.log, "2-0")
    with pytest.raises(Corrupt, match="XADD"):
        await redis_store.append("m", entry(4), "lobby")
    meta = await redis_store.meta("m")
    assert meta is not None and meta.version == 3


async def test_keys_of_another_kind_are_corrupt(redis_store: RedisStore) -> None:
    await redis_store._link.call("SET", _keys("m").log, "x")
    with pytest.raises(Corrupt):
        await redis_store.append("m", entry(1), "lobby")


async def test_fc22_a_gap_is_named(redis_store: RedisStore) -> None:
    await filled(redis_store, "m", 5)
    await redis_store._link.call("XDEL", _keys("m").log, "3-0")
    with pytest.raises(Corrupt) as caught:
        await redis_store.read("m")
    assert (caught.value.match, caught.value.version) == ("m", 3)
    assert [e.version for e in await redis_store.read("m", limit=2)] == [1, 2]
    with pytest.raises(Corrupt):
        await redis_store.append("m", entry(6), "lobby")


async def test_28_fc22_a_changed_entry_is_named(redis_store: RedisStore) -> None:
    """A tail with it is refused as corrupt too."""
    await filled(redis_store, "m", 2)
    keys = _keys("m")
    await redis_store._link.many(
        [("XADD", keys.log, "3-0", "c", b"\xc1 no entry"), ("HSET", keys.meta, "v", 3)]
    )
    for call in (redis_store.read("m"), redis_store.append("m", entry(2), "lobby")):
        with pytest.raises(Corrupt) as caught:
            await call
        assert (caught.value.match, caught.value.version) == ("m", 3)


async def test_the_number_of_partitions_is_fixed(server_url: str) -> None:
    from events.store import Unfit

    await emptied(server_url)
    first = await RedisStore.open(server_url, 16)
    with pytest.raises(Unfit, match="16 partitions, not 64"):
        await RedisStore.open(server_url)
    second = await RedisStore.open(server_url, 16)
    await first.aclose()
    await second.aclose()


async def test_the_ear_listens_again_after_a_cut(proxy: Proxy, behind: RedisStore) -> None:
    moves = behind.moved()
    assert await anext(moves) == ("", 0)
    await behind.append("m", entry(1), "lobby")
    assert await anext(moves) == ("m", 1)
    proxy.down = Once("cut", lambda d: b"message" in d)
    await behind.append("m", entry(2), "lobby")
    assert await asyncio.wait_for(anext(moves), 5) == ("", 0)
    await behind.append("m", entry(3), "lobby")
    assert await anext(moves) == ("m", 3)
    await moves.aclose()


async def test_the_ear_notices_a_line_that_is_dead_silent(proxy: Proxy, behind: RedisStore) -> None:
    behind._ear._quiet = 0.05
    proxy.down = alive = Once("pass", lambda d: b"pong" in d)
    moves = behind.moved()
    assert await anext(moves) == ("", 0)
    await met(alive)
    await behind.append("m", entry(1), "lobby")
    assert await anext(moves) == ("m", 1)
    behind._ear._link.timeout = 0.1
    proxy.down = lambda d: "swallow" if b"pong" in d else "pass"
    await behind.append("m", entry(2), "lobby")
    assert await anext(moves) == ("m", 2)
    lines = proxy.lines
    assert await asyncio.wait_for(anext(moves), 20) == ("", 0)
    assert proxy.lines > lines
    await moves.aclose()


async def test_a_slow_listener_is_told_to_look_again(
    redis_store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.redis_ear._BACKLOG", 3)
    moves = redis_store.moved()
    other = redis_store.moved()
    assert await anext(moves) == ("", 0)
    assert await anext(other) == ("", 0)
    for n in range(10):
        await redis_store.append(f"m{n}", entry(1), "lobby")
        assert await anext(other) == (f"m{n}", 1)
    heard = [await anext(moves)]
    while heard[-1] != ("m9", 1):
        heard.append(await anext(moves))
    assert heard[0] == ("", 0) and len(heard) <= 3
    await moves.aclose()
    await other.aclose()


async def test_more_readers_than_connections_wait_their_turn(redis_store: RedisStore) -> None:
    redis_store._link._room = asyncio.Semaphore(2)
    await filled(redis_store, "m", 3)
    read = await asyncio.gather(*[redis_store.read("m") for _ in range(50)])
    assert all(one == entries(3, "m") for one in read)
    assert len(redis_store._link._idle) <= 3
