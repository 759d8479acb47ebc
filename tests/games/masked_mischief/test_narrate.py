"""A sentence for every event, and never more than the viewer may know."""

from __future__ import annotations

from typing import Any

import pytest

from games.masked_mischief import events, tiles
from games.masked_mischief.game import GAME
from games.masked_mischief.narrate import SENTENCES
from games.rules import Dropped, Stepped
from tests.games.masked_mischief.given import A, B, C

TOLD: list[tuple[Any, str]] = [
    (Dropped("race", ("1.2",)), "What was still to be done is dropped."),
    (events.BoardLaid("mm-4x14", ()), "The board mm-4x14 is laid out."),
    (events.CharacterChosen(A, "Pip", "o7"), "Seat 0 plays Pip."),
    (events.MaskChosen(A, "clyde"), "Seat 0 puts on Clyde."),
    (events.SpareKept("clyde"), "Clyde is the spare mask."),
    (events.StartingRolled({0: 3, 1: 1}), "For the start: seat 0 rolls 3, seat 1 rolls 1."),
    (events.StarterDecided(B), "Seat 1 begins."),
    (events.TurnStarted(B, 4), "Turn 4: seat 1."),
    (events.TurnSkipped(B, 0), "Seat 1 sits out a turn."),
    (events.Bought(A, "tricks", 2), "Seat 0 buys: tricks, 2."),
    (events.CandyMoved(None, A, 4), "Seat 0 gets 4 candy from the Big Bowl."),
    (events.CandyMoved(B, A, 1), "Seat 1 gives 1 candy to seat 0."),
    (events.CauldronsFilled(A, (1, 0)), "Seat 0 pays into the cauldrons: 1, 0."),
    (events.CauldronTaken(A, 1, 3), "Seat 0 empties cauldron 1 of 3 candy."),
    (events.MasksChanged(("clyde", ""), ()), "The masks are now: Clyde, no mask."),
    (events.DieRolled(A, 3, 3), "Seat 0 rolls 3."),
    (events.DieRolled(A, 3, 6), "Seat 0 rolls 3 and walks 6 steps."),
    (events.RollWithheld(A), "Seat 0 does not roll."),
    (events.StatusSet(A, "skips", 1), "Seat 0 has 1 turns to sit out."),
    (events.StatusSet(A, "sticky", 1), "Seat 0 has sticky fingers this turn."),
    (events.Faced({0: "cw", 1: "in"}), "Seat 0 faces clockwise, seat 1 faces inwards."),
    (events.Walked(A, ("o1", "o2"), "cw"), "Seat 0 walks from o1 to o2."),
    (events.PlayerPassed(A, B, True), "Seat 0 passes seat 1."),
    (events.Relocated(A, "o3", "cw"), "Seat 0 is put on o3."),
    (events.Relocated(A, "o7", "free", True), "Seat 0 goes home."),
    (events.HouseVisited(A, "clyde", "H1", 2, "roll"), "Seat 0 enters H1 as Clyde: visit 2."),
    (
        events.HouseVisited(A, "clyde", "H1", 2, "other"),
        "Seat 0 enters H1 as Clyde because of a tile: visit 2.",
    ),
    (events.HouseEnteredUncounted(A, "H1"), "Seat 0 enters H1, uncounted."),
    (events.HauntedSet(2), "The Haunted House counter stands at 2."),
    (events.LtgbPlaced(A, "o9"), "Seat 0 lays LET THE GAMES BEGIN on o9."),
    (events.LtgbTaken(A, "o9"), "Seat 0 lands on LET THE GAMES BEGIN."),
    (
        events.RaceStarted(("o0", "o14"), (0,), {}),
        "The race to the Haunted House begins; everybody is on a skull: o0, o14.",
    ),
    (events.HauntedHouseReached(A), "Seat 0 reaches the Haunted House."),
    (
        events.GameEnded("clyde", "H1", (4, 9), B, False),
        "Clyde has seen enough of H1: seat 1 wins (4, 9 candy).",
    ),
    (
        events.GameEnded("clyde", "H1", (9, 9), B, True),
        "Clyde has seen enough of H1: seat 1 wins, by age (9, 9 candy).",
    ),
    (tiles.HandLifted(A), "Seat 0 must lay all Treats of the hand."),
    (tiles.TrickFlipped("o9", B, A, "K07"), "Seat 0 flips Sugar Rush of seat 1 on o9."),
    (tiles.TrickIgnored(A, "o9", 0), "Seat 0 ignores the Trick on o9."),
    (tiles.TrickReturned("o9", "resolved"), "The Trick of o9 goes back to its owner."),
    (
        tiles.TrickReturned("o9", "cut_short"),
        "The Trick of o9 is cut short and goes back to its owner.",
    ),
    (
        tiles.TricksMoved(A, (("o1", "o2"), ("o2", "o3"))),
        "Seat 0 moves Tricks: o1 to o2, o2 to o3.",
    ),
    (tiles.TreatPlayed(A, 0, "T10"), "Seat 0 plays Hidden Candy Bowl."),
    (tiles.HandsShown(A, ((), ())), "Seat 0 looks at all Treats in hands."),
    (tiles.HandsRearranged(A, ((), ())), "Seat 0 shares the Treats out anew."),
    (tiles.TreatSpent(A), ""),
    (events.TurnEnded(A), ""),
    (Stepped(), ""),
    (Dropped("race", ()), ""),
]

CUT: list[tuple[Any, str, str]] = [
    (tiles.TricksDrawn(A, ("K07",)), "Seat 0 draws Sugar Rush.", "Seat 0 draws Tricks."),
    (tiles.TreatsDrawn(A, ("T10",)), "Seat 0 draws Hidden Candy Bowl.", "Seat 0 draws Treats."),
    (
        tiles.TilesLaid(A, "trick", ("o9",), ("K07",)),
        "Seat 0 lays Sugar Rush on o9.",
        "Seat 0 lays a Trick on o9.",
    ),
    (
        tiles.TilesLaid(A, "treat", ("o9", "a1"), ("T10", "T01")),
        "Seat 0 lays Hidden Candy Bowl, Willful Ignorance on o9, a1.",
        "Seat 0 lays 2 Treats on o9, a1.",
    ),
    (tiles.TricksPutBack(A, ("K07",)), "Seat 0 puts back Sugar Rush.", "Seat 0 puts back Tricks."),
    (
        tiles.TreatsPutBack(A, ("T10",)),
        "Seat 0 puts back Hidden Candy Bowl.",
        "Seat 0 puts back Treats.",
    ),
    (tiles.TreatsKept(A, ()), "Seat 0 keeps no Treats.", "Seat 0 keeps Treats."),
    (
        tiles.TrickCleared("o9", A, "cleared", "K07"),
        "Seat 0 takes Sugar Rush back from o9, unflipped.",
        "Seat 0 takes a Trick back from o9, unflipped.",
    ),
    (
        tiles.TreatTaken(A, "o9", B, "T10"),
        "Seat 0 picks up Hidden Candy Bowl from o9.",
        "Seat 0 picks up a Treat from o9.",
    ),
    (
        tiles.TreatStolen(A, B, 0, (A, B), "T10"),
        "Seat 0 takes Hidden Candy Bowl from seat 1.",
        "Seat 0 takes a Treat from seat 1.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_what_all_can_see_is_told_to_all(event: Any, sentence: str) -> None:
    assert {GAME.narrate(event, viewer) for viewer in (A, C, "spectator")} == {sentence}


@pytest.mark.parametrize(("event", "known", "hidden"), CUT)
def test_what_is_hidden_is_told_without_names(event: Any, known: str, hidden: str) -> None:
    assert GAME.narrate(event, A) == known
    assert GAME.narrate(event, C) == GAME.narrate(event, "spectator") == hidden


def test_no_sentence_is_untested() -> None:
    told = {type(event).__struct_config__.tag for event, *_ in [*TOLD, *CUT]}
    assert set(SENTENCES) <= told
