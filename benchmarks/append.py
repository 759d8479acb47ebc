"""The append script against a one-line script doing one XADD of the same bytes, fsync always."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from benchmarks.common import Row, compared, interleaved
from events.entries import pack
from events.log import Entry, Seal, append, genesis, sealer
from events.redis_append import Appender, _Append
from events.redis_link import Link
from events.redis_store import RedisStore
from events.server import Server

BYTES = 300
SECONDS = 0.8
ONE_LINE = "return redis.call('XADD', KEYS[1], '*', 'c', ARGV[1])"


class _Plain(_Append):
    """Whatever the reply, it is done."""

    def settle(self, reply: Any) -> None:
        self.done.set_result(None)


class OneLine(Appender):
    """Our own client, batches and all, around the one-line script."""

    sha = hashlib.sha1(ONE_LINE.encode()).hexdigest()

    async def append(self, match: str, entry: Entry, status: str) -> None:
        command = ("EVALSHA", self.sha, 1, f"one:{match}", pack(entry))
        item = _Plain(match, entry, command, time.monotonic() + 10)
        self._queue.append(item)
        if self._pump is None:
            self._pump = asyncio.create_task(self._run())
        await item.done


async def rate(tasks: int, one: Callable[[int, int], Awaitable[object]]) -> float:
    """Calls a second of `one(task, number)`, each task one after another."""
    until = time.perf_counter() + SECONDS
    done = [0] * tasks

    async def loop(task: int) -> None:
        while time.perf_counter() < until:
            await one(task, done[task])
            done[task] += 1

    begun = time.perf_counter()
    await asyncio.gather(*(loop(task) for task in range(tasks)))
    return sum(done) / (time.perf_counter() - begun)


def entry_of(head: bytes, version: int, seal: Seal) -> Entry:
    return append(head, version, os.urandom(BYTES), (), seal)


async def run(rounds: int) -> list[Row]:
    with TemporaryDirectory() as folder, Server(Path(folder)) as server:
        rows = []
        for tasks in (1, 32):
            rows += await _run(server, tasks, rounds)
        rows += _redis_benchmark(server)
        return rows


async def _run(server: Server, tasks: int, rounds: int) -> list[Row]:
    store = await RedisStore.open(server.url)
    pool = BlockingConnectionPool.from_url(
        server.url, max_connections=tasks, retry=Retry(NoBackoff(), 0)
    )
    redis = Redis(connection_pool=pool)
    await redis.script_load(ONE_LINE)
    one_line = OneLine(Link(server.url, 1, 5.0), 64, 5.0)
    turn = iter(range(1_000_000))

    async def ours() -> float:
        number = next(turn)
        heads = [genesis(f"{number}.{task}", "bench", "1") for task in range(tasks)]
        seal = sealer(bytes(32), "bench")

        async def one(task: int, version: int) -> None:
            match = f"01BENCH{tasks:03d}{number:06d}{task:010d}"
            entry = entry_of(heads[task], version + 1, seal)
            heads[task] = entry.head
            await store.append(match, entry, "playing")

        return await rate(tasks, one)

    async def scripted() -> float:
        number = next(turn)
        seal = sealer(bytes(32), "bench")

        async def one(task: int, version: int) -> None:
            entry = entry_of(bytes(32), version + 1, seal)
            await one_line.append(f"{number}.{task}", entry, "playing")

        return await rate(tasks, one)

    async def bare() -> float:
        number = next(turn)

        async def one(task: int, version: int) -> None:
            await redis.xadd(f"bare:{number}:{task}", {"c": os.urandom(BYTES)})

        return await rate(tasks, one)

    try:
        sides = {"append": ours, "one-line script": scripted, "bare XADD, redis-py": bare}
        figures = await interleaved(sides, rounds)
    finally:
        await store.aclose()
        await one_line.aclose()
        await redis.aclose()
    return compared(f"append, {tasks} at once", figures, "/s", "one-line script", "0.55")


def _redis_benchmark(server: Server) -> list[Row]:
    """What the server's own tool reaches, for orientation."""
    tool = shutil.which("redis-benchmark")
    if tool is None:
        return []
    command = [tool, "-s", str(server.socket), "-c", "32", "-n", "20000", "-q", "-d", str(BYTES)]
    done = subprocess.run(
        [*command, "XADD", "rb", "*", "c", "x" * BYTES], capture_output=True, text=True, check=True
    )
    found = re.findall(r"([\d.]+) requests per second", done.stdout)
    return [Row("append, 32 at once", "redis-benchmark XADD", float(found[-1]), "/s")]
