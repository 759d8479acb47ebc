"""Bytes that idle sockets and idle matches take: in the API's process and in Redis.

`HALLOWSTREAM_BENCH_SOCKETS` and `HALLOWSTREAM_BENCH_MATCHES` say how many; the figures each hardly
depend on it, but whether so many fit does. Matches are recorded ones under ids of their own.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from redis.asyncio import Redis

from benchmarks.api import Running, process
from benchmarks.clients import Http
from benchmarks.common import Row
from benchmarks.proc import memory
from benchmarks.recorded import record
from events.log import Entry
from events.partitions import feed_key
from events.redis_store import RedisStore
from events.server import Server
from games.catalog import GAMES
from services.vault import Grant, RedisVault
from services.worker import GROUPS

SOCKETS = int(os.environ.get("HALLOWSTREAM_BENCH_SOCKETS", "1000"))
MATCHES = int(os.environ.get("HALLOWSTREAM_BENCH_MATCHES", "2000"))
RECORDED, SEATS, AT_ONCE = 4, 4, 500
GAME = "tricks-and-treats"
WORKED = [name for name in GROUPS if name not in ("bots", "keeper")]
"""Groups that keep read models."""

SOURCES = 20
"""Addresses that sockets come from: one has ports for some 28,000."""


class Kind(NamedTuple):
    """Matches of one kind, cut from recorded ones to the first `part` of their commits."""

    name: str
    logs: list[list[Entry]]
    count: int
    letter: str

    def ids(self) -> list[str]:
        return [f"01K{self.letter}{number:022d}" for number in range(self.count)]


async def run() -> list[Row]:
    os.environ |= _settings()
    kinds = await _kinds()
    return [
        *await _at(lambda server, redis: _measured(server, redis, kinds)),
        *await _at(lambda server, redis: _projected(server, redis, kinds)),
    ]


async def _at(measure: Callable[[Server, Any], AsyncIterator[Row]]) -> list[Row]:
    """What is measured at a server of its own."""
    with TemporaryDirectory() as folder, Server(Path(folder)) as server:
        redis = Redis.from_url(server.url)
        await redis.config_set("appendfsync", "no")  # memory is measured here, not the disk
        try:
            rows = []
            async for row in measure(server, redis):
                print(f"{row.group}, {row.what}: {row.value:,.0f} {row.unit}", file=sys.stderr)
                rows.append(row)
            return rows
        finally:
            await redis.aclose()


def _settings() -> dict[str, str]:
    """Of the API: the keys of the recorded matches, all of them in memory, no limits."""
    keys = [random.Random(number).randbytes(32).hex() for number in range(RECORDED)]
    unlimited = ("CONNECTIONS_ADDRESS", "SOCKETS_ADDRESS")
    return {
        "HALLOWSTREAM_SERVER_KEYS": ",".join(keys),
        "HALLOWSTREAM_MATCHES_IN_MEMORY": "1000000",
        **{f"HALLOWSTREAM_{name}": "0" for name in unlimited},
    }


async def _measured(server: Server, redis: Any, kinds: list[Kind]) -> AsyncIterator[Row]:
    for kind in kinds:
        async for row in _stored(server, redis, kind):
            yield row
    with process("ours", server.url) as api:
        for kind in kinds:
            yield await _loaded(api, kind)
    with process("ours", server.url) as api:
        async for row in _sockets(api, kinds[1].ids()[: max(1, SOCKETS // SEATS)]):
            yield row


async def _kinds() -> list[Kind]:
    played = [await record(GAMES[GAME], SEATS, number, {}) for number in range(RECORDED)]
    return [
        Kind("a lobby, one seat taken", [log[:2] for log in played], MATCHES, "A"),
        Kind("a running match", [log[: len(log) // 2] for log in played], MATCHES // 2, "B"),
        Kind("a finished match", played, MATCHES // 20, "C"),
    ]


async def _stored(server: Server, redis: Any, kind: Kind) -> AsyncIterator[Row]:
    """Their logs and metas, and apart from these the references that feeds hold of them."""
    group = "memory in Redis"
    async with _opened(server) as (store, vault):
        before = await _used(redis)
        commits = await _fill(store, kind)
        filled = await _used(redis)
        for number in range(store.partitions):
            await redis.xtrim(feed_key(number), maxlen=0, approximate=False)
        logs = await _used(redis) - before
        yield Row(group, f"{kind.name}: its log", logs / kind.count, "bytes")
        yield Row(group, f"{kind.name}: commits", commits / kind.count, "")
        yield Row(group, "a reference in a feed", (filled - before - logs) / commits, "bytes")
        before = await _used(redis)
        for number, match in enumerate(kind.ids()[:1000]):
            for grant in (Grant("host", match), Grant("view", match), Grant("play", match, 0, "p")):
                await vault.grant(f"{kind.letter}{number:059d}{grant.scope}", grant)
        tokens = (await _used(redis) - before) / min(1000, kind.count) / 3
        yield Row(group, "a token", tokens, "bytes")


@asynccontextmanager
async def _opened(server: Server) -> AsyncIterator[tuple[RedisStore, RedisVault]]:
    store, vault = await RedisStore.open(server.url), RedisVault(server.url)
    try:
        yield store, vault
    finally:
        await store.aclose()
        await vault.aclose()


async def _used(redis: Any) -> int:
    return int((await redis.info("memory"))["used_memory"])


async def _fill(store: RedisStore, kind: Kind) -> int:
    """Append them all; how many commits that were."""
    waiting = iter(enumerate(kind.ids()))
    done = 0

    async def some() -> None:
        nonlocal done
        for number, match in waiting:
            log = kind.logs[number % RECORDED]
            for entry in log:
                await store.append(match, _renamed(entry, number % RECORDED, match), "playing")
            done += len(log)

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    return done


def _renamed(entry: Entry, number: int, match: str) -> Entry:
    """The commit in another match: its first names it, by an id of the same length."""
    facts = entry.facts.replace(f"01BENCH{number:019d}".encode(), match.encode())
    return Entry(entry.version, facts, entry.hidden, entry.head)


async def _loaded(api: Running, kind: Kind) -> Row:
    """What a match takes in the API once somebody has looked at it, in RSS."""
    http = await Http(api.port).open()
    ids = kind.ids()[:10_000]
    for match in ids[:50]:
        await http.send("GET", f"/v1/matches/{match}", "", "x" * 16, {})
    before = memory(api.pid)
    for match in ids[50:]:
        await http.send("GET", f"/v1/matches/{match}", "", "x" * 16, {})
    each = (memory(api.pid) - before) / max(1, len(ids) - 50)
    http.close()
    return Row("memory in the API", f"{kind.name}, loaded", each, "bytes", good="60000")


async def _sockets(api: Running, matches: list[str]) -> AsyncIterator[Row]:
    """Idle sockets: connected, greeted, and pinged once."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    http = await Http(api.port).open()
    for match in matches:
        await http.send("GET", f"/v1/matches/{match}", "", "x" * 16, {})
    before = memory(api.pid)
    begun = time.perf_counter()
    held = await asyncio.to_thread(_connected, api.port, matches)
    took = (time.perf_counter() - begun) / SOCKETS
    await _idle(held, 30)
    group = f"{SOCKETS:,} idle sockets"
    yield Row(group, "one of them", (memory(api.pid) - before) / SOCKETS, "bytes", good="40000")
    yield Row(group, "to connect one", took * 1e6, "us")
    http.close()
    http = await Http(api.port).open()
    begun = time.perf_counter()
    for match in matches[:100]:
        await http.send("GET", f"/v1/matches/{match}", "", "x" * 16, {})
    each = (time.perf_counter() - begun) / len(matches[:100])
    yield Row(group, "a view, asked for beside them", each * 1e6, "us")
    cpu = api.cpu()
    await _idle(held, 10)
    yield Row(group, "CPU while nothing happens", (api.cpu() - cpu) / 10 * 100, "%")
    for line in held:
        line.close()
    http.close()


def _connected(port: int, matches: list[str]) -> list[socket.socket]:
    held = []
    for number in range(SOCKETS):
        line = socket.socket()
        line.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        line.bind((f"127.0.0.{2 + number % SOURCES}", 0))
        line.connect(("127.0.0.1", port))
        path = f"/v1/matches/{matches[number % len(matches)]}/stream"
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
        )
        reply = line.recv(4096)
        if b" 101 " not in reply:
            raise RuntimeError(f"socket {number}: {reply[:200]!r}")
        line.setblocking(False)
        held.append(line)
        if number % 500 == 0:
            _check(held)
    return held


async def _idle(held: list[socket.socket], seconds: int) -> None:
    for _ in range(seconds // 5):
        await asyncio.sleep(5)
        _check(held)


def _check(held: list[socket.socket]) -> None:
    still = [_still(line) for line in held]  # every one of them, that its ping is answered
    if not all(still):
        raise RuntimeError(f"{still.count(False)} of {len(held)} sockets were closed")


def _still(line: socket.socket) -> bool:
    """Whether it is open: frames wait to be read, and no end of them. Answers pings as it goes."""
    try:
        while part := line.recv(65_536):
            if b"\x89\x04" in part:
                line.send(b"\x8a\x84\0\0\0\0" + part[part.index(b"\x89\x04") + 2 :][:4])
    except BlockingIOError:
        return True
    return False


async def _projected(server: Server, redis: Any, kinds: list[Kind]) -> AsyncIterator[Row]:
    """What the read models keep of a match, once the workers are through."""
    for kind in kinds:
        few = kind._replace(count=min(500, MATCHES))
        async with _opened(server) as (store, _):
            await _fill(store, few)
            before = await _used(redis)
            with _worker(server):
                for group in WORKED:
                    await _through(store, group)
            each = (await _used(redis) - before) / few.count
        yield Row("memory in Redis", f"{kind.name}: its read models", each, "bytes")


async def _through(store: RedisStore, group: str) -> None:
    for _ in range(600):
        if not await store.lag(group):
            return
        await asyncio.sleep(1)
    raise RuntimeError(f"the workers do not get through with {group}")


@contextmanager
def _worker(server: Server) -> Iterator[None]:
    groups = [f"--group={name}" for name in WORKED]
    command = [sys.executable, "-m", "services.cli", "worker", *groups, "--name", "bench"]
    environment = {**os.environ, "REDIS_URL": server.url, "HALLOWSTREAM_LOG_LEVEL": "error"}
    worker = subprocess.Popen(command, env=environment)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait()
