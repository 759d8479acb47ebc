"""What verification tells: one check after the other, and the first thing that is wrong."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.sight import Viewer

State = Literal["ok", "failed", "unknown"]


class Check(msgspec.Struct, frozen=True):
    """One thing looked at; `unknown` is what this log can't tell, and is no failure."""

    name: str
    state: State
    says: str


class Bad(msgspec.Struct, frozen=True):
    """The first thing that is wrong, and where: a version of the match or a line of the file."""

    why: str
    version: int | None = None
    line: int | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that was looked at, in order, up to the first failure."""

    ok: bool
    match: str = ""
    game: str = ""
    viewer: Viewer | None = None
    versions: int = 0
    head: str = ""
    checks: list[Check]
    bad: Bad | None = None


class Failed(Exception):
    """A check that failed; later ones have nothing to stand on."""

    def __init__(self, check: str, bad: Bad) -> None:
        super().__init__(bad.why)
        self.check = check
        self.bad = bad
