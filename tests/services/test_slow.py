"""Clients that do not read: bounded in memory, closed with a code, and no burden to others."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from services import fastws
from tests.services.api import Made, Running, closed, running, settings, told
from tests.services.hostile import Raw, frame, protocols, until

ROOM = 4096
"""Bytes that the kernel takes unread, on either side."""

MARK = 16_384
"""Bytes from which on a client is behind; uvicorn's own mark is four times as high."""

MOST = MARK + 2000
"""Bytes the server may keep for one client: up to the mark, and the message above it."""


async def churn(match: Made, times: int) -> int:
    """So many players sit down and stand up again; the version after it."""
    for _ in range(times):
        made = await match.join()
        reply = await match.client.send("DELETE", f"{match.path}/seats/me", made["token"])
        assert reply.status_code == 200
    return int(reply.json()["version"])


async def unread(server: Running, match: Made, after: int | None = None) -> tuple[Raw, Any]:
    """A stream that nobody reads, and the server's side of it."""
    listening = server.server.servers[0].sockets[0]
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
    before = set(protocols(server))
    raw = await Raw.to(server, ROOM)
    query = "" if after is None else f"?after={after}"
    await raw.upgraded(f"/v1/matches/{match.id}/stream{query}")
    raw.reader._transport.pause_reading()  # type: ignore[attr-defined]
    (mine,) = set(protocols(server)) - before
    mine.transport.set_write_buffer_limits(high=MARK)
    return raw, mine


@pytest.fixture
async def match(server: Running) -> Made:
    return await server.made()


def kept(protocol: Any) -> int:
    """Bytes that wait in the server for this client."""
    return int(protocol.transport.get_write_buffer_size())


class TestNotReading:
    async def test_is_bounded_and_delays_nobody(self, server: Running, match: Made) -> None:
        """The one that reads gets every commit; for the other no more is kept than may be."""
        raw, mine = await unread(server, match)
        most = 0
        async with server.stream(match.id) as reading:
            await told(reading)
            for _ in range(12):
                last = await churn(match, 10)
                most = max(most, kept(mine))
            seen = [(await told(reading))["version"] for _ in range(240)]
        assert seen == list(range(2, last + 1))
        assert MARK < most <= MOST and not mine.writable.is_set()
        raw.close()

    async def test_is_closed_when_patience_ends(self) -> None:
        async with running(chosen=settings(socket_patience=0.2)) as server:
            match = await server.made()
            raw, mine = await unread(server, match)
            while not mine.transport.is_closing():
                await churn(match, 10)
                assert kept(mine) <= MOST
            await until(lambda: server.desk.metrics.sockets._value.get() == 0)
            raw.close()
            assert server.desk.metrics.closed.labels("4408")._value.get() == 1

    async def test_catches_up_where_it_reads_again(self, server: Running, match: Made) -> None:
        raw, mine = await unread(server, match)
        last = 1
        while mine.writable.is_set():
            last = await churn(match, 10)
        last = await churn(match, 20)
        raw.reader._transport.resume_reading()  # type: ignore[attr-defined]
        versions: list[int] = []
        async with asyncio.timeout(20):
            while not versions or versions[-1] < last:
                _, payload = await raw.frame()
                if payload.startswith(b'{"type":"commit"'):
                    versions.append(int(payload.split(b'"version":')[1].split(b",")[0]))
        assert versions == list(range(2, last + 1))
        raw.close()

    async def test_a_long_past_is_not_loaded_for_who_does_not_read(
        self, server: Running, match: Made
    ) -> None:
        last = await churn(match, 150)
        raw, mine = await unread(server, match, after=0)
        await until(lambda: kept(mine) > MARK)
        await asyncio.sleep(0.2)
        assert MARK < kept(mine) <= 65_536 + 2000 and not mine.writable.is_set()
        async with server.stream(match.id, after=0) as reading:
            await told(reading)
            assert [(await told(reading))["version"] for _ in range(last)][-1] == last
        raw.close()


class TestReplies:
    async def test_one_that_is_not_read_is_dropped(self) -> None:
        async with running(chosen=settings(socket_patience=0.2)) as server:
            listening = server.server.servers[0].sockets[0]
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
            raw = await Raw.to(server, ROOM)
            raw.reader._transport.pause_reading()  # type: ignore[attr-defined]
            await raw.send(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
            await until(lambda: any(kept(mine) for mine in protocols(server)))
            await until(lambda: not protocols(server))
            raw.close()
            assert len((await server.get("/openapi.json")).content) > 100_000


class TestSendingWithoutReading:
    """What is answered at once piles up nowhere either."""

    @pytest.mark.parametrize("sent", [frame(9, b"x" * 125), frame(1, b"{}")], ids=["pings", "junk"])
    async def test_ends(self, live: Running, sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fastws, "GIVE_UP", 0.5)
        match = await live.made()
        raw, mine = await unread(live, match)
        mine.close_timeout = 0.2  # uvicorn's, for an answer to the close
        most = 0
        for _ in range(100):
            await raw.send(sent * 500)
            await asyncio.sleep(0.005)
            most = max(most, kept(mine))
            if mine.transport.is_closing():
                break
        assert most <= MOST + 256 * 1024, "one read's worth beyond the mark"
        assert mine.close_sent
        await until(lambda: mine not in protocols(live))
        raw.close()

    async def test_answers_by_thousands(self, live: Running) -> None:
        match = await live.playing()
        async with live.stream(match.id, match.seats[0]) as socket:
            await told(socket)
            for _ in range(200):
                await socket.send('{"type": "answer", "id": "x", "question": "", "option": ""}')
            assert await closed(socket) == 4429
