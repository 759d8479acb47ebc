"""`make bench-growth`: rate and latency as matches, their logs and the workers grow in number.

Answers over HTTP, 32 connections at most, fsync always. Matches are played round-robin, so each
answer meets another match than the one before; long logs come about by going back again and again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
from redis.asyncio import Redis

from benchmarks.api import Running, process
from benchmarks.clients import Http, Seats, answered, decoded, fresh, seated
from benchmarks.common import Row, save, show
from benchmarks.proc import memory
from events.partitions import match_keys
from events.redis_store import RedisStore
from events.server import Server

CONNECTIONS = 32
PARTITIONS = 64
ADMIN = "an admin key for a benchmark alone"
GROUPS = ("views", "lobby", "inbox", "summary")
clock = time.perf_counter


class Place(NamedTuple):
    """A store and an API on it."""

    server: Server
    api: Running
    folder: Path


@contextmanager
def place() -> Iterator[Place]:
    with TemporaryDirectory() as folder, Server(Path(folder)) as server:
        os.environ["HALLOWSTREAM_ADMIN_KEY"] = ADMIN
        with process("ours", server.url) as api:
            yield Place(server, api, Path(folder))


class Played(NamedTuple):
    """Answers a second, and what each took, in seconds."""

    rate: float
    took: list[float]

    def rows(self, group: str, what: str) -> list[Row]:
        """A rate, p50 and p99 in ms."""
        p99 = quantiles(self.took, n=100)[-1]
        return [
            Row(group, f"{what}: answers", self.rate, "/s"),
            Row(group, f"{what}: p50", median(self.took) * 1000, "ms"),
            Row(group, f"{what}: p99", p99 * 1000, "ms"),
        ]


@asynccontextmanager
async def opened(port: int, lines: int) -> AsyncIterator[list[Http]]:
    """Connections for one use: the server closes those that are idle."""
    made = [await Http(port).open() for _ in range(lines)]
    try:
        yield made
    finally:
        for line in made:
            line.close()


async def made(lines: list[Http], count: int) -> list[Seats]:
    """So many running matches for two."""
    left = iter(range(count))

    async def some(line: Http) -> list[Seats]:
        return [await seated(line, 2) for _ in left]

    return [seats for part in await asyncio.gather(*map(some, lines)) for seats in part]


async def played(lines: list[Http], matches: deque[Seats], seconds: float) -> Played:
    """One answer in each match in turn. One that ends is replaced; its making is not counted."""
    took: list[float] = []
    until = clock() + seconds

    async def one(line: Http) -> float:
        made_in = 0.0
        while matches and clock() < until:
            seats = matches.popleft()
            begun = clock()
            await answered(line, seats)
            took.append(clock() - begun)
            if seats.question is None:
                begun = clock()
                seats = await seated(line, 2)
                made_in += clock() - begun
            matches.append(seats)
        return made_in

    begun = clock()
    made_in = await asyncio.gather(*map(one, lines))
    return Played(len(took) / (clock() - begun - sum(made_in) / len(lines)), took)


async def by_matches(sizes: list[int], seconds: float) -> list[Row]:
    rows: list[Row] = []
    with place() as here:
        matches: deque[Seats] = deque()
        for size in sizes:
            async with opened(here.api.port, CONNECTIONS) as lines:
                matches.extend(await made(lines, size - len(matches)))
            # More than there are matches would only wait for each other.
            async with opened(here.api.port, min(size, CONNECTIONS)) as lines:
                run = await played(lines, matches, seconds)
            rows += run.rows("running matches", f"{size:,}")
            held = memory(here.api.pid) / 2**20
            rows.append(Row("running matches", f"{size:,}: API's memory", held, "MiB"))
    return rows


async def by_events(lengths: list[int], answers: int) -> list[Row]:
    """A match of each length: answers on it, and its first view in another process."""
    rows: list[Row] = []
    with place() as here, process("ours", here.server.url) as other:
        store = await RedisStore.open(here.server.url)
        for length in lengths:
            async with opened(here.api.port, 1) as (line,):
                seats = await seated(line, 2)
                events = await _grown(line, store, seats, length)
                held = await _held(here.server.url, seats.match)
                cold = await _cold(other.port, await seated(line, 2), seats)
                run = await _answers(line, seats, answers)
            what = f"{length:,}"
            rows += run.rows("events in a match", what)[1:]
            rows.append(Row("events in a match", f"{what}: cold view", cold * 1000, "ms"))
            rows.append(Row("events in a match", f"{what}: an event", held / events, "bytes"))
        await store.aclose()
    return rows


async def _cold(port: int, first: Seats, seats: Seats) -> float:
    """Seconds until the view is there, after that of another match."""
    async with opened(port, 1) as (line,):
        for match in (first.match, seats.match):
            begun = clock()
            await line.send("GET", f"/v1/matches/{match}", "", fresh(), None)
        return clock() - begun


async def _held(url: str, match: str) -> int:
    """Bytes of the match's log in Redis."""
    async with Redis.from_url(url) as redis:
        return int(await redis.memory_usage(match_keys(match, PARTITIONS)[0], samples=0) or 0)


async def _grown(line: Http, store: RedisStore, seats: Seats, length: int) -> int:
    """Plays and goes back until the log holds so many events; how many it holds."""
    start, events, read = seats.version, 0, 0
    while events < length:
        for _ in range(40):
            await answered(line, seats)
        await _back(line, seats, start)
        for entry in await store.read(seats.match, read):
            read = entry.version
            events += len(msgspec.msgpack.decode(entry.facts)[5])
    return events


async def _back(line: Http, seats: Seats, to: int) -> None:
    path = f"/v1/matches/{seats.match}/revert"
    reply = decoded(await line.send("POST", path, ADMIN, fresh(), {"to": to}))
    assert reply.view.game is not None
    seats.question, seats.version = reply.view.game.question, reply.version


async def _answers(line: Http, seats: Seats, answers: int) -> Played:
    """Answers in turn; where a match comes near its end it goes back, which is not counted."""
    took: list[float] = []
    start = seats.version
    while len(took) < answers:
        for _ in range(40):
            begun = clock()
            await answered(line, seats)
            took.append(clock() - begun)
        await _back(line, seats, start)
    return Played(0.0, took)


@contextmanager
def worker(here: Place) -> Iterator[int]:
    """A worker process for the read models; its pid."""
    groups = [word for group in GROUPS for word in ("--group", group)]
    command = [sys.executable, "-m", "services.cli", "worker", *groups]
    data = {"REDIS_URL": here.server.url, "HALLOWSTREAM_DATA": str(here.folder)}
    quiet = {"HALLOWSTREAM_LOG_LEVEL": "warning"}
    running = subprocess.Popen(command, env={**os.environ, **data, **quiet})
    try:
        yield running.pid
    finally:
        running.terminate()
        running.wait()


async def by_workers(most: int, seconds: float) -> list[Row]:
    """Answers while so many workers fold, and how long they go on after the last."""
    rows: list[Row] = []
    for count in range(1, most + 1):
        with place() as here, ExitStack() as workers:
            for _ in range(count):
                workers.enter_context(worker(here))
            async with opened(here.api.port, CONNECTIONS) as lines:
                matches = deque(await made(lines, 200))
            await _caught_up(here)
            async with opened(here.api.port, CONNECTIONS) as lines:
                run = await played(lines, matches, seconds)
            behind = await _caught_up(here)
        rows += run.rows("workers", f"{count}")
        rows.append(Row("workers", f"{count}: until all is folded", behind, "s"))
    return rows


async def _caught_up(here: Place) -> float:
    """Seconds until no group lags."""
    store = await RedisStore.open(here.server.url)
    begun = clock()
    try:
        for _ in range(20_000):
            if not any([await store.lag(group) for group in GROUPS]):
                break
            await asyncio.sleep(0.05)
    finally:
        await store.aclose()
    return clock() - begun


async def growth(matches: list[int], events: list[int], workers: int, seconds: float) -> list[Row]:
    rows = await by_matches(matches, seconds) if matches else []
    rows += await by_events(events, 400) if events else []
    return rows + (await by_workers(workers, seconds) if workers else [])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--matches", type=int, nargs="*", default=[1, 10, 100, 1_000, 10_000])
    parser.add_argument("--events", type=int, nargs="*", default=[100, 500, 1_000, 2_000, 5_000])
    parser.add_argument("--workers", type=int, default=4, help="measured with 1 to so many")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    given = parser.parse_args()
    rows = asyncio.run(growth(given.matches, given.events, given.workers, given.seconds))
    show(rows)
    print(f"written to {save(rows)}")


if __name__ == "__main__":
    main()
