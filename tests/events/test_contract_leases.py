"""What every store promises of leases: who lives, who has which partition, and fenced writes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from events.memory import MemoryStore
from events.partitions import partition, workers_key
from events.redis_store import RedisStore
from events.store import Beat, Cell, Fenced, Lease
from tests.servers import PARTITIONS

LONG = 60_000


async def lives(store: Any, worker: str, number: int = 0, ms: int = LONG) -> Beat:
    found: dict[str, Beat] = await store.beat(worker, {"g": number}, ms)
    return found["g"]


async def test_who_lives_is_told(store: Any) -> None:
    first = await lives(store, "a")
    assert first.lapsed and first.workers == ("a",) and first.number > 0
    other = await lives(store, "b")
    assert other.workers == ("a", "b")
    again = await lives(store, "a", first.number)
    assert again == Beat(first.number, False, ("a", "b"))
    assert await store.workers("g") == ("a", "b") and await store.workers("h") == ()
    told = await store.beat("a", {"g": first.number, "h": 0}, LONG)
    assert told["g"].workers == ("a", "b") and told["h"].workers == ("a",)
    await store.leave("g", "b", other.number)
    assert (await lives(store, "a", first.number)).workers == ("a",)


async def test_silence_ends_a_life(store: Any) -> None:
    first = await lives(store, "a", ms=30)
    await lives(store, "b")
    await asyncio.sleep(0.06)
    assert await store.workers("g") == ("b",)
    back = await lives(store, "a", first.number)
    assert back == Beat(first.number, True, ("a", "b"))
    await lives(store, "a", first.number, 1)
    await asyncio.sleep(0.02)
    assert (await lives(store, "b")).workers == ("b",)


async def test_a_new_process_takes_its_name_over(store: Any) -> None:
    old = await lives(store, "a")
    new = await lives(store, "a")
    assert new.number > old.number and new.lapsed and new.workers == ("a",)
    told = await lives(store, "a", old.number)
    assert told.number == new.number and told.lapsed and told.workers == ()
    await store.leave("g", "a", old.number)
    assert not (await lives(store, "a", new.number)).lapsed


async def test_a_partition_is_leased_once(store: Any) -> None:
    nobody = await store.leases("g")
    assert nobody == dict.fromkeys(range(PARTITIONS), Lease())
    names = ("a", "b", "c")
    got = await asyncio.gather(*[store.lease("g", name, nobody) for name in names])
    stands = await store.leases("g")
    for name, tokens in zip(names, got, strict=True):
        assert tokens == {n: token for n, (token, worker) in stands.items() if worker == name}
        again = await store.lease("g", name, nobody)
        assert again == tokens, "asked again, it is the same grant"
    assert sum(map(len, got)) == PARTITIONS
    assert await store.leases("h") == nobody
    assert await store.lease("g", "d", nobody) == {}


async def test_tokens_only_grow(store: Any) -> None:
    seen = {0: Lease()}
    tokens = []
    for name in ("a", "b", "a b", "a"):
        got = await store.lease("g", name, seen)
        tokens.append(got[0])
        seen = {0: (await store.leases("g"))[0]}
        assert seen == {0: Lease(got[0], name)}
    await store.unlease("g", "a", {0: tokens[0]})
    await store.unlease("g", "b", {0: tokens[-1]})
    assert (await store.leases("g"))[0] == seen[0]
    await store.unlease("g", "a", {0: tokens[-1]})
    freed = (await store.leases("g"))[0]
    assert freed == Lease(tokens[-1], "")
    tokens.append((await store.lease("g", "b", {0: freed}))[0])
    assert tokens == sorted(set(tokens))


async def test_09_a_write_under_an_outdated_lease_is_refused(store: Any) -> None:
    home = partition("m", PARTITIONS)
    (old,) = (await store.lease("p", "a", {home: Lease()})).values()
    assert await store.put("p", "m", 0, Cell(1, b"a"), fence=old)
    (new,) = (await store.lease("p", "b", {home: Lease(old, "a")})).values()
    with pytest.raises(Fenced):
        await store.put("p", "m", 1, Cell(2, b"late"), fence=old)
    assert await store.get("p", "m") == Cell(1, b"a")
    assert await store.put("p", "m", 1, Cell(2, b"b"), fence=new)
    assert not await store.put("p", "m", 1, Cell(3, b"late"), fence=new)
    with pytest.raises(Fenced):
        await store.put("q", "m", 0, Cell(1, b"no lease at all"), fence=new)
    assert await store.put("p", "m", 2, Cell(3, b"without a fence"))


async def test_a_group_is_disbanded_with_all_it_has(store: Any) -> None:
    await store.join("g")
    await store.join("h")
    assert await store.groups() == {"g", "h"}
    await lives(store, "a")
    await store.lease("g", "a", {0: Lease()})
    await store.disband("g")
    assert await store.groups() == {"h"}
    assert await store.workers("g") == () and (await store.leases("g"))[0] == Lease()
    await store.disband("g")


async def test_a_sibling_has_the_same_leases(store: Any) -> None:
    await lives(store, "a")
    sibling = store.sibling()
    assert (await sibling.beat("b", {"g": 0}, LONG))["g"].workers == ("a", "b")
    assert await sibling.leases("g") == await store.leases("g")
    await sibling.aclose()


class TestClocks:
    """26: leases neither hang nor double when the store's clock jumps."""

    async def test_in_memory(self) -> None:
        now = 10_000.0
        store = MemoryStore(PARTITIONS, lambda: now)
        first = await lives(store, "a", ms=5_000)
        await lives(store, "b", ms=5_000)
        token = (await store.lease("g", "a", {0: Lease()}))[0]
        now -= 3_600
        assert (await lives(store, "c", ms=5_000)).workers == ("a", "b", "c")
        now += 6
        told = await lives(store, "c", ms=5_000)
        assert told.workers == ("c",), "who is silent is gone after one lease, not after an hour"
        assert (await store.lease("g", "c", {0: Lease(token, "a")}))[0] == token + 1
        assert (await lives(store, "a", first.number)).lapsed
        now += 3_600
        assert (await lives(store, "c", told.number)).lapsed

    async def test_in_redis(self, redis_store: RedisStore) -> None:
        """What a clock that went back an hour leaves: signs of life from the future."""
        seconds, _ = await redis_store._link.call("TIME")
        future = (int(seconds) + 3_600) * 1000
        for name in ("a", "b"):
            life = f"{future} {future} 40"
            await redis_store._link.call("HSET", workers_key("g"), name, life)
        token = (await redis_store.lease("g", "a", {0: Lease(0)}))[0]
        await redis_store._link.call("HSET", "{0}:leases", "g", f"{token + 10**7} a")
        assert await redis_store.workers("g") == ("a", "b")
        told = await lives(redis_store, "b", future, 40)
        assert told == Beat(future, True, ("a", "b"))
        await asyncio.sleep(0.06)
        told = await lives(redis_store, "c", ms=40)
        assert told.workers == ("c",)
        seen = {0: Lease(token + 10**7, "a")}
        assert await redis_store.lease("g", "c", seen) == {0: token + 10**7 + 1}
