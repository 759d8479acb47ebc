"""Counts of the ways the first answers can go: they move whenever any rule does."""

from __future__ import annotations

import pytest

from tests.games.tricks_and_treats.laid import hold, lined, table
from tests.perft import perft
from tests.play import Match


def plain() -> Match:
    match = table(2)
    hold(match, "PEP1 CHO2", "GUM3 COR4")
    match.lay(deck=("COR1", "GUM2", "PEP3", "CHO4", "TU"))
    return match


def special() -> Match:
    match = lined("A B03 B C D B07", "PEP1", "", "GUM1")
    hold(match, "PEP1 CHO2", "GUM3 COR4")
    match.lay(deck=("COR1", "GUM2", "PEP3", "CHO4", "TU"))
    return match


def written() -> Match:
    match = table(3, written=True, exchange=True)
    hold(match, "PEP1 CHO1", "GUM3 COR4", "COR2 PEP2")
    match.lay(deck=("COR1", "GUM2", "PEP3", "TU"))
    return match


@pytest.mark.parametrize(
    ("match", "depths"),
    [
        (plain(), {1: 5, 2: 20, 3: 68, 4: 116, 5: 296, 6: 872, 10: 17_432}),
        (special(), {1: 5, 2: 26, 3: 104, 4: 296, 5: 692, 6: 2_456, 8: 19_808}),
        (written(), {1: 2, 2: 4, 3: 12, 4: 108, 5: 260, 6: 1_980, 7: 7_020}),
    ],
    ids=["plain", "special", "written"],
)
def test_perft(match: Match, depths: dict[int, int]) -> None:
    assert {depth: perft(match.state, depth) for depth in depths} == depths
