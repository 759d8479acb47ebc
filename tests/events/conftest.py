"""One server of each kind for the whole session, and an empty store for each test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import uvloop

from tests.servers import KINDS, opened, running

Loops = Mapping[str, Callable[[], asyncio.AbstractEventLoop]]


def pytest_asyncio_loop_factories(item: pytest.Item) -> Loops:
    """Tests of a module that says BOTH_LOOPS run on each that a process may run on."""
    if getattr(getattr(item, "module", None), "BOTH_LOOPS", False):
        return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
    return {"asyncio": asyncio.new_event_loop}


@pytest.fixture(scope="session", params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(request.param, tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.fixture(scope="session", params=("redis", "valkey"))
def server_url(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Of a real server, for what no memory has."""
    with running(request.param, tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Any]:
    async with opened(url) as store:
        yield store


@pytest_asyncio.fixture
async def redis_store(server_url: str) -> AsyncIterator[Any]:
    async with opened(server_url) as store:
        yield store
