"""Counts of the ways a small match can go: they move whenever any rule does."""

from __future__ import annotations

import json

import pytest

from games.masked_mischief.game import from_data
from tests.games.masked_mischief.given import A, B, mischief, status
from tests.perft import perft

SMALL = json.dumps(
    {
        "id": "perft",
        "players": [2, 2],
        "cauldrons": 2,
        "constants": {"start_candy": 3, "max_buy": {"trick": 1, "treat": 1}},
        "compact": {
            "loop": 12,
            "skulls": [0, 6],
            "arm": [1, 2],
            "houses": [
                {"id": "H1", "at": 3, "cauldron": 0},
                {"id": "H2", "at": 9, "cauldron": 1},
            ],
        },
    }
).encode()


def small(**given: object) -> object:
    return mischief(seats=2, game=from_data(SMALL), **given).state  # type: ignore[arg-type]


@pytest.mark.parametrize(("depth", "ways"), [(1, 6), (2, 14), (3, 77), (5, 1086), (7, 6154)])
def test_shopping_and_walking(depth: int, ways: int) -> None:
    state = small(tiles={"o1": "K07/B", "o4": "K02/A", "o5": "T02/A"}, candy={A: 3, B: 3})
    assert perft(state, depth) == ways


@pytest.mark.parametrize(("depth", "ways"), [(1, 4), (2, 67), (3, 365), (4, 2695)])
def test_treats_powers_and_the_race(depth: int, ways: int) -> None:
    state = small(
        at={A: "o4 cw", B: "o8 ccw"},
        hands={A: "T22 T20 T04", B: "T21 T15"},
        tiles={"o7": "K19/B", "o5": "K13/B", "o1": "T14/A"},
        masks=("chuckles", "esmerelda"),
        haunted=3,
        skips=status(2),
    )
    assert perft(state, depth) == ways
