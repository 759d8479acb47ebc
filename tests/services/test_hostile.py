"""What no honest client sends: refused with a typed problem, at a bounded price."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from replay import files
from replay.verify import verify_file
from services import cursors
from services.limits import Held, Limit, household
from tests.replay.recordings import data, short
from tests.services.api import ADMIN, TOY, Client, Running, in_memory, running, settings
from tests.services.hostile import Raw, frame, protocols, until
from tests.services.test_bad_input import is_problem

DEEP = 30_000
NEW = b'{"game": "%s", "seats": 2, "options": %%b}' % TOY.encode()

BODIES: list[tuple[str, bytes, tuple[str, ...]]] = [
    ("an array in an array ...", NEW % (b'{"a": ' + b"[" * DEEP + b"]" * DEEP + b"}"), ("json",)),
    ("an object in an object ...", NEW % (b'{"a":' * 9000 + b"1" + b"}" * 9000), ("json",)),
    ("just not too deep", NEW % (b'{"a": ' + b"[" * 400 + b"]" * 400 + b"}"), ("option",)),
    (
        "thousands of keys",
        NEW % (b"{" + b",".join(b'"k%d":1' % n for n in range(5000)) + b"}"),
        ("option",),
    ),
    ("a key twice", NEW % b'{"first": 0, "first": "x"}', ("option",)),
    ("a member twice", b'{"game": "%s", "seats": 2, "seats": 999}' % TOY.encode(), ("body",)),
    ("5,000 digits", NEW % (b'{"first": ' + b"9" * 5000 + b"}"), ("body",)),
    ("a number of seats of 5,000 digits", b'{"game": "x", "seats": %b}' % (b"9" * 5000), ("body",)),
    ("beyond all floats", NEW % b'{"first": 1e400}', ("body",)),
    (
        "an exponent of 5,000 digits",
        NEW % (b'{"first": 1e' + b"9" * 5000 + b"}"),
        ("body",),
    ),
    ("no number", NEW % b'{"first": NaN}', ("json",)),
    ("infinity", NEW % b'{"first": -Infinity}', ("json",)),
    ("half a surrogate pair", NEW % rb'{"first": "\ud800"}', ("json",)),
    ("half a pair as a name", rb'{"game": "\udfff", "seats": 2}', ("json",)),
    ("no UTF-8 in a text", NEW % b'{"first": "\xc3\x28"}', ("json",)),
    ("no UTF-8 in a key", NEW % b'{"\xff": 1}', ("json",)),
    ("UTF-16", '{"game": "x", "seats": 2}'.encode("utf-16"), ("json",)),
    ("a byte order mark", b"\xef\xbb\xbf" + NEW % b"{}", ("json",)),
    ("two documents", (NEW % b"{}") * 2, ("json",)),
    ("an escape sequence", b'{"game": "\\u001b[31m", "seats": 2}', ("body",)),
    ("text the other way round", '{"game": "a\u202eb", "seats": 2}'.encode(), ("body",)),
    ("what is not seen", '{"game": "a\u200bb", "seats": 2}'.encode(), ("body",)),
    ("zeros", b"\0" * 60_000, ("json",)),
]
CODES = {"json": (400, "malformed_json"), "body": (422, "bad_body"), "option": (422, "bad_option")}


class TestBodies:
    @pytest.mark.parametrize(
        ("content", "codes"), [b[1:] for b in BODIES], ids=[b[0] for b in BODIES]
    )
    async def test_refused(self, api: Client, content: bytes, codes: tuple[str, ...]) -> None:
        headers = {"idempotency-key": str(uuid4()), "content-type": "application/json"}
        reply = await api.http.post("/v1/matches", content=content, headers=headers)
        told = msgspec.json.decode(reply.content)
        assert (reply.status_code, told["code"]) in [CODES[code] for code in codes], reply.text
        is_problem(reply, *CODES[next(c for c in codes if CODES[c][1] == told["code"])])
        assert len(reply.content) < 1000, "a refusal does not say back what it was sent"
        assert (await api.get("/v1/matches")).json()["items"] == []

    @pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate, gzip"])
    async def test_compressed(self, api: Client, encoding: str) -> None:
        bomb = gzip.compress(b" " * 50_000_000)
        headers = {"idempotency-key": str(uuid4()), "content-encoding": encoding}
        for path in ("/v1/matches", "/v1/matches/0/answers"):
            reply = await api.http.post(path, content=bomb, headers=headers)
            is_problem(reply, 415, "encoded_body")

    @pytest.mark.parametrize(
        "words", ["\x1b]0;owned\x07", "a\u202eb", "\x00", "\x9b31m", "x" * 4001]
    )
    async def test_words_that_steer_a_terminal(self, api: Client, words: str) -> None:
        match = await api.playing()
        body = {"steps": ["4"], "text": words}
        reply = await api.post(f"{match.path}/disputes", match.seats[0], json=body)
        is_problem(reply, 422, "bad_body")
        reply = await api.post(
            f"{match.path}/disputes", match.seats[0], json=body | {"text": "a\nb"}
        )
        assert reply.status_code == 201
        other = await api.made()
        reply = await api.post(f"{other.path}/seats", json={"entropy": words})
        assert reply.status_code == 422


FORGED = ["", "\0", "\x01", "9" * 300, "é\0x"]


class TestForgedCursors:
    """They are opaque, not signed: made up, they find what anybody may find, or are refused."""

    @pytest.mark.parametrize("position", FORGED)
    async def test_of_lists(self, api: Client, position: str) -> None:
        made = cursors.sealed(position)
        player = (await api.post("/v1/tokens", ADMIN, json={"scope": "player"})).json()["token"]
        audit = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()["token"]
        for path, token in [("/v1/matches", ""), ("/v1/inbox", player), ("/v1/disputes", audit)]:
            reply = await api.get(path, token, params={"after": made})
            assert reply.status_code in (200, 400), reply.text

    @pytest.mark.parametrize(
        "places",
        [
            {0: ["no id", 0, None]},
            {0: ["0-0", -1, None]},
            {0: ["0-0", 2**63 - 1, None]},
            {0: ["99999999999999999999999-0", 0, None]},
            {0: ["1-1-1", 0, "\0"]},
            {4095: ["0-0", 0, ""]},
            {-1: ["0-0", 0, None]},
            "a text",
            [[[[[]]]]],
        ],
        ids=str,
    )
    async def test_of_the_feed(self, api: Client, places: Any) -> None:
        await api.playing()
        audit = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()["token"]
        reply = await api.get("/v1/feed", audit, params={"after": cursors.sealed(places)})
        assert reply.status_code in (200, 400), reply.text
        assert reply.status_code == 200 or reply.json()["code"] == "bad_cursor"

    @pytest.mark.parametrize("cursor", ["%", "a", "AAAA", "=" * 100, "é", b"\x91".hex() * 200])
    async def test_that_are_none(self, api: Client, cursor: str) -> None:
        reply = await api.get("/v1/matches", params={"after": cursor})
        is_problem(reply, 400, "bad_cursor")


@pytest.fixture
async def quick() -> AsyncIterator[Running]:
    """A server that waits for nobody."""
    async with running(chosen=settings(request_seconds=0.3)) as server:
        yield server


@pytest.fixture
async def narrow() -> AsyncIterator[Running]:
    """A server that lets one address have eight connections, and one token two streams."""
    async with running(chosen=settings(connections_address=8, sockets_token=2)) as server:
        yield server


HEADS: list[tuple[str, bytes, tuple[int, str]]] = [
    ("no HTTP", b"\x16\x03\x01\x02\x00 hello\r\n\r\n", (400, "bad_request")),
    (
        "many headers",
        b"GET /livez HTTP/1.1\r\n" + b"".join(b"x-%d: y\r\n" % n for n in range(200)) + b"\r\n",
        (431, "head_too_large"),
    ),
    ("an address without end", b"GET /" + b"a" * 300_000, (431, "head_too_large")),
    (
        "a header without end",
        b"GET /livez HTTP/1.1\r\nx: " + b"a" * 300_000,
        (431, "head_too_large"),
    ),
    (
        "two lengths",
        b"POST /v1/matches HTTP/1.1\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}",
        (400, "bad_request"),
    ),
    (
        "a length and chunks",
        b"POST /v1/matches HTTP/1.1\r\nContent-Length: 4\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        (400, "bad_request"),
    ),
    (
        "a length beyond numbers",
        b"POST /v1/matches HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        (400, "bad_request"),
    ),
    (
        "a chunk beyond numbers",
        b"POST /v1/matches HTTP/1.1\r\nIdempotency-Key: 0123456789abcdef\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n",
        (400, "bad_request"),
    ),
    ("a head that trickles", b"GET /livez HTTP/1.1\r\nx: ", (408, "too_slow")),
    (
        "a body that trickles",
        b"POST /v1/matches HTTP/1.1\r\nIdempotency-Key: 0123456789abcdef\r\n"
        b'Content-Length: 20\r\n\r\n{"ga',
        (408, "too_slow"),
    ),
    (
        "chunks that trickle",
        b"POST /v1/matches HTTP/1.1\r\nIdempotency-Key: 0123456789abcdef\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        (408, "too_slow"),
    ),
    (
        "impatience",
        b"GET /v1/matches?limit=100 HTTP/1.1\r\nHost: x\r\n\r\n" * 40,
        (429, "too_many_requests"),
    ),
]


class TestConnections:
    @pytest.mark.parametrize(("data", "problem"), [h[1:] for h in HEADS], ids=[h[0] for h in HEADS])
    async def test_heads_and_bodies(
        self, quick: Running, data: bytes, problem: tuple[int, str]
    ) -> None:
        raw = await Raw.to(quick)
        await raw.send(data)
        assert await raw.problem() == problem
        assert (await quick.get("/livez")).status_code == 200

    async def test_that_say_nothing(self, quick: Running) -> None:
        silent, blank = await Raw.to(quick), await Raw.to(quick)
        for _ in range(10):
            await blank.send(b"\r\n" * 100)
            await asyncio.sleep(0.04)
        assert await silent.all() == b"" and await blank.all() == b""

    async def test_empty_lines_between_requests(self, quick: Running) -> None:
        raw = await Raw.to(quick)
        await raw.send(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b" 200 " in await raw.reader.readuntil(b"\r\n\r\n")
        for _ in range(10):
            await raw.send(b"\r\n")
            await asyncio.sleep(0.04)
        await raw.all()

    async def test_a_refused_body_is_not_read_for_ever(self, quick: Running) -> None:
        raw = await Raw.to(quick)
        head = b"POST /v1/matches HTTP/1.1\r\nIdempotency-Key: 0123456789abcdef\r\n"
        await raw.send(head + b"Transfer-Encoding: chunked\r\n\r\n")

        async def endless() -> None:
            while True:
                await raw.send(b"4000\r\n" + b" " * 0x4000 + b"\r\n")
                await raw.writer.drain()
                await asyncio.sleep(0.01)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(endless(), 5)

    async def test_so_many_of_one_address(self, narrow: Running) -> None:
        held = [await Raw.to(narrow) for _ in range(8)]
        assert await (await Raw.to(narrow)).problem() == (429, "too_many_connections")
        for raw in held:
            raw.close()
        await until(lambda: not protocols(narrow))
        assert (await narrow.get("/livez")).status_code == 200

    async def test_proxies_are_not_counted_but_those_behind_them(self) -> None:
        chosen = settings(proxies=("127.0.0.0/8",), connections_address=1, sockets_address=1)
        async with running(chosen=chosen) as server:
            match = await server.made()
            path = f"/v1/matches/{match.id}/stream"
            first, second, other = [await Raw.to(server) for _ in range(3)]
            await first.upgraded(path, "X-Forwarded-For: 192.0.2.1")
            await second.upgraded(path, "X-Forwarded-For: 192.0.2.1")
            assert await second.closed() == 4429
            await other.upgraded(path, "X-Forwarded-For: 192.0.2.2")
            assert (await other.frame())[0] == 1
            for raw in (first, other):
                raw.close()


async def opened(server: Running, room: int = 0, seat: int = 0) -> Raw:
    match = await server.playing()
    raw = await Raw.to(server, room)
    await raw.upgraded(
        f"/v1/matches/{match.id}/stream", f"Authorization: Bearer {match.seats[seat]}"
    )
    return raw


class TestFrames:
    @pytest.mark.parametrize(
        ("sent", "code"),
        [
            (frame(1, b"x" * 100_000), 1009),
            (b"\x81\xff" + b"\x7f" + b"\xff" * 7, 1009),
            (frame(1, b"x", fin=False) + frame(0, b"x" * 40_000, fin=False) * 2, 1009),
            (frame(1, b"", fin=False) + frame(0, b"", fin=False) * 1000, 1009),
            (frame(1, b"x" * 10, reserved=64), 1002),
            (frame(3, b"x"), 1002),
            (frame(9, b"x" * 200), 1002),
            (frame(0, b"x"), 1002),
            (frame(9, b"x") * 400, 4429),
            (frame(10, b"x") * 400, 4429),
            (frame(1, b"[" * 3000) * 60, 4429),
            (frame(1, b"\xff\xfe") * 60, 4429),
            (frame(2, b"\0" * 100) * 60, 4429),
        ],
        ids=[
            "a giant frame",
            "a frame of 2^63 bytes",
            "fragments of a giant",
            "fragments of nothing",
            "compressed",
            "of no kind",
            "a ping that is too long",
            "a fragment of nothing begun",
            "pings",
            "pongs",
            "deep JSON",
            "no UTF-8",
            "binary",
        ],
    )
    async def test_closed(self, live: Running, sent: bytes, code: int) -> None:
        raw = await opened(live)
        await raw.send(sent)
        assert await raw.closed() == code
        assert (await live.get("/livez")).status_code == 200

    async def test_so_many_streams_of_one_token(self, narrow: Running) -> None:
        match = await narrow.playing()
        headers = f"Authorization: Bearer {match.seats[0]}"
        raws = [await Raw.to(narrow) for _ in range(3)]
        for raw in raws:
            await raw.upgraded(f"/v1/matches/{match.id}/stream", headers)
        assert await raws[2].closed() == 4429
        raws[0].close()
        sockets = narrow.desk.metrics.sockets._value
        await until(lambda: sockets.get() == 1)
        again = await Raw.to(narrow)
        await again.upgraded(f"/v1/matches/{match.id}/stream", headers)
        assert (await again.frame())[0] == 1
        assert sockets.get() == 2
        for raw in (raws[1], again):
            raw.close()


class TestMuch:
    """No request makes the server look through everything."""

    async def test_a_filter_that_nothing_passes(self, monkeypatch: Any) -> None:
        async with in_memory() as api:
            asked = []

            async def endless(*words: Any) -> Any:
                asked.append(words)
                return type("Page", (), {"matches": [], "after": "more"})

            monkeypatch.setattr("projections.lobby.matches", endless)
            reply = await api.get("/v1/matches", params={"open": True, "status": "over"})
            assert reply.json()["items"] == [] and reply.json()["next"]
            assert len(asked) == 10

    async def test_a_match_that_never_ends(self) -> None:
        async with in_memory(chosen=settings(match_commits=100)) as api:
            match = await api.made()
            while True:
                reply = await api.post(f"{match.path}/seats", json={})
                if reply.status_code != 201:
                    break
                token = reply.json()["token"]
                assert (await api.send("DELETE", f"{match.path}/seats/me", token)).is_success
            is_problem(reply, 409, "match_too_long")
            assert (await match.view())["version"] in (100, 101)
            assert (await api.post(f"{match.path}/abort", match.host)).status_code == 200

    async def test_a_player_who_sits_everywhere(self, monkeypatch: Any) -> None:
        async with in_memory(chosen=settings(player_matches=2)) as api:
            sits: list[str] = []

            async def matches_of(store: Any, player: str, after: str, limit: int) -> Any:
                items = [type("Item", (), {"status": status}) for status in sits]
                return type("Page", (), {"items": items, "after": ""})

            monkeypatch.setattr("projections.inbox.matches_of", matches_of)
            made = await api.post("/v1/tokens", ADMIN, json={"scope": "player"})
            player, key = made.json()["token"], str(uuid4())
            match = await api.made()
            first = await api.post(f"{match.path}/seats", player, json={}, key=key)
            assert first.status_code == 201
            sits += ["playing", "over", "lobby"]
            other = await api.made()
            reply = await api.post(f"{other.path}/seats", player, json={})
            is_problem(reply, 409, "too_many_matches")
            again = await api.post(f"{match.path}/seats", player, json={}, key=key)
            assert again.json()["token"] == first.json()["token"]

    async def test_verifying_has_a_limit_of_its_own(self) -> None:
        async with in_memory(chosen=settings(rate_verify="2/60")) as api:
            match = await api.made()
            replies = [await api.get(f"{match.path}/verify") for _ in range(3)]
            assert [reply.status_code for reply in replies] == [200, 200, 429]
            assert (await api.get(f"{match.path}/verify", match.host)).status_code == 200

    async def test_tokens_that_are_none_of_ours(self) -> None:
        async with in_memory(chosen=settings(rate_bad_token="3/60")) as api:
            match = await api.playing()
            guesses = [await api.get(match.path, f"hs_seat_{n:043}") for n in range(3)]
            assert {reply.status_code for reply in guesses} == {401}
            reply = await api.get(match.path, "hs_seat_again")
            told = is_problem(reply, 429, "too_many_requests")
            assert told["violated-policies"] == ["bad_token"]
            assert int(reply.headers["retry-after"]) >= told["retry_after"]
            is_problem(
                await api.post("/v1/tokens", "a guessed admin key", json={}), 429, told["code"]
            )
            assert (await api.get(match.path, match.seats[0])).status_code == 200

    async def test_what_is_no_bearer_is_counted_too(self) -> None:
        async with in_memory(chosen=settings(rate_address="2/60")) as api:
            match = f"/v1/matches/{'0' * 26}"
            replies = [
                await api.http.get(match, headers={"authorization": "Basic x"}) for _ in "123"
            ]
            assert [reply.status_code for reply in replies] == [401, 401, 429]

    def test_methods_of_ones_own_make_no_series(self, api: Client) -> None:
        metrics = api.desk.metrics
        before = metrics.text().count(b"hallowstream_requests_total{")
        from services.api.middleware import tell

        for number in range(50):
            tell(api.desk, f"M{number}", "unmatched", 405, 0.0)
        assert metrics.text().count(b"hallowstream_requests_total{") == before + 1


class TestLimits:
    def test_looking_counts_nothing(self) -> None:
        limit = Limit("x", (2, 60))
        assert [limit.check("a", 0.0) for _ in range(5)] == [limit.check("a", 0.0)] * 5
        assert limit.take("a", 0.0) and limit.take("a", 0.0)
        looked = limit.check("a", 0.0)
        assert looked is not None and (looked.left, looked.wait) == (0, 30.0)
        assert Limit("none", None).check("a") is None

    def test_held_and_given_back(self) -> None:
        held = Held(2)
        assert [held.take("a") for _ in range(3)] == [True, True, False]
        assert held.take("b")
        held.give("a")
        assert held.take("a") and not held.take("a")
        assert all(Held(0).take("a") for _ in range(9))

    @pytest.mark.parametrize(
        ("address", "caller"),
        [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("fe80::1%eth0", "fe80::/64"),
            ("no:address", "no:address"),
            ("local", "local"),
        ],
    )
    def test_what_one_caller_has(self, address: str, caller: str) -> None:
        assert household(address) == caller


class TestFiles:
    """A log that somebody sends in may be anything."""

    @pytest.mark.parametrize(
        "spoiled",
        [
            lambda line: line.replace(b'"not_hashed":', b'"not_hashed":' + b"[" * 100_000, 1),
            lambda line: line.replace(b'"openings":[', b'"openings":[' + b"[" * 100_000, 1),
            lambda line: b"x" * 20_000_000,
            lambda line: b"",
            lambda line: line.replace(b'"version":1', b'"version":' + b"9" * 5000),
            lambda line: line.replace(b'"of":', b'"of":1e999,"of":'),
            lambda line: line.replace(b'"match":"', b'"match":"\\ud800'),
            lambda line: b"\xff\xfe" + line,
        ],
        ids=["deep", "deep openings", "long", "empty", "digits", "float", "surrogate", "UTF-16"],
    )
    def test_lines(self, spoiled: Any) -> None:
        first, *rest = data(short()).splitlines(keepends=True)
        report = verify_file(b"".join([spoiled(first.rstrip(b"\n")) + b"\n", *rest]))
        assert not report.ok and report.bad is not None and report.bad.line

    @pytest.mark.parametrize(
        "facts",
        [
            b"\x91" * 100_000,
            b"\x81\xa1a" * 100_000,
            b"\xdf\xff\xff\xff\xff",
            b"\xdd\xff\xff\xff\xff",
            b"\xc6\xff\xff\xff\xff",
            b"\xc1",
        ],
        ids=["arrays", "maps", "a huge map", "a huge array", "huge bytes", "never used"],
    )
    def test_bytes_of_a_commit(self, facts: bytes) -> None:
        lines = data(short()).splitlines(keepends=True)
        line = msgspec.json.decode(lines[0], type=files.Line)
        lines[0] = files.encoded(msgspec.structs.replace(line, public=facts)) + b"\n"
        report = verify_file(b"".join(lines))
        assert not report.ok and report.bad is not None
