"""Answers a second over HTTP and over sockets, against a bare endpoint doing one XADD."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from redis.asyncio import Redis
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.clients import (
    Http,
    Question,
    Seats,
    answered,
    decoded,
    fresh,
    next_option,
    play_http,
    seated,
)
from benchmarks.common import Row, compared, interleaved
from events.server import Server

CONNECTIONS = 32
SECONDS = 2.0
WAITING = 8
"""Matches that each connection has ready: more than it can play in that time."""

OURS, BARE = "*:match:*:log", "bare:*"
"""What the streams are called that each side writes."""

clock = time.perf_counter


class Running(NamedTuple):
    port: int
    pid: int

    def cpu(self) -> float:
        """Seconds of processor time so far; 0 where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Meter:
    """Processor time of a server for each answer it gave, over all rounds."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.seconds = 0.0
        self.answers = 0

    @contextmanager
    def round(self) -> Iterator[list[list[float]]]:
        before = self.server.cpu()
        took: list[list[float]] = []
        yield took
        self.seconds += self.server.cpu() - before
        self.answers += sum(map(len, took))

    def row(self, group: str, what: str, other: Meter | None = None) -> Row:
        each = self.seconds / max(1, self.answers) * 1e6
        ratio = None
        if other is not None and self.seconds:
            ratio = other.seconds / other.answers * 1e6 / each
        return Row(group, what, each, "us CPU", ratio=ratio, peer="bare" if ratio else "")


@contextmanager
def process(which: str, url: str) -> Iterator[Running]:
    """A server on a free port, until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "benchmarks.peers", which, str(port)]
    environment = {**os.environ, "REDIS_URL": url, "HALLOWSTREAM_DATA": os.path.dirname(url[7:])}
    running = subprocess.Popen(command, env=environment)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield Running(port, running.pid)
    finally:
        running.terminate()
        running.wait()


async def run(rounds: int) -> list[Row]:
    with (
        TemporaryDirectory() as folder,
        Server(Path(folder)) as server,
        process("ours", server.url) as ours,
    ):
        reply = Path(folder) / "reply.json"
        reply.write_bytes(await _reply_of(ours.port))
        os.environ["BENCH_REPLY"] = str(reply)
        with process("bare", server.url) as bare:
            return [
                *await _http(ours, bare, server.url, rounds),
                *await _sockets(ours, bare, rounds),
            ]


async def _reply_of(port: int) -> bytes:
    """The reply of middle size of a whole match, so that both sides send and read as much."""
    line = await Http(port).open()
    seats = await seated(line, 4)
    replies = []
    while seats.question is not None:
        replies.append(await answered(line, seats))
    line.close()
    return sorted(replies, key=len)[len(replies) // 2]


async def _entries(url: str, pattern: str) -> int:
    """How many entries the streams of that name hold by now."""
    async with Redis.from_url(url) as redis:
        found = [key async for key in redis.scan_iter(match=pattern, count=1000)]
        return sum([await redis.xlen(key) for key in found])


async def _http(ours: Running, bare: Running, url: str, rounds: int) -> list[Row]:
    mine, theirs = Meter(ours), Meter(bare)
    latencies: dict[str, list[float]] = {"ours": [], "bare": []}

    async def answers() -> float:
        ready = await asyncio.gather(*(_waiting(ours.port) for _ in range(CONNECTIONS)))
        lines = await _lines(ours.port)
        before = await _entries(url, OURS)
        begun = clock()
        with mine.round() as took:
            took += await asyncio.gather(
                *(
                    play_http(line, waiting, begun + SECONDS, clock)
                    for line, waiting in zip(lines, ready, strict=True)
                )
            )
        rate = sum(map(len, took)) / (clock() - begun)
        latencies["ours"] += [t for each in took for t in each]
        for line in lines:
            line.close()
        _all_written(await _entries(url, OURS) - before, took)
        return rate

    async def floor() -> float:
        lines = await _lines(bare.port)
        before = await _entries(url, BARE)
        begun = clock()
        with theirs.round() as took:
            took += await asyncio.gather(*(_bare_http(line, begun + SECONDS) for line in lines))
        rate = sum(map(len, took)) / (clock() - begun)
        latencies["bare"] += [t for each in took for t in each]
        for line in lines:
            line.close()
        _all_written(await _entries(url, BARE) - before, took)
        return rate

    sides = {"answers": answers, "bare FastAPI + XADD": floor}
    figures = await interleaved(sides, rounds)
    group = f"HTTP, {CONNECTIONS} connections"
    rows = compared(group, figures, "/s", "bare FastAPI + XADD", "0.75")
    rows += [mine.row(group, "ours, an answer", theirs), theirs.row(group, "bare, an answer")]
    for name, values in latencies.items():
        rows.append(
            Row(group, f"{name}, p99", _p99(values), "ms", good="30" if name == "ours" else "")
        )
    return rows


def _all_written(entries: int, took: list[list[float]]) -> None:
    """Every 200 stands for an entry. Raises RuntimeError where one does not."""
    replies = sum(map(len, took))
    if entries != replies:
        raise RuntimeError(f"{replies} replies for {entries} entries")


async def _lines(port: int) -> list[Http]:
    return [await Http(port).open() for _ in range(CONNECTIONS)]


async def _waiting(port: int) -> deque[Seats]:
    line = await Http(port).open()
    made = deque([await seated(line, 4) for _ in range(WAITING)])
    line.close()
    return made


async def _bare_http(line: Http, until: float) -> list[float]:
    took = []
    match = fresh()
    body = {"question": "12.3", "option": "put:GUM2:A", "seen": 12}
    while clock() < until:
        begun = clock()
        path = f"/v1/matches/{match}/answers"
        decoded(await line.send("POST", path, "x" * 50, fresh(), body))
        took.append(clock() - begun)
    return took


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[-1] * 1000


async def _sockets(ours: Running, bare: Running, rounds: int) -> list[Row]:
    mine, theirs = Meter(ours), Meter(bare)
    latencies: dict[str, list[float]] = {"ours": [], "bare": []}

    async def answers() -> float:
        http = await Http(ours.port).open()
        tables = [await seated(http, 2) for _ in range(CONNECTIONS)]
        pairs = [await _pair(ours.port, seats) for seats in tables]
        begun = clock()
        with mine.round() as took:
            took += await asyncio.gather(
                *(
                    _play(seats, pair, begun + SECONDS)
                    for seats, pair in zip(tables, pairs, strict=True)
                )
            )
        rate = sum(map(len, took)) / (clock() - begun)
        latencies["ours"] += [t for each in took for t in each]
        for pair in pairs:
            for connection in pair:
                await connection.close()
        http.close()
        return rate

    async def floor() -> float:
        url = f"ws://127.0.0.1:{bare.port}/v1/matches/"
        lines = [await connect(f"{url}{fresh()}/stream") for _ in range(CONNECTIONS)]
        begun = clock()
        with theirs.round() as took:
            took += await asyncio.gather(*(_bare_socket(line, begun + SECONDS) for line in lines))
        rate = sum(map(len, took)) / (clock() - begun)
        latencies["bare"] += [t for each in took for t in each]
        for line in lines:
            await line.close()
        return rate

    peer = "bare socket + XADD"
    figures = await interleaved({"answers, both seats told": answers, peer: floor}, rounds)
    group = f"sockets, {CONNECTIONS} matches"
    rows = compared(group, figures, "/s", peer)
    rows += [mine.row(group, "ours, an answer", theirs), theirs.row(group, "bare, an answer")]
    for name, values in latencies.items():
        rows.append(Row(group, f"{name}, p99", _p99(values), "ms"))
    return rows


async def _pair(port: int, seats: Seats) -> list[ClientConnection]:
    made = []
    for token in seats.tokens:
        connection = await connect(
            f"ws://127.0.0.1:{port}/v1/matches/{seats.match}/stream?after={seats.version}",
            additional_headers={"Authorization": f"Bearer {token}"},
        )
        hello = msgspec.json.decode(await connection.recv())
        if hello["question"] and "form" in hello["question"]:
            seats.question = msgspec.convert(hello["question"], Question)
        made.append(connection)
    return made


async def _play(seats: Seats, pair: list[ClientConnection], until: float) -> list[float]:
    """The asked seat answers over its socket; done when both sockets have the commit."""
    took: list[float] = []
    while seats.question is not None and clock() < until:
        question = seats.question
        message: dict[str, Any] = {
            "type": "answer",
            "id": fresh(),
            "question": question.id,
            "option": next_option(question),
            "seen": seats.version,
        }
        begun = clock()
        await pair[question.seats[0]].send(msgspec.json.encode(message).decode())
        told = [await _commit(connection, seats.version + 1) for connection in pair]
        took.append(clock() - begun)
        asked = [each.question for each in told if each.question is not None]
        formed = [question for question in asked if question.form is not None]
        seats.question = (formed or asked or [None])[0]
        seats.version += 1
    return took


class Told(msgspec.Struct):
    type: str = ""
    version: int = 0
    question: Question | None = None


_told = msgspec.json.Decoder(Told)


async def _commit(connection: ClientConnection, version: int) -> Told:
    while True:
        message = _told.decode(await connection.recv())
        if message.type == "commit" and message.version == version:
            return message
        if message.type == "refused":
            raise RuntimeError("an answer was refused")


async def _bare_socket(line: ClientConnection, until: float) -> list[float]:
    took = []
    message = {"type": "answer", "question": "12.3", "option": "put:GUM2:A", "seen": 12}
    while clock() < until:
        begun = clock()
        await line.send(msgspec.json.encode({**message, "id": fresh()}).decode())
        _told.decode(await line.recv())
        took.append(clock() - begun)
    return took
