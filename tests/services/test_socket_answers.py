"""Answers over sockets, slow readers, and the end of a server."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from events.store import Unavailable
from services.commands import answer as command
from services.fastws import framed
from services.keys import UnknownKey
from services.live import Live
from services.matches import Matches
from tests.services.api import (
    ADMIN,
    Client,
    Running,
    answer,
    any_option,
    closed,
    running,
    settings,
    told,
)


class TestAnswering:
    @pytest.mark.parametrize(
        ("data", "code"),
        [
            ("nonsense", "malformed_json"),
            ("[]", "bad_body"),
            ("{}", "bad_body"),
            ('{"type": "subscribe"}', "bad_body"),
            ('{"type": "answer", "id": 1}', "bad_body"),
            (b"\xff\xfe", "malformed_json"),
        ],
    )
    async def test_what_is_no_answer(self, server: Running, data: Any, code: str) -> None:
        match = await server.playing()
        async with server.stream(match.id, match.seats[0]) as socket:
            question = (await told(socket))["question"]
            await socket.send(data)
            refused = await told(socket)
            assert (refused["type"], refused["problem"]["code"]) == ("refused", code)
            await socket.send(answer(question))
            assert (await told(socket))["version"] == 5

    async def test_what_is_refused(self, server: Running) -> None:
        match = await server.playing()
        async with (
            server.stream(match.id, match.seats[0]) as socket,
            server.stream(match.id) as spectator,
        ):
            question = (await told(socket))["question"]
            await told(spectator)
            for wrong, code in [
                ({"option": "nonsense"}, "not_an_option"),
                ({"question": "9.9"}, "stale_question"),
                ({"id": "short"}, "bad_key"),
            ]:
                await socket.send(answer(question, **wrong))
                refused = await told(socket)
                assert refused["problem"]["code"] == code and refused["version"] == 4
            await spectator.send(answer(question))
            refused = await told(spectator)
            assert refused["problem"]["code"] == "token_required"

    async def test_where_the_key_of_the_match_is_missing(
        self, server: Running, monkeypatch: Any
    ) -> None:
        match = await server.playing()
        async with server.stream(match.id, match.seats[0]) as socket:
            question = (await told(socket))["question"]

            def missing(live: Live) -> Any:
                raise UnknownKey("k9")

            monkeypatch.setattr(Live, "secrets", missing)
            await socket.send(answer(question))
            assert (await told(socket))["problem"]["code"] == "corrupt_log"
            monkeypatch.undo()
            await socket.send(answer(question))
            assert (await told(socket))["version"] == 5

    async def test_in_the_order_sent_where_one_has_to_look_first(
        self, live: Running, monkeypatch: Any
    ) -> None:
        """One that is refused on what memory holds is looked at in the log before the next."""
        match = await live.playing()
        reader, writer = await asyncio.open_connection("127.0.0.1", live.port)
        writer.write(_handshake(match.id, match.seats[0]))
        await reader.readuntil(b"\r\n\r\n")
        question = (await _heard(reader))["question"]
        sent = [answer(question, question="9.9", id="a" * 20), answer(question)]
        frames = [Frame(Opcode.TEXT, text.encode()) for text in sent]
        writer.write(b"".join([frame.serialize(mask=True) for frame in frames]))
        heard = [(await _heard(reader))["type"] for _ in range(3)]
        assert heard == ["refused", "commit", "accepted"]
        writer.close()

    async def test_of_a_client_that_has_gone(self, live: Running, monkeypatch: Any) -> None:
        """What it sent is decided, also where another was first, and the match is free."""
        match = await live.playing()
        held, begun = asyncio.Event(), asyncio.Event()
        append = live.desk.store.append

        async def slow(*words: Any) -> None:
            begun.set()
            await held.wait()
            await append(*words)

        async with live.stream(match.id, match.seats[0]) as socket:
            question = (await told(socket))["question"]
            monkeypatch.setattr(live.desk.store, "append", slow)
            await socket.send(answer(question))
            await begun.wait()
        monkeypatch.undo()
        other = Matches(live.desk.store, live.desk.keys)
        asked = (await other.load(match.id)).table.view(1)["game"]["question"]
        made = command(b"another command.", 1, asked["id"], any_option(asked))
        assert (await other.submit(match.id, made)).commit.version == 5
        held.set()
        here = live.desk.matches.known(match.id)
        for _ in range(500):
            if here.version == 6 and not here.lock.locked():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"version {here.version}")

    async def test_in_fragments_and_in_bytes(self, server: Running) -> None:
        match = await server.playing()
        async with server.stream(match.id, match.seats[0]) as socket:
            text = answer((await told(socket))["question"])
            await socket.send([text[:5], text[5:20], text[20:]])
            assert (await told(socket))["version"] == 5
            await told(socket)
            await socket.send(text.encode())
            assert (await told(socket))["again"]
            assert await socket.ping()

    @pytest.mark.parametrize("step", [1, 7, 10_000])
    async def test_frames_however_the_line_cuts_them(self, server: Running, step: int) -> None:
        match = await server.playing()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(_handshake(match.id, match.seats[0]))
        await reader.readuntil(b"\r\n\r\n")
        question = (await _heard(reader))["question"]
        text = answer(question).encode()
        frames = [
            Frame(Opcode.PING, b"here"),
            Frame(Opcode.TEXT, answer(question, question="9.9").encode()),
            Frame(Opcode.PONG, b""),
            Frame(Opcode.TEXT, text),
            Frame(Opcode.TEXT, text[:9], fin=False),
            Frame(Opcode.CONT, text[9:]),
            Frame(Opcode.TEXT, b"nonsense"),
        ]
        line = b"".join([frame.serialize(mask=True) for frame in frames])
        for start in range(0, len(line), step):
            writer.write(line[start : start + step])
            await asyncio.sleep(0)
        assert await _heard(reader) == b"here"
        heard = [await _heard(reader) for _ in range(5)]
        kinds = [message["type"] for message in heard]
        assert sorted(kinds) == ["accepted", "accepted", "commit", "refused", "refused"]
        assert [m["again"] for m in heard if m["type"] == "accepted"] == [False, True]
        writer.close()

    async def test_too_long_a_message(self, server: Running) -> None:
        match = await server.playing()
        async with server.stream(match.id, match.seats[0]) as socket:
            await told(socket)
            await socket.send("x" * 100_000)
            assert await closed(socket) == 1009

    async def test_too_many_at_once(self, live: Running, monkeypatch: Any) -> None:
        match = await live.playing()
        held = asyncio.Event()
        append = live.desk.store.append

        async def slow(*words: Any) -> None:
            await held.wait()
            await append(*words)

        monkeypatch.setattr(live.desk.store, "append", slow)
        async with live.stream(match.id, match.seats[0]) as socket:
            question = (await told(socket))["question"]
            for _ in range(9):
                await socket.send(answer(question))
            assert (await told(socket))["problem"]["code"] == "too_many_requests"
            held.set()
            kinds = [(await told(socket))["type"] for _ in range(9)]
            assert sorted(kinds) == ["accepted", "commit", *["refused"] * 7]

    async def test_too_fast(self) -> None:
        async with running(chosen=settings(rate_token="6/60")) as server:
            match = await server.playing()
            async with server.stream(match.id, match.seats[0]) as socket:
                question = (await told(socket))["question"]
                for _ in range(8):
                    await socket.send(answer(question, question="9.9"))
                codes = [(await told(socket))["problem"]["code"] for _ in range(8)]
                assert sorted(codes) == ["stale_question"] * 6 + ["too_many_requests"] * 2

    async def test_a_store_that_is_away(self, live: Running, monkeypatch: Any) -> None:
        match = await live.playing()

        async def away(*_: Any) -> None:
            raise Unavailable("gone")

        async def broken(*_: Any) -> None:
            raise RuntimeError("secret words")

        async with live.stream(match.id, match.seats[0]) as socket:
            question = (await told(socket))["question"]
            for append, code in [(away, "unavailable"), (broken, "internal")]:
                monkeypatch.setattr(live.desk.store, "append", append)
                await socket.send(answer(question))
                refused = await told(socket)
                assert refused["problem"]["code"] == code and "secret" not in str(refused)


class TestLasting:
    async def test_until_its_token_expires(self) -> None:
        async with running(chosen=settings(socket_heartbeat=0.05)) as server:
            match = await server.playing()
            body = {"scope": "view", "match": match.id, "hours": 1}
            made = (await server.post("/v1/tokens", ADMIN, json=body)).json()
            async with server.stream(match.id, made["token"]) as socket:
                assert (await told(socket))["type"] == "hello"
                ping = json.loads(await asyncio.wait_for(socket.recv(), 5))
                assert ping["type"] == "ping", "it lasts until then"
                server.desk.matches.clock = lambda: made["expires"]
                assert await closed(socket) == 4401

    async def test_not_too_many_from_one_address(self) -> None:
        async with running(chosen=settings(rate_address="8/60")) as server:
            match = await server.playing()
            codes = []
            for _ in range(6):
                async with server.stream(match.id, after=9) as socket:
                    codes.append(await closed(socket))
            assert codes[0] == 4409 and codes[-1] == 4429

    async def test_signs_of_life(self) -> None:
        async with running(chosen=settings(socket_heartbeat=0.05)) as server:
            match = await server.playing()
            async with server.stream(match.id) as socket:
                await told(socket)
                ping = json.loads(await asyncio.wait_for(socket.recv(), 2))
                assert (ping["type"], ping["version"]) == ("ping", 4) and ping["head"]

    @pytest.mark.parametrize("more", [{}, {"ws": "websockets-sansio"}])
    async def test_a_reader_that_lags_is_closed(self, more: Any, monkeypatch: Any) -> None:
        monkeypatch.setattr("services.outs.ROOM", 4)
        chosen = settings(socket_patience=0.2, socket_heartbeat=0.01)
        async with running(chosen=chosen, **more) as server:
            match = await server.playing(4)
            reader = _never_reads(server, match.id, match.seats[0])
            try:
                async with asyncio.timeout(20):
                    while not server.desk.hub.watchers:  # noqa: ASYNC110 - the server has them
                        await asyncio.sleep(0.01)
                (watcher,) = server.desk.hub.watchers
                watcher._out.push((b"x" * 30_000_000,) * 2)
                for _ in range(8):
                    await match.move()
                await asyncio.wait_for(asyncio.shield(watcher.closing), 5)
                assert watcher.closing.result() == 4408
            finally:
                reader.close()

    async def test_frames_of_one_turn_leave_together_and_before_the_end(self) -> None:
        async with running() as server:
            match = await server.playing()
            socket = await server.stream(match.id, match.seats[0])
            await told(socket)
            (watcher,) = server.desk.hub.watchers
            protocol = watcher._out
            writes = protocol.transport = _Writes(protocol.transport)
            for word in (b"one", b"two"):
                protocol.push((word, framed(word)))
            assert not writes.seen
            await asyncio.sleep(0.01)
            assert writes.seen == [framed(b"one") + framed(b"two")]
            protocol.push((b"x", framed(b"x" * 70_000)))
            assert len(writes.seen) == 2, "a heap is not kept"
            protocol.push((b"last", framed(b"last")))
            watcher.dismissed()
            assert [await socket.recv() for _ in range(4)] == ["one", "two", "x" * 70_000, "last"]
            assert await closed(socket) == 4401

    async def test_the_server_stops(self) -> None:
        async with running() as server:
            match = await server.playing()
            socket = await server.stream(match.id, match.seats[0])
            await told(socket)
            await socket.send(answer((await match.view(match.seats[0]))["game"]["question"]))
            assert [(await told(socket))["type"] for _ in range(2)] == ["commit", "accepted"]
        assert await closed(socket) == 1012


class _Writes:
    """A transport, and what was written to it."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self.seen: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        self.seen.append(data)
        self._transport.write(data)


async def _heard(reader: asyncio.StreamReader) -> Any:
    """What the next frame brings: a message, or the bytes of a pong."""
    first, size = await reader.readexactly(2)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    data = await reader.readexactly(size)
    return json.loads(data) if first == 0x81 else data


def _handshake(match: str, token: str) -> bytes:
    return (
        f"GET /v1/matches/{match}/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )


def _never_reads(server: Running, match: str, token: str) -> sockets.socket:
    """A client with a small window that shakes hands and then reads nothing."""
    reader = sockets.socket()
    reader.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    reader.connect(("127.0.0.1", server.port))
    reader.sendall(_handshake(match, token))
    return reader


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_frames_have_their_length_in_front(size: int) -> None:
    frame = framed(b"x" * size)
    head = {0: 2, 125: 2, 126: 4, 65_535: 4, 65_536: 10}[size]
    assert frame[0] == 0x81 and len(frame) == head + size


async def test_nobody_watches_any_more(api: Client) -> None:
    assert api.desk.hub.watchers == []
