"""Failures seen in comparable systems, by their number. None of them happens here."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import uuid4

import pytest

from projections.runner import Runner
from projections.views import Views
from tests.services.api import (
    KEYS,
    Client,
    Made,
    Running,
    answer,
    closed,
    in_memory,
    memory,
    running,
    told,
)


class Recorder:
    """Every byte that one client gets."""

    def __init__(self, server: Running, token: str) -> None:
        self.server = server
        self.token = token
        self.texts: list[str] = []

    async def get(self, path: str, **more: Any) -> Any:
        reply = await self.server.get(path, self.token, **more)
        self.texts.append(json.dumps(dict(reply.headers)) + reply.text)
        return reply

    async def post(self, path: str, **more: Any) -> Any:
        reply = await self.server.post(path, self.token, **more)
        self.texts.append(json.dumps(dict(reply.headers)) + reply.text)
        return reply


class TestFC01:
    """Nothing that a client gets tells another's secrets, the seed, or a token."""

    @pytest.mark.parametrize("viewer", [0, 1, "spectator"])
    async def test_every_byte(self, live: Running, viewer: Any) -> None:
        match = await live.playing(3)
        token = match.seats.get(viewer, "")
        record = Recorder(live, token)
        async with live.stream(match.id, token, after=0) as socket:
            for _ in range(4):
                await self.reads(record, match)
                await self.mistakes(record, match)
                await match.move()
            seen = [await socket.recv() for _ in range(10)]
        record.texts += [text if isinstance(text, str) else text.decode() for text in seen]
        whole = "\n".join(record.texts)
        secrets = [KEYS.seed(KEYS.current, match.id), KEYS.seal_secret(KEYS.current, match.id)]
        for secret in secrets:
            assert secret.hex() not in whole
        for other in (match.host, match.watch, *match.seats.values()):
            assert other == token or other not in whole
        assert '"chance"' not in whole and "Traceback" not in whole

    @staticmethod
    async def reads(record: Recorder, match: Made) -> None:
        for part in ("", "/log", "/steps/5", "/steps/5.2", "/verify"):
            reply = await record.get(match.path + part)
            assert reply.status_code == 200, reply.text
            for event in _events(reply.text):
                _knows_only_its_own(event, record, match)

    @staticmethod
    async def mistakes(record: Recorder, match: Made) -> None:
        for body in ({"question": "4.1", "option": "x"}, {"question": "9.9", "option": []}, {}):
            reply = await record.post(f"{match.path}/answers", json=body)
            assert 400 <= reply.status_code < 500
        reply = await record.get(f"{match.path}/steps/5", params={"as": "auditor"})
        assert reply.status_code == 403

    async def test_replies_are_the_same_whatever_is_hidden(self, live: Running) -> None:
        """Two matches that differ in hidden cards alone give a spectator the same shapes."""
        shapes = set()
        for _ in range(4):
            match = await live.playing(2)
            view = await match.view()
            shapes.add(json.dumps(view["game"]))
        assert len(shapes) == 1


def _events(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for line in text.splitlines():
        data = json.loads(line)
        for event in data.get("events") or (data.get("not_hashed") or {}).get("events", ()):
            found.append(event)
    return found


def _knows_only_its_own(event: dict[str, Any], record: Recorder, match: Made) -> None:
    own = next((s for s, token in match.seats.items() if token == record.token), None)
    if event["type"] == "dealt":
        assert event["bag"] == {"hidden": True} or event["bag"] == {"hidden": 6}
        for seat, hand in enumerate(event["hands"]):
            assert isinstance(hand, list) == (seat == own)
    if event["type"] == "chosen" and event["seat"] != own:
        assert event["option"] == {"hidden": True}


class TestFC02:
    """Another seat's view without its token: refused, and told nothing later."""

    async def test_views_and_streams(self, live: Running) -> None:
        match, other = await live.playing(), await live.playing()
        made = (
            await live.post(
                "/v1/tokens",
                "the admin key of the tests",
                json={"scope": "view", "match": match.id, "hours": 0.000001},
            )
        ).json()
        await asyncio.sleep(0.01)
        for token, code, status in [
            ("hs_seat_" + "1" * 43, 4401, 401),
            (other.seats[0], 4403, 403),
            (made["token"], 4401, 401),
        ]:
            reply = await live.get(match.path, token)
            assert reply.status_code == status and "hands" not in reply.text
            async with live.stream(match.id, token, after=0) as socket:
                assert await closed(socket) == code
        async with live.stream(match.id, "wrong") as refused:
            async with live.stream(match.id, match.seats[0]) as socket:
                await told(socket)
                await match.move()
                await told(socket)
            assert await closed(refused) == 4401
        public = await live.get(f"{match.path}/steps/4", params={"as": "0"})
        assert (public.status_code, public.json()["code"]) == (403, "wrong_scope")


class TestFC05:
    """A spectator's token commands nothing."""

    async def test_all_commands(self, live: Running) -> None:
        match = await live.playing()
        for method, path, body in [
            ("POST", "/answers", {"question": "4.1", "option": "x"}),
            ("POST", "/resign", None),
            ("POST", "/abort", None),
            ("POST", "/start", None),
            ("POST", "/rematch", None),
            ("POST", "/seats/0/bot", None),
            ("POST", "/seats/0/token", None),
            ("POST", "/tokens/watch", None),
            ("DELETE", "/seats/0", None),
            ("DELETE", "/seats/me", None),
        ]:
            reply = await live.send(method, match.path + path, match.watch, json=body)
            assert (reply.status_code, reply.json()["code"]) == (403, "wrong_scope"), path
        async with live.stream(match.id, match.watch) as socket:
            await told(socket)
            await socket.send(
                answer({"id": "4.1", "form": {"type": "number", "least": 1, "most": 1}})
            )
            assert (await told(socket))["problem"]["code"] == "wrong_scope"
        assert (await match.view())["version"] == 4


class TestFC06:
    """All choose at once, with the same version seen, on two servers: all are accepted once."""

    async def test_together(self) -> None:
        parts = memory()
        async with in_memory(parts) as one, in_memory(parts) as other:
            match = await one.playing(4)
            views = {seat: await match.view(token) for seat, token in match.seats.items()}
            replies = await asyncio.gather(
                *[
                    _send((one, other)[seat % 2], match, seat, view["game"]["question"])
                    for seat, view in views.items()
                ]
            )
            assert [reply.status_code for reply in replies] == [200] * 4
            assert sorted(reply.json()["version"] for reply in replies) == [7, 8, 9, 10]
            log = (await one.get(f"{match.path}/log")).text.splitlines()
            shown = [json.loads(line)["not_hashed"]["events"] for line in log[6:]]
            revealed = [any(e["type"] == "shown" for e in events) for events in shown]
            assert revealed == [False, False, False, True]


async def _send(
    client: Client, match: Made, seat: int, question: dict[str, Any], which: int = 0, **more: Any
) -> Any:
    options = question["form"]["options"]
    body = {
        "question": question["id"],
        "option": options[which % len(options)]["id"],
        "seen": more.pop("seen", 4),
    }
    return await client.post(f"{match.path}/answers", match.seats[seat], json=body, **more)


class TestFC07:
    """Two different moves for one turn at once: one is accepted, the other told so."""

    async def test_on_two_servers(self) -> None:
        parts = memory()
        async with in_memory(parts) as one, in_memory(parts) as other:
            match = await one.playing()
            for _ in range(2):
                await match.move()
            seat, view = await match.asked()
            question, version = view["game"]["question"], view["version"]
            await other.get(match.path)
            replies = await asyncio.gather(
                *[_send(c, match, seat, question, n) for n, c in enumerate((one, other))]
            )
            statuses = sorted(reply.status_code for reply in replies)
            assert statuses == [200, 409]
            (lost,) = [reply.json() for reply in replies if reply.status_code == 409]
            assert lost["code"] == "stale_question"
            assert lost["current_version"] == version + 1
            assert (await match.view())["version"] == version + 1


class TestFC08:
    """The same command id again: one event, and the first result again."""

    async def test_over_all_ways(self) -> None:
        parts = memory()
        async with running(parts) as server:
            match = await server.playing()
            seat, view = await match.asked()
            question, key = view["game"]["question"], str(uuid4())
            first = await _send(server, match, seat, question, key=key)
            await asyncio.sleep(0.082)
            second = await _send(server, match, seat, question, key=key)
            async with server.stream(match.id, match.seats[seat]) as socket:
                await told(socket)
                await socket.send(answer(question, id=key))
                third = await told(socket)
            assert third["again"] and third["version"] == first.json()["version"]
        async with in_memory(parts) as restarted:
            await match_moves_on(restarted, match)
            fourth = await _send(restarted, match, seat, question, key=key)
        for reply in (second, fourth):
            assert reply.headers["idempotent-replayed"] == "true"
            assert {**reply.json(), "again": False} == first.json()

    async def test_at_the_same_instant(self, api: Client) -> None:
        match = await api.playing()
        seat, view = await match.asked()
        question, key = view["game"]["question"], str(uuid4())
        replies = await asyncio.gather(
            *[_send(api, match, seat, question, key=key) for _ in range(8)]
        )
        assert {reply.json()["version"] for reply in replies} == {5}
        assert (await match.view())["version"] == 5


async def match_moves_on(client: Client, match: Made) -> None:
    match.client = client
    await match.move()


class TestFC09:
    """An answer that comes late is never one to a newer question."""

    async def test_stale(self, api: Client) -> None:
        match = await api.playing()
        for _ in range(2):
            await match.move()
        seat, view = await match.asked()
        old = view["game"]["question"]
        await match.move()
        while (await match.asked())[0] != seat:
            await match.move()
        version = (await match.view())["version"]
        late = await _send(api, match, seat, old)
        assert (late.status_code, late.json()["code"]) == (409, "stale_question")
        assert late.json()["open"] != old["id"]
        assert (await match.view())["version"] == version


class TestFC17:
    """A link that drops: every missed event exactly once and in order, the question again."""

    async def test_around_a_move(self, server: Running) -> None:
        match = await server.playing()
        seen: list[int] = []
        last = 4
        for _ in range(6):
            async with server.stream(match.id, match.seats[0], after=last) as socket:
                hello = await told(socket)
                for _ in range(last, hello["version"]):
                    seen.append((await told(socket))["version"])
                last = hello["version"]
                if hello["status"] == "playing" and 0 in hello["question"]["seats"]:
                    assert hello["question"]["form"]
                await match.move()
                seen.append((await told(socket))["version"])
                last = seen[-1]
            await match.move()
        assert seen == list(range(5, last + 1))

    async def test_between_the_view_and_the_stream(self, server: Running) -> None:
        match = await server.playing()
        view = await match.view(match.seats[0])
        await match.move()
        async with server.stream(match.id, match.seats[0], after=view["version"]) as socket:
            assert (await told(socket))["version"] == 5
            assert (await told(socket))["version"] == 5


class TestFC18:
    """What was acknowledged is there after a crash, and nobody saw what was not kept."""

    async def test_after_a_restart(self) -> None:
        parts = memory()
        async with running(parts) as server:
            match = await server.playing()
            async with server.stream(match.id) as socket:
                await told(socket)
                reply = await match.move()
                seen = await told(socket)
        async with in_memory(parts) as restarted:
            match.client = restarted
            view = await match.view()
            assert view["version"] == reply["version"] == seen["version"]
            assert view["head"] == reply["head"] == seen["head"]
            await Runner(parts.store, Views(), "w").drain()
        async with in_memory(parts) as projected:
            assert (await projected.get(match.path)).json() == view

    async def test_nothing_is_told_before_it_is_stored(
        self, live: Running, monkeypatch: Any
    ) -> None:
        match = await live.playing()
        append = live.desk.store.append

        async def lost(*_: Any) -> None:
            await asyncio.sleep(0.05)
            raise ConnectionError("killed before it was stored")

        seat, view = await match.asked()
        question = view["game"]["question"]
        async with live.stream(match.id) as socket:
            await told(socket)
            monkeypatch.setattr(live.desk.store, "append", lost)
            assert (await _send(live, match, seat, question)).status_code == 500
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(socket.recv(), 0.2)
            monkeypatch.setattr(live.desk.store, "append", append)
            assert (await _send(live, match, seat, question)).status_code == 200
            assert (await told(socket))["version"] == 5
