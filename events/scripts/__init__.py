"""The Lua scripts that run inside Redis, read from the files beside this one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any

SOURCES: dict[str, str] = {}
"""By the name that Redis knows a script by."""


class Script:
    """One script. `command(keys, args)` runs it; every key it touches is among `keys`."""

    def __init__(self, name: str) -> None:
        source = (Path(__file__).parent / f"{name}.lua").read_text(encoding="utf-8")
        self.sha = sha1(source.encode(), usedforsecurity=False).hexdigest()
        SOURCES[self.sha] = source

    def command(self, keys: Sequence[str], *args: Any) -> tuple[Any, ...]:
        return ("EVALSHA", self.sha, len(keys), *keys, *args)
