"""Appends that count only once a replica has them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from events.redis_append import Appender
from events.redis_store import RedisStore
from events.server import Server
from events.store import Conflict, Unconfirmed
from tests.events.entries import entries, entry, filled
from tests.redis_nodes import free_ports
from tests.servers import PARTITIONS, binary


@pytest_asyncio.fixture(params=("redis", "valkey"))
async def pair(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[RedisStore, Server, RedisStore]]:
    """A store that wants one replica, its replica, and a store over that one."""
    made = binary(request.param)
    with Server(tmp_path / "a", made) as primary, Server(tmp_path / "b", made) as replica:
        store = await RedisStore.open(primary.url, PARTITIONS, 1.0, 20, replicas=1)
        copy = await RedisStore.open(replica.url, PARTITIONS)
        (port,) = free_ports(1)
        await store._link.call("CONFIG", "SET", "repl-diskless-sync-delay", "0")
        await store._link.call("CONFIG", "SET", "port", str(port))
        await copy._link.call("REPLICAOF", "127.0.0.1", str(port))
        async with asyncio.timeout(60):
            while b"state=online" not in await store._link.call("INFO", "replication"):  # noqa: ASYNC110 - it is the server that changes
                await asyncio.sleep(0.05)
        yield store, replica, copy
        await store.aclose()
        await copy.aclose()


async def test_an_append_counts_once_a_replica_has_it(
    pair: tuple[RedisStore, Server, RedisStore],
) -> None:
    store, _, copy = pair
    store._appender._patience = 60
    await asyncio.gather(*[filled(store, f"m{n}", 5) for n in range(5)])
    for n in range(5):
        assert await copy.read(f"m{n}") == entries(5, f"m{n}")


async def test_16_without_its_replica_nothing_is_confirmed(
    pair: tuple[RedisStore, Server, RedisStore],
) -> None:
    """Though the primary has it, and though it is asked again: never falsely "ok"."""
    store, replica, copy = pair
    store._appender._patience = 60
    await filled(store, "m", 1)
    assert replica.process is not None
    os.kill(replica.process.pid, signal.SIGSTOP)
    store._appender._patience = 1.2
    with pytest.raises(Unconfirmed, match="0 of 1"):
        await store.append("m", entry(2), "playing")
    assert len(await store.read("m")) == 2
    late = asyncio.create_task(store.append("m", entry(3), "playing"))
    store._appender._patience = 60
    waiting = asyncio.create_task(store.append("m", entry(4), "playing"))
    await asyncio.sleep(0.1)
    os.kill(replica.process.pid, signal.SIGCONT)
    await asyncio.gather(late, waiting)
    assert [one.version for one in await copy.read("m")] == [1, 2, 3, 4]
    with pytest.raises(Conflict):
        await store.append("m", entry(2), "playing")


class _Breaking:
    """A line that gives the reply of each script and breaks before that of WAIT."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def begin(self, *exchange: Any) -> bool:
        return False

    async def exchange(self, commands: Sequence[Any], replies: list[Any]) -> None:
        self.sent.append(commands)
        replies += [1 for command in commands if command[0] == "EVALSHA"]
        raise ConnectionError("cut, as by a primary that is one no more")

    async def aclose(self) -> None:
        """Nothing to give back."""


async def test_16_a_line_that_breaks_before_the_count_confirms_nothing() -> None:
    """A primary that is replaced drops its clients, some of them between these two replies."""
    line: Any = _Breaking()
    appender = Appender(line, PARTITIONS, patience=0.05, replicas=1)
    told = [appender.append(f"m{n}", entry(1), "lobby") for n in range(3)]
    for error in await asyncio.gather(*told, return_exceptions=True):
        assert isinstance(error, Unconfirmed)
    assert len(line.sent) > 1
    alone = Appender(line, PARTITIONS, patience=0.05)
    await alone.append("m", entry(1), "lobby")
