"""Our own store is looked after: started again, and patiently where it does not start."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from events.server import NoServer, Server
from services import kept
from services.kept import Kept


class Ailing(Server):
    """Starts only the third time it is asked to."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.asked = 0
        self.process = _process(-9)

    def again(self) -> Any:
        self.asked += 1
        self.process = None
        if self.asked < 3:
            raise NoServer("no room")
        self.process = _process(None)


def _process(code: int | None) -> Any:
    return SimpleNamespace(poll=lambda: code, returncode=code)


def test_a_store_that_does_not_start_is_tried_again_more_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(kept, "time", SimpleNamespace(monotonic=lambda: now[0]))
    server = Ailing(tmp_path)
    keeping = Kept(server)
    tries = []
    for second in range(20):
        now[0] = 100.0 + second
        before = server.asked
        keeping.tend()
        if server.asked > before:
            tries.append(second)
    assert tries == [0, 2, 6]
