"""How many ways the game can go from fixed starts: these move whenever any rule does."""

from __future__ import annotations

from typing import Any

import pytest

from games.ghosts_love_candy_too.game import GAME
from tests.games.ghosts_love_candy_too.street import slot, street
from tests.perft import perft
from tests.play import Match

WAYS = [
    (2, 4, {"random_ghosts": True}, 587),
    (3, 4, {}, 4374),
    (4, 5, {"super_kid": True, "random_ghosts": True}, 5584),
    (4, 5, {"easier": True, "random_ghosts": True}, 2506),
    (5, 4, {"random_ghosts": True}, 3021),
    (6, 4, {"random_ghosts": True, "bag_refill": "discards"}, 2185),
]


@pytest.mark.parametrize(("seats", "depth", "options", "ways"), WAYS)
def test_ways_from_the_first_choice_of_ghosts(
    seats: int, depth: int, options: dict[str, Any], ways: int
) -> None:
    match = Match.started(GAME, seats, **options)
    while "StartKept" not in [type(event).__name__ for event in match.commits[-1].events]:
        seat = match.asked.seats[0]
        match.answer(seat, match.form(seat).sample(lambda n: 0))
    assert perft(match.state, depth) == ways


STREETS: list[tuple[dict[int, Any], int]] = [
    ({1: slot(7, "", "MINT CHOC"), 2: slot(42, "B4 C1"), 3: slot(8), 4: slot(43)}, 8874),
    ({0: slot(12, "", "MINT"), 2: slot(51, "B4 C1"), 3: slot(37), 4: slot(28)}, 8567),
]


@pytest.mark.parametrize(("row", "ways"), STREETS)
def test_ways_of_two_turns(row: dict[int, Any], ways: int) -> None:
    match = street(row, "A3", A="MINT JUNK", B="CHOC", A_kids=[94], bag="MINT CHOC JUNK BAR")
    assert perft(match.state, 5) == ways
