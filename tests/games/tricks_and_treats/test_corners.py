"""Corners beyond the scenarios: the ring's seam, neighbours that are special, the last draws,
who is left, and that no question depends on a hand.
"""

from __future__ import annotations

from itertools import product

import pytest

from games.rules import Asked, Result
from games.tricks_and_treats.baskets import ON_PLAY
from games.tricks_and_treats.cards import VALUE
from games.tricks_and_treats.choices import JumpBasket, SwapBasket
from games.tricks_and_treats.events import CandyDrawn, CandyPlayed, PlayerEliminated, Scored
from games.tricks_and_treats.game import GAME
from games.tricks_and_treats.line_events import LineChanged, ResolutionOrdered
from games.tricks_and_treats.options import (
    Decline,
    Draw,
    End,
    Guess,
    Jump,
    Put,
    Swap,
    Tattle,
    Write,
)
from games.tricks_and_treats.setup import GiveHighest, GiveLowest
from games.tricks_and_treats.turns import BeforeDraw, EndTurn, Play
from tests.games.tricks_and_treats.laid import (
    ended,
    facts,
    hold,
    lined,
    order,
    owned,
    piles,
    refused,
    table,
    to_play,
    under,
)
from tests.play import Match

HANDS = ("PEP1 PEP1", "COR4 CHO4", "GUM2 PEP2", "CHO1 COR3", "GUM4 GUM4")


@pytest.mark.parametrize("code", sorted(ON_PLAY))
@pytest.mark.parametrize("others", ["", "GUM2"], ids=["bare", "laid"])
def test_what_is_asked_after_a_card_never_depends_on_the_rest_of_the_hand(
    code: str, others: str
) -> None:
    """Q24, Q35, Q41: the card put and the piles decide, which all can see."""
    for card in ("PEP1", "GUM2", "CHO3", "COR4"):
        ways = set()
        for rest in HANDS:
            match = lined(f"A {code} B C D B10", others)
            to_play(match, f"{card} {rest}")
            events = match.answer(0, Put(card, code))
            items = [type(e.item) for e in events if isinstance(e, Asked)]
            ways.add((type(match.asked), *map(type, events), *items))
        assert len(ways) == 1


@pytest.mark.parametrize("first", [0, 1, 2])
def test_both_givers_are_asked_whatever_they_hold(first: int) -> None:
    """Q27: with one option too; what comes next is the same."""
    last = (first - 1) % 3
    ways = set()
    for high, low in product(HANDS, HANDS):
        match = Match.started(GAME, 3, first=first, exchange=True)
        hands = list(match.state.hands)
        hands[first], hands[last] = tuple(high.split()), tuple(low.split())
        match.lay(hands=tuple(hands))
        assert match.asked == GiveHighest(first, last)
        given, *_ = match.form(first).options
        one = match.answer(first, given)
        assert match.asked == GiveLowest(last, first, given.card)
        back, *_ = match.form(last).options
        assert VALUE[back.card] == min(VALUE[card] for card in low.split())
        two = match.answer(last, back)
        assert match.asked == BeforeDraw(first)
        ways.add((*map(type, one), *map(type, two)))
        assert len(match.state.hands[first]) == len(match.state.hands[last]) == 2
    assert len(ways) == 1


def test_bomb_and_the_other_special_trade_places_round_the_ring() -> None:
    """Q42, Q47, Q53: a 1 comes to lie under Merry-Go-Round, but was not put there."""
    match = lined("B01 A B C D B06", "GUM1", "", "", "", "", "PEP2")
    to_play(match, "PEP1 PEP3 CHO2")
    match.answer(0, Put("PEP1", "B01"))
    assert match.asked == SwapBasket(0, "B01")
    events = facts(match.answer(0, Swap("left")))
    assert events == [LineChanged("B01", "swap", ("B06", "A", "B", "C", "D", "B01"))]
    assert (under(match, 0), under(match, 5)) == ("GUM1 PEP1", "PEP2")
    assert match.asked == EndTurn(0)


@pytest.mark.parametrize(
    ("line", "side", "after"),
    [
        ("B07 B01 A B C D", "right", "B01 A B07 B C D"),
        ("B07 B01 A B C D", "left", "D B01 A B B07 C"),
        ("B01 B07 A B C D", "left", "D B01 A B C B07"),
        ("A B C B01 D B07", "right", "B B07 C B01 D A"),
    ],
)
def test_leapfrog_passes_a_special_and_the_seam(line: str, side: str, after: str) -> None:
    """Q45: two swaps in a row; the passed slide one slot the other way."""
    match = lined(line)
    to_play(match, "GUM4 PEP1 PEP2")
    match.answer(0, Put("GUM4", "B07"))
    assert match.asked == JumpBasket(0, "B07")
    match.answer(0, Jump(side))  # type: ignore[arg-type]
    assert order(match) == after
    assert match.asked == EndTurn(0)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_card_above_times_up_is_the_last_drawn(seats: int, place: int) -> None:
    """Q1, Q2: drawn, kept, unplayed; no accusation after it, and no turn with it on top."""
    match = table(seats)
    cards = [card for card in match.state.deck if card != "TU"]
    at = len(cards) - place
    match.lay(deck=(*cards[:at], "TU", *cards[at:]))
    draws = 0
    while match.state.pending:
        seat = match.asked.seat
        assert match.state.deck[0] != "TU"
        if isinstance(match.asked, BeforeDraw):
            draws += 1
            (drawn, *_) = facts(match.answer(seat, Draw()))
            assert drawn.times_up is (draws == at)
        elif isinstance(match.asked, Play):
            match.answer(seat, Put(match.state.hands[seat][0], "A"))
        else:
            match.answer(seat, End())
    assert draws == at == 28 - 2 * seats - place
    assert [len(hand) for hand in match.state.hands].count(3) == 1
    assert len(match.state.deck) == place + 1
    assert refused(match, 0, Tattle(1, "B")) == "match_over"


def test_the_last_one_in_wins_before_any_special_does_its_part() -> None:
    """Q16: also where the accuser is wrong, with one candy above Time's Up."""
    match = lined("A B01 B04 B C D", "PEP4", "GUM1")
    match.lay(deck=("CHO1", "TU"))
    events = facts(match.answer(0, Tattle(1, "C")))
    assert not any(isinstance(event, ResolutionOrdered | CandyDrawn) for event in events)
    assert match.table.result == Result((1,), (None, None), "last_player")
    assert match.asked is None


def test_turns_go_round_those_who_are_out() -> None:
    """R8, R15: seat 3 is out by its own word, seat 0 was before; seat 1 is next."""
    match = table(4)
    match.answer(0, Tattle(2, "A"))
    assert match.asked == BeforeDraw(1)
    match.answer(1, Draw())
    match.answer(1, Put(match.state.hands[1][0], "A"))
    match.answer(1, End())
    match.answer(2, Draw())
    match.answer(2, Put(match.state.hands[2][0], "A"))
    match.answer(2, End())
    events = facts(match.answer(3, Tattle(1, "A")))
    assert events[3] == PlayerEliminated(3, "wrong_tattle")
    assert match.asked == BeforeDraw(1)
    assert match.state.playing == (1, 2)
    assert match.state.shown == ((), owned((3, "D")), owned((0, "A")), ())


def test_letters_won_stay_with_who_is_out_and_score_nothing() -> None:
    """Q15, R15: only her own letter goes to the other."""
    match = table(4)
    match.lay(piles=piles("", "", "PEP4", "CHO3", "", ""))
    match.answer(0, Tattle(1, "B"))
    match.lay(tattled=False)
    match.answer(0, Tattle(2, "F"))
    assert match.state.shown == (owned((1, "B")), (), owned((0, "A")), ())
    match.lay(
        pending=(match.state.pending[0].__class__("9.1", BeforeDraw(0)),), deck=("PEP1", "TU")
    )
    scored = next(e for e in match.answer(0, Draw()) if isinstance(e, Scored))
    assert {seat: row.total for seat, row in scored.rows.items()} == {2: 8, 3: 3}


def test_ones_own_letter_and_one_face_up_may_be_named() -> None:
    """Q8: whoever does so is wrong, and out."""
    match = table(4)
    match.answer(0, Tattle(1, "B"))
    match.lay(tattled=False)
    for letter in "AB":
        assert match.form(0).contains(Tattle(2, letter))
    match.answer(0, Tattle(2, "B"))
    assert match.state.out == (1, 0)
    assert match.asked == BeforeDraw(2)


def test_a_guess_written_after_the_card_ends_the_turn() -> None:
    """Q29, Q35: one a turn, so nothing is left to wait for."""
    match = table(3, written=True)
    to_play(match, "GUM2 PEP4 CHO3")
    match.answer(0, Put("GUM2", "A"))
    assert match.form(0).options == (End(), Guess(1), Guess(2))
    match.answer(0, Guess(2))
    assert refused(match, 0, End()) == "not_an_option"
    match.answer(0, Write("C"))
    assert match.asked == BeforeDraw(1)


def test_a_written_guess_before_the_last_draw_counts() -> None:
    """Q29: the window closes with Time's Up, not before."""
    match = table(2, written=True)
    match.lay(piles=piles("", "PEP4", "", ""))
    match.answer(0, Guess(1))
    match.answer(0, Write("B"))
    assert [type(event) for event in ended(match)][2:4] == [PlayerEliminated, Scored]
    assert match.table.result == Result((0,), (3, None), "times_up")


def test_declining_leaves_the_turn_and_the_line_as_they_are() -> None:
    match = lined("A B02 B C D B07")
    hold(match, "CHO2 GUM3")
    match.lay(deck=("PEP1", "COR1", "COR2", "TU"))
    match.answer(0, Draw())
    (played,) = facts(match.answer(0, Put("CHO2", "B02")))
    assert played == CandyPlayed(0, "CHO2", "B02", 1)
    assert facts(match.answer(0, Decline())) == []
    assert order(match) == "A B02 B C D B07"
    assert match.asked == EndTurn(0)
