"""Setup, draws, the Carnival and the end, beyond the worked cases."""

from __future__ import annotations

import pytest

from games.rules import Refused
from games.trick_or_treat import deck_events, events
from games.trick_or_treat.game import GAME, census
from games.trick_or_treat.home import Home
from games.trick_or_treat.locations import Carnival, CarnivalExtra, House, Mansion
from games.trick_or_treat.options import (
    Claim,
    End,
    Proceed,
    Stop,
    Swap,
    Take,
)
from games.trick_or_treat.scoring import result, scores, winners
from games.trick_or_treat.turns import ChooseKid, EndTurn, Move
from tests.games.trick_or_treat.board import (
    board,
    code,
    codes,
    facts,
    give,
    hands,
    kinds,
    refused,
    slots,
)
from tests.play import Match


def test_r22_the_house_in_its_order() -> None:
    match = board(House(0), at=("house2", None, None), houses=slots("Sneak, Caramel, Brave"))
    told = facts(match.answer(0, Proceed()))
    assert [type(e).__name__ for e in told] == [
        "CardDrawn",
        "CardDrawn",
        "HouseCardTaken",
        "HouseStocked",
    ]
    assert told[2] == deck_events.HouseCardTaken(0, 1, code("Caramel"))
    assert told[3].house == 1 and match.state.houses[1] == told[3].card


def test_q31_a_bare_house_gives_no_card_and_is_stocked_again() -> None:
    match = board(House(0), at=("house1", None, None), houses=slots("-, Caramel, Brave"))
    assert kinds(match.answer(0, Proceed())) == ["CardDrawn", "CardDrawn", "HouseStocked"]
    assert match.state.houses[0]


def test_q31_a_house_may_stay_bare() -> None:
    match = board(House(0), at=("house1", None, None), houses=slots("-, -, -"), deck=(), discard=())
    assert facts(match.answer(0, Proceed())) == [
        deck_events.DrawSkipped(0, "hand", 2),
        deck_events.DrawSkipped(0, "house", 1),
    ]
    assert match.asked == EndTurn(0)


def test_q32_an_empty_row_is_only_refilled() -> None:
    match = board(Carnival(0), at=("carnival", None, None), row=slots("-, -, -, -, -"))
    assert match.form(0).options == (Proceed(),)
    assert kinds(match.answer(0, Proceed())) == ["CarnivalStocked"] * 5
    assert match.asked == EndTurn(0)


def test_no_second_card_where_the_row_had_but_one() -> None:
    match = board(Carnival(0), at=("carnival", None, None), row=slots("-, -, Sneak, -, -"))
    told = match.answer(0, Take(2, code("Sneak")))
    assert kinds(told) == ["CarnivalCardTaken", *["CarnivalStocked"] * 5]
    assert match.asked == EndTurn(0)


def test_q31_the_row_may_stay_short() -> None:
    match = board(
        CarnivalExtra(0),
        at=("carnival", None, None),
        row=slots("-, -, Sneak, -, Brave"),
        deck=codes("Caramel"),
    )
    assert facts(match.answer(0, Stop())) == [
        deck_events.CarnivalStocked(0, code("Caramel")),
        deck_events.DrawSkipped(0, "carnival", 2),
    ]
    assert match.state.row == slots("Caramel, -, Sneak, -, Brave")


def test_q20_the_second_card_costs_one_of_the_hand() -> None:
    match = board(
        CarnivalExtra(0),
        at=("carnival", None, None),
        row=slots("-, Caramel, -, -, -"),
        hands=hands("Brave, Sneak, Sneak", "", ""),
    )
    caramel = code("Caramel")
    assert match.form(0).options == (
        Swap(code("Sneak"), 1, caramel),
        Swap(code("Brave"), 1, caramel),
        Stop(),
    )
    assert refused(match, 0, Swap(code("Egging Houses"), 1, caramel))


def test_r38_the_discards_are_shuffled_when_a_card_is_needed() -> None:
    match = board(
        Mansion(0),
        at=("mansion", None, None),
        deck=codes("Caramel"),
        discard=codes("Sneak, Brave, Gum Drops"),
    )
    told = facts(match.answer(0, Proceed()))
    assert [type(e).__name__ for e in told] == [
        "CardDrawn",
        "DiscardsReshuffled",
        "CardDrawn",
        "CardDrawn",
    ]
    assert sorted(told[1].deck) == list(codes("Sneak, Brave, Gum Drops"))
    assert match.state.discard == () and len(match.state.deck) == 1


def test_q30_an_emptied_deck_waits_for_the_next_need() -> None:
    match = board(
        Mansion(0),
        at=("mansion", None, None),
        deck=codes("Caramel, Sneak, Brave"),
        discard=codes("Gum Drops"),
    )
    assert kinds(match.answer(0, Proceed())) == ["CardDrawn"] * 3
    assert match.state.deck == () and match.state.discard == codes("Gum Drops")


def test_r36_one_set_left_in_the_deck_is_not_the_end() -> None:
    match = board(
        Home(0),
        at=("home", None, None),
        hands=hands("Caramel, Caramel", "", ""),
        sets=("S04", "S20", "S21"),
        set_deck=("S01",),
        houses=slots("-, -, -"),
    )
    match.answer(0, Claim("S04"))
    assert kinds(match.answer(0, give("Caramel, Caramel")))[-1] == "SetRevealed"
    assert match.state.sets == ("S20", "S21", "S01") and match.state.set_deck == ()
    assert match.asked == EndTurn(0)
    match.answer(0, End())
    assert match.asked == Move(1)


def test_r41_r42_points_less_fear_and_ties_are_shared() -> None:
    match = board(claimed=(("S20",), ("S01", "S04"), ("S03",)), fear=(1, 1, 0))
    assert scores(match.state) == (6, 6, 5)
    assert winners((6, 6, 5)) == (0, 1)
    assert result(match.state) is None
    match.lay(over=True, pending=())
    ended = result(match.state)
    assert ended is not None and ended.winners == (0, 1) and ended.scores == (6, 6, 5)


def test_q3_who_begins() -> None:
    match = Match.started(GAME, 4, first=2)
    assert match.asked == ChooseKid(2)
    asked = [open.item.seats for open in reversed(match.state.pending[1:])]
    assert asked == [(2,), (3,), (0,), (1,)]
    laid = Match.started(GAME, 4).commits[-1].events
    first = next(e.first for e in laid if isinstance(e, deck_events.TableLaid))
    assert first in range(4)
    drawn = {Match.started(GAME, 4, seed=bytes([n])).asked.seat for n in range(30)}
    assert drawn == {0, 1, 2, 3}


def test_options_that_cannot_be() -> None:
    with pytest.raises(Refused) as caught:
        Match.started(GAME, 3, first=3)
    assert caught.value.code == "bad_option"
    for bad in ({"first": "eldest"}, {"house_delta": 2}, {"sets_removed": 22}, {"sets": 3}):
        with pytest.raises(Refused):
            GAME.checked_options(bad)
    given = {"first": "2", "house_delta": "-1", "sets_removed": "10"}
    plain = GAME.checked_options(given, strict=False)
    assert (plain.first, plain.house_delta, plain.sets_removed) == (2, -1, 10)


def test_r43_sets_are_taken_out_unseen() -> None:
    match = Match.started(GAME, 2, first=0, sets_removed=21)
    assert len(match.state.sets) == 3 and match.state.set_deck == ()
    assert len(match.state.removed) == 21
    assert match.view("spectator")["removed"] == {"hidden": 21}
    assert sum(n for thing, n in census(match.state).items() if thing[0] == "S") == 24


def test_turns_go_clockwise_and_are_counted() -> None:
    match = board(EndTurn(2))
    assert facts(match.answer(2, End())) == [events.TurnStarted(0, 2)]
    assert match.asked == Move(0) and match.state.turn == 2
