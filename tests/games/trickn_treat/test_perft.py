"""How many ways small fixed tables can go: a number that moves whenever any rule does."""

from __future__ import annotations

import pytest

from games.trickn_treat.game import GAME
from tests.games.trickn_treat.table import treat
from tests.perft import perft
from tests.play import Match

TABLES = {
    "coop with the Dummy": lambda: treat(
        "B3 G1 *8", "B11 R2 *10", "G4 Y0 *7", row="R12 *6 B5", piles=("Y5", "", "R14")
    ),
    "competitive with the Dummy": lambda: treat(
        "B3 G1 *10", "B11 R2 *6", "G4 Y0", row="R12 B5 *8", mode="competitive", piles=("Y5",)
    ),
    "coop with tokens": lambda: treat(
        "B3 Y1 *9", "B11 R1 *7", "G4 B2", "G2 R4 *10", tokens="tB tR tG tY", piles=("Y5 R3", "P1")
    ),
    "competitive with tokens": lambda: treat(
        "B3 G5 R2",
        "B11 R1 *7",
        "G3 B2 *8",
        "G2 Y1 *9",
        mode="competitive",
        dark=(0, 2),
        piles=("Y5", "P1"),
    ),
}


WAYS = {
    "coop with the Dummy": [2, 5, 13, 37, 68, 150, 268, 476, 845, 1600, 2511],
    "competitive with the Dummy": [
        *(2, 5, 13, 20, 25, 39, 59, 101, 157, 211, 287, 330, 351, 367, 379, 387, 390, 390)
    ],
    "coop with tokens": [2, 5, 8, 24, 91, 148, 208, 400, 728, 1602],
    "competitive with tokens": [3, 7, 16, 38, 74, 141, 268, 478, 755, 969, 1228],
}


def counts(match: Match, depth: int) -> list[int]:
    return [perft(match.state, d) for d in range(1, depth + 1)]


@pytest.mark.parametrize("table", TABLES)
def test_a_small_table_goes_this_many_ways(table: str) -> None:
    assert counts(TABLES[table](), len(WAYS[table])) == WAYS[table]


@pytest.mark.parametrize(
    ("seats", "mode", "expected"),
    [
        (3, "coop", [11, 42, 140, 643, 3278]),
        (5, "coop", [5, 20, 60, 120, 1320, 4320]),
        (3, "competitive", [3, 6, 66, 246, 846, 2692]),
        (4, "competitive", [4, 12, 24, 264, 936, 7032]),
    ],
)
def test_a_whole_game_begins_this_many_ways(seats: int, mode: str, expected: list[int]) -> None:
    assert counts(Match.started(GAME, seats, mode=mode), len(expected)) == expected
