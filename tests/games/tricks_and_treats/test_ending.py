"""Scenarios 22 to 28, 40, 41, 46 and 47: scores, ties, the exchange, written guesses."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Result
from games.tricks_and_treats.events import (
    GameEnded,
    GuessesRevealed,
    OpeningExchange,
    PlayerEliminated,
    Scored,
    SecretLettersRevealed,
    TiesStruckOut,
    TurnStarted,
)
from games.tricks_and_treats.game import GAME
from games.tricks_and_treats.options import Give, Tattle
from games.tricks_and_treats.setup import GiveHighest, GiveLowest
from games.tricks_and_treats.state import Score, Verdict, Written
from games.tricks_and_treats.turns import BeforeDraw
from tests.games.tricks_and_treats.laid import (
    ended,
    facts,
    hold,
    lined,
    owned,
    pile,
    piles,
    refused,
    table,
)
from tests.play import Match

WORTH = {
    0: "",
    6: "PEP3 GUM3",
    7: "PEP4 GUM3",
    8: "PEP4 GUM4",
    9: "PEP4 GUM4 CHO1",
    10: "PEP4 GUM4 CHO2",
    12: "PEP4 GUM4 CHO4",
    15: "PEP4 GUM4 CHO4 COR3",
    20: "PEP4 GUM4 CHO4 COR4 COR3 PEP1",
}


def scored(seats: int, *worth: int, **state: Any) -> tuple[Match, list[Any]]:
    """Piles of this worth under A, B, C ...; then Time's Up shows."""
    match = table(seats, written=bool(state.get("guesses")))
    rest = (0,) * (seats + 2 - len(worth))
    match.lay(piles=piles(*(WORTH[n] for n in (*worth, *rest))), **state)
    events = ended(match)
    assert match.asked is None
    return match, events


def totals(match: Match) -> dict[int, int]:
    return {seat: row.total for seat, row in match.state.scores.items()}


def test_s22_scoring_with_a_letter() -> None:
    match, events = scored(4, 7, 20, 10, 9, out=(1,), shown=(owned((1, "B")), (), (), ()))
    assert events == [
        SecretLettersRevealed(("A", "B", "C", "D")),
        Scored({0: Score(7, 4, 0, 11), 2: Score(10, 0, 0, 10), 3: Score(9, 0, 0, 9)}),
        GameEnded("times_up", 0),
    ]
    assert match.table.result == Result((0,), (11, None, 10, 9), "times_up")


def test_s23_letters_won_are_not_won_again() -> None:
    match = table(4)
    match.lay(out=(1,), shown=(owned((1, "B")), (), (), ()))
    match.lay(pending=(match.state.pending[0].__class__("9.1", BeforeDraw(2)),))
    match.answer(2, Tattle(0, "A"))
    assert match.state.shown == (owned((1, "B")), (), owned((0, "A")), ())
    assert match.asked == BeforeDraw(2)


def test_s25_a_tie_at_the_top() -> None:
    match, events = scored(3, 12, 12, 9)
    assert events[-2:] == [TiesStruckOut(12, (0, 1)), GameEnded("times_up", 2)]
    assert match.state.out == (0, 1)
    assert match.table.result == Result((2,), (12, 12, 9), "times_up")


def test_s26_a_tie_below_the_top() -> None:
    _, events = scored(3, 12, 9, 9)
    assert events[-1] == GameEnded("times_up", 0)
    assert not any(isinstance(event, TiesStruckOut) for event in events)


def test_q17_nobody_has_a_score_alone() -> None:
    match, events = scored(4, 12, 12, 9, 9)
    assert events[-3:] == [
        TiesStruckOut(12, (0, 1)),
        TiesStruckOut(9, (2, 3)),
        GameEnded("times_up", None),
    ]
    assert match.table.result == Result((), (12, 12, 9, 9), "times_up")


def test_s28_ties_count_the_totals() -> None:
    match, events = scored(4, 8, 12, 10, 0, out=(3,), shown=(owned((3, "D")), (), (), ()))
    assert events[-2:] == [TiesStruckOut(12, (0, 1)), GameEnded("times_up", 2)]
    assert totals(match) == {0: 12, 1: 12, 2: 10}


def test_s40_the_exchange() -> None:
    match = table(exchange=True)
    hold(match, "GUM2 PEP4", "CHO1 CHO2", "CHO3 COR3")
    assert match.asked == GiveHighest(0, 2)
    assert match.form(0).options == (Give("PEP4"),)
    assert refused(match, 0, Give("GUM2")) == "not_an_option"
    assert refused(match, 2, Give("CHO3")) == "not_asked"
    assert facts(match.answer(0, Give("PEP4"))) == []
    assert match.state.hands[0] == ("GUM2", "PEP4"), "nothing moves before both have answered"
    assert match.asked == GiveLowest(2, 0, "PEP4")
    assert match.form(2).options == (Give("CHO3"), Give("COR3"))
    events = facts(match.answer(2, Give("COR3")))
    assert events == [OpeningExchange(0, 2, "PEP4", "COR3"), TurnStarted(0, 1)]
    assert match.state.hands == (("GUM2", "COR3"), ("CHO1", "CHO2"), ("CHO3", "PEP4"))
    assert match.asked == BeforeDraw(0)


def test_s41_the_card_received_is_not_the_one_returned() -> None:
    match = table(exchange=True)
    hold(match, "PEP1 GUM1", "CHO1 CHO2", "CHO4 COR3")
    match.answer(0, Give("GUM1"))
    assert match.form(2).options == (Give("COR3"),)
    match.answer(2, Give("COR3"))
    assert match.state.hands == (("PEP1", "COR3"), ("CHO1", "CHO2"), ("CHO4", "GUM1"))
    assert match.asked == BeforeDraw(0)


def test_q28_the_exchange_of_two() -> None:
    match = table(2, exchange=True)
    assert match.asked == GiveHighest(0, 1)
    match.answer(0, match.form(0).options[0])
    assert match.asked.seat == 1 and match.asked.to == 0


def test_s46_guesses_score() -> None:
    guesses = (Written(1, 0, "A"), Written(0, 2, "C"), Written(1, 2, "E"))
    match, events = scored(3, 15, 6, 8, guesses=guesses)
    verdicts = (Verdict(1, 0, "A", True), Verdict(0, 2, "C", True), Verdict(1, 2, "E", False))
    assert events == [
        SecretLettersRevealed(("A", "B", "C")),
        GuessesRevealed(verdicts),
        Scored({0: Score(15, 0, 3, 18), 1: Score(6, 0, 3, 9), 2: Score(8, 0, 0, 8)}),
        GameEnded("times_up", 0),
    ]
    assert totals(match) == {0: 18, 1: 9, 2: 8}


def test_s47_two_players_guessed_right() -> None:
    match, events = scored(2, 15, 6, guesses=(Written(1, 0, "A"), Written(0, 1, "B")))
    assert events[2:] == [
        PlayerEliminated(0, "guessed_by_all"),
        PlayerEliminated(1, "guessed_by_all"),
        Scored({}),
        GameEnded("times_up", None),
    ]
    assert match.table.result == Result((), (None, None), "times_up")
    match, events = scored(2, 6, 15, guesses=(Written(0, 1, "B"), Written(1, 0, "C")))
    assert events[2:] == [
        PlayerEliminated(1, "guessed_by_all"),
        Scored({0: Score(6, 0, 3, 9)}),
        GameEnded("times_up", 0),
    ]


def test_q31_q32_guessed_by_all() -> None:
    """One guess missing saves her; right guesses count although their target is out."""
    guesses = (Written(1, 0, "A"), Written(2, 0, "A"), Written(0, 2, "C"))
    match, events = scored(3, 15, 6, 8, guesses=guesses)
    assert [event for event in events if isinstance(event, PlayerEliminated)] == [
        PlayerEliminated(0, "guessed_by_all")
    ]
    assert totals(match) == {1: 9, 2: 11}
    assert match.table.result == Result((2,), (None, 9, 11), "times_up")


def test_q33_the_last_one_in_wins_whatever_the_scores() -> None:
    guesses = (
        Written(1, 0, "A"),
        Written(2, 0, "A"),
        Written(0, 1, "B"),
        Written(2, 1, "B"),
    )
    match, _ = scored(3, 15, 12, 0, guesses=guesses)
    assert match.table.result == Result((2,), (None, None, 6), "times_up")


def test_a_doubled_card_that_leaves_the_game_scores_nothing() -> None:
    match = lined("B12 A B11 B C D", "", "GUM2 CHO1")
    ended(match)
    assert match.state.removed == pile("CHO1")
    assert match.state.scores[0].candy == 4
    other = lined("B12 A B01 B C D", "", "GUM2 CHO1")
    ended(other)
    assert other.state.removed == pile("GUM2* CHO1")
    assert other.state.scores[0].candy == 0


def test_there_is_no_result_before_the_end() -> None:
    match = table()
    assert match.table.result is None
    assert GAME.result(match.state) is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_q2_the_last_draw(seats: int) -> None:
    """The game's last draw is number 25-2n to 28-2n."""
    for place in range(4):
        match = table(seats, seed=bytes([place]))
        above = next(i for i, card in enumerate(match.state.deck) if card == "TU")
        assert 25 - 2 * seats <= above <= 28 - 2 * seats
