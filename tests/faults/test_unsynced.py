"""Everything killed at once, and what was not synced is gone: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from events.redis_store import RedisStore
from events.server import Server
from tests.events.entries import entry
from tests.faults.checks import acknowledged
from tests.faults.logs import Logs
from tests.faults.run import Shape, counts, run
from tests.faults.stores import Standalone
from tests.faults.unsynced import Unsynced
from tests.faults.verdict import violations
from tests.servers import PARTITIONS


async def _written(server: Server, matches: int, versions: int) -> None:
    """So many acknowledged appends."""
    store = await RedisStore.open(server.url, PARTITIONS)

    async def one(match: str) -> None:
        for version in range(1, versions + 1):
            await store.append(match, entry(version, match), "playing")

    await asyncio.gather(*[one(f"m{n}") for n in range(matches)])
    await store.aclose()


async def _kept(server: Server, matches: int) -> list[int]:
    store = await RedisStore.open(server.url, PARTITIONS)
    versions = [len(await store.read(f"m{n}")) for n in range(matches)]
    await store.aclose()
    return versions


@pytest.mark.parametrize("kind", ["redis", "valkey"])
@pytest.mark.parametrize("fsync", ["always", "everysec", "no"])
async def test_fc18_only_always_keeps_what_it_acknowledged(
    kind: str, fsync: str, tmp_path: Path
) -> None:
    """The other two are there to show that this way of looking sees a loss."""
    unsynced = Unsynced(tmp_path)
    server = Server(tmp_path / "redis", unsynced.server(kind, "--appendfsync", fsync))
    with server:
        await _written(server, 8, 10)
        server.kill()
        gone = unsynced.drop(server.directory)
        server.start()
        kept = await _kept(server, 8)
    assert (gone == 0 and kept == [10] * 8) is (fsync == "always"), f"{gone} bytes, {kept}"


async def test_fc18_killing_everything_at_once_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """API, workers and store die at one moment in the middle of play, and start again."""
    unsynced = Unsynced(tmp_path)
    store = Standalone(tmp_path / "redis", unsynced.server("redis"))
    dropped: list[int] = []

    def between() -> None:
        dropped.append(unsynced.drop(store.server.directory))

    shape = Shape(2.0, 10, 2, 1, only=("none",), killed=True, least=80)
    history = await run(18, shape, store, tmp_path, between)
    assert counts(history)["ok"] >= 80 and len(dropped) == 1
    assert list(acknowledged(history, Logs.of(history))) == []
    assert violations(history) == []
