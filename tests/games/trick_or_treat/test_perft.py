"""Counts of the ways the next answers can go: they move whenever any rule does."""

from __future__ import annotations

import pytest

from games.trick_or_treat.game import GAME
from tests.games.trick_or_treat.board import board, codes, hands, slots
from tests.perft import perft
from tests.play import Match


def setup() -> Match:
    return Match.started(GAME, 2, first=0, house_delta=-1)


def laid(hand: str, **fields: object) -> Match:
    """Two players in mid-game: nothing left to chance but thefts and shuffles."""
    return board(
        players=2,
        at=("house1", "house2"),
        bully="mansion",
        fear=(2, 1),
        sets=("S03", "S04", "S12"),
        set_deck=("S20",),
        row=slots("Caramel, Fudge Square, Sneak, -, -"),
        houses=slots("Cocoa Puff, Lemon Drops"),
        deck=codes("Gum Drops, Brave, Ginger Snap, Caramel, Sneak, Cherry Chews, Cocoa Puff"),
        hands=hands(hand, "Caramel, Caramel, Move Bully"),
        **fields,
    )


def tricks() -> Match:
    return laid("Sneak, Change Costume, Move Bully, Brave, Egging Houses, Cocoa Puff")


def claims() -> Match:
    match = laid("Egging Houses, Egging Houses, Cocoa Puff, Fudge Square, Caramel")
    match.lay(at=("mansion", "home"), bully="carnival")
    return match


@pytest.mark.parametrize(
    ("match", "depths"),
    [
        (setup(), {1: 12, 2: 120, 3: 720, 4: 1_560, 5: 3_960, 6: 7_440}),
        (tricks(), {1: 11, 2: 76, 3: 291, 4: 1_177, 5: 3_439}),
        (claims(), {1: 5, 2: 13, 3: 35, 4: 98, 5: 555, 6: 2_041, 7: 4_967}),
    ],
    ids=["setup", "tricks", "claims"],
)
def test_perft(match: Match, depths: dict[int, int]) -> None:
    assert {depth: perft(match.state, depth) for depth in depths} == depths
