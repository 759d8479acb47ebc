"""Recordings of short matches of the toy game, as any viewer has them."""

from __future__ import annotations

from typing import Any

from games import seating as commands
from games.match import Aborted
from games.sight import Viewer
from replay import files, load
from replay.export import export
from replay.load import Recording, Story
from replay.verify import Report, verify
from tests.play import MATCH, SEED, Match
from tests.toy.pumpkin_patch.game import GAME
from tests.toy.pumpkin_patch.turns import Pass


def begun(seats: int = 2, **how: Any) -> Match:
    """A match in which nobody has answered yet."""
    return Match.started(GAME, seats, **how)


def short() -> Match:
    """One answer, then the host aborts, and it is closed."""
    match = begun()
    match.answer(0, match.form(0).options[0])
    match.commit("host", Aborted("aborted"))
    return closed(match)


def whole(seats: int = 2) -> Match:
    """Everybody takes the first option until the game is over."""
    match = begun(seats)
    while match.state.pending:
        seat = match.asked.seats[0]
        match.answer(seat, match.form(seat).options[0])
    return closed(match)


def open_hands() -> Match:
    """Only what all can see was answered so far: the two shown at once, and nobody draws."""
    match = begun()
    for seat in (0, 1):
        match.answer(seat, match.form(seat).options[0])
    match.answer(0, Pass())
    return match


def closed(match: Match, seed: bytes = SEED) -> Match:
    match.commit("system", *commands.close(match.table.match, seed.hex()))
    return match


def recording(match: Match, viewer: Viewer = "auditor") -> Recording:
    return Recording(MATCH, viewer, tuple(match.pages(viewer)))


def story(match: Match, viewer: Viewer = "auditor") -> Story:
    return load.read(recording(match, viewer))


def data(match: Match, viewer: Viewer = "auditor") -> bytes:
    return b"".join(files.lines(export(story(match), viewer)))


def verified(match: Match, viewer: Viewer = "auditor", head: str = "") -> Report:
    return verify(recording(match, viewer), head)


def state(report: Report, name: str) -> str:
    """How a check ended, the last of that name."""
    return [check.state for check in report.checks if check.name == name][-1]
