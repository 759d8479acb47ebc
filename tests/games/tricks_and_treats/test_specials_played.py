"""Scenarios 37, 53 to 58, 70 and 73: what a card put under a Special Basket sets off."""

from __future__ import annotations

import pytest

from games.rules import Answered
from games.tricks_and_treats.choices import JumpBasket, MoveCandy, SwapBasket, TradeCandy
from games.tricks_and_treats.events import CandyPlayed, CandyTraded
from games.tricks_and_treats.line_events import CandyMoved, LineChanged, Moved
from games.tricks_and_treats.options import Decline, End, Jump, Move, Put, Swap, Tattle, Trade
from games.tricks_and_treats.turns import BeforeDraw, EndTurn
from tests.games.tricks_and_treats.laid import (
    candy,
    facts,
    lined,
    order,
    refused,
    to_play,
    under,
)


def test_s37_bomb_declined() -> None:
    match = lined("B01 A B C D B13", "GUM1", "", "", "", "", "PEP2")
    to_play(match, "CHO4 PEP1 PEP2")
    match.answer(0, Put("CHO4", "B01"))
    assert match.asked == SwapBasket(0, "B01")
    events = match.answer(0, Decline())
    assert isinstance(events[0], Answered) and events[0].option == Decline()
    assert facts(events) == []
    assert order(match) == "B01 A B C D B13"
    assert match.asked == EndTurn(0)


@pytest.mark.parametrize(
    ("side", "line", "owner"),
    [("left", "B13 A B C D B01", "B13"), ("right", "A B01 B C D B13", "A")],
)
def test_q42_bomb_swaps_round_the_ring_and_the_pile_stays(side, line, owner) -> None:  # type: ignore[no-untyped-def]
    match = lined("B01 A B C D B13", "GUM1", "", "", "", "", "PEP2")
    to_play(match, "CHO4 PEP1 PEP2")
    match.answer(0, Put("CHO4", "B01"))
    places = tuple(line.split())
    assert facts(match.answer(0, Swap(side))) == [LineChanged("B01", "swap", places)]
    assert under(match, 0) == "GUM1 CHO4"
    assert match.state.line[0] == owner
    assert match.asked == EndTurn(0)


def test_monte_asks_after_a_2_only() -> None:
    match = lined("A B02 B C D B13")
    to_play(match, "CHO2 PEP1 PEP3")
    match.answer(0, Put("CHO2", "B02"))
    assert match.asked == SwapBasket(0, "B02")
    match.answer(0, Swap("left"))
    assert order(match) == "B02 A B C D B13"
    assert candy(match)["A"] == 2
    assert match.asked == EndTurn(0)
    other = lined("A B02 B C D B13")
    to_play(other, "CHO2 PEP1 PEP3")
    assert facts(other.answer(0, Put("PEP3", "B02"))) == [CandyPlayed(0, "PEP3", "B02", 1)]
    assert other.asked == EndTurn(0)


def test_s53_magnet() -> None:
    match = lined("A B03 B C D B10", "CHO1 PEP4", "", "", "", "GUM2")
    to_play(match, "COR1 PEP1 PEP2")
    match.answer(0, Put("COR1", "B03"))
    assert match.asked == MoveCandy(0, "B03")
    for wrong in (Move("B", "C"), Move("B03", "C"), Move("A", "B03"), Move("A", "A")):
        assert refused(match, 0, wrong) == "not_an_option"
    assert match.form(0).contains(Move("A", "B10"))
    moved = CandyMoved("B03", (Moved("PEP4", 0, 1, 3),))
    assert facts(match.answer(0, Move("A", "C"))) == [moved]
    assert (candy(match)["A"], candy(match)["C"]) == (1, 4)
    assert match.asked == EndTurn(0)


def test_q41_magnet_and_trade_window_without_other_candy_ask_nothing() -> None:
    for code in ("B03", "B09"):
        match = lined(f"A {code} B C D B10", "", "GUM1")
        to_play(match, "COR1 PEP1 PEP2")
        assert facts(match.answer(0, Put("COR1", code))) == [CandyPlayed(0, "COR1", code, 1)]
        assert match.asked == EndTurn(0)


def test_s55_merry_go_round() -> None:
    match = lined("A B06 B C D B15")
    to_play(match, "PEP1 PEP2 PEP3")
    assert facts(match.answer(0, Put("PEP1", "B06"))) == [
        CandyPlayed(0, "PEP1", "B06", 1),
        LineChanged("B06", "shift", ("B06", "B", "C", "D", "B15", "A")),
    ]
    assert under(match, 1) == "PEP1"
    assert candy(match)["B"] == 1
    assert match.asked == EndTurn(0)
    other = lined("A B06 B C D B15")
    to_play(other, "PEP1 PEP2 PEP3")
    assert facts(other.answer(0, Put("PEP2", "B06"))) == [CandyPlayed(0, "PEP2", "B06", 1)]
    assert other.asked == EndTurn(0)


@pytest.mark.parametrize(
    ("side", "line", "owner"),
    [("right", "B07 B C D B14 A", "B14"), ("left", "A B B07 C D B14", "D")],
)
def test_s56_leapfrog(side, line, owner) -> None:  # type: ignore[no-untyped-def]
    match = lined("A B C D B07 B14")
    to_play(match, "GUM4 PEP1 PEP2")
    match.answer(0, Put("GUM4", "B07"))
    assert match.asked == JumpBasket(0, "B07")
    places = tuple(line.split())
    assert facts(match.answer(0, Jump(side))) == [LineChanged("B07", "jump", places)]
    assert under(match, 4) == "GUM4"
    assert match.state.line[4] == owner
    assert match.asked == EndTurn(0)


def test_leapfrog_declined() -> None:
    match = lined("A B C D B07 B14")
    to_play(match, "GUM4 PEP1 PEP2")
    match.answer(0, Put("GUM4", "B07"))
    assert facts(match.answer(0, Decline())) == []
    assert order(match) == "A B C D B07 B14"
    assert match.asked == EndTurn(0)


def test_peppermint_twist() -> None:
    match = lined("B08 A B C D B14", "", "GUM1")
    to_play(match, "PEP4 GUM1 PEP2")
    assert facts(match.answer(0, Put("PEP4", "B08"))) == [
        CandyPlayed(0, "PEP4", "B08", 0),
        LineChanged("B08", "swap", ("B08", "B14", "B", "C", "D", "A")),
    ]
    assert candy(match)["A"] == 0
    assert match.asked == EndTurn(0)
    other = lined("B08 A B C D B14")
    to_play(other, "PEP4 GUM1 PEP2")
    assert facts(other.answer(0, Put("GUM1", "B08"))) == [CandyPlayed(0, "GUM1", "B08", 0)]
    assert other.asked == EndTurn(0)


def test_s58_a_traded_card_starts_no_chain() -> None:
    match = lined("A B09 B C B06 D", "", "", "", "", "CHO2")
    to_play(match, "COR2 GUM1 PEP3")
    match.answer(0, Put("COR2", "B09"))
    assert match.asked == TradeCandy(0, "B09")
    assert match.form(0).options == (Trade("GUM1", "B06"), Trade("PEP3", "B06"), Decline())
    traded = CandyTraded("B09", 0, "B06", 4, "GUM1", "CHO2")
    assert facts(match.answer(0, Trade("GUM1", "B06"))) == [traded]
    assert under(match, 4) == "GUM1"
    assert match.state.hands[0] == ("PEP3", "CHO2")
    assert order(match) == "A B09 B C B06 D"
    assert match.asked == EndTurn(0)


def test_trade_window_and_magnet_declined() -> None:
    for code in ("B03", "B09"):
        match = lined(f"A {code} B C D B10", "GUM1")
        to_play(match, "COR1 PEP1 PEP2")
        match.answer(0, Put("COR1", code))
        assert facts(match.answer(0, Decline())) == []
        assert under(match, 0) == "GUM1"
        assert match.asked == EndTurn(0)


def test_s70_no_tattle_while_a_special_asks() -> None:
    match = lined("A B C D B07 B14")
    to_play(match, "GUM4 PEP1 PEP2")
    match.answer(0, Put("GUM4", "B07"))
    for other in (Tattle(1, "B"), End(), Put("PEP1", "A")):
        assert refused(match, 0, other) == "not_an_option"
    match.answer(0, Decline())
    assert match.asked == EndTurn(0)
    match.answer(0, Tattle(1, "B"))
    assert match.state.winner == 0


def test_s73_a_moved_card_starts_no_chain() -> None:
    match = lined("A B03 B C D B08", "GUM3 PEP2")
    to_play(match, "COR1 PEP1 PEP2")
    match.answer(0, Put("COR1", "B03"))
    moved = CandyMoved("B03", (Moved("PEP2", 0, 1, 5),))
    assert facts(match.answer(0, Move("A", "B08"))) == [moved]
    assert order(match) == "A B03 B C D B08"
    match.answer(0, End())
    assert match.asked == BeforeDraw(1)
