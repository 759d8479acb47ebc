"""The worked cases, by their numbers: the Haunted House and Home."""

from __future__ import annotations

from typing import Any

from games.trick_or_treat import events
from games.trick_or_treat.haunted import CalmWith, HauntedHouse, ScareWith
from games.trick_or_treat.home import Home, TurnIn
from games.trick_or_treat.options import Calm, Claim, End, Go, Pass, Scare, Stay
from games.trick_or_treat.turns import EndTurn, Move
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


def at_haunted(hand: str, fear: int = 0) -> Match:
    return board(
        HauntedHouse(0),
        at=("haunted", None, None),
        hands=hands(hand, "", ""),
        fear=(fear, 0, 0),
    )


def at_home(hand: str, *sets: str, open: str = "-, -, -, -, -", **fields: Any) -> Match:
    """Only the row holds open cards unless a field says otherwise."""
    fields = {"houses": (None, None, None), "set_deck": ("S05", "S06"), **fields}
    return board(
        Home(0),
        at=("home", None, None),
        hands=hands(hand, "", ""),
        sets=sets,
        row=slots(open),
        **fields,
    )


def test_s16_only_tricks_scare_and_only_treats_calm() -> None:
    hand = "Sneak, Brave, Egging Houses, Caramel"
    match = at_haunted(hand, fear=1)
    match.answer(0, Scare())
    assert match.asked == ScareWith(0)
    assert refused(match, 0, discards("Sneak, Caramel"))
    match = at_haunted(hand, fear=1)
    match.answer(0, Calm())
    assert match.asked == CalmWith(0)
    assert refused(match, 0, discards("Egging Houses"))
    assert refused(match, 0, discards("Brave"))
    assert match.asked == CalmWith(0)


def test_s17_no_more_treats_than_fear() -> None:
    match = at_haunted("Caramel, Gum Drops, Lemon Drops", fear=2)
    match.answer(0, Calm())
    assert refused(match, 0, discards("Caramel, Gum Drops, Lemon Drops"))
    assert facts(match.answer(0, discards("Caramel, Gum Drops"))) == [
        events.CardsDiscarded(0, codes("Caramel, Gum Drops"), "calm"),
        events.FearReturned(0, 2),
    ]
    assert match.state.fear == (0, 0, 0)
    assert match.asked == EndTurn(0)


def test_s19_one_may_do_nothing_there() -> None:
    match = at_haunted("Sneak, Caramel", fear=1)
    assert facts(match.answer(0, Pass())) == []
    assert match.state.hands[0] == codes("Sneak, Caramel")
    assert match.asked == EndTurn(0)


def test_s58_one_to_three_tricks() -> None:
    match = at_haunted("Sneak, Sneak, Brave, Move Bully")
    match.answer(0, Scare())
    assert refused(match, 0, discards("Sneak, Sneak, Brave, Move Bully"))
    assert refused(match, 0, ())
    assert match.asked == ScareWith(0)
    match = at_haunted("Sneak, Sneak, Brave, Move Bully")
    match.answer(0, Pass())
    assert match.asked == EndTurn(0)


def test_s32_a_set_is_claimed() -> None:
    match = at_home("Fudge Square, Cinnamon Hearts, Caramel, Sneak", "S01", "S20", "S21")
    match.answer(0, Claim("S01"))
    assert match.asked == TurnIn(0, "S01")
    match.answer(0, give("Fudge Square"))
    match.answer(0, give("Cinnamon Hearts"))
    assert match.asked == TurnIn(0, "S01", (give("Fudge Square"), give("Cinnamon Hearts")))
    assert facts(match.answer(0, give("Caramel"))) == [
        events.SetClaimed(0, "S01", 4, ()),
        events.CardsDiscarded(0, codes("Caramel, Fudge Square, Cinnamon Hearts"), "claim"),
        events.SetRevealed("S06"),
    ]
    assert match.state.hands[0] == codes("Sneak")
    assert match.state.sets == ("S20", "S21", "S06") and match.state.claimed[0] == ("S01",)
    assert match.asked == EndTurn(0)


def test_s34_alike_means_one_name() -> None:
    match = at_home("Fudge Square, Cocoa Puff", "S03", "S04", "S20")
    assert refused(match, 0, Claim("S04"))
    match.answer(0, Claim("S03"))
    told = facts(match.answer(0, give("Fudge Square, Cocoa Puff")))
    assert told[0] == events.SetClaimed(0, "S03", 5, ())
    assert match.asked == EndTurn(0)


def test_s35_all_of_a_set_may_be_egging_houses() -> None:
    match = at_home(
        "Egging Houses, Egging Houses", "S04", "S20", "S21", houses=slots("Cocoa Puff, -, -")
    )
    match.answer(0, Claim("S04"))
    told = facts(match.answer(0, give("", "Cocoa Puff, Cocoa Puff")))
    assert told[:2] == [
        events.SetClaimed(0, "S04", 3, codes("Cocoa Puff, Cocoa Puff")),
        events.CardsDiscarded(0, codes("Egging Houses, Egging Houses"), "claim"),
    ]
    assert match.state.houses[0] == code("Cocoa Puff")
    assert match.asked == EndTurn(0)


def test_s37_home_with_nothing_to_claim() -> None:
    match = at_home("Caramel", "S20", "S21", "S22")
    assert match.form(0).options == (Pass(),)
    assert facts(match.answer(0, Pass())) == []
    assert match.asked == EndTurn(0)
    match = board(at=("home", None, None))
    assert refused(match, 0, Go("home"))
    assert refused(match, 0, Stay())
    assert match.asked == Move(0)


def test_s38_one_claim_a_turn() -> None:
    hand = "Caramel, Caramel, Gum Drops, Gum Drops, Change Costume"
    match = at_home(hand, "S04", "S11", "S20")
    match.answer(0, Claim("S04"))
    match.answer(0, give("Caramel, Caramel"))
    assert match.asked == EndTurn(0)
    assert refused(match, 0, Claim("S11"))
    match.answer(0, End())
    for seat in (1, 2):
        match.answer(seat, Go("home"))
        match.answer(seat, Pass())
        match.answer(seat, End())
    assert match.asked == Move(0)
    match.answer(0, Stay())
    match.answer(0, Claim("S11"))
    assert kinds(match.answer(0, give("Gum Drops, Gum Drops")))[0] == "SetClaimed"
    assert match.state.claimed[0] == ("S04", "S11")
    assert match.asked == EndTurn(0)


def test_s40_the_game_ends_inside_the_claim() -> None:
    hand = "Fudge Square, Cocoa Puff, Move Bully" + ", Caramel" * 6 + ", Lemon Drops" * 6
    match = at_home(hand, "S03", "S20", "S21", set_deck=(), fear=(1, 0, 3))
    assert len(match.state.hands[0]) == 15
    match.answer(0, Claim("S03"))
    assert kinds(match.answer(0, give("Fudge Square, Cocoa Puff"))) == [
        "SetClaimed",
        "CardsDiscarded",
        "GameEnded",
    ]
    assert match.asked is None
    result = match.table.result
    assert result is not None and result.scores == (4, 0, -3) and result.winners == (0,)
    assert refused(match, 0, End(), "match_over")


OPEN = {"open": "Ginger Snap, -, -, -, -", "houses": slots("-, Caramel, -")}


def test_s49_two_names_of_two_each() -> None:
    match = at_home("Caramel, Caramel, Ginger Snap, Egging Houses", "S12", "S20", "S21", **OPEN)
    match.answer(0, Claim("S12"))
    assert refused(match, 0, give("Caramel", "Caramel")), "Ginger Snap would have no partner"
    match.answer(0, give("Caramel, Caramel"))
    assert refused(match, 0, give("Ginger Snap", "Caramel"))
    assert match.asked == TurnIn(0, "S12", (give("Caramel, Caramel"),))
    told = facts(match.answer(0, give("Ginger Snap", "Ginger Snap")))
    assert told[0] == events.SetClaimed(0, "S12", 5, codes("Ginger Snap"))
    assert match.state.hands[0] == ()
    assert match.asked == EndTurn(0)


def test_s50_three_of_a_family_and_three_alike() -> None:
    match = at_home("Gum Drops, Gum Drops, Caramel", "S21", "S24", "S20")
    assert refused(match, 0, Claim("S24"))
    match.answer(0, Claim("S21"))
    told = facts(match.answer(0, give("Gum Drops, Gum Drops, Caramel")))
    assert told[0] == events.SetClaimed(0, "S21", 7, ())
    match = at_home("Gum Drops, Gum Drops, Gum Drops", "S21", "S24", "S20")
    assert match.form(0).options == (Claim("S21"), Claim("S24"), Pass())
    match.answer(0, Claim("S24"))
    told = facts(match.answer(0, give("Gum Drops, Gum Drops, Gum Drops")))
    assert told[0] == events.SetClaimed(0, "S24", 7, ())
    assert match.asked == EndTurn(0)


def test_s52_two_of_each_of_two_families() -> None:
    match = at_home(
        "Lemon Drops, Lemon Drops, Grape Rings, Caramel, Gum Drops", "S18", "S23", "S22"
    )
    match.answer(0, Claim("S18"))
    assert refused(match, 0, give("Lemon Drops, Lemon Drops, Grape Rings"))
    match.answer(0, give("Lemon Drops, Lemon Drops"))
    assert refused(match, 0, give("Grape Rings, Caramel"))
    assert match.asked == TurnIn(0, "S18", (give("Lemon Drops, Lemon Drops"),))
    told = facts(match.answer(0, give("Caramel, Gum Drops")))
    assert told[0] == events.SetClaimed(0, "S18", 6, ())
    assert match.state.hands[0] == codes("Grape Rings")
    assert match.asked == EndTurn(0)


def test_s53_the_set_that_is_named_is_taken() -> None:
    match = at_home("Caramel, Caramel", "S04", "S11", "S20")
    assert refused(match, 0, Claim("S05"))
    match.answer(0, Claim("S11"))
    told = facts(match.answer(0, give("Caramel, Caramel")))
    assert told[0] == events.SetClaimed(0, "S11", 3, ())
    assert told[-1] == events.SetRevealed("S06")
    assert match.state.sets == ("S04", "S20", "S06")
    assert match.asked == EndTurn(0)
