"""16: a failover takes commits back that were told: clients notice, nothing is built on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from events import log
from events.memory import MemoryStore
from events.store import Meta, Unavailable, Unconfirmed
from projections.runner import Runner
from projections.summary import Summaries
from services.wiring import Parts
from tests import redis_servers
from tests.redis_nodes import wait_for
from tests.services.api import (
    Client,
    Made,
    Running,
    any_option,
    closed,
    etag,
    in_memory,
    memory,
    running,
    settings,
    told,
)


def rewound(store: Any, match: Made, version: int) -> None:
    """The store as it is after a failover that has lost what came later."""
    entries = store._logs[match.id] = store._logs[match.id][:version]
    store._metas[match.id] = Meta(version, entries[-1].head, "playing")


def through(match: Made, client: Client) -> Made:
    """The same match, spoken to through another process."""
    other = Made(client, {"match": match.id, "host_token": match.host, "watch_token": match.watch})
    other.seats = match.seats
    return other


async def whole(client: Client, match: Made) -> int:
    """The version of the match, whose log is one chain."""
    entries = await client.desk.store.read(match.id)
    live = await client.desk.matches.refresh(match.id)
    head = log.genesis(match.id, live.table.game.id, live.table.game.version)
    log.verify([log.page(entry, "auditor", live.seal) for entry in entries], head)
    return len(entries)


@pytest.fixture
async def pair() -> AsyncIterator[tuple[Running, Client]]:
    """Two processes over one store in memory."""
    parts = memory()
    async with running(parts) as one, in_memory(parts) as other:
        yield one, other


async def test_nobody_goes_on_from_a_history_that_is_gone(pair: tuple[Running, Client]) -> None:
    """Others have come to the same version otherwise: the version alone would let it through."""
    one, two = pair
    match = await one.playing()
    for _ in range(3):
        await match.move()
    seat, view = await match.asked()
    version = view["version"]
    rewound(one.desk.store, match, version - 2)
    other = through(match, two)
    for _ in range(2):
        await other.move()
    assert (await other.view())["version"] == version
    question = view["game"]["question"]
    body = {"question": question["id"], "option": any_option(question), "seen": version}
    path = f"{match.path}/answers"
    reply = await one.post(path, match.seats[seat], json=body)
    assert reply.status_code in (200, 409)
    assert await whole(one, match) == version + (reply.status_code == 200)
    await match.move()
    assert await whole(two, match) > version
    assert (await match.view())["head"] == (await other.view())["head"]


async def test_a_refusal_is_judged_on_what_the_log_has(pair: tuple[Running, Client]) -> None:
    """Memory that is ahead of it does not count."""
    one, _ = pair
    match = await one.playing()
    seat, before = await match.asked()
    question = before["game"]["question"]
    await match.move()
    rewound(one.desk.store, match, before["version"])
    reply = await match.answer(seat, any_option(question), question["id"])
    assert reply.status_code == 200
    assert await whole(one, match) == before["version"] + 1


async def test_a_stream_is_closed_where_what_it_told_is_gone(
    pair: tuple[Running, Client],
) -> None:
    """A spectator who lags has not been told of it, and goes on without a gap."""
    one, two = pair
    match = await one.playing(delay=4)
    for _ in range(5):
        await match.move()
    version = (await match.view(match.seats[0]))["version"]
    async with (
        one.stream(match.id, match.seats[0]) as near,
        one.stream(match.id) as far,
    ):
        assert (await told(near))["version"] == version
        assert (await told(far))["version"] == version - 4
        rewound(one.desk.store, match, version - 2)
        assert await closed(near) == 4409
        other = through(match, two)
        for _ in range(4):
            await other.move()
        versions = [(await told(far))["version"] for _ in range(2)]
        assert versions == [version - 3, version - 2]
    head = (await match.view(match.seats[0]))["head"]
    assert head == (await other.view(match.seats[0]))["head"]


async def test_a_stream_notices_another_history_of_the_same_length(
    pair: tuple[Running, Client],
) -> None:
    one, two = pair
    match = await one.playing()
    for _ in range(3):
        await match.move()
    async with one.stream(match.id, match.seats[0]) as socket:
        hello = await told(socket)
        rewound(one.desk.store, match, hello["version"] - 1)
        await through(match, two).move()
        assert await closed(socket) == 4409


async def test_a_tag_of_what_is_gone_gets_what_is_there(pair: tuple[Running, Client]) -> None:
    """The same version was come to otherwise: 304 would leave the caller with what is gone."""
    one, two = pair
    match = await one.playing()
    for _ in range(3):
        await match.move()
    before = await one.get(match.path, match.seats[0])
    known = {"if-none-match": before.headers["etag"]}
    host = {"if-match": before.headers["etag"]}
    version = before.json()["version"]
    rewound(one.desk.store, match, version - 1)
    shorter = await one.get(match.path, match.seats[0], headers=known)
    assert (shorter.status_code, shorter.json()["version"]) == (200, version - 1)
    await through(match, two).move()
    for client in (one, two):
        after = await client.get(match.path, match.seats[0], headers=known, params={"wait": 20})
        assert (after.status_code, after.json()["version"]) == (200, version)
        assert after.headers["etag"] == etag(after.json()) != before.headers["etag"]
        refused = await client.post(f"{match.path}/start", match.host, headers=host)
        assert (refused.status_code, refused.json()["code"]) == (412, "version_mismatch")


async def test_a_match_that_is_gone_whole(pair: tuple[Running, Client]) -> None:
    one, _ = pair
    match = await one.playing()
    async with one.stream(match.id, match.seats[0]) as socket:
        await told(socket)
        del one.desk.store._logs[match.id], one.desk.store._metas[match.id]
        one.desk.store.history = lambda match: "another"
        assert await closed(socket) == 4409
    assert (await one.get(match.path)).status_code == 404


async def test_who_waits_is_told_of_a_step_back(pair: tuple[Running, Client]) -> None:
    one, _ = pair
    match = await one.playing()
    await match.move()
    version = (await match.view())["version"]
    waiting = asyncio.create_task(
        one.get(f"{match.path}?wait=20", headers={"if-none-match": f'"{version}"'})
    )
    await asyncio.sleep(0.1)
    rewound(one.desk.store, match, version - 1)
    reply = await asyncio.wait_for(waiting, 5)
    assert (reply.status_code, reply.json()["version"]) == (200, version - 1)


async def test_another_history_that_lost_nothing(pair: tuple[Running, Client]) -> None:
    """The stream goes on under another epoch. Who comes back with the head it had goes on too,
    who has none to show begins anew."""
    one, _ = pair
    match = await one.playing()
    async with one.stream(match.id, match.seats[0]) as socket:
        hello = await told(socket)
        one.desk.store.history = lambda match: "another"
        await match.move()
        commit = await told(socket)
        assert commit["version"] == hello["version"] + 1
        assert commit["epoch"] not in ("", hello["epoch"])
        assert commit["epoch"][:8] == hello["epoch"][:8], "the log is the same"
    url = f"ws://127.0.0.1:{one.port}{match.path}/stream?after={hello['version']}"
    async with connect(f"{url}&epoch={hello['epoch']}&head={hello['head']}") as socket:
        assert (await told(socket))["epoch"] == commit["epoch"]
        assert (await told(socket))["version"] == commit["version"]
    async with connect(f"{url}&epoch={hello['epoch']}") as socket:
        assert await closed(socket) == 4409
    async with connect(f"{url}&epoch={commit['epoch']}") as socket:
        assert (await told(socket))["type"] == "hello"


async def test_every_message_says_its_epoch(pair: tuple[Running, Client]) -> None:
    one, _ = pair
    match = await one.playing()
    seat, view = await match.asked()
    async with one.stream(match.id, match.seats[seat]) as socket:
        epoch = (await told(socket))["epoch"]
        question = view["game"]["question"]
        words = '{"type": "answer", "id": "0123456789abcdef%s", "question": "%s", "option": "%s"}'
        await socket.send(words % ("x", question["id"], any_option(question)))
        await socket.send(words % ("y", "99.1", "x"))
        messages = [await told(socket) for _ in range(3)]
    assert sorted(m["type"] for m in messages) == ["accepted", "commit", "refused"]
    assert {m["epoch"] for m in messages} == {epoch}


async def test_looking_back_into_a_history_that_is_just_gone(
    pair: tuple[Running, Client],
) -> None:
    """Is no damage of the log: ask again."""
    one, _ = pair
    match = await one.playing()
    await match.move()
    live = await one.desk.matches.load(match.id)
    rewound(one.desk.store, match, live.version - 1)
    one.desk.store.history = lambda match: "another"
    with pytest.raises(Unavailable):
        await one.desk.matches.pasts.of(live)


async def test_19_an_answer_that_is_found_is_confirmed_before_it_is_said(api: Client) -> None:
    """It is in the log, but on too few replicas yet: `unconfirmed`, and again later."""
    match = await api.playing()
    seat, view = await match.asked()
    question = view["game"]["question"]
    store: MemoryStore = api.desk.store
    append, confirm = store.append, store.confirm

    async def unsure(*words: Any) -> None:
        await append(*words)
        raise Unconfirmed("0 of 1")

    async def too_few(match: str) -> None:
        raise Unconfirmed("0 of 1")

    store.append, store.confirm = unsure, too_few  # type: ignore[method-assign]
    key = "0123456789abcdef"
    for _ in range(2):
        reply = await match.answer(seat, any_option(question), question["id"], key=key)
        assert (reply.status_code, reply.json()["code"]) == (503, "unconfirmed")
        assert reply.headers["retry-after"]
        store.append = append  # type: ignore[method-assign]
    store.confirm = confirm  # type: ignore[method-assign]
    reply = await match.answer(seat, any_option(question), question["id"], key=key)
    assert (reply.status_code, reply.json()["version"]) == (200, view["version"] + 1)
    assert reply.headers["idempotent-replayed"] == "true"


async def test_fc24_ends_at_once_are_one(pair: tuple[Running, Client]) -> None:
    """Two seats resign and the host aborts, through two processes: one of them ends the match,
    the others are told so; and that workers hear of it twice changes nothing."""
    one, two = pair
    for _ in range(5):
        match = await one.playing()
        replies = await asyncio.gather(
            one.post(f"{match.path}/resign", match.seats[0]),
            two.post(f"{match.path}/resign", match.seats[1]),
            two.post(f"{match.path}/abort", match.host),
        )
        codes = sorted(reply.status_code for reply in replies)
        assert codes == [200, 409, 409]
        (ended,) = [reply.json() for reply in replies if reply.status_code == 200]
        views = [await match.view(), await through(match, two).view()]
        assert [view["status"] for view in views] == ["over", "over"]
        assert views[0]["head"] == views[1]["head"] == ended["head"]
        assert await whole(one, match) == ended["version"]
        runner = Runner(one.desk.store, Summaries(), "w")
        await runner.drain()
        before = await one.desk.store.get("summary", match.id)
        await one.desk.store.touch(match.id)
        await one.desk.store.touch(match.id)
        await runner.drain()
        assert before is not None and before == await one.desk.store.get("summary", match.id)


async def test_16_a_primary_is_lost_with_what_it_took_alone(tmp_path: Path) -> None:
    """For real, through sentinels: what was told without waiting for replicas is taken back, its
    stream is closed, and play goes on from what is there."""
    with redis_servers.sentinels(tmp_path / "servers", 2, parted=True) as servers:
        chosen = settings(redis_url=servers.address, partitions=4, data=tmp_path, replicas=0)
        parts = await Parts.open(chosen)
        async with running(parts, chosen) as api:
            match = await api.playing()
            await match.move()
            stays = await match.view()
            old = servers.master
            assert old is not None
            await asyncio.to_thread(_replicated, servers)
            async with api.stream(match.id, match.seats[0]) as socket:
                hello = await told(socket)
                old.cut()
                lost = await match.move()
                assert (await told(socket))["version"] == lost["version"]
                await asyncio.to_thread(
                    wait_for, lambda: servers.master not in (None, old), "another primary"
                )
                assert await closed(socket, 30) == 4409
            async with asyncio.timeout(30):
                while (await api.get(match.path)).status_code != 200:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            view = await match.view()
            assert (view["version"], view["head"]) == (stays["version"], stays["head"])
            async with api.stream(match.id, match.seats[0]) as socket:
                assert (await told(socket))["epoch"] != hello["epoch"]
            assert (await match.move())["version"] == lost["version"]
            assert await whole(api, match) == lost["version"]
        await parts.aclose()


def _replicated(servers: redis_servers.Sentinels) -> None:
    """All replicas have all that there is."""
    master = servers.master
    assert master is not None

    with master.client() as client:
        client.set("all before this", "")
        assert client.execute_command("WAIT", 2, 4000) == 2
