"""Fixtures: the toy game in the catalogue, an API in memory, an API behind a port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.services.api import Client, Running, in_memory, running, with_toy


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with with_toy():
        yield


@pytest.fixture
async def api() -> AsyncIterator[Client]:
    async with in_memory() as client:
        yield client


@pytest.fixture
async def live() -> AsyncIterator[Running]:
    async with running() as client:
        yield client
