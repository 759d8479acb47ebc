"""Our own `serve` in a process of its own, for tests of what runs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-c", "from services.cli import main; main()"]


def environment(**more: str) -> dict[str, str]:
    """Ours without what would lead to a store or an API elsewhere."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HALLOWSTREAM_", "REDIS_"))}
    return {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "160", **more}


def hallowstream(*words: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *words]
    return subprocess.run(
        command, cwd=cwd, env=environment(**more), capture_output=True, text=True, check=False
    )


class Serve:
    """One running `serve` on a free port, with its data below `cwd`."""

    def __init__(self, cwd: Path, *words: str, **more: str) -> None:
        self.cwd = cwd
        self.out = cwd / f"serve-{time.monotonic_ns()}.txt"
        with self.out.open("wb") as out:
            command = [*COMMAND, "serve", "--port", "0", *words]
            self.process = subprocess.Popen(
                command, cwd=cwd, env=environment(**more), stdout=out, stderr=out
            )
        self.url = ""
        try:
            wait(self._is_up)
        except BaseException:
            self.stop(signal.SIGTERM)
            raise

    def _is_up(self) -> bool:
        assert self.process.poll() is None, self.out.read_text()
        said = re.search(r"Hallowstream (http://\S+)", self.out.read_text())
        self.url = said[1] if said else ""
        return bool(said)

    def children(self) -> dict[str, int]:
        """The pids of the API and of the worker."""
        found = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(path.read_text().rsplit(") ", 1)[1].split()[1])
                words = (path.parent / "cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue
            if parent == self.process.pid and "services.cli" in words:
                found[words[words.index("services.cli") + 1]] = int(path.parent.name)
        return found

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=10) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return hallowstream(*words, cwd=self.cwd, **more)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop(signal.SIGTERM)

    def stop(self, number: int = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(40)


def wait(until: Callable[[], bool], seconds: float = 40) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)


def gone(pid: int) -> bool:
    """A process that has ended, or waits only to be noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] == "Z"
    except OSError:
        return True
