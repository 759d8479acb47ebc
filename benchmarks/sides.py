"""The two servers of `make bench-peers`, each started fresh for every run."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from redis import Redis

from benchmarks.api import process
from events.partitions import match_keys
from events.server import Server

FOLDER = Path(__file__).parent / "boardgameio"
PARTITIONS = 64


class Side(NamedTuple):
    """A running server: its ports, and the processes that are its price, by name."""

    kind: str
    ports: tuple[int, ...]
    pids: dict[str, int]
    url: str = ""

    def written(self, match: str) -> int:
        """The commits in the log of a match of ours."""
        with Redis.from_url(self.url) as redis:
            return int(redis.xlen(match_keys(match, PARTITIONS)[0]))


@contextmanager
def ours(fsync: str) -> Iterator[Side]:
    """The API in one process and a store of its own over a Unix socket."""
    with TemporaryDirectory() as folder, Server(Path(folder)) as server:
        with Redis.from_url(server.url) as redis:
            redis.config_set("appendfsync", fsync)
        assert server.process is not None
        with process("ours", server.url) as api:
            pids = {"api": api.pid, "redis": server.process.pid}
            yield Side("ours", (api.port,), pids, server.url)


@contextmanager
def boardgameio() -> Iterator[Side]:
    """boardgame.io in one process, its matches in memory."""
    ports = _free(), _free()
    environment = {**os.environ, "NODE_ENV": "production"}
    command = ["node", "server.js", *map(str, ports)]
    running = subprocess.Popen(command, cwd=FOLDER, env=environment, stdout=subprocess.DEVNULL)
    try:
        _until_up(running, ports[0])
        yield Side("boardgameio", ports, {"node": running.pid})
    finally:
        running.terminate()
        running.wait()


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_up(running: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(600):
        if running.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("boardgame.io's server does not start")
