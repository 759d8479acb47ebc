"""Streams over real sockets, on the fast path and on the usual one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.asyncio.client import connect

from events.store import Unavailable
from services.live import RECENT
from tests.services.api import (
    ADMIN,
    Running,
    any_option,
    closed,
    in_memory,
    memory,
    running,
    told,
)


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

    async def test_a_viewer_that_cannot_be_told_is_cut_off_alone(self, server: Running) -> None:
        match = await server.playing()
        async with (
            server.stream(match.id, match.seats[0]) as unlucky,
            server.stream(match.id, match.seats[1]) as lucky,
        ):
            await told(unlucky), await told(lucky)
            (watcher,) = [one for one in server.desk.hub.watchers if one.viewer == 0]  # type: ignore[attr-defined]

            def broken(live: Any) -> None:
                raise MemoryError("while it is told")

            watcher.moved = broken  # type: ignore[method-assign]
            version = (await match.move())["commit"]["version"]
            assert (await told(lucky))["version"] == version
            assert await closed(unlucky) == 1011
        async with server.stream(match.id, match.seats[0], after=version - 1) as again:
            await told(again)
            assert (await told(again))["version"] == version

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
            await socket.send(json.dumps(message))
            commit, accepted = await told(socket), await told(socket)
            assert (commit["type"], commit["version"]) == ("commit", 5)
            assert accepted["type"] == "accepted" and accepted["version"] == 5
            assert not accepted["again"]
            await socket.send(json.dumps(message))
            assert (await told(socket))["again"]


class TestResuming:
    async def test_from_any_version_without_a_gap(self, server: Running) -> None:
        match = await server.playing(4)
        last = (await match.finished())["version"]
        assert last > RECENT + 8
        for after in (0, 1, last // 2, last - RECENT, last - 1, last):
            async with server.stream(match.id, match.seats[1], after) as socket:
                hello = await told(socket)
                assert hello["version"] == last and hello["status"] == "over"
                seen = [(await told(socket)) for _ in range(after, last)]
                assert [m["version"] for m in seen] == list(range(after + 1, last + 1))
                assert all("question" not in m for m in seen[:-1])
                if seen:
                    assert seen[-1]["head"] == hello["head"] and seen[-1]["question"] is None

    async def test_what_happens_meanwhile_comes_after(self, server: Running) -> None:
        match = await server.playing(4)
        for _ in range(RECENT + 4):
            await match.move()
        async with server.stream(match.id, after=0) as socket:
            await match.move()
            await match.move()
            last = (await match.view())["version"]
            await told(socket)
            assert [(await told(socket))["version"] for _ in range(last)] == list(
                range(1, last + 1)
            )

    async def test_an_open_question_is_shown_again(self, server: Running) -> None:
        match = await server.playing()
        for _ in range(2):
            async with server.stream(match.id, match.seats[0], after=4) as socket:
                assert (await told(socket))["question"]["form"]["options"]

    async def test_history_that_is_not_ours(self, server: Running) -> None:
        match = await server.playing()
        async with server.stream(match.id, after=9) as socket:
            assert await closed(socket) == 4409
        url = f"ws://127.0.0.1:{server.port}{match.path}/stream?after=4&epoch=other"
        async with connect(url) as socket:
            assert await closed(socket) == 4409
        async with server.stream(match.id) as socket:
            epoch = (await told(socket))["epoch"]
        head = (await match.view())["head"]
        async with connect(url.replace("other", f"{epoch}&head={head}")) as socket:
            assert (await told(socket))["epoch"] == epoch
        async with connect(url.replace("other", f"{epoch}&head={'0' * 64}")) as socket:
            assert await closed(socket) == 4409

    @pytest.mark.parametrize("after", ["x", "-1", "1.5", "9" * 30])
    async def test_no_version(self, live: Running, after: str) -> None:
        match = await live.playing()
        url = f"ws://127.0.0.1:{live.port}{match.path}/stream?after={after}"
        async with connect(url) as socket:
            assert await closed(socket) == 4400

    async def test_what_another_process_did_comes_too(self) -> None:
        parts = memory()
        async with running(parts) as one, in_memory(parts) as other:
            match = await one.playing()
            match.client = other
            async with one.stream(match.id, match.seats[0]) as socket:
                await told(socket)
                await match.move()
                commit = await told(socket)
                assert (commit["version"], commit["type"]) == (5, "commit")
                assert commit["question"]

    async def test_news_that_are_lost_are_not_needed(self, monkeypatch: Any) -> None:
        parts = memory()
        monkeypatch.setattr(parts.store, "_tell", lambda *_: None)
        async with running(parts) as one, in_memory(parts) as other:
            match = await one.playing()
            match.client = other
            async with one.stream(match.id) as socket:
                await told(socket)
                await match.move()
                assert (await told(socket))["version"] == 5

    async def test_a_log_that_went_back(self) -> None:
        parts = memory()
        async with running(parts) as server:
            match = await server.playing()
            async with server.stream(match.id, match.seats[0]) as socket:
                await told(socket)
                await match.move()
                await told(socket)
                store: Any = parts.store
                del store._logs[match.id][-1]
                meta = store._metas[match.id]
                head = store._logs[match.id][-1].head
                store._metas[match.id] = meta._replace(version=4, head=head)
                assert await closed(socket) == 4409
            assert (await match.view())["version"] == 4


class TestWho:
    async def test_by_the_pair_of_subprotocols(self, server: Running) -> None:
        match = await server.playing()
        url = f"ws://127.0.0.1:{server.port}{match.path}/stream"
        pair: Any = ["hallowstream.v1", f"bearer.{match.seats[1]}"]
        async with connect(url, subprotocols=pair) as socket:
            assert socket.subprotocol == "hallowstream.v1"
            assert (await told(socket))["viewer"] == 1

    async def test_refusals(self, server: Running) -> None:
        match, other = await server.playing(), await server.playing()
        for id, token, code in [
            ("01J0000000000000000000TEST", "", 4404),
            ("nonsense", "", 4404),
            (match.id, "nonsense", 4401),
            (match.id, other.seats[0], 4403),
        ]:
            async with server.stream(id, token) as socket:
                assert await closed(socket) == code
        assert not server.desk.hub.watchers

    async def test_a_token_that_cannot_be_looked_up(
        self, server: Running, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = await server.playing()

        async def away(*_: Any) -> None:
            raise Unavailable("gone")

        monkeypatch.setattr(server.desk.vault, "find", away)
        server.desk.tokens.forget("")
        async with server.stream(match.id, match.seats[0]) as socket:
            assert await closed(socket) == 4503

    async def test_a_seat_that_is_lost(self, server: Running) -> None:
        match = await server.playing(3)
        async with (
            server.stream(match.id, match.seats[0]) as lost,
            server.stream(match.id, match.seats[1]) as kept,
        ):
            await told(lost), await told(kept)
            await server.send("DELETE", f"{match.path}/seats/0", match.host)
            assert (await told(kept))["events"][0]["type"] == "kicked"
            assert await closed(lost) == 4401

    async def test_a_token_that_is_revoked_or_rotated(self, server: Running) -> None:
        match = await server.playing()
        async with server.stream(match.id, match.seats[0]) as socket:
            await told(socket)
            reply = await server.post(f"{match.path}/seats/0/token", match.seats[0])
            assert await closed(socket) == 4401
        async with server.stream(match.id, match.seats[0]) as socket:
            assert await closed(socket) == 4401
        async with server.stream(match.id, reply.json()["token"]) as socket:
            assert (await told(socket))["viewer"] == 0
            await server.send("DELETE", "/v1/tokens/me", reply.json()["token"])
            assert await closed(socket) == 4401

    async def test_an_auditor_sees_all(self, server: Running) -> None:
        match = await server.playing()
        made = (await server.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()
        async with server.stream(match.id, made["token"], after=0) as socket:
            assert (await told(socket))["viewer"] == "auditor"
            text = json.dumps([await told(socket) for _ in range(4)])
            assert "hidden" not in text.replace('"private"', "")
