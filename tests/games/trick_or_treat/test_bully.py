"""The Bully and the moves, beyond the worked cases."""

from __future__ import annotations

from typing import Any

import pytest

from games.trick_or_treat import events
from games.trick_or_treat.haunted import CalmWith, HauntedHouse, ScareWith
from games.trick_or_treat.home import Home, TurnIn
from games.trick_or_treat.locations import Alley, Carnival, CarnivalExtra, House, Mansion
from games.trick_or_treat.options import (
    Bully,
    Go,
    Send,
    Sneak,
    Stay,
)
from games.trick_or_treat.turns import EndTurn, HandLimit, Move
from tests.games.trick_or_treat.board import (
    board,
    code,
    codes,
    facts,
    hands,
    kinds,
    refused,
)

OWN_DECISIONS = [
    (Move(0), "house1"),
    (House(0), "house1"),
    (Mansion(0), "mansion"),
    (Carnival(0), "carnival"),
    (CarnivalExtra(0), "carnival"),
    (Alley(0), "alley"),
    (HauntedHouse(0), "haunted"),
    (Home(0), "home"),
    (EndTurn(0), "house1"),
]


@pytest.mark.parametrize(("asked", "at"), OWN_DECISIONS, ids=lambda x: type(x).__name__)
def test_q17_the_bully_may_be_moved_at_every_decision_of_ones_own(asked: Any, at: str) -> None:
    match = board(
        asked, at=(at, "house2", None), hands=hands("Move Bully, Move Bully", "Sneak", "")
    )
    told = facts(match.answer(0, Bully("house2")))
    assert told == [
        events.TrickPlayed(0, code("Move Bully")),
        events.BullyMoved(0, None, "house2", "trick"),
        events.KidChased(1, "house2"),
        events.CardStolen(0, 1, code("Sneak")),
    ]
    assert match.asked == asked
    assert match.form(0).contains(Bully("house3"))
    match.lay(hands=hands("", "", ""))
    assert not [o for o in match.form(0).options if isinstance(o, Bully)]


def test_q17_a_stolen_move_bully_may_be_used_at_once() -> None:
    match = board(
        EndTurn(0), at=("home", "house2", None), hands=hands("Move Bully", "Move Bully", "")
    )
    match.answer(0, Bully("house2"))
    match.answer(0, Bully("haunted"))
    assert match.state.discard == codes("Move Bully, Move Bully")
    assert match.asked == EndTurn(0)


@pytest.mark.parametrize("asked", [ScareWith(0), CalmWith(0), HandLimit(0), TurnIn(0, "S04")])
def test_q17_but_not_in_the_middle_of_an_action(asked: Any) -> None:
    match = board(
        asked,
        at=("haunted", None, None),
        fear=(1, 0, 0),
        hands=hands("Move Bully, " + "Caramel, " * 6 + "Lemon Drops, " * 6, "", ""),
    )
    assert not [o for o in match.form(0).options if isinstance(o, Bully)]
    assert refused(match, 0, Bully("house1"))


def test_r18_where_the_bully_may_not_go() -> None:
    match = board(Alley(0), at=("alley", None, None), bully="mansion")
    assert [o.to for o in match.form(0).options] == [
        "haunted",
        "carnival",
        "house1",
        "house2",
        "house3",
    ]
    for place in ("home", "alley", "mansion"):
        assert refused(match, 0, Send(place))


def test_q16_victims_lose_cards_clockwise_from_the_mover() -> None:
    match = board(
        EndTurn(2),
        players=4,
        at=("carnival", "carnival", "home", "carnival"),
        hands=hands("Caramel", "Sneak", "Move Bully", "Brave"),
    )
    assert facts(match.answer(2, Bully("carnival", (0,)))) == [
        events.TrickPlayed(2, code("Move Bully")),
        events.BullyMoved(2, None, "carnival", "trick"),
        events.KidChased(3, "carnival"),
        events.KidChased(0, "carnival"),
        events.KidChased(1, "carnival"),
        events.CardStolen(2, 3, code("Brave")),
        events.VictimSpared(2, 0),
        events.CardStolen(2, 1, code("Sneak")),
    ]
    assert match.state.hands[2] == codes("Brave, Sneak")
    assert match.asked == EndTurn(2)


def test_q15_any_of_the_victims_may_be_spared() -> None:
    crowd = ("alley", *["mansion"] * 5)
    match = board(Alley(0), players=6, at=crowd)
    spares = [o.spare for o in match.form(0).options if o.to == "mansion"]
    assert len(spares) == len(set(spares)) == 32
    assert Send("house1", (1,)) not in match.form(0).options
    labels = [o.label() for o in match.form(0).options]
    assert "Send the Bully to Mansion, sparing seat 1, seat 2 and seat 3" in labels


def test_q8_no_sneak_with_a_free_move() -> None:
    match = board(
        at=(None, "mansion", None), free=(True, False, False), hands=hands("Sneak", "", "")
    )
    assert match.form(0).contains(Go("mansion"))
    assert refused(match, 0, Sneak("mansion"))


def test_q8_one_sneak_passes_kids_and_bully() -> None:
    match = board(at=(None, "mansion", "mansion"), bully="mansion", hands=hands("Sneak", "", ""))
    assert [o for o in match.form(0).options if isinstance(o, Sneak)] == [Sneak("mansion")]
    assert kinds(match.answer(0, Sneak("mansion"))) == ["TrickPlayed", "KidMoved"]
    assert match.state.discard == codes("Sneak")
    assert match.asked == Mansion(0)


def test_q11_a_free_move_does_not_allow_to_stay() -> None:
    match = board(at=("alley", None, None), free=(True, False, False))
    assert refused(match, 0, Go("alley"))
    assert refused(match, 0, Stay())


def test_q38_houses_are_locations_of_their_own() -> None:
    match = board(at=("house1", None, None))
    match.answer(0, Go("house2"))
    assert match.asked == House(0)
