"""The worked cases, by their numbers: the Carnival, draws, hands."""

from __future__ import annotations

from games.trick_or_treat import deck_events, events
from games.trick_or_treat.game import GAME
from games.trick_or_treat.locations import Carnival, CarnivalExtra, House, Mansion
from games.trick_or_treat.options import (
    End,
    Proceed,
    Stop,
    Swap,
    Take,
)
from games.trick_or_treat.turns import EndTurn, HandLimit, Move
from tests.games.trick_or_treat.board import (
    board,
    code,
    codes,
    discards,
    facts,
    hands,
    kinds,
    refused,
    slots,
)

ROW = slots("Caramel, Fudge Square, Sneak, Move Bully, Cocoa Puff")


def test_s13_a_second_card_for_the_one_just_taken() -> None:
    match = board(Carnival(0), at=("carnival", None, None), row=ROW)
    fudge, puff = code("Fudge Square"), code("Cocoa Puff")
    assert facts(match.answer(0, Take(1, fudge))) == [deck_events.CarnivalCardTaken(0, 1, fudge)]
    assert match.asked == CarnivalExtra(0)
    told = facts(match.answer(0, Swap(fudge, 4, puff)))
    assert told[:2] == [
        events.CardsDiscarded(0, (fudge,), "carnival"),
        deck_events.CarnivalCardTaken(0, 4, puff),
    ]
    assert [(type(e), e.slot) for e in told[2:]] == [
        (deck_events.CarnivalStocked, 1),
        (deck_events.CarnivalStocked, 4),
    ]
    assert match.state.hands[0] == (puff,) and match.state.discard == (fudge,)
    assert match.asked == EndTurn(0)


def test_s14_the_gap_is_refilled_after_the_second_pick() -> None:
    match = board(Carnival(0), at=("carnival", None, None), row=ROW)
    fudge = code("Fudge Square")
    match.answer(0, Take(1, fudge))
    assert not [o for o in match.form(0).options if isinstance(o, Swap) and o.slot == 1]
    assert refused(match, 0, Swap(fudge, 1, fudge))
    assert match.asked == CarnivalExtra(0)
    match.answer(0, Swap(fudge, 0, code("Caramel")))
    assert match.asked == EndTurn(0), "a third pick is never offered"


def test_s41_down_to_twelve_at_the_end_of_the_turn() -> None:
    fourteen = "Caramel, " * 6 + "Lemon Drops, " * 6 + "Sneak, Brave"
    match = board(
        Mansion(0),
        at=("mansion", None, None),
        hands=hands("Caramel, " * 6 + "Lemon Drops, " * 5, "", ""),
    )
    match.answer(0, Proceed())
    assert len(match.state.hands[0]) == 14
    assert match.asked == EndTurn(0), "more than twelve in mid-turn triggers nothing"
    match.lay(hands=hands(fourteen, "", ""))
    match.answer(0, End())
    assert match.asked == HandLimit(0)
    assert (match.form(0).least, match.form(0).most) == (2, 2)
    assert refused(match, 0, discards("Caramel"))
    told = facts(match.answer(0, discards("Caramel, Sneak")))
    assert told == [
        events.CardsDiscarded(0, codes("Caramel, Sneak"), "limit"),
        events.TurnStarted(1, 2),
    ]
    assert len(match.state.hands[0]) == 12
    assert match.asked == Move(1)


def test_s43_no_cards_left_thins_all_hands() -> None:
    match = board(
        Mansion(0),
        at=("mansion", None, None),
        deck=(),
        discard=(),
        hands=hands(
            "Caramel, Caramel, Sneak, Brave",
            "Lemon Drops, Sneak",
            "Gum Drops, " * 6 + "Brave, " * 6,
        ),
    )
    told = facts(match.answer(0, Proceed()))
    assert [type(e).__name__ for e in told] == [
        "HandsThinned",
        "DiscardsReshuffled",
        *["CardDrawn"] * 3,
    ]
    assert [len(cards) for cards in told[0].lost] == [3, 2, 3]
    assert len(told[1].deck) == 8
    assert [len(hand) for hand in match.state.hands] == [4, 0, 9]
    assert len(match.state.deck) == 5
    assert match.asked == EndTurn(0)


def test_s44_nothing_left_but_the_open_card() -> None:
    sneak = code("Sneak")
    match = board(
        House(0),
        at=("house1", None, None),
        houses=(sneak, None, None),
        deck=(),
        discard=(),
        hands=hands("", "", ""),
    )
    assert facts(match.answer(0, Proceed())) == [
        deck_events.DrawSkipped(0, "hand", 2),
        deck_events.HouseCardTaken(0, 0, sneak),
        deck_events.HandsThinned(((sneak,), (), ())),
        deck_events.DiscardsReshuffled((sneak,)),
        deck_events.HouseStocked(0, sneak),
    ]
    assert match.state.hands == ((), (), ())
    assert match.asked == EndTurn(0)


def test_s46_the_end_of_the_turn_is_asked_even_without_a_choice() -> None:
    match = board(EndTurn(0), hands=hands("Caramel", "Sneak", ""))
    assert match.form(0).options == (End(),)
    for viewer in (1, 2, "spectator"):
        shown = match.view(viewer)["question"]
        assert shown["kind"] == "end_turn" and shown["seats"] == [0]
        assert shown["about"] == {} and "form" not in shown
    match.answer(0, End())
    assert match.asked == Move(1)


def test_s47_who_sees_a_card_drawn_or_stolen() -> None:
    match = board(Mansion(0), at=("mansion", None, None))
    match.answer(0, Proceed())
    seen = [GAME.narrate(e, 1) for e in match.commits[-1].events]
    assert seen.count("Seat 0 draws a card.") == 3
    view = match.view(1)
    assert view["hands"][0] == {"hidden": 3} and view["deck"] == {"hidden": 85}
    stolen = events.CardStolen(0, 2, code("Caramel"))
    assert GAME.narrate(stolen, 1) == "Seat 0 steals a card from seat 2."
    assert match.asked == EndTurn(0)


def test_s59_tricks_in_the_row_are_cards_like_others() -> None:
    row = slots("Caramel, Fudge Square, Egging Houses, Move Bully, Cocoa Puff")
    match = board(Carnival(0), at=("carnival", None, None), row=row, hands=hands("Sneak", "", ""))
    match.answer(0, Take(2, code("Egging Houses")))
    told = facts(match.answer(0, Swap(code("Sneak"), 0, code("Caramel"))))
    assert told[:2] == [
        events.CardsDiscarded(0, codes("Sneak"), "carnival"),
        deck_events.CarnivalCardTaken(0, 0, code("Caramel")),
    ]
    assert sorted(e.slot for e in told[2:]) == [0, 2] and all(match.state.row)
    assert match.state.hands[0] == codes("Caramel, Egging Houses")
    assert match.asked == EndTurn(0)


def test_the_second_card_may_be_left() -> None:
    match = board(Carnival(0), at=("carnival", None, None), row=ROW)
    match.answer(0, Take(4, code("Cocoa Puff")))
    assert kinds(match.answer(0, Stop())) == ["CarnivalStocked"]
    assert match.state.hands[0] == codes("Cocoa Puff")
    assert match.asked == EndTurn(0)
