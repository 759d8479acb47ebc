"""API and worker processes of the real command line, on one store: started, killed, stopped."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import runpy
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from services.serve import LISTEN_FD
from tests.faults.stores import Backing

KEYS = "c0ffee" * 11
ADMIN = "the admin key of a run under faults"
PARTITIONS = 8
PATIENCE = 60.0

SETTINGS = {
    "HALLOWSTREAM_PARTITIONS": str(PARTITIONS),
    "HALLOWSTREAM_SERVER_KEYS": KEYS,
    "HALLOWSTREAM_ADMIN_KEY": ADMIN,
    "HALLOWSTREAM_RATE_TOKEN": "0",
    "HALLOWSTREAM_RATE_ADDRESS": "0",
    "HALLOWSTREAM_RATE_CREATE": "0",
    "HALLOWSTREAM_MATCHES_IN_MEMORY": "6",
    "HALLOWSTREAM_WATCH_SECONDS": "0.3",
    "HALLOWSTREAM_SOCKET_HEARTBEAT": "2",
    "HALLOWSTREAM_KEEPER_SECONDS": "2",
    "HALLOWSTREAM_LOG_LEVEL": "warning",
    "HALLOWSTREAM_LOG_FORMAT": "json",
}
"""Little memory, so that matches are forgotten and read anew; few partitions, so that they mix."""


FORKS = multiprocessing.get_context("forkserver")
"""Processes come from one that has imported everything already: most of a start is imports."""

PRELOADED = ["services.cli.app", "services.api", "services.serve", "services.worker"]
FORKS.set_forkserver_preload([*PRELOADED, "tests.faults.run"])


def _become(
    entry: Sequence[str], env: dict[str, str], log: Path, listening: socket.socket | None
) -> None:
    """In the new process: run `python -m` of the entry, and end when whoever started it does."""
    for number, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, os.devnull, os.O_WRONLY),
        (2, str(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND),
    ):
        os.dup2(os.open(path, flags, 0o600), number)
    os.environ.update(env)
    if listening is not None:
        os.environ[LISTEN_FD] = str(listening.detach())
    threading.Thread(target=_outlive_nobody, daemon=True).start()
    name, *words = entry
    sys.argv = [name, *words]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _outlive_nobody() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGKILL)


class Process:
    """One process under a name that stays its own; its standard error is kept in a file."""

    def __init__(
        self, name: str, words: Sequence[str], env: dict[str, str], directory: Path
    ) -> None:
        self.name = name
        self.log = directory / f"{name}.log"
        self.wanted = False
        self.socket: socket.socket | None = None
        self._words = words
        self._env = {**SETTINGS, **env}
        self._process: ForkServerProcess | None = None

    def start(self) -> None:
        self.wanted = True
        given = (self._words, self._env, self.log, self.socket)
        self._process = FORKS.Process(target=_become, args=given, name=self.name)
        self._process.start()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    def signal(self, number: int) -> None:
        if self._process is not None and self._process.is_alive():
            assert self._process.pid is not None
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        """As a crash: nothing is said, nothing is finished."""
        self.wanted = False
        self.signal(signal.SIGKILL)
        self.wait()

    def wait(self) -> None:
        if self._process is not None:
            self._process.join()
            self._process.close()
            self._process = None


class Api(Process):
    """Its socket is ours, so that it listens at the same port after every start."""

    def __init__(
        self, name: str, entry: Sequence[str], env: dict[str, str], directory: Path
    ) -> None:
        super().__init__(name, [*entry, "serve", "--workers", "0"], env, directory)
        self.socket = self.listening = socket.create_server(("127.0.0.1", 0), backlog=512)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def ready(self) -> bool:
        """Whether it answers that it can serve."""
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as reply:
                return bool(reply.status == 200)
        except (OSError, urllib.error.URLError):
            return False


class World:
    """All processes of a run. `entry` is the module that runs the command line, and its words."""

    def __init__(
        self,
        directory: Path,
        store: Backing,
        apis: int = 2,
        workers: int = 2,
        entry: Sequence[str] = ("services.cli",),
    ) -> None:
        self.directory = directory
        self.store = store
        self.apis: list[Api] = []
        self.workers: list[Process] = []
        self._wanted = (apis, workers)
        self._entry = entry

    @property
    def processes(self) -> list[Process]:
        return [*self.apis, *self.workers]

    async def start(self) -> None:
        apis, workers = self._wanted
        addresses = await self.store.start(apis + workers)
        more = {"HALLOWSTREAM_REPLICAS": str(self.store.replicas)}
        more["HALLOWSTREAM_DATA"] = str(self.directory / "data")
        for n, address in enumerate(addresses):
            env = {**more, "REDIS_URL": address}
            if n < apis:
                name = f"api{n}"
                self.apis.append(Api(name, self._entry, env, self.directory))
                continue
            name = f"worker{n - apis}"
            words = [*self._entry, "worker", "--name", name]
            self.workers.append(Process(name, words, env, self.directory))
        for process in self.processes:
            process.start()
        await self.ready()

    async def ready(self) -> None:
        """Until every API serves. Raises TimeoutError, naming what it says."""
        until = time.monotonic() + PATIENCE
        for api in self.apis:
            while not await asyncio.to_thread(api.ready):
                if time.monotonic() > until:
                    raise TimeoutError(f"{api.name} does not serve: {api.log.read_text()[-2000:]}")
                if not api.running:
                    api.start()
                await asyncio.sleep(0.05)

    async def tend(self) -> None:
        """Starts again what has ended by itself, as where it came up and found no store."""
        while True:
            await asyncio.sleep(0.5)
            for process in self.processes:
                if process.wanted and not process.running:
                    process.wait()
                    process.start()

    async def healed(self) -> None:
        """Everything up and running, as if nothing had happened."""
        await self.store.healed()
        for process in self.processes:
            process.signal(signal.SIGCONT)
            if not process.running:
                process.start()
        await self.ready()

    async def kill(self) -> None:
        """Everything at the same moment, the store included."""
        for process in self.processes:
            process.wanted = False
            process.signal(signal.SIGKILL)
        await self.store.kill()
        for process in self.processes:
            process.wait()

    async def stop(self) -> None:
        for process in self.processes:
            process.wanted = False
            process.signal(signal.SIGKILL)
        for process in self.processes:
            process.wait()
        for api in self.apis:
            api.listening.close()
        await self.store.stop()
