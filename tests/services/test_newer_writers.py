"""Commits that this process did not make and does not know in full: undone ones, newer kinds."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from events import log
from games import sight
from games.history import Private
from games.match import Reverted
from games.table import committed
from services.commands import command_id
from services.live import Live
from tests.services.api import ADMIN, KEYS, Client, Made, Running, answer, told
from tests.services.undoing import reverted

SECRET = "what only seat 0 may know"


def sealed(live: Live, facts: bytes, hidden: Any) -> log.Entry:
    return log.append(live.head, live.version + 1, facts, hidden, live.seal)


async def appended(client: Client, match: Made, entry: log.Entry) -> None:
    await client.desk.store.append(match.id, entry, "playing")


def from_the_future(live: Live) -> log.Entry:
    """A commit with an event of a kind that nobody here knows, part of it for seat 0 alone."""
    version, rules = live.version + 1, live.table.game.version
    private = msgspec.msgpack.encode(Private(b"p" * 16, 0))
    secret = msgspec.msgpack.encode(SECRET)
    parts = [
        b"\x96",
        msgspec.msgpack.encode(version),
        msgspec.msgpack.encode(live.table.at),
        msgspec.msgpack.encode(0),
        msgspec.msgpack.encode(rules),
        private,
        b"\x91\x93" + msgspec.msgpack.encode("ghost_seen") + msgspec.msgpack.encode(0),
        secret,
    ]
    starts = [len(b"".join(parts[:n])) for n in (5, 7)]
    hidden = [
        (starts[0], starts[0] + len(private), ()),
        (starts[1], starts[1] + len(secret), (0,)),
    ]
    return sealed(live, b"".join(parts), hidden)


@pytest.fixture
async def match(live: Running) -> Made:
    return await live.playing()


class TestNewerKinds:
    async def test_are_told_as_far_as_their_bytes_allow(self, live: Running, match: Made) -> None:
        made = (await live.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()
        known = await live.desk.load(match.id)
        async with (
            live.stream(match.id, match.seats[0]) as own,
            live.stream(match.id, match.seats[1]) as other,
            live.stream(match.id) as spectator,
            live.stream(match.id, made["token"]) as auditor,
        ):
            sockets = (own, other, spectator, auditor)
            for socket in sockets:
                await told(socket)
            await appended(live, match, from_the_future(known))
            messages = [await told(socket) for socket in sockets]
        sees = [SECRET in json.dumps(message) for message in messages]
        assert sees == [True, False, False, True]
        assert all(message["version"] == 5 for message in messages)
        assert messages[1]["events"] == [["ghost_seen", 0, {"hidden": True}]]

    async def test_change_nothing_and_play_goes_on(self, live: Running, match: Made) -> None:
        await appended(live, match, from_the_future(await live.desk.load(match.id)))
        for token, sees in [(match.seats[0], True), (match.seats[1], False), ("", False)]:
            for part in ("log", "steps/5"):
                reply = await live.get(f"{match.path}/{part}", token)
                assert reply.status_code == 200, reply.text
                assert (SECRET in reply.text) is sees
        assert (await match.move())["version"] == 6


class TestUndone:
    async def undone(self, client: Client, match: Made, to: int) -> None:
        """As another process would have done it."""
        known = await client.desk.newest(match.id)
        commit = committed(
            known.table, known.table.at, "host", command_id(f"undo to {to}...."), 0, [Reverted(to)]
        )
        facts, hidden = sight.encode(commit)
        await appended(client, match, sealed(known, facts, hidden))

    async def test_by_another_process(self, live: Running, match: Made) -> None:
        async with live.stream(match.id, match.seats[0]) as socket:
            question = (await told(socket))["question"]
            await socket.send(answer(question))
            assert [(await told(socket))["version"] for _ in range(2)] == [5, 5]
            await self.undone(live, match, 4)
            commit = await told(socket)
            assert commit["events"] == [reverted(4)]
            assert commit["question"]["id"] == question["id"] and commit["version"] == 6
            await socket.send(answer(question, seen=5))
            refused = await told(socket)
            assert refused["problem"]["code"] == "undone_since"
            await socket.send(answer(question, seen=6))
            assert (await told(socket))["version"] == 7

    async def test_loaded_from_the_log(self, api: Client) -> None:
        match = await api.playing()
        before = await match.view(match.seats[0])
        await match.move()
        await self.undone(api, match, 4)
        view = await match.view(match.seats[0])
        assert view["game"] == before["game"] and view["version"] == 6
        live = await api.desk.matches.renew(match.id)
        assert live.reverted == 6 and live.table.answers == 0
        assert KEYS.current == live.table.match.key
