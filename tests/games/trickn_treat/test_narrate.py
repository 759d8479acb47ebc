"""One sentence an event, and never more than the viewer may know."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Answered
from games.sight import cut
from games.trickn_treat import events, ghost_events, setup_events
from games.trickn_treat.game import GAME
from games.trickn_treat.narrate import tell
from games.trickn_treat.options import Play
from games.trickn_treat.state import DUMMY

TOLD: list[tuple[Any, str]] = [
    (setup_events.ColourRemoved("P", True, ("P0",)), "Purple goes back to the box."),
    (setup_events.ZerosRemoved(("B0",)), "The zeros go back to the box."),
    (setup_events.Dealt(((),) * 5, ()), "Everybody is dealt a hand and one ghost."),
    (
        setup_events.DummyDealt(("B3", "*9")),
        "The Dummy's row, bottom to top: Blue 3 and Ghost 9.",
    ),
    (
        setup_events.StarterChosen((5, 7, 6), 1, False),
        "Seat 1 starts with 7 candy cards in hand.",
    ),
    (
        setup_events.StarterChosen((7, 5, 7), 2, True),
        "Seat 2 starts with 7 candy cards in hand, as others do; the lot fell on that seat.",
    ),
    (setup_events.TokensPrepared(("tB",), ()), ""),
    (setup_events.TokenTaken(1, "tG"), "Seat 1 takes the Green token (light)."),
    (setup_events.TeamsFormed((1, 2, 4), (0,)), "Dark: seats 1, 2 and 4. Light: seat 0."),
    (events.LeadShown(1, True), ""),
    (events.TrickStarted((DUMMY, 0)), "The Dummy leads."),
    (events.TrickStarted((2, 0)), "Seat 2 leads."),
    (events.Skipped(1), "Seat 1 has no card left and is passed over."),
    (events.CardPlayed(1, "R12"), "Seat 1 plays Red 12."),
    (events.DummyPlayed("Y0"), "The Dummy plays Yellow 0."),
    (ghost_events.EffectSet(True, False), "From now on the lowest card wins this trick."),
    (
        ghost_events.EffectSet(False, True),
        "From now on the winner of this trick scores one candy more.",
    ),
    (
        ghost_events.EffectSet(True, True),
        "From now on the lowest card wins this trick and scores one candy more.",
    ),
    (ghost_events.GhostIdle(1, "*9", "empty_pile"), "Ghost 9 does nothing: the pile is empty."),
    (ghost_events.CardsSwapped(1, "B15", "B3"), "Seat 1 swaps Blue 15 for Blue 3 on the table."),
    (ghost_events.DummySwapped("B15", "B3"), "The Dummy swaps Blue 15 for Blue 3 on the table."),
    (ghost_events.PileSearched(1, True, "B3"), "Seat 1 takes Blue 3 from its pile."),
    (ghost_events.PileSearched(1, False, ""), "Seat 1 takes nothing from its pile."),
    (ghost_events.DummyPileSearched(("B3",)), "The Dummy takes Blue 3 from its pile."),
    (ghost_events.DummyPileSearched(()), "The Dummy takes nothing from its pile."),
    (ghost_events.ExchangeBegun(1, DUMMY), "Seat 1 exchanges a card with the Dummy."),
    (ghost_events.ExchangeBegun(DUMMY, 1), "The Dummy exchanges a card with seat 1."),
    (ghost_events.CardsExchanged(1, 2, "B3", "G3"), "Seat 1 gives Blue 3, seat 2 gives Green 3."),
    (
        ghost_events.DummyExchanged(1, "B3", "G3"),
        "Seat 1 gives Blue 3 and has Green 3 from the Dummy.",
    ),
    (events.TrickWon(1, "B11"), "Seat 1 wins the trick with Blue 11."),
    (events.CandyScored(DUMMY, ("B3", "G2")), "The Dummy scores Blue 3 and Green 2."),
    (events.TrickTaken(1, ("*9",), ("B11",)), "Seat 1 takes Ghost 9 into the hand."),
    (events.TrickTaken(1, (), ("B11",)), ""),
    (events.DummyTook(("*9",), (), ()), "The Dummy keeps Ghost 9."),
    (events.DummyTook((), ("*9", "*6"), ()), "Ghost 9 and Ghost 6 left the game."),
    (events.DummyTook((), (), ("B3",)), ""),
    (
        events.GameEnded(1, "only_ghosts"),
        "Seat 1 should lead and has only ghosts left: the game is over.",
    ),
    (
        events.GameEnded(DUMMY, "no_cards"),
        "The Dummy should lead and has no card left: the game is over.",
    ),
    (
        events.HandsShown((("*9", "*6"), (), ("*7",)), ((), (), ()), ()),
        "Ghosts in hand: seat 0 Ghost 9 and Ghost 6; seat 2 Ghost 7.",
    ),
    (events.HandsShown(((), ()), ((), ()), ()), "No seat holds a ghost."),
    (
        events.Scored((), (3, 4), "colours_missing"),
        "Nobody wins: not everybody has candy of four colours.",
    ),
    (events.Scored((0, 2), (3, 4, 3), "points"), "Won by seats 0 and 2: their candy counts more."),
    (Answered("3.1", 1, Play("B3")), ""),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_the_auditor_is_told_all(event: Any, sentence: str) -> None:
    assert tell(cut(event, "auditor")) == sentence


def test_a_viewer_is_told_of_a_secret_only_that_it_happened() -> None:
    dealt = setup_events.Dealt((("B3",), ("G3",)), ("*6",))
    told = "Everybody is dealt a hand and one ghost. Ghosts that are left leave the game unseen."
    assert GAME.narrate(dealt, 0) == told
    searched = ghost_events.PileSearched(1, True, "B3")
    assert GAME.narrate(searched, 0) == "Seat 1 takes a card from its pile."
    exchanged = ghost_events.CardsExchanged(1, 2, "B3", "G3")
    assert GAME.narrate(exchanged, 0) == "Seats 1 and 2 have exchanged a card in secret."
