"""Answers on the wire: what uvicorn's own way of replying does, the short way does too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from tests.services.api import Made, Running, any_option, etag, in_memory, running, settings


class Line:
    """One connection, spoken to in bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def reply(self) -> tuple[int, dict[str, str], bytes]:
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 20)
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        pairs = [line.split(": ", 1) for line in lines]
        headers = {name.lower(): value for name, value in pairs}
        assert len(headers) == len(pairs), "a header came twice"
        body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return int(first.split()[1]), headers, body

    async def ended(self) -> bool:
        return await asyncio.wait_for(self.reader.read(1), 20) == b""


@pytest.fixture
async def match(live: Running) -> Made:
    return await live.playing(2, "tricks-and-treats", options={"first": 0})


@asynccontextmanager
async def line_to(match: Made) -> AsyncIterator[Line]:
    client: Any = match.client
    line = Line(*await asyncio.open_connection("127.0.0.1", client.port))
    try:
        yield line
    finally:
        line.writer.close()
        await line.writer.wait_closed()


async def request(match: Made, option: str = "", *more: str, method: str = "POST") -> list[bytes]:
    """Head and body of an answer to what is asked now."""
    seat, view = await match.asked()
    question = view["game"]["question"]
    body = msgspec.json.encode(
        {"question": question["id"], "option": option or any_option(question)}
    )
    lines = [
        f"{method} {match.path}/answers HTTP/1.1",
        "Host: here",
        "Content-Type: application/json",
        f"Authorization: Bearer {match.seats[seat]}",
        f"Idempotency-Key: {uuid4()}",
        *more,
    ]
    if not any(line.startswith("Transfer-Encoding") for line in more):
        lines.append(f"Content-Length: {len(body)}")
    return ["\r\n".join([*lines, "", ""]).encode(), body]


async def test_a_reply_has_the_headers_of_every_other(match: Made) -> None:
    async with line_to(match) as line:
        line.writer.write(b"".join(await request(match)))
        status, headers, body = await line.reply()
        made = msgspec.json.decode(body)
        assert status == 200 and headers["etag"] == etag(made)
        assert made["version"] == 5 and made["view"]["version"] == 5
        other = await match.client.get(match.path, match.seats[0])
        assert set(headers) == set(other.headers)
        assert headers["vary"] == "Authorization, Prefer"
        assert other.headers["etag"] == f'{headers["etag"][:-1]}-0"'
        for name in set(headers) - {"content-length", "date", "vary", "etag"}:
            assert headers[name] == other.headers[name], name


async def test_a_connection_is_kept_and_closed_as_is_asked(match: Made) -> None:
    async with line_to(match) as line:
        for version in (5, 6):
            line.writer.write(b"".join(await request(match)))
            assert (await line.reply())[1]["etag"].startswith(f'"{version}-')
        line.writer.write(b"".join(await request(match, "", "Connection: close")))
        status, headers, body = await line.reply()
        assert (status, headers["connection"]) == (200, "close")
        assert headers["etag"] == etag(msgspec.json.decode(body))
        assert await line.ended()


async def test_an_older_client_gets_its_reply_and_the_end(match: Made) -> None:
    async with line_to(match) as line:
        head, body = await request(match)
        line.writer.write(head.replace(b"HTTP/1.1", b"HTTP/1.0") + body)
        assert (await line.reply())[0] == 200
        assert await line.ended()


async def test_answers_in_a_row_are_replied_to_in_order(match: Made) -> None:
    """The second is for a question that is open no more by then."""
    async with line_to(match) as line:
        line.writer.write(b"".join([*await request(match), *await request(match)]))
        first, second = await line.reply(), await line.reply()
        assert (first[0], second[0]) == (200, 409)
        assert second[1]["etag"] == '"5"'
        assert msgspec.json.decode(second[2])["code"] == "stale_question"


async def test_a_body_in_parts(match: Made) -> None:
    async with line_to(match) as line:
        head, body = await request(match)
        line.writer.write(head + body[:10])
        await asyncio.sleep(0.05)
        line.writer.write(body[10:])
        assert (await line.reply())[0] == 200
        head, body = await request(match, "", "Transfer-Encoding: chunked")
        line.writer.write(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))
        assert (await line.reply())[0] == 200


@pytest.mark.parametrize(
    ("preferred", "minimal"),
    [
        (["return=minimal"], True),
        (["wait=5", 'Return = "Minimal"; foo=1, return=representation'], True),
        (["return=representation, return=minimal"], False),
        (["respond-async"], False),
    ],
)
async def test_a_minimal_reply_is_for_who_prefers_it(
    match: Made, preferred: list[str], minimal: bool
) -> None:
    async with line_to(match) as line:
        wishes = [f"Prefer: {wish}" for wish in preferred]
        line.writer.write(b"".join(await request(match, "", *wishes)))
        status, headers, body = await line.reply()
    made = msgspec.json.decode(body)
    assert (status, made["version"], made["commit"]["version"]) == (200, 5, 5)
    assert headers.get("preference-applied") == ("return=minimal" if minimal else None)
    kept = {"version", "head", "again", "commit", "reverted"}
    assert set(made) == (kept if minimal else kept | {"view"})
    assert (await match.asked())[1]["version"] == 5


async def test_who_waits_to_be_told_to_go_on(match: Made) -> None:
    async with line_to(match) as line:
        head, body = await request(match, "", "Expect: 100-continue")
        line.writer.write(head)
        assert (await line.reply())[0] == 100
        line.writer.write(body)
        assert (await line.reply())[0] == 200


async def test_a_client_that_goes_away_leaves_nothing_behind(match: Made) -> None:
    async with line_to(match) as line:
        head, body = await request(match)
        line.writer.write(head + body[:10])
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.05)
    assert (await match.view(match.seats[0]))["version"] == 4
    assert (await match.move())["version"] == 5


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "OPTIONS"])
async def test_nothing_but_post(match: Made, method: str) -> None:
    async with line_to(match) as line:
        head, _ = await request(match, method=method)
        line.writer.write(head[: head.index(b"Content-Length")] + b"\r\n")
        if method == "HEAD":
            head = await asyncio.wait_for(line.reader.readuntil(b"\r\n\r\n"), 20)
            assert head.startswith(b"HTTP/1.1 405") and b"allow: POST" in head
            return
        status, headers, body = await line.reply()
        assert (status, headers["allow"]) == (405, "POST")
        assert msgspec.json.decode(body)["code"] == "method_not_allowed"


async def test_a_browser_of_a_known_origin() -> None:
    chosen = settings(cors_origins="https://app.example")
    async with running(chosen=chosen) as server:
        match = await server.playing()
        async with line_to(match) as line:
            line.writer.write(b"".join(await request(match, "", "Origin: https://app.example")))
            status, headers, _ = await line.reply()
            assert (status, headers["access-control-allow-origin"]) == (200, "https://app.example")
            assert "ETag" in headers["access-control-expose-headers"]
            assert "Origin" in headers["vary"] and "Authorization" in headers["vary"]
            line.writer.write(b"".join(await request(match, "", "Origin: https://evil.example")))
            assert "access-control-allow-origin" not in (await line.reply())[1]


async def test_what_is_left_of_a_rate_is_told_with_every_reply() -> None:
    async with in_memory(chosen=settings(rate_token="5/60")) as api:
        match = await api.playing()
        seat, view = await match.asked()
        question = view["game"]["question"]
        replies = [
            await match.answer(seat, "nonsense", question["id"]),
            await match.answer(seat, any_option(question), question["id"]),
        ]
        assert [r.status_code for r in replies] == [422, 200]
        assert all(r.headers["ratelimit-policy"] == '"token";q=5;w=60' for r in replies)
        left = [int(r.headers["ratelimit"].split("r=")[1].split(";")[0]) for r in replies]
        assert left[0] == left[1] + 1
