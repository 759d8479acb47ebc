"""Bad input of every kind gets its typed problem and changes nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from services.problems import MEDIA, PROBLEMS
from tests.services.api import TOY, Client, Made, bearer, in_memory, settings


def is_problem(reply: Any, status: int, code: str) -> dict[str, Any]:
    assert reply.headers["content-type"] == MEDIA, reply.text
    told = msgspec.json.decode(reply.content)
    assert (reply.status_code, told["code"]) == (status, code), reply.text
    assert told["status"] == status == PROBLEMS[code].status
    assert told["title"] == PROBLEMS[code].title and told["detail"]
    assert "Traceback" not in reply.text and ".py" not in reply.text
    return dict(told)


@pytest.fixture
async def match(api: Client) -> Made:
    return await api.playing()


async def answered(match: Made, content: bytes | str, **headers: str) -> Any:
    given = {"idempotency-key": str(uuid4()), "content-type": "application/json"}
    given |= bearer(match.seats[0]) | headers
    return await match.client.http.post(f"{match.path}/answers", content=content, headers=given)


class TestBodies:
    @pytest.mark.parametrize(
        "content",
        [b"{", b"\xff\xfe", b'{"question": NaN}', b'{"question": "a"', b"{'question': 1}"],
    )
    async def test_malformed_json(self, match: Made, content: bytes) -> None:
        is_problem(await answered(match, content), 400, "malformed_json")
        assert (await match.view())["version"] == 4

    @pytest.mark.parametrize(
        ("content", "pointer"),
        [
            (b"[]", "#"),
            (b"null", "#"),
            (b"[" * 5000, "#"),
            (b"", "#"),
            (b'{"question": 1, "option": "x"}', "#/question"),
            (b'{"question": "1.1"}', "#"),
            (b'{"question": "1.1", "option": {}}', "#/option"),
            (b'{"question": "1.1", "option": 1.5}', "#/option"),
            (b'{"question": "1.1", "option": ["a", null]}', "#/option/1"),
            (b'{"question": "1.1", "option": "a", "seen": -1}', "#/seen"),
            (b'{"question": "1.1", "option": "a", "seen": "4"}', "#/seen"),
            (b'{"question": "1.1", "option": "a", "more": 1}', "#"),
            (b'{"question": "' + b"x" * 300 + b'", "option": "a"}', "#/question"),
        ],
    )
    async def test_wrong_shapes(self, match: Made, content: bytes, pointer: str) -> None:
        told = is_problem(await answered(match, content), 422, "bad_body")
        assert re.sub(r"/\.\.\.$", "/1", told["errors"][0]["pointer"]).startswith(pointer)
        assert (await match.view())["version"] == 4

    async def test_numbers_beyond_all_bounds(self, match: Made) -> None:
        question = (await match.view(match.seats[0]))["game"]["question"]["id"].encode()
        for digits in (20, 400, 50_000):
            body = b'{"question": "%b", "option": %b}' % (question, b"9" * digits)
            reply = await answered(match, body)
            assert reply.status_code in (400, 422), reply.text
        assert (await match.view())["version"] == 4

    async def test_another_media_type(self, match: Made) -> None:
        reply = await answered(match, b"<a/>", **{"content-type": "text/xml"})
        is_problem(reply, 415, "not_json")

    async def test_ten_megabytes(self, live: Any) -> None:
        match = await live.playing()
        is_problem(await answered(match, b" " * 10_000_000), 413, "body_too_large")

        async def chunks() -> Any:
            for _ in range(100):
                yield b" " * 100_000

        reply = await live.http.post(
            f"{match.path}/answers",
            content=chunks(),
            headers={"idempotency-key": str(uuid4())} | bearer(match.seats[0]),
        )
        is_problem(reply, 413, "body_too_large")
        assert (await match.view())["version"] == 4


class TestKeys:
    async def test_none(self, match: Made) -> None:
        reply = await match.client.http.post(
            f"{match.path}/answers", json={}, headers=bearer(match.seats[0])
        )
        is_problem(reply, 400, "key_required")
        reply = await match.client.http.post("/v1/matches", json={"game": TOY, "seats": 2})
        is_problem(reply, 400, "key_required")

    @pytest.mark.parametrize("key", ["short", "x" * 129, "with a space in between", '"'])
    async def test_unusable(self, match: Made, key: str) -> None:
        body = b'{"question": "4.1", "option": "x"}'
        is_problem(await answered(match, body, **{"idempotency-key": key}), 400, "bad_key")

    async def test_used_for_another_command(self, match: Made) -> None:
        seat, view = await match.asked()
        question, key = view["game"]["question"], str(uuid4())
        options = [option["id"] for option in question["form"]["options"]]
        first = await match.answer(seat, options[0], question["id"], key=key)
        assert first.status_code == 200
        reply = await match.answer(seat, "show:9", question["id"], key=key)
        is_problem(reply, 422, "key_reused")
        reply = await match.client.post(f"{match.path}/resign", match.seats[seat], key=key)
        is_problem(reply, 422, "key_reused")
        assert (await match.view())["version"] == 5


class TestWho:
    async def test_unknown_match(self, api: Client) -> None:
        match = await api.playing()
        for id in ("x", "01J0000000000000000000TEST", "0" * 300):
            is_problem(await api.get(f"/v1/matches/{id}"), 404, "unknown_match")
            reply = await api.post(f"/v1/matches/{id}/answers", match.seats[0], json={})
            assert reply.status_code in (403, 404)
            for part in ("log", "verify", "steps/1"):
                is_problem(await api.get(f"/v1/matches/{id}/{part}"), 404, "unknown_match")

    async def test_wrong_token_and_foreign_seat(self, api: Client) -> None:
        match, other = await api.playing(), await api.playing()
        body = {"question": "4.1", "option": "x"}
        path = f"{match.path}/answers"
        is_problem(await api.post(path, json=body), 401, "token_required")
        is_problem(await api.post(path, "nonsense", json=body), 401, "unknown_token")
        is_problem(await api.post(path, match.watch, json=body), 403, "wrong_scope")
        is_problem(await api.post(path, match.host, json=body), 403, "wrong_scope")
        is_problem(await api.post(path, other.seats[0], json=body), 403, "wrong_match")
        assert (await match.view())["version"] == 4

    async def test_stale_question(self, api: Client) -> None:
        match = await api.playing()
        for question in ("1.1", "", "4.1.1", "999.9"):
            reply = await match.answer(0, "x", question)
            told = is_problem(reply, 409, "stale_question")
            assert told["open"] == "4.2" or told["open"].startswith("4.")
        assert (await match.view())["version"] == 4


class TestRoutes:
    async def test_of_the_framework_itself(self, api: Client) -> None:
        is_problem(await api.get("/nowhere"), 404, "not_found")
        reply = await api.http.put("/v1/matches")
        is_problem(reply, 405, "method_not_allowed")
        assert reply.headers["allow"] == "GET, POST"
        match = await api.made()
        reply = await api.send("PATCH", f"{match.path}/disputes/1")
        assert (reply.status_code, reply.headers["allow"]) == (405, "GET")
        reply = await api.get(f"{match.path}", params={"wait": "long"})
        told = is_problem(reply, 422, "bad_parameter")
        assert told["errors"][0]["pointer"] == "#/query/wait"
        is_problem(await api.get(match.path, params={"wait": 99}), 422, "bad_parameter")
        is_problem(await api.send("GET", f"{match.path}/answers"), 405, "method_not_allowed")

    async def test_our_own_mistakes_show_nothing(self, api: Client, monkeypatch: Any) -> None:
        match = await api.made()

        async def broken(*_: Any) -> None:
            raise RuntimeError("secret words in /a/path.py")

        monkeypatch.setattr(api.desk.matches, "refresh", broken)
        told = is_problem(await api.get(match.path), 500, "internal")
        assert "secret" not in str(told)

    def test_every_problem_of_the_code_is_listed(self) -> None:
        used = ["catalog", "game", "match", "rules"]
        paths = [*Path("services").rglob("*.py"), *(Path(f"games/{name}.py") for name in used)]
        code = re.compile(r'Refused\(\s*"([a-z_]+)"')
        found = {name for path in paths for name in code.findall(path.read_text())}
        assert found <= set(PROBLEMS), found - set(PROBLEMS)


class TestLimits:
    async def test_too_many_requests(self) -> None:
        async with in_memory(chosen=settings(rate_address="3/60")) as api:
            replies = [await api.get("/v1/games") for _ in range(4)]
            assert [r.status_code for r in replies] == [200, 200, 200, 429]
            told = is_problem(replies[3], 429, "too_many_requests")
            assert told["violated-policies"] == ["address"] and told["retry_after"] > 0
            assert int(replies[3].headers["retry-after"]) >= 1
            assert replies[0].headers["ratelimit-policy"] == '"address";q=3;w=60'
            assert replies[0].headers["ratelimit"].startswith('"address";r=2;t=')
            assert (await api.get("/livez")).status_code == 200

    async def test_a_token_is_counted_by_itself(self) -> None:
        async with in_memory(chosen=settings(rate_token="5/60")) as api:
            match = await api.playing()
            for _ in range(3):
                reply = await api.get(match.path, match.seats[0])
            assert reply.headers["ratelimit-policy"] == '"token";q=5;w=60'
            other = await api.get(match.path, match.seats[1])
            assert other.status_code == 200

    async def test_of_two_tokens_the_first_counts(self) -> None:
        """On every way in, so that a second header is no way round a limit."""
        async with in_memory(chosen=settings(rate_token="2/60")) as api:
            match = await api.playing()
            headers = [
                ("authorization", f"Bearer {token}") for token in (match.seats[0], match.seats[1])
            ]
            key = ("idempotency-key", "0123456789abcdef")
            for method, path in [("GET", match.path), ("POST", f"{match.path}/answers")] * 2:
                more = {"json": {"question": "1.1", "option": "x"}} if method == "POST" else {}
                reply = await api.http.request(method, path, headers=[*headers, key], **more)
            assert reply.headers["ratelimit-policy"] == '"token";q=2;w=60'
            is_problem(reply, 429, "too_many_requests")
            assert (await api.get(match.path, match.seats[1])).status_code == 200

    async def test_creating_has_a_limit_of_its_own(self) -> None:
        async with in_memory(chosen=settings(rate_create="1/60")) as api:
            await api.made()
            reply = await api.post("/v1/matches", json={"game": TOY, "seats": 2})
            is_problem(reply, 429, "too_many_requests")
