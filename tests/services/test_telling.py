"""What streams tell once for many is what each viewer would be told alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from games.catalog import GAMES
from games.game import Game
from services import told
from services.fastws import framed
from services.live import Moved
from services.telling import Telling
from tests.play import Match, random_match

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def live(match: Match) -> Any:
    """As much of a match in memory as telling looks at."""
    return SimpleNamespace(codec=match.game.codec, seal=match.seal, epoch="an epoch")


def steps(match: Match) -> list[Moved]:
    return list(map(Moved, match.entries, match.commits, match.past[1:]))


def alone(match: Match, moved: Moved, viewer: Any) -> Any:
    """The newest commit for one viewer, with nothing shared, as a client reads it."""
    made = told.message(live(match), moved, viewer)
    made.status = moved.table.status
    made.question = told.question(moved.table, viewer)
    made.result = moved.table.result
    made.undo = told.asked_back(moved.table)
    return msgspec.json.decode(msgspec.json.encode(made))


@every_game
def test_each_viewer_is_told_what_it_would_be_told_alone(game: Game) -> None:
    match = random_match(game, 3)
    for moved in steps(match):
        telling = Telling(live(match), moved)
        for viewer in (*reversed(match.viewers), *match.viewers, "auditor"):
            payload, frame = telling.to(viewer)
            assert msgspec.json.decode(payload) == alone(match, moved, viewer)
            assert frame == framed(payload)
        assert (telling.version, telling.head) == (moved.commit.version, moved.entry.head.hex())


@every_game
def test_who_sees_the_same_is_told_in_the_same_bytes(game: Game) -> None:
    match = random_match(game, 4)
    shared = 0
    for moved in steps(match):
        telling = Telling(live(match), moved)
        by_bytes = {telling.to(viewer)[0] for viewer in match.viewers}
        by_object = {id(telling.to(viewer)) for viewer in match.viewers}
        shared += len(by_object) < len(match.viewers)
        assert len(by_object) <= 2 * len(by_bytes)
    assert shared > len(match.entries) // 2
