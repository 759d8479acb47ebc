"""Servers that die, restart, fill up or turn read-only under a running store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.redis_store import RedisStore
from events.server import Server
from events.store import Cell, Row, Unavailable
from tests.events.entries import entries, entry, filled, hurry
from tests.servers import PARTITIONS, PATIENT, binary


@pytest.fixture(params=("redis", "valkey"))
def server(request: pytest.FixtureRequest, directory: Path) -> Iterator[Server]:
    with Server(directory, binary(request.param)) as server:
        yield server


async def test_fc18_what_was_acknowledged_survives_a_kill(server: Server) -> None:
    """The same store goes on: its dead connections and the lost scripts are its own trouble."""
    store = await RedisStore.open(server.url, PARTITIONS)
    await store.join("g")
    done = await asyncio.gather(*[filled(store, f"m{n}", 10) for n in range(10)])
    await store.put("p", "m1", 0, Cell(3, b"x"), [Row("all", "m1", 1, b"")])
    taken = await store.take("g", "a", 5)
    server.kill()
    server.start()
    for n, made in enumerate(done):
        assert await store.read(f"m{n}") == made
        meta = await store.meta(f"m{n}")
        assert meta is not None and (meta.version, meta.head) == (10, made[-1].head)
    assert await store.own("g", "a", 5) == taken
    assert await store.get("p", "m1") == Cell(3, b"x")
    await asyncio.gather(*[store.append(f"m{n}", entry(11), "over") for n in range(10)])
    assert await store.put("p", "m1", 3, Cell(4, b"y"))
    await store.aclose()


async def test_fc18_killed_in_the_middle_of_appends(server: Server) -> None:
    """Each writer was told; its log holds what it was told, and nothing twice."""
    store = await RedisStore.open(server.url, PARTITIONS, patience=60, reply_within=20)
    stop = asyncio.Event()

    async def write(match: str) -> int:
        version = 0
        while not stop.is_set():
            version += 1
            await store.append(match, entry(version, match), "playing")
        return version

    writers = [asyncio.create_task(write(f"m{n}")) for n in range(8)]
    for _ in range(2):
        await asyncio.sleep(0.1)
        server.kill()
        await asyncio.sleep(0.05)
        server.start()
    await asyncio.sleep(0.1)
    stop.set()
    for n, version in enumerate(await asyncio.gather(*writers)):
        assert await store.read(f"m{n}") == entries(version, f"m{n}")
    await store.aclose()


async def test_moves_are_heard_after_a_restart(server: Server) -> None:
    store = await RedisStore.open(server.url, PARTITIONS)
    moves = store.moved()
    assert await anext(moves) == ("", 0)
    server.kill()
    server.start()
    assert await asyncio.wait_for(anext(moves), 5) == ("", 0)
    await store.append("m", entry(1), "lobby")
    assert await asyncio.wait_for(anext(moves), 5) == ("m", 1)
    await moves.aclose()
    await store.aclose()


async def test_17_a_server_that_is_full_refuses_and_writes_nothing(server: Server) -> None:
    store = await RedisStore.open(server.url, PARTITIONS)
    made = await filled(store, "m", 3)
    await store._link.call("CONFIG", "SET", "maxmemory", "1")
    feed = await store._link.call("XLEN", store._feed_keys()[0])
    with pytest.raises(Unavailable, match="OOM"):
        await store.append("m", entry(4), "playing")
    assert await store.read("m") == made
    assert await store._link.call("XLEN", store._feed_keys()[0]) == feed
    await store._link.call("CONFIG", "SET", "maxmemory", "0")
    await store.append("m", entry(4), "playing")
    await store.aclose()


async def test_17_a_process_starts_while_the_server_is_full(server: Server) -> None:
    store = await RedisStore.open(server.url, PARTITIONS)
    made = await filled(store, "m", 3)
    await store._link.call("CONFIG", "SET", "maxmemory", "1")
    second = await RedisStore.open(server.url, PARTITIONS)
    assert await second.read("m") == made
    await second.aclose()
    await store.aclose()


async def test_17_a_server_that_turned_replica_is_waited_for(server: Server) -> None:
    store = await RedisStore.open(server.url, PARTITIONS, patience=60, reply_within=20)
    await filled(store, "m", 1)
    await store._link.call("REPLICAOF", "127.0.0.1", "1")
    hurry(store, 0.2)
    with pytest.raises(Unavailable, match="READONLY"):
        await store.append("m", entry(2), "playing")
    hurry(store, 60)
    append = asyncio.create_task(store.append("m", entry(2), "playing"))
    await asyncio.sleep(0.1)
    assert not append.done()
    await store._link.call("REPLICAOF", "NO", "ONE")
    await append
    assert len(await store.read("m")) == 2
    await store.aclose()


async def test_17_scripts_that_were_flushed_are_loaded_again(server: Server) -> None:
    store = await RedisStore.open(server.url, PARTITIONS)
    for version in (1, 2, 3):
        await store._link.call("SCRIPT", "FLUSH", "SYNC")
        await asyncio.gather(*[store.append(f"m{n}", entry(version), "x") for n in range(5)])
        await store._link.call("SCRIPT", "FLUSH", "SYNC")
        assert await store.put("p", "m", version - 1, Cell(version, b""), [])
    assert len(await store.read("m4")) == 3
    await store.aclose()


async def test_one_round_trip_for_an_append(server: Server) -> None:
    """Calls by scripts are counted by the server too: only EVALSHA is ours."""
    store = await RedisStore.open(server.url, PARTITIONS, **PATIENT)
    await filled(store, "m", 1)
    await store._link.call("CONFIG", "RESETSTAT")
    for version in range(2, 12):
        await store.append("m", entry(version), "playing")
    stats = (await store._link.call("INFO", "commandstats")).decode().splitlines()
    calls = {
        line.split(":")[0]: line.split("calls=")[1].split(",")[0] for line in stats if ":" in line
    }
    assert calls["cmdstat_evalsha"] == "10"
    assert calls["cmdstat_hmget"] == "10", "the script's own, and no other"
    assert not {"cmdstat_xrange", "cmdstat_script|load"} & set(calls)
    await store.aclose()
