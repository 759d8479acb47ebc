"""Worker processes come, go, are killed and stand still while bots play; nothing is left undone."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest
from redis.asyncio import Redis

from games import sight
from projections.lobby import Lobby
from projections.shares import due
from projections.versions import Version
from services.settings import Settings
from services.wiring import Parts
from services.worker import GROUPS, PROJECTIONS
from tests import servers
from tests.events.proxy import Proxy
from tests.projections.matches import wrong, wrong_rows
from tests.services.api import Client, Made, in_memory, settings
from tests.services.cli.running import COMMAND, environment

GAME = "tricks-and-treats"
PARTITIONS = 8


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with servers.running("redis", tmp_path_factory.mktemp("scaling")) as found:
        yield found


@pytest.fixture
def chosen(url: str, tmp_path: Path) -> Settings:
    return settings(redis_url=url, partitions=PARTITIONS, data=tmp_path)


@pytest.fixture
async def api(url: str, chosen: Settings) -> AsyncIterator[Client]:
    async with Redis.from_url(url) as redis:
        await redis.flushall()
    parts = await Parts.open(chosen)
    try:
        async with in_memory(parts, chosen) as client:
            yield client
    finally:
        await parts.aclose()


class Workers:
    """Worker processes by name; those of all groups unless some are named."""

    def __init__(self, url: str, data: Path) -> None:
        self.data = data
        self.env = environment(
            REDIS_URL=url,
            HALLOWSTREAM_PARTITIONS=str(PARTITIONS),
            HALLOWSTREAM_DATA=str(data),
            HALLOWSTREAM_LEASE_SECONDS="1",
            HALLOWSTREAM_KEEPER_SECONDS="1",
        )
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, *names: str) -> None:
        for name in names:
            out = (self.data / f"{name}.txt").open("ab")
            command = [*COMMAND, "worker", "--name", name]
            self.running[name] = subprocess.Popen(command, env=self.env, stdout=out, stderr=out)
            out.close()

    def end(self, name: str, number: signal.Signals) -> None:
        """By its own will it ends well."""
        process = self.running.pop(name)
        process.send_signal(number)
        assert process.wait(20) == (0 if number is signal.SIGTERM else -number)

    def said(self, name: str) -> str:
        return (self.data / f"{name}.txt").read_text()


@pytest.fixture
def workers(url: str, tmp_path: Path) -> Iterator[Workers]:
    made = Workers(url, tmp_path)
    yield made
    for process in made.running.values():
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()


async def until(holds: Any, seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - what is waited for happens in the store
            await asyncio.sleep(0.05)


async def shared(store: Any, names: list[str]) -> bool:
    """In each group every partition has one of these workers, and each its due."""
    for group in GROUPS:
        holders = [lease.worker for lease in (await store.leases(group)).values()]
        for name in names:
            if holders.count(name) != due(sorted(names), name, PARTITIONS):
                return False
    return True


async def with_bots(api: Client, matches: int) -> list[Made]:
    made = []
    for _ in range(matches):
        match = await api.made(3, GAME)
        for seat in range(3):
            await api.post(f"{match.path}/seats/{seat}/bot", match.host)
        assert (await api.post(f"{match.path}/start", match.host)).status_code == 200
        made.append(match)
    return made


async def closed(store: Any, matches: list[Made]) -> bool:
    """Played to the end and closed, and every group has nothing left to do."""
    metas = await store.metas([match.id for match in matches])
    if any(meta.status != "closed" for meta in metas):
        return False
    return not any([await store.lag(group) for group in GROUPS])


async def right(store: Any, matches: list[Made]) -> None:
    """Every cell and row is what a fresh fold gives; no command is in a log twice."""
    recorded: list[Any] = [SimpleNamespace(id=match.id) for match in matches]
    for make in PROJECTIONS.values():
        assert await wrong(store, make(), recorded) == []
        assert await wrong_rows(store, make(), recorded) == []
        assert await store.parked(make().name) == {}
    for match in matches:
        entries = await store.read(match.id)
        ids = [sight.read(entry.facts)[4][0] for entry in entries]
        assert len(set(ids)) == len(ids)


async def test_out_to_three_and_in_to_one(api: Client, workers: Workers) -> None:
    store = api.desk.store
    workers.start("b")
    matches = await with_bots(api, 1)
    await until(lambda: shared(store, ["b"]))
    workers.start("a", "c")
    matches += await with_bots(api, 2)
    await until(lambda: shared(store, ["a", "b", "c"]))
    matches += await with_bots(api, 2)
    workers.end("a", signal.SIGTERM)
    workers.end("c", signal.SIGKILL)
    matches += await with_bots(api, 1)
    await until(lambda: shared(store, ["b"]))
    await until(lambda: closed(store, matches))
    await right(store, matches)
    workers.end("b", signal.SIGTERM)
    assert {lease.worker for g in GROUPS for lease in (await store.leases(g)).values()} == {""}


async def test_09_one_that_stood_still_for_longer_than_its_lease(
    api: Client, workers: Workers
) -> None:
    """Stopped in the middle of a match; another finishes that; then the first goes on."""
    store = api.desk.store
    workers.start("a")
    await until(lambda: shared(store, ["a"]))
    matches = await with_bots(api, 2)

    async def under_way() -> bool:
        return (await store.meta(matches[0].id)).version > 12

    await until(under_way)
    workers.running["a"].send_signal(signal.SIGSTOP)
    workers.start("b")
    await until(lambda: shared(store, ["b"]))
    await until(lambda: closed(store, matches))
    workers.running["a"].send_signal(signal.SIGCONT)
    matches += await with_bots(api, 1)
    await until(lambda: shared(store, ["a", "b"]))
    await until(lambda: closed(store, matches))
    await right(store, matches)
    assert "parked" not in workers.said("a") + workers.said("b")
    older = workers.running["b"]
    workers.start("b")
    assert await asyncio.to_thread(older.wait, 30) == 2, "the newer of two of one name works"
    assert "--name" in workers.said("b")


async def test_23_a_rebuild_that_is_killed_twice(
    api: Client, workers: Workers, url: str, tmp_path: Path
) -> None:
    """As processes, while bots play and a worker keeps both versions; the third is read from."""
    store = api.desk.store
    workers.start("w")
    matches = await with_bots(api, 2)
    await until(lambda: shared(store, ["w"]))
    command = [*COMMAND, "projections", "rebuild", "lobby", "--json"]
    for _ in range(2):
        async with _not_to_its_end(url, tmp_path) as line:
            slow = {**workers.env, "REDIS_URL": line.url}
            rebuild = await asyncio.create_subprocess_exec(*command, env=slow)
            await until(lambda: _at_it(store))
            rebuild.kill()
            await rebuild.wait()
        assert (await store.versions("lobby"))[:2] == (0, 1)
        matches += await with_bots(api, 1)
        await until(lambda: _let_go(store))
    done = await asyncio.to_thread(
        subprocess.run, command, env=workers.env, capture_output=True, check=True
    )
    report = msgspec.json.decode(done.stdout)
    assert report["version"] == 1 and report["matches"] == len(matches)
    await until(lambda: closed(store, matches))

    async def caught_up() -> bool:
        return await store.lag("lobby@1") == 0

    await until(caught_up)
    read: list[Any] = [SimpleNamespace(id=match.id) for match in matches]
    assert await wrong(store, Version(Lobby(), 1), read) == []
    assert await wrong_rows(store, Version(Lobby(), 1), read) == []
    listed = (await api.get("/v1/matches?status=over")).json()["items"]
    assert {match["match"] for match in listed} == {match.id for match in matches}


def _not_to_its_end(url: str, tmp_path: Path) -> Proxy:
    """A line to the store through which no rebuild swaps: it would be done before it is killed."""
    line = Proxy(str(tmp_path / "line"), unquote(url.removeprefix("unix://")))
    line.up = lambda data: "swallow" if b"\r\nswap\r\n" in data else "pass"
    return line


async def _at_it(store: Any) -> bool:
    """A rebuild has begun, and has not come to its end."""
    return (await store.versions("lobby")).building == 1 and not await _let_go(store)


async def _let_go(store: Any) -> bool:
    return not await store.workers("rebuild lobby")
