"""Fixtures: the toy game in the catalogue, an API in memory, an API behind a port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import structlog

from tests.services.api import Client, Running, in_memory, running, with_toy


@pytest.fixture(autouse=True)
def quiet() -> None:
    """Nothing is logged but errors, and those without the values of variables; whatever app was
    made before, no logger keeps a stream that a later test may have closed."""
    structlog.reset_defaults()
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(40),
    )


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


@pytest.fixture(params=["fast", "usual"])
async def server(request: pytest.FixtureRequest) -> Any:
    more: dict[str, Any] = {} if request.param == "fast" else {"ws": "websockets-sansio"}
    async with running(**more) as client:
        yield client
