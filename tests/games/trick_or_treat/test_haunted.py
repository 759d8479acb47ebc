"""The Haunted House, beyond the worked cases."""

from __future__ import annotations

import pytest

from games.trick_or_treat import events
from games.trick_or_treat.haunted import HauntedHouse
from games.trick_or_treat.options import (
    Brave,
    Calm,
    Pass,
    Scare,
)
from games.trick_or_treat.turns import EndTurn
from tests.games.trick_or_treat.board import (
    board,
    codes,
    discards,
    facts,
    hands,
)
from tests.play import Match


def haunted(hand: str, *fear: int) -> Match:
    return board(HauntedHouse(0), at=("haunted", None, None), hands=hands(hand, "", ""), fear=fear)


def test_r28_every_other_player_is_scared_on_the_board_or_not() -> None:
    match = haunted("Sneak, Sneak, Caramel", 1, 0, 4)
    match.answer(0, Scare())
    assert facts(match.answer(0, discards("Sneak, Sneak"))) == [
        events.CardsDiscarded(0, codes("Sneak, Sneak"), "scare"),
        events.FearGiven(0, 2),
    ]
    assert match.state.fear == (1, 2, 6)
    assert match.asked == EndTurn(0)


def test_q24_brave_and_egging_houses_scare_like_any_trick() -> None:
    match = haunted("Brave, Egging Houses", 2, 0, 0)
    match.answer(0, Scare())
    match.answer(0, discards("Brave, Egging Houses"))
    assert match.state.fear == (2, 2, 2)
    assert match.state.discard == codes("Brave, Egging Houses")


@pytest.mark.parametrize(("fear", "left"), [(1, 0), (2, 0), (3, 0), (5, 2)])
def test_r30_brave_returns_up_to_three(fear: int, left: int) -> None:
    match = haunted("Brave, Brave", fear, 0, 0)
    assert facts(match.answer(0, Brave())) == [
        events.CardsDiscarded(0, codes("Brave"), "brave"),
        events.FearReturned(0, fear - left),
    ]
    assert match.state.fear == (left, 0, 0) and match.state.hands[0] == codes("Brave")
    assert match.asked == EndTurn(0)


def test_the_haunted_house_offers_what_can_be_done() -> None:
    assert haunted("Brave, Caramel", 0, 0, 0).form(0).options == (Scare(), Pass())
    assert haunted("Brave, Caramel", 1, 0, 0).form(0).options == (
        Scare(),
        Calm(),
        Brave(),
        Pass(),
    )
    assert haunted("Caramel", 1, 0, 0).form(0).options == (Calm(), Pass())
    assert haunted("", 1, 0, 0).form(0).options == (Pass(),)


def test_q22_calm_takes_three_treats_at_most() -> None:
    match = haunted("Caramel, Caramel, Caramel, Caramel, Sneak", 9, 0, 0)
    match.answer(0, Calm())
    form = match.form(0)
    assert (len(form.options), form.least, form.most) == (4, 1, 3)
    match.answer(0, discards("Caramel, Caramel, Caramel"))
    assert match.state.fear[0] == 6
