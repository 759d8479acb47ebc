"""17: every error that Redis may answer is taken for what it is: try again, wait, or give up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from redis import exceptions

from events.redis_append import Appender
from events.redis_errors import NotSent, code, in_doubt, told, verdict
from events.redis_link import Link
from events.store import Corrupt, Unavailable
from tests.events.entries import entry
from tests.events.fake import Fake

OK = b":1\r\n"

MENDS = [
    b"-NOSCRIPT No matching script.\r\n",
    b"-LOADING Redis is loading the dataset in memory\r\n",
    b"-READONLY You can't write against a read only replica.\r\n",
    b"-CLUSTERDOWN The cluster is down\r\n",
    b"-MASTERDOWN Link with MASTER is down\r\n",
    b"-TRYAGAIN Multiple keys request during rehashing of slot\r\n",
    b"-NOREPLICAS Not enough good replicas to write.\r\n",
    b"-BUSY Redis is busy running a script.\r\n",
]
STAYS = [
    b"-MISCONF Redis is configured to save RDB snapshots\r\n",
    b"-OOM command not allowed when used memory > 'maxmemory'.\r\n",
    b"-NOPERM this user has no permissions\r\n",
    b"-NOAUTH Authentication required.\r\n",
    b"-WRONGPASS invalid username-password pair\r\n",
    b"-MOVED 1234 127.0.0.1:7001\r\n",
    b"-ERR something new\r\n",
]


def _word(error: bytes) -> str:
    return error[1:].split(b" ")[0].decode()


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Fake]:
    return lambda *answers: Fake(str(tmp_path / "s"), *answers)


@pytest.mark.parametrize("error", MENDS, ids=_word)
async def test_17_what_mends_is_waited_for(fake: Callable[..., Fake], error: bytes) -> None:
    async with fake(error, error, OK) as server:
        appender = Appender(Link(server.url, 1, 1), 4, 2)
        await appender.append("m", entry(1), "lobby")
        assert server.asked(b"EVALSHA") == 3
        assert server.asked(b"SCRIPT") == (2 if b"NOSCRIPT" in error else 0)
        await appender.aclose()


@pytest.mark.parametrize("error", MENDS, ids=_word)
async def test_17_but_not_for_ever(fake: Callable[..., Fake], error: bytes) -> None:
    """Nothing was written, and the caller may say so."""
    async with fake(error) as server:
        appender = Appender(Link(server.url, 1, 1), 4, 0.1)
        with pytest.raises(Unavailable, match=_word(error)):
            await appender.append("m", entry(1), "lobby")
        await appender.aclose()


@pytest.mark.parametrize("error", STAYS, ids=_word)
async def test_17_what_stays_is_told_at_once(fake: Callable[..., Fake], error: bytes) -> None:
    async with fake(error, OK) as server:
        appender = Appender(Link(server.url, 1, 1), 4, 2)
        with pytest.raises(Unavailable):
            await appender.append("m", entry(1), "lobby")
        assert server.asked(b"EVALSHA") == 1
        await appender.append("m", entry(1), "lobby")
        await appender.aclose()


@pytest.mark.parametrize("error", [b"-CORRUPT log and meta\r\n", b"-WRONGTYPE kind\r\n"])
async def test_17_what_is_broken_is_corrupt(fake: Callable[..., Fake], error: bytes) -> None:
    async with fake(error) as server:
        appender = Appender(Link(server.url, 1, 1), 4, 2)
        with pytest.raises(Corrupt):
            await appender.append("m", entry(1), "lobby")
        await appender.aclose()


@pytest.mark.parametrize("error", MENDS, ids=_word)
async def test_17_questions_wait_too(fake: Callable[..., Fake], error: bytes) -> None:
    async with fake(error, b"$1\r\n7\r\n") as server:
        link = Link(server.url, 1, 1)
        command = ("EVALSHA", next(iter(_known())), 0) if b"NOSCRIPT" in error else ("GET", "x")
        assert await link.call(*command) == b"7"
        await link.aclose()


async def test_17_what_breaks_a_connection_does_so_in_one_piece_with_others_too(
    fake: Callable[..., Fake],
) -> None:
    loading = b"-LOADING Redis is loading the dataset in memory\r\n"
    async with fake(OK + loading, b"", OK + b"-ERR no\r\n", b"", OK) as server:
        link = Link(server.url, 1, 1)
        replies: list[object] = []
        with pytest.raises(exceptions.BusyLoadingError):
            await link.exchange([("GET", "a"), ("GET", "b")], replies)
        assert replies == [1]
        await link.exchange([("GET", "a"), ("GET", "b")], replies := [])
        assert replies[0] == 1 and isinstance(replies[1], exceptions.ResponseError)
        assert await link.call("GET", "c") == 1
        assert server.connections == 2
        await link.aclose()


def _known() -> dict[str, str]:
    from events.scripts import SOURCES

    return SOURCES


@pytest.mark.parametrize("error", [*STAYS, MENDS[1]], ids=_word)
async def test_17_questions_end_as_unavailable(fake: Callable[..., Fake], error: bytes) -> None:
    async with fake(error) as server:
        link = Link(server.url, 1, 1)
        with pytest.raises(Unavailable):
            await link.call("GET", "x")
        assert await link.many([]) == []
        await link.aclose()


def test_doubt_is_about_what_left() -> None:
    assert in_doubt(exceptions.ConnectionError("reset"))
    assert in_doubt(TimeoutError())
    assert not in_doubt(NotSent("refused"))
    assert not in_doubt(exceptions.BusyLoadingError("loading"))


def test_a_cause_is_looked_at() -> None:
    refused = NotSent("no")
    refused.__cause__ = exceptions.AuthenticationError("wrong password")
    assert (code(refused), verdict(refused)) == ("NOAUTH", "fail")
    assert verdict(NotSent()) == "wait"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (exceptions.OutOfMemoryError("command not allowed"), "OOM: command not allowed"),
        (exceptions.ResponseError("MISCONF no disk"), "MISCONF no disk"),
        (exceptions.ResponseError("unknown command 'TIME'"), "unknown command 'TIME'"),
        (exceptions.ConnectionError("refused"), "refused"),
        (exceptions.TimeoutError(), "TimeoutError"),
    ],
)
def test_words_for_people(error: Exception, words: str) -> None:
    assert told(error) == words
