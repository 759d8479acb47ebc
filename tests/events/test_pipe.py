"""A connection taken over from redis-py, and how a link uses it with and without a task."""

from __future__ import annotations

import asyncio
import datetime
import gc
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from redis.exceptions import BusyLoadingError, ResponseError
from redis.exceptions import ConnectionError as BrokenConnection

from events.redis_append import Appender
from events.redis_errors import NotSent
from events.redis_link import Link, Told, buffered
from events.scripts import SOURCES
from events.store import Unconfirmed
from tests.events.entries import entry
from tests.events.fake import Fake
from tests.events.proxy import Proxy
from tests.listening import SETTLED, Listening

SHA = next(iter(SOURCES))
PING = [("PING",)]
BOTH_LOOPS = True


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Fake]:
    async with Fake(str(tmp_path / "s"), b":1\r\n") as server:
        yield server


class Ended(asyncio.Event):
    """How an exchange that was begun has ended."""

    error: Exception | None = None

    def __call__(self, error: Exception | None) -> None:
        assert not self.is_set()
        self.error = error
        self.set()


async def begun(link: Link, commands: Any, replies: list[Any]) -> Exception | None:
    ended = Ended()
    assert link.begin(commands, replies, ended)
    assert not ended.is_set()
    await asyncio.wait_for(ended.wait(), 10)
    return ended.error


async def test_begins_where_a_connection_is_free(server: Fake) -> None:
    link = Link(server.url, 1, 5)
    assert not link.begin(PING, [], Ended())
    await link.exchange(PING, [])
    replies: list[Any] = ["before"]
    assert await begun(link, [*PING, *PING], replies) is None
    assert replies == ["before", 1, 1]
    ended = Ended()
    assert link.begin(PING, [], ended)
    assert not link.begin(PING, [], Ended())
    await link.exchange(PING, waited := [])
    assert ended.is_set() and waited == [1]
    assert server.connections == 1
    await link.aclose()


async def test_a_script_that_is_missing_is_loaded_by_the_next_exchange(server: Fake) -> None:
    link = Link(server.url, 1, 5)
    await link.exchange(PING, [])
    server.answers.extendleft([b":1\r\n", b"-NOSCRIPT no\r\n"])
    replies: list[Any] = ["before"]
    assert await begun(link, [("EVALSHA", SHA, 0), *PING], replies) is None
    assert isinstance(replies[1], ResponseError) and replies[2] == 1
    assert not link.begin(PING, [], Ended())
    await link.exchange(PING, [])
    assert server.asked(b"SCRIPT") == 1
    assert await begun(link, PING, []) is None
    await link.aclose()


async def test_nothing_has_left_where_the_script_cannot_be_loaded(
    server: Fake, tmp_path: Path
) -> None:
    async with Proxy(str(tmp_path / "p"), server.path) as proxy:
        link = Link(proxy.url, 1, 5)
        server.answers.appendleft(b"-NOSCRIPT no\r\n")
        await link.exchange([("EVALSHA", SHA, 0)], [])
        proxy.down = lambda data: "cut" if b"loaded" in data else "pass"
        asked = server.asked(b"PING")
        with pytest.raises(NotSent):
            await link.exchange(PING, [])
        assert server.asked(b"PING") == asked
        proxy.down = lambda data: "pass"
        await link.exchange(PING, [])
        assert server.asked(b"SCRIPT") == 2
        await link.aclose()


async def test_a_server_that_leaves_once_the_script_is_loaded(server: Fake) -> None:
    """Not waited for in vain, whichever is noticed first."""
    link = Link(server.url, 1, 60)
    server.answers.appendleft(b"-NOSCRIPT no\r\n")
    await link.exchange([("EVALSHA", SHA, 0)], [])
    server.last = b"SCRIPT"
    with pytest.raises((NotSent, BrokenConnection)):
        await asyncio.wait_for(link.exchange(PING, []), 10)
    await link.exchange(PING, replies := [])
    assert replies == [1] and server.connections == 2
    await link.aclose()


async def test_a_line_that_is_lost_once_the_script_is_loaded(
    server: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = Link(server.url, 1, 60)
    server.answers.appendleft(b"-NOSCRIPT no\r\n")
    await link.exchange([("EVALSHA", SHA, 0)], [])
    (pipe,) = link._pipes
    load = pipe.exchange

    async def then_lost(*words: Any) -> None:
        await load(*words)
        pipe.close()

    monkeypatch.setattr(pipe, "exchange", then_lost)
    with pytest.raises(NotSent):
        await link.exchange(PING, [])
    assert server.asked(b"SCRIPT") == 1 and server.asked(b"PING") == 0
    await link.aclose()


async def test_a_server_that_leaves_once_it_has_greeted(server: Fake) -> None:
    server.answers.appendleft(b"$0\r\n\r\n")
    server.last = b"INFO"
    link = Link(server.url, 1, 60, Told())
    with pytest.raises((NotSent, BrokenConnection)):
        await asyncio.wait_for(link.exchange(PING, []), 10)
    await link.aclose()


async def test_what_came_with_the_greeting_is_nobodys_answer(server: Fake) -> None:
    server.answers.extendleft([b":7\r\n", b"$0\r\n\r\n+somebody's\r\n"])
    link = Link(server.url, 1, 5, Told())
    with pytest.raises(NotSent):
        await link.exchange(PING, [])
    server.answers.appendleft(b"$0\r\n\r\n")
    await link.exchange(PING, replies := [])
    assert replies == [7]
    await link.aclose()


async def test_more_answers_than_questions_break_the_line(server: Fake) -> None:
    link = Link(server.url, 1, 5)
    server.answers.appendleft(b":1\r\n:2\r\n")
    replies: list[Any] = []
    with pytest.raises(Exception, match="nothing that was asked"):
        await link.exchange(PING, replies)
    assert replies == [1]
    await link.exchange(PING, replies := [])
    assert replies == [1] and server.connections == 2
    await link.aclose()


async def test_an_idle_line_that_is_cut_is_not_used_again(server: Fake, tmp_path: Path) -> None:
    async with Proxy(str(tmp_path / "p"), server.path) as proxy:
        link = Link(proxy.url, 1, 5)
        await link.exchange(PING, [])
    assert not link.begin(PING, [], Ended())
    with pytest.raises(NotSent):
        await link.exchange(PING, [])
    await link.aclose()


@pytest.mark.parametrize("rule", ["cut", "swallow"])
async def test_what_broke_is_told_and_the_room_given_back(
    server: Fake, tmp_path: Path, rule: str
) -> None:
    async with Proxy(str(tmp_path / "p"), server.path) as proxy:
        link = Link(proxy.url, 1, 0.3)
        await link.exchange(PING, [])
        proxy.down = lambda data: rule
        replies: list[Any] = []
        ended = Ended()
        assert link.begin(PING, replies, ended)
        waiting = asyncio.create_task(link.exchange(PING, later := []))
        await ended.wait()
        proxy.down = lambda data: "pass"
        wanted = BrokenConnection if rule == "cut" else TimeoutError
        assert isinstance(ended.error, wanted) and replies == []
        await asyncio.wait_for(waiting, 10)
        assert later == [1] and server.connections == 2
        await link.aclose()


@pytest.mark.parametrize("connected", [False, True], ids=["new", "free"])
@pytest.mark.parametrize("turns", range(5))
async def test_cancelled_at_every_await(server: Fake, turns: int, connected: bool) -> None:
    """Nobody gets another's answer, and no room is lost."""
    link = Link(server.url, 1, 5)
    if connected:
        await link.exchange(PING, [])
    server.answers.extendleft([b":2\r\n", b":1\r\n"])
    task = asyncio.create_task(link.exchange([("GET", "a")], []))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    server.answers.clear()
    server.answers.append(b":3\r\n")
    for _ in range(2):
        await asyncio.wait_for(link.exchange([("GET", "b")], replies := []), 10)
        assert replies == [3]
    await link.aclose()


async def test_what_cannot_be_sent_keeps_no_room(server: Fake) -> None:
    link = Link(server.url, 1, 5)
    await link.exchange(PING, [])
    ended = Ended()
    with pytest.raises(TypeError):
        link.begin([("SET", "x", object())], [], ended)
    with pytest.raises(TypeError):
        await link.exchange([("SET", "x", object())], [])
    await asyncio.wait_for(link.exchange(PING, replies := []), 10)
    assert replies == [1] and not ended.is_set()
    await link.aclose()


async def test_a_greeting_that_never_comes(tmp_path: Path) -> None:
    async with Fake(str(tmp_path / "s"), b"") as server:
        link = Link(server.url, 1, 0.05, Told())
        with pytest.raises(NotSent):
            await link.exchange(PING, [])
        task = asyncio.create_task(link.exchange(PING, []))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        gc.collect()
        await link.aclose()


@pytest.mark.parametrize("end", ["leave", "aclose"])
async def test_nothing_stays_open_at_a_link_that_has_ended(server: Fake, end: str) -> None:
    link = Link(server.url, 3, 5)
    await link.exchange(PING, [])
    ended = Ended()
    async with link.connection() as connection:
        assert link.begin(PING, [], ended)
        connecting = asyncio.create_task(link.exchange(PING, late := []))
        await asyncio.sleep(0)
        await getattr(link, end)()
        assert connection.is_connected is (end == "aclose")
    assert not connection.is_connected
    await asyncio.wait_for(asyncio.gather(connecting, ended.wait()), 10)
    assert late == [1]
    assert isinstance(ended.error, BrokenConnection) is (end == "leave")
    await link.exchange(PING, again := [])
    assert again == [1] and not link.begin(PING, [], Ended())
    assert all(pipe.lost for pipe in link._open_pipes)
    await link.aclose()


async def test_what_a_frozen_server_does_not_take_is_let_go(tmp_path: Path) -> None:
    """It is not kept for as long as the server is frozen."""
    async with Fake(str(tmp_path / "s"), b"") as server:
        link = Link(server.url, 1, 0.2)
        await link.exchange([("CLIENT", "ID")], [])
        (pipe,) = link._pipes
        server.awake.clear()
        with pytest.raises(TimeoutError):
            await link.exchange([("SET", "x", b"x" * 20_000_000)], [])
        await asyncio.sleep(SETTLED)
        assert pipe._transport.get_write_buffer_size() == 0
        server.awake.set()
        await link.aclose()


async def test_large_commands_and_replies(server: Fake) -> None:
    large = b"x" * 20_000_000
    server.answers.appendleft(b"$%d\r\n%b\r\n" % (len(large), large))
    link = Link(server.url, 1, 60)
    await link.exchange([("SET", "x", large), *PING], replies := [])
    assert replies == [large, 1]
    assert server.commands[0] == [b"SET", b"x", large]
    await link.aclose()


@pytest.mark.parametrize("broken", ["begin", "settle", "tell"])
async def test_an_error_of_our_own_leaves_no_append_waiting(
    server: Fake, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    heard: list[BaseException] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, what: heard.append(what["exception"])
    )

    def breaks(*_: Any) -> None:
        raise MemoryError

    link = Link(server.url, 1, 5)
    appender = Appender(link, 4, 5, accepted=breaks if broken == "tell" else lambda *_: None)
    await link.exchange(PING, [])
    if broken == "begin":
        monkeypatch.setattr(link, "begin", breaks)
    if broken == "settle":
        server.answers.appendleft(b":7\r\n")
    appends = [appender.append(match, entry(1), "lobby") for match in ("m", "n")]
    found = await asyncio.wait_for(asyncio.gather(*appends, return_exceptions=True), 10)
    assert isinstance(found[1], Unconfirmed)
    assert (found[0] is None) if broken == "tell" else isinstance(found[0], Unconfirmed)
    assert len(heard) == 1
    monkeypatch.undo()
    appender._accepted = lambda *_: None
    await asyncio.wait_for(appender.append("m", entry(1), "lobby"), 10)
    await asyncio.wait_for(appender.aclose(), 10)
    await appender.aclose()


async def test_nobody_sends_again_for_who_has_given_up(server: Fake) -> None:
    link = Link(server.url, 1, 5)
    appender = Appender(link, 4, 5)
    await link.exchange(PING, [])
    server.answers.extendleft([b"-TRYAGAIN later\r\n"] * 2)
    appends = [appender.append(match, entry(1), "lobby") for match in ("m", "n")]
    while appender._trying is None:  # noqa: ASYNC110 - what is waited for happens there
        await asyncio.sleep(0)
    appends[1].cancel()
    await asyncio.wait_for(appends[0], 10)
    await appender.aclose()
    sent = [words for words in server.commands if words[0] == b"EVALSHA"]
    assert sum(b"n" in words for words in sent) == 1


async def test_what_is_heard_ends_where_the_line_is_refused(server: Fake) -> None:
    server.answers.appendleft(b":1\r\n-LOADING the dataset\r\n")
    link = Link(server.url, 1, 5)
    async with link.connection() as connection:
        await connection.send_command("SUBSCRIBE", "x")
        assert await connection.read_response() == 1
        with pytest.raises(BusyLoadingError):
            list(buffered(connection))
        await connection.disconnect()
    await link.aclose()


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - day, now + day)
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    path.write_bytes(
        made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


async def test_over_tls_with_a_password(server: Fake, certified: ssl.SSLContext) -> None:
    """Also when it ends: no goodbye is waited for, and nothing is left open."""
    doors = Listening(server._serve)
    port = await doors.on("127.0.0.1", 0, certified)
    server.answers.extendleft([b":1\r\n", b"+OK\r\n"])
    link = Link(f"rediss://:word@127.0.0.1:{port}?ssl_cert_reqs=none", 1, 5)
    await link.exchange(PING, [])
    assert server.commands[0] == [b"AUTH", b"word"]
    large = b"x" * 1_000_000
    assert await begun(link, [("SET", "x", large), *PING], replies := []) is None
    assert replies == [1, 1]
    server.last = b"PING"
    await link.exchange(PING, [])
    (pipe,) = link._pipes
    async with asyncio.timeout(10):
        while not pipe.lost:  # noqa: ASYNC110 - what is waited for happens there
            await asyncio.sleep(0.001)
    server.answers.extendleft([b":1\r\n", b"+OK\r\n"])
    await link.exchange(PING, replies := [])
    assert replies == [1]
    (pipe,) = link._pipes
    await link.aclose()
    pipe.close()
    await doors.stop()
