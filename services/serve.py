"""Everything on one machine: our own Redis where none is given, the API and the workers.

One parent, one process group. What ends is started again; the listening socket is the
parent's, so a restart of the API refuses no connection.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import structlog

from events.redis_address import shown
from events.server import Server
from services import tied
from services.checkup import RedisError, durability
from services.kept import Kept
from services.settings import Settings

log = structlog.get_logger(__name__)

LISTEN_FD = "HALLOWSTREAM_LISTEN_FD"
PATIENCE = 30.0
"""Seconds in which everything must be up, and in which it must be down."""


class NotServing(Exception):
    """It does not come up; the text says why."""


class Child:
    """One process of ours: started again when it ends, more slowly each time."""

    def __init__(self, name: str, words: list[str], env: dict[str, str], fds: list[int]) -> None:
        self.name = name
        self._words = words
        self._env = env
        self._fds = fds
        self._ends = 0
        self._next = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "services.cli", *self._words]
        self.process = tied.start(command, self._env, self._fds)
        self._started = time.monotonic()

    def tend(self) -> None:
        """Start it again if it ended."""
        now = time.monotonic()
        if self.process is None:
            if now >= self._next:
                self.start()
        elif self.process.poll() is not None:
            code, lived = self.process.returncode, now - self._started
            self._ends = 1 if lived > PATIENCE else self._ends + 1
            self._next = now + min(0.1 * 2**self._ends, 10)
            self._drop()
            log.warning("process ended; it is started again", name=self.name, code=code)

    def _drop(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        self.process = None

    def terminate(self) -> None:
        if self.process is not None:
            self.process.terminate()

    def wait(self, until: float) -> None:
        """Gone by then, one way or the other."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._drop()


class Serving:
    """Everything that `serve` starts; `start`, then `tend` until it is to end, then `stop`."""

    def __init__(self, settings: Settings, workers: int = 1, env: dict[str, str] | None = None):
        self.settings = settings
        self.workers = workers
        self.admin_key = settings.admin_key.get_secret_value()
        self._env = dict(os.environ) if env is None else env
        self._server: Server | None = None
        self._kept: Kept | None = None
        self._socket: socket.socket | None = None
        self.children: list[Child] = []

    @property
    def url(self) -> str:
        """Where the API listens."""
        assert self._socket is not None
        host, port = self._socket.getsockname()[:2]
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"

    @property
    def store(self) -> str:
        """What the matches are kept in, for people."""
        if self._server is None or self._server.binary is None:
            return shown(self.settings.redis_url)
        binary = self._server.binary
        version = ".".join(map(str, binary.version))
        return f"own {binary.kind} {version}, data in {self._server.directory}"

    def start(self) -> Self:
        """Raises NotServing, and NoServer where no Redis starts."""
        try:
            self._listen()
            if self.settings.redis_url:
                _warn(self.settings.redis_url, self.settings.replicas)
            else:
                self._env |= self._own()
            self._check_keys()
            self._begin()
            self._ready()
        except BaseException:
            self.stop()
            raise
        return self

    def _listen(self) -> None:
        host, port = self.settings.host, self.settings.port
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
        except OSError as error:
            listening.close()
            raise NotServing(f"cannot listen on {host}:{port}: {error.strerror}") from None
        listening.listen(2048)
        self._socket = listening

    def _own(self) -> dict[str, str]:
        """Our own server, and the environment that tells the children of it."""
        self._server = Server(self.settings.data / "redis").start()
        self._kept = Kept(self._server)
        if not self.admin_key:
            self.admin_key = admin_key(self.settings.data)
        return {"REDIS_URL": self._server.url, "HALLOWSTREAM_ADMIN_KEY": self.admin_key}

    def _check_keys(self) -> None:
        """The children will read the same. Raises NotServing."""
        try:
            self.settings.keys()
        except (OSError, ValueError) as error:
            raise NotServing(f"the server keys cannot be used: {error}") from None

    def _begin(self) -> None:
        assert self._socket is not None
        fd = self._socket.fileno()
        api = {**self._env, LISTEN_FD: str(fd)}
        self.children = [Child("api", ["serve", "--workers", "0"], api, [fd])]
        for number in range(self.workers):
            words = ["worker", "--name", self._worker(number), *self._shown(number)]
            self.children.append(Child(f"worker {number}", words, self._env, []))
        for child in self.children:
            child.start()

    def _worker(self, number: int) -> str:
        """A name that no other `serve` of the same store gives, here or elsewhere."""
        assert self._socket is not None
        return f"{socket.gethostname()}-{self._socket.getsockname()[1]}-{number}"

    def _shown(self, number: int) -> list[str]:
        """Each worker shows its figures on a port of its own, one after the other."""
        first = self.settings.worker_metrics_port
        return ["--metrics-port", str(first + number if first else 0)] if first is not None else []

    def _ready(self) -> None:
        until = time.monotonic() + PATIENCE
        while not self._answers():
            ended = [c.name for c in self.children if c.process and c.process.poll() is not None]
            if ended:
                raise NotServing(f"{ended[0]} ended at once; what it wrote above says why")
            if time.monotonic() > until:
                raise NotServing(f"the API is not ready after {PATIENCE:.0f} s")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False

    def tend(self, ending: threading.Event) -> None:
        """Keep all running until the event is set."""
        while not ending.wait(0.1):
            if self._kept is not None:
                self._kept.tend()
            for child in self.children:
                child.tend()

    def stop(self) -> None:
        """The API first, so that what it has accepted is kept; the store last."""
        until = time.monotonic() + PATIENCE
        for child in self.children:
            child.terminate()
        for child in self.children:
            child.wait(until)
        self.children = []
        if self._server is not None:
            self._server.stop()
            self._server = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _warn(url: str, replicas: int) -> None:
    """Say plainly where the store we were given may lose what it has acknowledged."""
    try:
        for finding in durability(url, replicas):
            if finding.state != "ok":
                log.warning("weak_store", says=finding.says, fix=finding.fix)
    except (RedisError, OSError, ValueError) as error:
        raise NotServing(f"the store cannot be reached: {error}") from None


def admin_key(data: Path) -> str:
    """The admin key of a machine that has none in its environment: a file beside the data."""
    path = data / "admin-key"
    if not path.exists():
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32) + "\n")
    return path.read_text().strip()


async def _opened(settings: Settings) -> None:
    """Looked at before uvicorn runs, which tells what keeps an app from starting as a trace."""
    from services.wiring import Parts

    await (await Parts.open(settings)).aclose()


def api(settings: Settings) -> None:
    """The API alone, in this process, until SIGINT or SIGTERM. Raises as `Parts.open` does."""
    from services.api import create_app
    from services.doors import many_files
    from services.server import Server as Uvicorn
    from services.server import config

    many_files()
    asyncio.run(_opened(settings))
    given: list[Any] = []
    if fd := os.environ.pop(LISTEN_FD, ""):
        given = [socket.socket(fileno=int(fd))]
    Uvicorn(config(create_app(settings), settings)).run(sockets=given or None)
