"""Servers in cluster mode: each command must keep to one slot and find the server that has it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from events.redis_cluster import ClusterLink, slot_of
from events.redis_errors import NotSent
from events.redis_link import Link
from events.redis_store import RedisStore
from events.server import SETTINGS
from events.store import Cell, Conflict, Row, Unavailable
from tests.events.entries import entries, entry, filled, names
from tests.servers import PARTITIONS, binary

SLOTS = 16384


@asynccontextmanager
async def node(path: str, directory: Path) -> AsyncIterator[int]:
    """A server in cluster mode; its port."""
    port, bus = _free_ports()
    process = await asyncio.create_subprocess_exec(
        *(path, *SETTINGS[2:]),
        *("--port", str(port), "--bind", "127.0.0.1", "--dir", str(directory)),
        *("--cluster-enabled", "yes", "--cluster-port", str(bus)),
        *("--cluster-announce-bus-port", str(bus), "--cluster-node-timeout", "2000"),
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield port
    finally:
        process.kill()
        await process.wait()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


async def _together(ports: list[int]) -> None:
    """One cluster of these servers, the slots shared out evenly."""
    links = [Link(f"redis://127.0.0.1:{port}", 1, 20) for port in ports]
    cuts = [n * SLOTS // len(ports) for n in range(len(ports) + 1)]
    for n, link in enumerate(links):
        await link.many([("CLUSTER", "SET-CONFIG-EPOCH", n + 1)])
        await link.many([("CLUSTER", "ADDSLOTSRANGE", cuts[n], cuts[n + 1] - 1)], accept=("ERR",))
    buses = [(await link.call("CONFIG", "GET", "cluster-port"))[1] for link in links]
    for port, bus in zip(ports[1:], buses[1:], strict=True):
        await links[0].call("CLUSTER", "MEET", "127.0.0.1", port, bus)
    for link in links:
        async with asyncio.timeout(60):
            while True:
                info = await link.call("CLUSTER", "INFO")
                known = b"cluster_known_nodes:%d\r" % len(ports)
                if b"cluster_state:ok" in info and known in info:
                    break
        await link.aclose()


@pytest_asyncio.fixture(params=("redis", "valkey"))
async def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[int]]:
    """The ports of three servers that are one cluster."""
    path = binary(request.param).path
    async with AsyncExitStack() as stack:
        homes = [tmp_path / str(n) for n in range(3)]
        for home in homes:
            home.mkdir()
        ports = [await stack.enter_async_context(node(path, home)) for home in homes]
        await _together(ports)
        yield ports


async def test_the_whole_store_on_three_servers(cluster: list[int]) -> None:
    """`CROSSSLOT`, `MOVED` or a key that is not declared would be an error."""
    url = f"redis://127.0.0.1:{cluster[0]}"
    store = await RedisStore.open(url, PARTITIONS, 60, 20)
    assert isinstance(store._link, ClusterLink)
    async with store._link.connection() as connection:
        assert connection.is_connected
    moves = store.moved()
    assert await anext(moves) == ("", 0)
    await store.join("g")
    await asyncio.gather(*[filled(store, match, 3) for match in names(20)])
    for match in names(20):
        assert await store.read(match) == entries(3, match)
    heard = {await asyncio.wait_for(anext(moves), 20) for _ in range(60)}
    assert heard == {(match, version) for match in names(20) for version in (1, 2, 3)}
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
    await _slots_that_moved(store)
    await _slots_that_nobody_owns(store, cluster)
    await store.aclose()


async def _slots_that_moved(store: RedisStore) -> None:
    """Who has which slot is learned again from the first refusal."""
    for link in (store._link, store._appender._link):
        assert isinstance(link, ClusterLink)
        owners = link._owners
        for n, (first, last, _) in enumerate(owners):
            link._owners[n] = (first, last, owners[n - 1][2])
    matches = [f"later{n}" for n in range(12)]
    await asyncio.gather(*[filled(store, match, 2) for match in matches])
    for match in matches:
        assert len(await store.read(match)) == 2


async def _slots_that_nobody_owns(store: RedisStore, ports: list[int]) -> None:
    """17: waited for, then unavailable; nothing was written."""
    for port in ports:
        link = Link(f"redis://127.0.0.1:{port}", 1, 20)
        await link.many([("CLUSTER", "DELSLOTSRANGE", 0, SLOTS - 1)], accept=("ERR",))
        await link.aclose()
    store._appender._patience = 0.1
    with pytest.raises(Unavailable):
        await store.append("m", entry(1), "lobby")


def test_partitions_lie_in_slots_of_their_own() -> None:
    """So they can be shared out among servers, evenly."""
    slots = [slot_of(f"{{{n}}}:feed") for n in range(64)]
    assert len(set(slots)) == 64
    assert [sum(s // 5462 == third for s in slots) for third in range(3)] == [21, 22, 21]
    assert slot_of("{7}:match:x:log") == slot_of("{7}:feed")
    assert slot_of("foo") == 12182 and slot_of("{}foo") != slot_of("{}bar")


class _Answers(Link):
    """One server of a cluster, as far as its answers go."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    async def exchange(self, commands: Any, replies: list[Any]) -> None:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        replies += answer

    async def aclose(self) -> None:
        """Nothing was opened."""


def _cluster(*servers: _Answers) -> ClusterLink:
    link = ClusterLink("redis://127.0.0.1:1", 1, 1)
    share = SLOTS // len(servers)
    link._owners = [(n * share, (n + 1) * share, one) for n, one in enumerate(servers)]
    return link


LOW, HIGH = ("GET", "{3}"), ("GET", "{0}")


async def test_what_one_server_fails_to_answer_is_its_own() -> None:
    assert slot_of("{3}") < SLOTS // 2 < slot_of("{0}")
    low, high = _Answers([b"low"]), _Answers(ConnectionError("cut"))
    link = _cluster(low, high)
    replies: list[Any] = []
    await link.exchange([HIGH, LOW], replies)
    assert replies[1] == b"low" and isinstance(replies[0], ConnectionError)
    assert link._owners == []
    await link.aclose()


@pytest.mark.parametrize(("counts", "least"), [((1, 0), 0), ((2, 1), 1)])
async def test_a_wait_counts_the_least_of_all(counts: tuple[int, int], least: int) -> None:
    link = _cluster(_Answers([b"low", counts[0]]), _Answers([b"high", counts[1]]))
    replies: list[Any] = []
    await link.exchange([LOW, HIGH, ("WAIT", 1, 100)], replies)
    assert replies == [b"low", b"high", least]
    await link.aclose()


async def test_a_wait_that_fails_anywhere_fails() -> None:
    link = _cluster(_Answers([b"low", 1]), _Answers(ConnectionError("cut")))
    replies: list[Any] = []
    await link.exchange([LOW, HIGH, ("WAIT", 1, 100)], replies)
    assert replies[0] == b"low" and isinstance(replies[2], ConnectionError)
    await link.aclose()


async def test_without_any_server_nothing_is_sent() -> None:
    link = ClusterLink("redis://user:word@127.0.0.1:1/0", 1, 0.2)
    with pytest.raises(NotSent):
        await link.exchange([LOW], [])
    with pytest.raises(NotSent):
        async with link.connection():
            pass
    assert link._link(b"", 7) is link._link(b"127.0.0.1", 7)
    other = link._link(b"::1", 8)
    assert other._pool.connection_kwargs["host"] == "::1"
    assert other._pool.connection_kwargs["password"] == "word"
    await link.aclose()


async def test_slots_without_an_owner_are_asked_of_the_first() -> None:
    link = _cluster(_Answers())
    link._owners = [(0, 0, link._seed)]
    assert link._owner(HIGH) is link._seed
    await link.aclose()
