"""Servers in cluster mode: each command must keep to one slot and find the server that has it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import AskError, MovedError, TryAgainError

from events.redis_address import parse
from events.redis_cluster import ClusterLink
from events.redis_errors import NotSent
from events.redis_link import Link, Told
from events.redis_slots import SLOTS, slot_of
from events.redis_store import RedisStore
from events.store import Cell, Conflict, Row, Unavailable
from tests.events.entries import entries, entry, filled, hurry, names
from tests.redis_servers import Cluster
from tests.redis_servers import cluster as running
from tests.servers import PARTITIONS


@pytest.fixture(params=("redis", "valkey"))
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cluster]:
    """Three servers that are one cluster."""
    with running(tmp_path, 3, 0, request.param) as servers:
        yield servers


async def test_the_whole_store_on_three_servers(cluster: Cluster) -> None:
    """`CROSSSLOT`, `MOVED` or a key that is not declared would be an error; any server leads in."""
    store = await RedisStore.open(cluster.nodes[0].url, PARTITIONS, 60, 20)
    assert isinstance(store._link, ClusterLink)
    async with store._link.connection() as connection:
        assert connection.is_connected
    moves = store.moved()
    assert await anext(moves) == ("", 0)
    await store.join("g")
    await asyncio.gather(*[filled(store, match, 3) for match in names(20)])
    for match in names(20):
        assert await store.read(match) == entries(3, match)
    async with asyncio.timeout(20):
        untold = set(names(20))
        while untold:
            match, version = await anext(moves)
            untold -= {match} if version == 3 else set()
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
    await _slots_that_nobody_owns(cluster)
    await store.aclose()


async def _slots_that_moved(store: RedisStore) -> None:
    """Whoever does not know goes where it is sent, and learns the map anew."""
    assert isinstance(store._link, ClusterLink)
    slots = store._link.slots
    true = list(slots._owners)
    slots._owners = [(first, last, true[n - 1][2]) for n, (first, last, _) in enumerate(true)]
    matches = [f"later{n}" for n in range(12)]
    await asyncio.gather(*[filled(store, match, 2) for match in matches])
    for match in matches:
        assert len(await store.read(match)) == 2
    assert slots._owners == true and slots._moved == {}


async def _slots_that_nobody_owns(cluster: Cluster) -> None:
    """17: waited for, then unavailable; nothing was written."""
    store = await RedisStore.open(cluster.nodes[0].url, PARTITIONS, 60, 20)
    await store.append("m", entry(1), "lobby")
    for node in cluster.nodes:
        node.ask("CLUSTER", "DELSLOTSRANGE", 0, SLOTS - 1)
    hurry(store, 0.5)
    with pytest.raises(Unavailable):
        await store.append("m", entry(2), "lobby")
    await store.aclose()


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
        self.asked: list[Any] = []

    async def exchange(self, commands: Any, replies: list[Any]) -> None:
        self.asked += commands
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        replies += answer

    async def aclose(self) -> None:
        """Nothing was opened."""


def _cluster(*servers: _Answers) -> ClusterLink:
    places = [("h", n) for n in range(1, len(servers) + 1)]
    link = ClusterLink(parse("redis+cluster://" + ",".join(f"h:{n}" for _, n in places)), 1, 1)
    share = SLOTS // len(servers)
    link.slots._owners = [(n * share, (n + 1) * share, at) for n, at in enumerate(places)]
    link.slots._doubted = False
    link._links.update(zip(places, servers, strict=True))
    return link


LOW, HIGH = ("GET", "{3}"), ("GET", "{0}")
LOW_SLOT, HIGH_SLOT = slot_of("{3}"), slot_of("{0}")


async def _asked(link: ClusterLink, *commands: Any) -> list[Any]:
    replies: list[Any] = []
    await link.exchange(commands, replies)
    await link.aclose()
    return replies


async def test_what_one_server_fails_to_answer_is_its_own() -> None:
    assert LOW_SLOT < SLOTS // 2 < HIGH_SLOT
    link = _cluster(_Answers([b"low"]), _Answers(ConnectionError("cut")))
    replies = await _asked(link, HIGH, LOW)
    assert replies[1] == b"low" and isinstance(replies[0], ConnectionError)
    assert link.slots._doubted


@pytest.mark.parametrize(("counts", "least"), [((1, 0), 0), ((2, 1), 1)])
async def test_a_wait_counts_the_least_of_all(counts: tuple[int, int], least: int) -> None:
    link = _cluster(_Answers([b"low", counts[0]]), _Answers([b"high", counts[1]]))
    assert await _asked(link, LOW, HIGH, ("WAIT", 1, 100)) == [b"low", b"high", least]


async def test_a_wait_that_fails_anywhere_fails() -> None:
    link = _cluster(_Answers([b"low", 1]), _Answers(ConnectionError("cut")))
    replies = await _asked(link, LOW, HIGH, ("WAIT", 1, 100))
    assert replies[0] == b"low" and isinstance(replies[2], ConnectionError)


async def test_what_has_moved_is_sent_to_where_it_is_now() -> None:
    """The wait that counts is that of the server which took it."""
    low = _Answers([MovedError(f"{LOW_SLOT} h:2"), 9])
    high = _Answers([b"high", 2], [b"low", 1])
    link = _cluster(low, high)
    assert await _asked(link, LOW, HIGH, ("WAIT", 1, 100)) == [b"low", b"high", 1]
    assert link.slots._moved == {LOW_SLOT: ("h", 2)} and link.slots._doubted
    assert link.slots.owner("{3}") == ("h", 2)


async def test_a_key_that_is_on_its_way_is_asked_for_where_it_goes() -> None:
    """Of that one command alone, and what is known of slots stays."""
    low, high = _Answers([AskError(f"{LOW_SLOT} h:2"), b"stays"]), _Answers([b"OK", b"gone"])
    link = _cluster(low, high)
    assert await _asked(link, LOW, LOW) == [b"gone", b"stays"]
    assert high.asked == [("ASKING",), LOW]
    assert link.slots.owner("{3}") == ("h", 1) and not link.slots._doubted


async def test_a_server_that_sends_on_and_on_is_tried_again_later() -> None:
    low = _Answers([MovedError(f"{LOW_SLOT} :2")])
    high = _Answers([MovedError(f"{LOW_SLOT} h:1")])
    replies = await _asked(_cluster(low, high), LOW)
    assert isinstance(replies[0], TryAgainError)


def _told(epoch: int, state: str, port: int) -> list[Any]:
    info = f"cluster_state:{state}\r\ncluster_current_epoch:{epoch}\r\n".encode()
    return [info, [[0, SLOTS - 1, [b"h", port, b"id"]]]]


async def test_who_knows_of_the_last_election_is_believed() -> None:
    """One that was cut off still names itself."""
    old, new = _Answers(_told(7, "fail", 1)), _Answers(_told(6, "ok", 2), [b"master_replid:abc"])
    link = _cluster(old, new)
    link.slots.doubt()
    await link.slots.known(link.link)
    assert link.slots.owner("x") == ("h", 2) and link.history("x") == "abc"
    assert not link.slots._doubted


async def test_what_cannot_be_learnt_is_left_as_it_is() -> None:
    refused = _Answers([ConnectionError("no"), ConnectionError("no")])
    link = _cluster(refused, _Answers(_told(6, "fail", 1)))
    refused.answers.append(ConnectionError("no"))
    link.slots.doubt()
    await link.slots.known(link.link)
    assert link.slots.owner("x") == ("h", 1) and link.history("x") == ""
    assert link.slots._doubted


async def test_a_line_to_a_server_without_slots_is_left() -> None:
    old, new = _Answers(ConnectionError()), _Answers(_told(6, "ok", 2), [b"master_replid:abc"])
    link = _cluster(old, new)
    left: list[str] = []

    class Line:
        async def disconnect(self, nowait: bool) -> None:
            left.append("left")

    link._held[Line()] = ("h", 1)  # type: ignore[index]
    link._held[Line()] = ("h", 2)  # type: ignore[index]
    link.slots.doubt()
    await link.slots.known(link.link)
    assert left == ["left"]


async def test_without_any_server_nothing_is_sent() -> None:
    link = ClusterLink(parse("redis+cluster://user:word@127.0.0.1:1"), 1, 0.2)
    with pytest.raises(NotSent):
        await link.exchange([LOW], [])
    with pytest.raises(NotSent):
        async with link.connection():
            pass
    other = link.link(("::1", 8))
    assert other._pool.connection_kwargs["host"] == "::1"
    assert other._pool.connection_kwargs["password"] == "word"
    assert link.link(("::1", 8)) is other
    await link.aclose()


async def test_slots_without_an_owner_are_asked_of_the_first() -> None:
    link = _cluster(_Answers())
    link.slots._owners = []
    assert link.slots.owner("{0}") == ("h", 1)
    await link.aclose()


def test_what_a_server_says_of_itself() -> None:
    told = Told()
    told.note(b"# Replication\r\nrole:slave\r\nmaster_replid:abc\r\n")
    assert told.history == "abc"
