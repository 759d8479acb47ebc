"""The toy game in the catalogue, and a store of each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from games import catalog
from tests.servers import opened, running
from tests.toy.pumpkin_patch.game import GAME


@pytest.fixture(autouse=True)
def toy_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.GAMES, GAME.id, GAME)


@pytest.fixture(scope="session", params=("memory", "redis", "valkey"))
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(request.param, tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Any]:
    async with opened(url) as store:
        yield store


@pytest.fixture
def memory() -> Any:
    from events.memory import MemoryStore

    return MemoryStore(4)
