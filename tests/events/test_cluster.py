"""A server in cluster mode that owns every slot: it refuses what would touch two at once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from events.redis_link import Link
from events.redis_store import RedisStore
from events.server import SETTINGS
from events.store import Cell, Conflict, Row, Unavailable
from tests.events.entries import entries, entry, filled, names
from tests.servers import PARTITIONS, binary

SLOTS = 16384


@pytest_asyncio.fixture(params=("redis", "valkey"))
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    port, bus = _free_ports()
    process = await asyncio.create_subprocess_exec(
        *(binary(request.param).path, *SETTINGS[2:]),
        *("--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path)),
        *("--cluster-enabled", "yes", "--cluster-port", str(bus)),
        stdout=asyncio.subprocess.DEVNULL,
    )
    url = f"redis://127.0.0.1:{port}"
    try:
        link = Link(url, 1, 20)
        await link.many([("CLUSTER", "ADDSLOTSRANGE", 0, SLOTS - 1)], accept=("ERR",))
        while b"cluster_state:ok" not in await link.call("CLUSTER", "INFO"):
            pass
        store = await RedisStore.open(url, PARTITIONS, 60, 20)
        yield store
        await store.aclose()
        await link.aclose()
    finally:
        process.terminate()
        await process.wait()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


async def test_every_command_keeps_to_one_slot(store: Any) -> None:
    """The whole surface once; `CROSSSLOT` or an undeclared key would be an error."""
    moves = store.moved()
    assert await anext(moves) == ("", 0)
    await store.join("g")
    for match in names(20):
        made = await filled(store, match, 3)
        assert await store.read(match) == made
    assert await anext(moves) == ("01J00000", 1)
    await moves.aclose()
    with pytest.raises(Conflict) as caught:
        await store.append("01J00001", entry(2), "playing")
    assert list(caught.value.tail) == entries(3, "01J00001")[1:]
    assert len([match async for match in store.matches()]) == 20
    assert len(await store.metas(list(names(20)))) == 20
    taken = await store.take("g", "a", 100)
    assert sum(map(len, taken.values())) == await store.lag("g") == 60
    assert await store.own("g", "a", 100) == taken
    assert await store.claim("g", "b", 0, 100) == taken
    await store.ack("g", taken)
    assert await store.trim() > 0
    assert await store.joined("g") and await store.remove_consumer("g", "b")
    await store.touch("01J00001")
    assert await store.put("p", "01J00001", 0, Cell(1, b"x"), [Row("all", "m", 1, b"y")])
    assert await store.get("p", "01J00001") == Cell(1, b"x")
    assert await store.rows("p", "all") == [Row("all", "m", 1, b"y")]
    await store.park("p", "01J00001", 1, "why")
    assert list(await store.parked("p")) == ["01J00001"] and len(await store.letters()) == 1
    await store.release("p", "01J00001")
    await store.drop("p")


async def test_partitions_lie_in_slots_of_their_own(store: Any) -> None:
    """So they can be shared out among servers."""
    slots = {await store._link.call("CLUSTER", "KEYSLOT", f"{{{n}}}:feed") for n in range(64)}
    assert len(slots) == 64
    thirds = [sum(low <= slot < low + 5462 for slot in slots) for low in (0, 5461, 10923)]
    assert min(thirds) >= 18


async def test_slots_that_nobody_owns_are_unavailable(store: Any) -> None:
    await store._link.call("CLUSTER", "DELSLOTSRANGE", 0, SLOTS - 1)
    store._appender._patience = 0.1
    with pytest.raises(Unavailable, match="CLUSTERDOWN"):
        await store.append("m", entry(1), "lobby")
