"""The scenarios of the Dummy and of the end."""

from __future__ import annotations

import pytest

from games.dice import Dice
from games.forms import OneOf
from games.rules import Draft, Result
from games.trickn_treat.events import (
    CandyScored,
    DummyPlayed,
    DummyTook,
    GameEnded,
    HandsShown,
    LeadShown,
    Scored,
    Skipped,
    TrickStarted,
    TrickTaken,
)
from games.trickn_treat.game import GAME, result
from games.trickn_treat.ghost_events import EffectSet, GhostIdle
from games.trickn_treat.options import Play, Score
from games.trickn_treat.scoring import WHY
from games.trickn_treat.state import DUMMY, Dummy, State
from games.trickn_treat.turns import PlayCard, ScoreCandy, end, order
from tests.games.trickn_treat.table import cards, happened, play, several, treat


def test_ts52_a_dummy_that_cannot_follow_plays_its_top_card() -> None:
    match = treat("B3 G1", "B4 G2", "B15 G3", row="R2 G11 Y0")
    events = play(match, "B3", "B4", "B15")
    assert DummyPlayed("Y0") in events
    assert match.asked == ScoreCandy(2, 2)


def test_a_dummy_follows_last_with_its_topmost_card_of_the_suit() -> None:
    match = treat("B3 G1", "B4 G2", "B15 G3", row="B2 B14 Y0", leader=1)
    assert match.state.order == (1, 2, 0, DUMMY)
    assert DummyPlayed("B14") in play(match, "B4", "B15", "B3")
    assert match.asked == ScoreCandy(2, 2)


def test_ts53_a_dummy_leads_its_topmost_card() -> None:
    match = treat("B3 G1", "B4 G2", "B15 G3", row="R2 G11 Y0", leader=DUMMY, order=(2, 0, 1, DUMMY))
    assert match.commits[-1].events[:2] == (TrickStarted((DUMMY, 2, 0, 1)), DummyPlayed("Y0"))
    assert match.state.led == "Y"
    assert match.asked == PlayCard(2, 2)


def test_the_last_human_leader_is_remembered_while_the_dummy_leads_on() -> None:
    state = State(hands=((),) * 3, dummy=Dummy(), order=(DUMMY, 1, 2, 0))
    assert order(state, DUMMY) == (DUMMY, 1, 2, 0)
    assert order(state, 0) == (0, 1, 2, DUMMY)


def test_ts55_a_ghost_the_dummy_wins_leaves_the_game() -> None:
    match = treat("B3 G1", "*7 G2", "B5 G3 G5", row="Y14 B15")
    events = play(match, "B3", "*7", "B5")
    assert DummyTook((), ("*7",), ("B3", "B5", "B15")) in events
    assert not happened(match, CandyScored)
    assert match.state.dummy == Dummy(row=(), pile=("B3", "B5", "B15"))
    assert "*7" in match.state.boxed
    assert match.state.led == "Y", "the Dummy led on"
    assert match.asked == PlayCard(0, 0)


@pytest.mark.parametrize("ghost", ["*8", "*9", "*10"])
def test_ts56_a_ghost_in_the_row_follows_and_does_not_act(ghost: str) -> None:
    match = treat("B3 G1", "B4 G2", "B15 G3", row=f"R2 {ghost} Y0", dummy_pile="R11")
    events = play(match, "B3", "B4", "B15")
    assert DummyPlayed(ghost) in events and GhostIdle(DUMMY, ghost, "dummy") in events
    assert match.asked == ScoreCandy(2, 2)


def test_a_6_or_7_of_the_dummy_counts() -> None:
    match = treat("B12 G1", "B4 G2", "B15 G3", row="R2 *6 Y0")
    events = play(match, "B12", "B4", "B15")
    assert EffectSet(True, False) in events
    assert TrickTaken(1, ("*6",), ("B12", "B15")) in events
    assert match.asked == PlayCard(1, 1)


def test_ts58_a_dummy_without_a_card_is_skipped_or_ends_the_game() -> None:
    match = treat("B3 G1", "B4 G2", "B15 G3")
    assert Skipped(DUMMY) in play(match, "B3", "B4", "B15")
    assert match.asked == ScoreCandy(2, 2)
    match = treat("B3 G1", "B4 G2", "B5 G3", row="B15")
    events = play(match, "B3", "B4", "B5")
    assert GameEnded(DUMMY, "no_cards") in events
    assert match.state.pending == () and match.table.status == "over"


def test_a_dummy_with_only_ghosts_does_not_lead() -> None:
    match = treat("B3 G1", "B4 G2", "B5 G3", row="*9 B15")
    assert GameEnded(DUMMY, "only_ghosts") in play(match, "B3", "B4", "B5")
    assert match.state.row == ("*9",) and match.asked is None


def test_ts59_against_each_other_dark_plays_the_dummys_cards() -> None:
    match = treat("B3 G1", "B4 G2", "B15 G3", mode="competitive", row="B2 *6 Y0 B11")
    assert match.state.order == (0, 1, DUMMY, 2)
    play(match, "B3", "B4")
    assert match.asked == PlayCard(0, DUMMY)
    assert match.form(0) == OneOf((Play("B2"), Play("*6"), Play("B11")))
    play(match, "B2")
    assert match.asked == PlayCard(2, 2)


def test_a_forced_card_of_the_dummy_is_played_unasked() -> None:
    match = treat("B3 G1", "B4 G2", "B15 G3", mode="competitive", row="B2 Y0 R11")
    assert DummyPlayed("B2") in play(match, "B3", "B4")
    assert match.asked == PlayCard(2, 2)


def test_against_each_other_the_dummy_scores_keeps_ghosts_and_leads() -> None:
    match = treat("B3 G1", "B4 G2", "*7 G3", mode="competitive", row="G2 R14 B15")
    play(match, "B3", "B4")
    assert match.asked == PlayCard(2, 2), "Blue 15 was forced"
    events = play(match, "*7")
    assert CandyScored(DUMMY, ("B3", "B4")) in events
    assert DummyTook(("*7",), (), ("B15",)) in events
    assert match.state.dummy == Dummy(cards("G2 R14 *7"), ("B15",), ("B3", "B4"))
    assert match.state.order == (DUMMY, 2, 0, 1)
    assert match.asked == PlayCard(0, DUMMY)
    assert match.form(0) == OneOf((Play("G2"), Play("R14"))), "the 7 does not lead"


def test_dark_chooses_among_equal_candy_for_the_dummy() -> None:
    match = treat("G3 Y1", "B3 G2", "R3 Y2", leader=1, mode="competitive", row="B15 P3")
    play(match, "B3", "R3")
    assert match.state.order == (1, DUMMY, 2, 0)
    play(match, "G3")
    assert match.asked == ScoreCandy(0, DUMMY)
    assert match.form(0) == OneOf((Score(("B3",)), Score(("R3",)), Score(("G3",))))
    match.answer(0, Score(("R3",)))
    assert match.state.dummy == Dummy((), ("B3", "B15", "G3"), ("R3",))
    assert match.asked == PlayCard(2, 2), "the Dummy led its only card unasked"


def test_ts61_who_has_no_card_is_skipped() -> None:
    match = treat("", "B3 G1", "B15 G2", "B4", leader=1)
    play(match, "B3", "B15")
    events = play(match, "B4")
    assert Skipped(0) in events
    assert match.asked == ScoreCandy(2, 2)


def test_ts62_the_game_ends_when_the_winner_holds_only_ghosts() -> None:
    match = treat("B3 *6", "B15 *9", "B12 R12", "B13")
    events = play(match, "B3", "B15", "B12", "B13")
    assert LeadShown(1, False) in events and GameEnded(1, "only_ghosts") in events
    assert HandsShown((("*6",), ("*9",), (), ()), ((), (), ("R12",), ()), ()) in events
    assert match.state.discard == ("R12",)
    assert match.state.ghosts == (("*6",), ("*9",), (), ())
    assert match.asked is None and match.table.status == "over"


def test_the_game_ends_when_the_winner_holds_nothing() -> None:
    match = treat("B3 *6", "B15", "B12 R12", "B13")
    assert GameEnded(1, "no_cards") in play(match, "B3", "B15", "B12", "B13")
    assert match.asked is None


def at_the_end(state: State) -> Scored:
    """How the game is counted when it ends like this; nobody is asked after it."""
    draft = Draft(state, Dice(b"", "m", 0, 99))
    *_, scored = draft.settle(lambda: end(draft, 0))
    assert isinstance(scored, Scored) and draft.state.pending == ()
    return scored


def together(tokens: str, *scores: str) -> Scored:
    seats = len(scores)
    return at_the_end(
        State(hands=((),) * seats, tokens=cards(tokens), scores=several(scores, seats))
    )


def against(
    dark: tuple[int, ...], ghosts: list[str], scores: list[str], dummy: Dummy | None = None
) -> Scored:
    seats = len(ghosts)
    state = State(
        mode="competitive",
        hands=several(ghosts, seats),
        dark=dark,
        scores=several(scores, seats),
        dummy=dummy,
    )
    return at_the_end(state)


def test_ts64_three_colours_are_too_few_for_all() -> None:
    outcome = together("tB tR tG tY", "G1 R1 Y1", "B1 G2 Y2", "B2 G3 R2", "B3 G4 R3")
    assert outcome == Scored((), (4, 4, 3, 4), "colours_missing")


def test_ts65_all_four_for_everybody_wins_together() -> None:
    outcome = together("tB tR tG tY", "G1 R1 Y1", "B1 G2 Y2", "B2 R4 Y3", "B3 G4 R3")
    assert outcome == Scored((0, 1, 2, 3), (4, 4, 4, 4), "all_have_four")


def test_ts67_four_of_five_colours_are_enough() -> None:
    outcome = together(
        "tB tR tP tG tY", "G1 R1 P1", "B1 G2 Y2", "B2 R4 Y3", "B3 R3 P3", "B4 G3 R2 P2"
    )
    assert outcome.winners == (0, 1, 2, 3, 4)
    assert outcome.points == (4, 4, 4, 4, 5)


def test_ts68_the_higher_sum_wins() -> None:
    outcome = against(
        (0, 1, 2), ["*6", "*7", "*8", "*9", "*10"], ["R2 B1 G3", "G1 P0", "B0", "R1 Y2 G5", "B2 G0"]
    )
    assert outcome == Scored((3, 4), (7, 7, 7, 10, 10), "points")


def test_ts70_equal_sums_go_to_the_highest_ghost() -> None:
    outcome = against((0, 1), ["*9", "", "*10 *6", ""], ["B4", "G5", "R4", "Y5"])
    assert outcome == Scored((2, 3), (9, 9, 9, 9), "highest_ghost")


def test_ts71_who_holds_every_ghost_that_was_dealt_loses() -> None:
    outcome = against((0, 1), ["*6 *8", "*7 *9", "", ""], ["B4", "G5", "", ""])
    assert outcome == Scored((2, 3), (9, 9, 0, 0), "all_ghosts")
    mirrored = against((2, 3), ["*6 *8", "*7 *9", "", ""], ["B4", "G5", "", ""])
    assert mirrored == Scored((2, 3), (9, 9, 0, 0), "all_ghosts")


def test_the_dummys_ghosts_and_candy_are_darks() -> None:
    outcome = against((1,), ["", "", ""], ["B4", "", "R1"], Dummy(("*9", "*6"), (), ("Y5", "G3")))
    assert outcome == Scored((0, 2), (5, 8, 5), "all_ghosts")
    outcome = against((1,), ["*7", "", ""], ["B4", "", "R1"], Dummy(("*9",), (), ("Y5", "G3")))
    assert outcome == Scored((1,), (5, 8, 5), "points")


def test_ts73_nothing_before_the_end_decides() -> None:
    four = ["G1 R1 P1", "B1 G2 Y2", "B2 R4 Y3", "P3 B3 R3", "B4 B5 R2"]
    match = treat(
        "G11",
        "G12",
        "G13",
        "G14",
        "G15",
        tokens="tB tR tP tG tY",
        scores=tuple(four),
    )
    play(match, "G11", "G12", "G13", "G14")
    assert match.asked == PlayCard(4, 4), "no way to win is left, and play goes on"
    events = play(match, "G15")
    assert Scored((), (4, 4, 4, 4, 3), "colours_missing") in events
    assert match.asked is None
    assert match.table.result == Result((), (4, 4, 4, 4, 3), WHY["colours_missing"])


def test_ts74_a_team_without_candy_has_nothing_and_ties_at_nothing() -> None:
    outcome = against((0, 1), ["*9", "*6", "*8", "*7"], ["", "", "B0", "G0"])
    assert outcome == Scored((0, 1), (0, 0, 0, 0), "highest_ghost")


def test_there_is_no_result_before_the_end() -> None:
    assert result(treat("B3 *6", "B15", "B12 R12", "B13").state) is None
    assert GAME.result(State()) is None
