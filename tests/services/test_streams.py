"""Streams over real sockets, on the fast path and on the usual one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.services.api import Running, any_option, running, told


@pytest.fixture(params=["fast", "usual"])
async def server(request: pytest.FixtureRequest) -> Any:
    more: dict[str, Any] = {} if request.param == "fast" else {"ws": "websockets-sansio"}
    async with running(**more) as client:
        yield client


class TestWatching:
    async def test_every_commit_in_order_for_every_viewer(self, server: Running) -> None:
        match = await server.playing()
        async with (
            server.stream(match.id, match.seats[0], after=0) as seat,
            server.stream(match.id, after=2) as spectator,
        ):
            hello = await told(seat)
            assert (hello["type"], hello["viewer"], hello["version"]) == ("hello", 0, 4)
            assert [(await told(seat))["version"] for _ in range(4)] == [1, 2, 3, 4]
            await told(spectator)
            await match.finished()
            version = (await match.view())["version"]
            seen = [await told(spectator) for _ in range(2, version)]
            assert [m["version"] for m in seen] == list(range(3, version + 1))
            last = [await told(seat) for _ in range(4, version)][-1]
            assert last["status"] == "over" and last["result"]["winners"]

    async def test_the_asked_seat_alone_gets_the_form(self, server: Running) -> None:
        match = await server.playing()
        async with (
            server.stream(match.id, match.seats[0]) as seat,
            server.stream(match.id) as spectator,
        ):
            assert "form" in (await told(seat))["question"]
            assert "form" not in (await told(spectator))["question"]

    async def test_answers_over_the_socket(self, server: Running) -> None:
        match = await server.playing()
        async with server.stream(match.id, match.seats[0]) as socket:
            question = (await told(socket))["question"]
            message = {
                "type": "answer",
                "id": "a-key-that-is-long-enough",
                "question": question["id"],
                "option": any_option(question),
            }
            import json

            await socket.send(json.dumps(message))
            commit, accepted = await told(socket), await told(socket)
            assert (commit["type"], commit["version"]) == ("commit", 5)
            assert accepted["type"] == "accepted" and accepted["version"] == 5
            assert not accepted["again"]
            await socket.send(json.dumps(message))
            assert (await told(socket))["again"]

    async def test_unknown_match(self, server: Running) -> None:
        async with server.stream("01J0000000000000000000TEST") as socket:
            with pytest.raises(ConnectionClosed) as closed:
                await asyncio.wait_for(socket.recv(), 5)
        assert closed.value.rcvd and closed.value.rcvd.code == 4404
