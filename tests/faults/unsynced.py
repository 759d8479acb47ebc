"""Servers whose unsynced writes can be dropped after a kill, as a power cut would drop them.

`kill -9` alone proves nothing of fsync: what was written survives in the kernel. Here a library
under the server notes how much of each file was synced, and after the kill the rest is cut off.
What it can't show: writes that reach a disk out of order, and folders that were never synced.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from events.server import Binary
from tests.servers import binary

SOURCE = Path(__file__).with_name("unsynced.c")


class Unsynced:
    """Makes servers that note what is synced, and cuts their files."""

    def __init__(self, directory: Path) -> None:
        """Skips the test where there is no C compiler."""
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler: what is synced cannot be told from what is written")
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._library = directory / "unsynced.so"
        self.notes = directory / "notes"
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(self._library), str(SOURCE)]
        subprocess.run([*command, "-ldl"], check=True)

    def server(self, kind: str, *more: str) -> Binary:
        """The server of this kind over our library; `more` are settings that come last."""
        real = binary(kind)
        script = self._directory / f"{kind}-server"
        words = " ".join(more)
        script.write_text(
            "#!/bin/sh\n"
            f"LD_PRELOAD='{self._library}' UNSYNCED_NOTES='{self.notes}' "
            f"exec '{real.path}' \"$@\" {words}\n"
        )
        script.chmod(0o700)
        return real._replace(path=str(script))

    def drop(self, data: Path) -> int:
        """Cuts every file of the append-only log to what was synced; how many bytes went."""
        synced: dict[int, int] = {}
        if self.notes.exists():
            for line in self.notes.read_text().splitlines():
                inode, size = map(int, line.split())
                synced[inode] = max(size, synced.get(inode, 0))
        gone = 0
        for path in data.glob("appendonlydir/*"):
            found = path.stat()
            keep = min(found.st_size, synced.get(found.st_ino, 0))
            if path.suffix == ".manifest":
                continue
            gone += found.st_size - keep
            with path.open("r+b") as file:
                file.truncate(keep)
        return gone
