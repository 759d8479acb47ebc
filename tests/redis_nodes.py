"""One Redis or Valkey process of a test: started, asked, killed, stopped, cut off."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from tests.partition import HOST, Network

PATIENCE = 60.0


class Node:
    """Others know it by `port`; its own calls come from `home` where the network can be cut."""

    def __init__(self, path: str, directory: Path, port: int, words: Sequence[str]) -> None:
        self.path = path
        self.directory = directory
        self.port = port
        self.words = list(words)
        self.home = HOST
        self.network: Network | None = None
        self.id = secrets.token_hex(20)
        self.process: subprocess.Popen[bytes] | None = None
        self._hangs = False

    def __repr__(self) -> str:
        return f"<{self.directory.name} on {self.port}>"

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}"

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """With the data of the last time, if there was one."""
        with (self.directory / "server.log").open("ab") as log:
            command = [self.path, *self.words]
            self.process = subprocess.Popen(
                command, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def ready(self) -> None:
        """Waits until it answers, its data loaded."""
        wait_for(lambda: self._answers(), f"{self!r} answers")

    def _answers(self) -> bool:
        assert self.alive, f"{self!r} ended: {(self.directory / 'server.log').read_text()[-500:]}"
        return bool(self.ask("PING"))

    def ask(self, *words: str | int) -> Any:
        """The reply; an error or no answer is None."""
        if self._hangs:
            return None
        try:
            with self.client() as client:
                return client.execute_command(*words)
        except (RedisError, OSError):
            return None

    def client(self) -> Any:
        return Redis(host=HOST, port=self.port, protocol=2, socket_timeout=5)

    def info(self) -> dict[str, Any]:
        """Of its replication; empty where it does not answer."""
        return dict(self.ask("INFO", "replication") or {})

    def kill(self) -> None:
        """As a crash would."""
        self._hangs = False
        self._send(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def stop(self) -> None:
        """It hangs, until `go_on`."""
        self._hangs = True
        self._send(signal.SIGSTOP)

    def go_on(self) -> None:
        self._hangs = False
        self._send(signal.SIGCONT)

    def _send(self, number: int) -> None:
        if self.alive:
            assert self.process is not None
            self.process.send_signal(number)

    def cut(self) -> None:
        """Other servers and it hear nothing of each other, until `heal`; clients reach it."""
        assert self.network is not None, "made without `parted=True`"
        self.network.cut(self.home)

    def heal(self) -> None:
        if self.network is not None:
            self.network.heal()


def wait_for(done: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Raises AssertionError when time is up."""
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, f"still not so: {what}"
        time.sleep(0.05)


_LANES = 4
_lane = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % _LANES
_given: deque[int] = deque(maxlen=500)
"""Nobody may listen on them yet: no port is given twice in a while, nor by two test processes."""


def free_ports(count: int) -> list[int]:
    """Free just now, and below those that the system gives to whoever calls out."""
    found: list[int] = []
    while len(found) < count:
        port = 20_000 + _LANES * secrets.randbelow(12_000 // _LANES) + _lane
        if port not in _given and _is_free(port):
            _given.append(port)
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    """At every address: a server of a test may listen on all of them."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
