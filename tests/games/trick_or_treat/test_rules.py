"""Rules and rulings one by one, beyond the worked cases."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Refused
from games.trick_or_treat import deck_events, events
from games.trick_or_treat.game import GAME, census
from games.trick_or_treat.haunted import CalmWith, HauntedHouse, ScareWith
from games.trick_or_treat.home import Home, TurnIn
from games.trick_or_treat.locations import Alley, Carnival, CarnivalExtra, House, Mansion
from games.trick_or_treat.options import (
    Brave,
    Bully,
    Calm,
    Claim,
    End,
    Go,
    Pass,
    Proceed,
    Scare,
    Send,
    Sneak,
    Stay,
    Stop,
    Swap,
    Take,
)
from games.trick_or_treat.scoring import result, scores, winners
from games.trick_or_treat.turns import ChooseKid, EndTurn, HandLimit, Move
from tests.games.trick_or_treat.board import (
    board,
    code,
    codes,
    discards,
    facts,
    give,
    hands,
    kinds,
    refused,
    slots,
)
from tests.play import Match

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
