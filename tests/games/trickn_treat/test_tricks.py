"""The scenarios of playing, winning and scoring, ghosts 6 and 7 among them."""

from __future__ import annotations

import pytest

from games.forms import OneOf
from games.rules import Refused
from games.trickn_treat.events import CandyScored, CardPlayed, TrickStarted, TrickTaken, TrickWon
from games.trickn_treat.exchange import ChooseTarget, Exchange
from games.trickn_treat.options import Give, Play, Score, Target
from games.trickn_treat.scoring import lowest, of_colours
from games.trickn_treat.turns import PlayCard, ScoreCandy
from tests.games.trickn_treat.table import play, treat
from tests.play import Match


def test_ts11_no_ghost_leads() -> None:
    match = treat("B3 R12 *9", "B4", "B5", "B11")
    assert match.asked == PlayCard(0, 0)
    assert match.form(0) == OneOf((Play("B3"), Play("R12")))
    with pytest.raises(Refused) as refused:
        match.answer(0, Play("*9"))
    assert refused.value.code == "not_an_option"
    play(match, "R12")
    assert match.asked == PlayCard(1, 1)


def test_ts13_without_the_suit_anything_may_be_played() -> None:
    match = treat("B3", "G5 R12 *7", "B4", "B5")
    play(match, "B3")
    assert match.asked == PlayCard(1, 1)
    assert match.form(1) == OneOf((Play("G5"), Play("R12"), Play("*7")))
    play(match, "G5")
    assert match.asked == PlayCard(2, 2)


def test_with_the_suit_or_a_ghost_one_of_them_must_be_played() -> None:
    match = treat("B3", "G5 B12 *7", "B4", "B5")
    play(match, "B3")
    assert match.form(1) == OneOf((Play("B12"), Play("*7")))
    with pytest.raises(Refused):
        match.answer(1, Play("G5"))


def test_ts14_who_holds_only_ghosts_plays_one() -> None:
    match = treat("B3 G1", "*6 *9", "B4 G2", "B5 G3")
    play(match, "B3")
    assert match.form(1) == OneOf((Play("*6"), Play("*9")))
    play(match, "*6")
    assert match.state.reversed
    assert match.asked == PlayCard(2, 2)


def five(mode: str) -> Match:
    """Blue 3, Ghost 10, Green 2, Blue 11, Red 14; the 10 changes nothing that matters here."""
    dark = {"dark": (0, 1, 2)} if mode == "competitive" else {}
    match = treat("B3 Y1", "*10 Y2", "G2", "B11 Y3", "R14 Y4", mode=mode, **dark)
    play(match, "B3", "*10")
    assert match.asked == ChooseTarget(1, 1)
    match.answer(1, Target(4))
    assert match.asked == Exchange((1, 4))
    match.answer(1, Give("Y2"))
    match.answer(4, Give("Y4"))
    play(match, "G2", "B11")
    return match


def test_ts16_the_highest_of_suit_and_ghosts_wins_and_chooses_the_candy() -> None:
    match = five("coop")
    events = play(match, "R14")
    assert TrickWon(3, "B11") in events
    assert match.asked == ScoreCandy(3, 3)
    assert match.form(3) == OneOf((Score(("B3",)), Score(("G2",))))
    match.answer(3, Score(("G2",)))
    state = match.state
    assert state.scores[3] == ("G2",)
    assert state.hands[3] == ("Y3", "*10")
    assert state.piles[3] == ("B3", "B11", "R14")
    assert match.asked == PlayCard(3, 3)


def test_ts17_against_each_other_the_lowest_candy_is_scored_unasked() -> None:
    match = five("competitive")
    events = play(match, "R14")
    assert CandyScored(3, ("G2",)) in events
    assert match.state.piles[3] == ("B3", "B11", "R14")
    assert match.asked == PlayCard(3, 3)


def test_ts19_a_zero_wins_when_nobody_follows() -> None:
    match = treat("B0 B1", "R15", "G14", "Y13")
    events = play(match, "B0", "R15", "G14", "Y13")
    assert TrickWon(0, "B0") in events and CandyScored(0, ("B0",)) in events
    assert match.state.piles[0] == ("R15", "G14", "Y13")
    assert match.asked == PlayCard(0, 0)


def test_ts20_a_friend_beats_a_ghost() -> None:
    match = treat("B2 G1", "*10", "B11 G2", "B5", mode="competitive", dark=(0, 2))
    events = play(match, "B2", "*10", "B11", "B5")
    assert TrickWon(2, "B11") in events
    assert match.state.hands[2] == ("G2", "*10")
    assert match.asked == PlayCard(2, 2)


def test_ts22_without_candy_nothing_is_scored() -> None:
    match = treat("B12", "B14 G1", "R13", "G11")
    events = play(match, "B12", "B14", "R13", "G11")
    assert TrickTaken(1, (), ("B12", "B14", "R13", "G11")) in events
    assert match.state.scores == ((),) * 4
    assert match.asked == PlayCard(1, 1)


def test_ts23_the_winner_chooses_among_equal_lowest() -> None:
    match = treat("B2", "G2", "B13 G1", "R4", mode="competitive", dark=(0, 1))
    play(match, "B2", "G2", "B13", "R4")
    assert match.asked == ScoreCandy(2, 2)
    assert match.form(2) == OneOf((Score(("B2",)), Score(("G2",))))
    match.answer(2, Score(("G2",)))
    assert match.state.scores[2] == ("G2",)
    assert match.state.piles[2] == ("B2", "B13", "R4")
    assert match.asked == PlayCard(2, 2)


def test_ts25_after_a_6_the_lowest_wins() -> None:
    match = treat("B12", "B3", "*6", "B0 G1", mode="competitive", dark=(0, 1))
    events = play(match, "B12", "B3", "*6", "B0")
    assert TrickWon(3, "B0") in events
    assert match.state.scores[3] == ("B0",)
    assert match.state.hands[3] == ("G1", "*6")
    assert match.state.piles[3] == ("B12", "B3")
    assert match.asked == PlayCard(3, 3)


def test_ts26_the_6_itself_is_compared() -> None:
    match = treat("B12", "*6 G2", "R1", "G15")
    events = play(match, "B12", "*6", "R1", "G15")
    assert TrickWon(1, "*6") in events
    assert match.state.scores[1] == ("R1",)
    assert match.state.hands[1] == ("G2", "*6")
    assert match.asked == PlayCard(1, 1)


def test_ts28_a_6_and_a_7_both_count() -> None:
    match = treat("B4 G2", "*6", "*7", "R1", "B15", mode="competitive", dark=(0, 1, 2))
    events = play(match, "B4", "*6", "*7", "R1", "B15")
    assert TrickWon(0, "B4") in events
    assert match.state.scores[0] == ("R1", "B4"), "the two lowest: five points"
    assert match.state.hands[0] == ("G2", "*6", "*7")
    assert match.asked == PlayCard(0, 0)


def test_what_a_ghost_set_in_force_ends_with_its_trick() -> None:
    match = treat("B4 G2", "*6", "*7", "R1", "B15", mode="competitive", dark=(0, 1, 2))
    play(match, "B4", "*6", "*7", "R1", "B15")
    assert (match.state.reversed, match.state.extra) == (False, False)


def test_ts29_with_a_7_only_the_second_of_the_lowest_is_chosen() -> None:
    match = treat("B1 Y1", "G2", "R2", "*7", "B14 Y2", mode="competitive", dark=(0, 1, 2))
    play(match, "B1", "G2", "R2", "*7", "B14")
    assert match.asked == ScoreCandy(4, 4)
    assert match.form(4) == OneOf((Score(("B1", "G2")), Score(("B1", "R2"))))
    match.answer(4, Score(("B1", "R2")))
    assert match.state.scores[4] == ("B1", "R2")
    assert match.asked == PlayCard(4, 4)


def test_three_equal_lowest_with_a_7_are_scored_by_two() -> None:
    ways = lowest(("B2", "R5", "G2", "Y2"), 2)
    assert ways == (Score(("B2", "G2")), Score(("B2", "Y2")), Score(("G2", "Y2")))
    assert lowest((), 1) == ()


def test_ts31_with_a_7_two_candies_of_different_colours_may_be_scored() -> None:
    match = treat("B2 Y1", "G4", "B5", "*7", "B15 Y2")
    play(match, "B2", "G4", "B5", "*7", "B15")
    assert match.asked == ScoreCandy(4, 4)
    assert match.form(4) == OneOf(
        (
            Score(("B2",)),
            Score(("G4",)),
            Score(("B5",)),
            Score(("B2", "G4")),
            Score(("G4", "B5")),
        )
    )
    with pytest.raises(Refused):
        match.answer(4, Score(("B2", "B5")))
    match.answer(4, Score(("G4", "B5")))
    assert match.state.scores[4] == ("G4", "B5")
    assert match.asked == PlayCard(4, 4)


def test_a_7_and_candies_of_one_colour_score_one() -> None:
    assert of_colours(("B2", "B5"), extra=True) == (Score(("B2",)), Score(("B5",)))


@pytest.mark.parametrize("mode", ["coop", "competitive"])
def test_ts32_a_7_and_one_candy_need_no_choice(mode: str) -> None:
    match = treat("B12 Y1", "B3", "*7", "B11", mode=mode)
    events = play(match, "B12", "B3", "*7", "B11")
    assert CandyScored(0, ("B3",)) in events
    assert match.asked == PlayCard(0, 0)


def test_clockwise_from_the_leader() -> None:
    match = treat("B1 Y1", "B2 Y2", "B3 Y3", "B4 Y4", leader=2)
    assert TrickStarted((2, 3, 0, 1)) in match.commits[-1].events
    assert CardPlayed(2, "B3") in play(match, "B3")
    assert match.asked == PlayCard(3, 3)
