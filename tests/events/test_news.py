"""What others are told of appends: gathered, the newest of each match, and nothing hangs on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from events.partitions import feed_key, partition
from events.redis_append import Appender
from events.redis_link import Link
from events.redis_news import News
from tests.events.entries import entry
from tests.events.fake import Fake
from tests.events.proxy import Proxy

TOLD = b":0\r\n"
BOTH_LOOPS = True


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Fake]:
    async with Fake(str(tmp_path / "s"), TOLD) as server:
        yield server


@pytest_asyncio.fixture
async def link(server: Fake) -> AsyncIterator[Link]:
    link = Link(server.url, 4, 5)
    yield link
    await link.aclose()


def told(server: Fake) -> list[tuple[bytes, ...]]:
    return [tuple(words[1:]) for words in server.commands if words[0] == b"PUBLISH"]


def said(match: str, version: int) -> tuple[bytes, ...]:
    return feed_key(partition(match, 4)).encode(), f"{version} {match}".encode()


async def until(true: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - what is waited for happens there
            await asyncio.sleep(0)


async def test_the_newest_of_each_match_in_one_piece(server: Fake, link: Link) -> None:
    news = News(link, 4)
    for version in (1, 2, 3):
        news.tell("m", version)
    news.tell("n", 7)
    news.tell("m", 2)
    await until(lambda: len(told(server)) == 2)
    assert told(server) == [said("m", 3), said("n", 7)]
    for version in range(4, 100):
        news.tell("m", version)
    assert told(server) == [said("m", 3), said("n", 7)]
    await until(lambda: len(told(server)) == 3)
    assert told(server)[2:] == [said("m", 99)]
    await news.aclose()


async def test_the_last_is_told_at_the_end(server: Fake, link: Link) -> None:
    """Also what comes up while the one before is told."""
    news = News(link, 4)
    news.tell("m", 1)
    await until(lambda: not news._untold)
    news.tell("m", 2)
    await news.aclose()
    assert told(server) == [said("m", 1), said("m", 2)]
    assert news._timer is None
    await news.aclose()


async def test_an_end_with_nothing_to_tell(server: Fake, link: Link) -> None:
    await News(link, 4).aclose()
    assert server.connections == 0


async def test_it_survives_a_line_that_breaks(server: Fake, tmp_path: Path) -> None:
    async with Proxy(str(tmp_path / "p"), server.path) as proxy:
        link = Link(proxy.url, 1, 5)
        news = News(link, 4)
        proxy.up = lambda data: "cut" if b"PUBLISH" in data else "pass"
        news.tell("m", 1)
        await until(lambda: proxy.cuts)
        proxy.up = lambda data: "pass"
        news.tell("m", 2)
        await until(lambda: len(told(server)) == 1)
        assert told(server) == [said("m", 2)]
        await news.aclose()
        await link.aclose()


async def frozen(server: Fake) -> tuple[Link, News]:
    """The first news is out, and the store does not answer."""
    server.answers.clear()
    server.answers.append(b"")
    link = Link(server.url, 4, 0.2)
    news = News(link, 4)
    news.tell("m", 1)
    await until(lambda: len(told(server)) == 1)
    return link, news


async def test_a_frozen_store_is_told_the_newest_when_it_is_back(server: Fake) -> None:
    """Meanwhile there is one of each match to keep, and one exchange out."""
    link, news = await frozen(server)
    for version in range(2, 1000):
        news.tell("m", version)
    assert len(news._untold) == 1 and server.connections == 1
    server.answers.append(TOLD)
    server.answers.popleft()
    await until(lambda: len(told(server)) == 2)
    assert told(server)[1:] == [said("m", 999)]
    await news.aclose()
    await link.aclose()


async def test_an_end_while_the_store_is_frozen(server: Fake) -> None:
    link, news = await frozen(server)
    news.tell("m", 2)
    await asyncio.wait_for(news.aclose(), 10)
    assert told(server) == [said("m", 1), said("m", 2)]
    await link.aclose()


async def test_an_error_of_our_own_does_not_end_it(
    server: Fake, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: heard.append(what))

    async def breaks(*_: Any) -> None:
        raise MemoryError

    news = News(link, 4)
    monkeypatch.setattr(link, "exchange", breaks)
    news.tell("m", 1)
    await asyncio.sleep(0.02)
    monkeypatch.undo()
    news.tell("m", 2)
    await until(lambda: len(told(server)) == 1)
    assert told(server) == [said("m", 2)]
    await news.aclose()


async def test_only_what_was_accepted_is_told(server: Fake) -> None:
    """A conflict is nobody's news; who gave up waiting has appended all the same."""
    refused = b"*2\r\n*4\r\n$1\r\n5\r\n$-1\r\n$-1\r\n$-1\r\n*0\r\n"
    server.answers.clear()
    server.answers.extend([refused, b":1\r\n", b":1\r\n"])
    heard: list[tuple[str, int]] = []
    appender = Appender(
        Link(server.url, 1, 5), 4, 5, accepted=lambda match, version: heard.append((match, version))
    )
    appends = [appender.append(match, entry(1), "lobby") for match in ("a", "b", "c")]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    appends[2].cancel()
    found = await asyncio.gather(*appends, return_exceptions=True)
    await appender.aclose()
    assert isinstance(found[0], Exception) and found[1] is None
    assert heard == [("b", 1), ("c", 1)]
