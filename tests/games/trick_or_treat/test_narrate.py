"""Every event in words, from what the viewer may see of it."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Answered, Stepped
from games.sight import Viewer
from games.trick_or_treat import deck_events as d
from games.trick_or_treat import events as e
from games.trick_or_treat.game import GAME
from games.trick_or_treat.narrate import SENTENCES
from games.trick_or_treat.options import End

TOLD: list[tuple[Any, Viewer, str]] = [
    (d.TableLaid(2, 1, 5, 1), 0, "1 House is laid out; seat 1 begins."),
    (d.TableLaid(3, 4, 5, 1), 0, "4 Houses are laid out; seat 1 begins."),
    (
        d.SetsShuffled(("S03", "S04", "S20"), ("S01",), ()),
        0,
        "Sets on offer: 2 Chocolate, 2 alike and 3 Fruity.",
    ),
    (d.CardsShuffled(("T01",)), 0, ""),
    (d.HouseStocked(2, "T01"), 0, "Lemon Drops is turned up at House 3."),
    (d.CarnivalStocked(2, "K1"), 0, "Sneak is turned up at the Carnival."),
    (e.KidChosen(1, "bat"), 0, "Seat 1 plays the Bat."),
    (e.TurnStarted(1, 7), 0, "Turn 7: seat 1."),
    (e.TrickPlayed(1, "K2"), 0, "Seat 1 plays Change Costume."),
    (e.KidMoved(1, None, "haunted", "plain"), 0, "Seat 1 goes to Haunted House."),
    (e.KidStayed(1, "house1"), 0, "Seat 1 stays at House 1."),
    (e.FreeMoveSpent(1), 0, ""),
    (e.FreeMoveGranted(1), 0, "Seat 1 may go anywhere on the next turn."),
    (e.BullyMoved(1, None, "mansion", "alley"), 0, "Seat 1 sends the Bully to Mansion."),
    (e.KidChased(0, "mansion"), 0, "Seat 0 is chased away from Mansion."),
    (e.CardStolen(1, 0, "T04"), 0, "Seat 1 steals Caramel from seat 0."),
    (e.CardStolen(1, 0, "T04"), 1, "Seat 1 steals Caramel from seat 0."),
    (e.CardStolen(1, 0, "T04"), "spectator", "Seat 1 steals a card from seat 0."),
    (e.VictimSpared(1, 0), 0, "Seat 1 takes nothing from seat 0."),
    (d.CardDrawn(1, "T04"), 1, "Seat 1 draws Caramel."),
    (d.CardDrawn(1, "T04"), 0, "Seat 1 draws a card."),
    (d.HouseCardTaken(1, 0, "T04"), 0, "Seat 1 takes Caramel from House 1."),
    (d.CarnivalCardTaken(1, 0, "T04"), 0, "Seat 1 takes Caramel from the Carnival."),
    (
        e.CardsDiscarded(1, ("T04", "T04", "K1"), "limit"),
        0,
        "Seat 1 discards 2 Caramel and Sneak.",
    ),
    (e.FearGiven(1, 2), 0, "Seat 1 gives every other player 2 Fear."),
    (e.FearReturned(1, 2), 0, "Seat 1 returns 2 Fear."),
    (e.SetClaimed(1, "S03", 5, ()), 0, "Seat 1 claims the Set 2 Chocolate for 5 points."),
    (
        e.SetClaimed(1, "S04", 3, ("T09", "T09")),
        0,
        "Seat 1 claims the Set 2 alike for 3 points, Egging Houses as 2 Cocoa Puff.",
    ),
    (e.SetRevealed("S20"), 0, "The next Set is 3 Fruity."),
    (d.DiscardsReshuffled(("T01",)), 0, "The discard pile is shuffled into a new deck."),
    (
        d.HandsThinned((("T04",), (), ("K1", "K1"))),
        0,
        "No cards are left to draw; from the hands go: seat 0 Caramel; seat 2 2 Sneak.",
    ),
    (d.DrawSkipped(1, "hand", 2), 0, "There is no card to draw (2 missing)."),
    (e.GameEnded((1, 0), (0,)), 0, "The Sets are gone: seat 0 wins with 1 point."),
    (
        e.GameEnded((5, 5), (0, 1)),
        0,
        "The Sets are gone: seat 0 and seat 1 share the win with 5 points.",
    ),
    (Answered("5.1", 0, End()), 0, ""),
    (Stepped(), 0, ""),
]


@pytest.mark.parametrize(("event", "viewer", "sentence"), TOLD, ids=lambda x: str(x)[:40])
def test_what_is_told(event: Any, viewer: Viewer, sentence: str) -> None:
    assert GAME.narrate(event, viewer) == sentence


def test_every_sentence_is_tested() -> None:
    told = {type(event).__struct_config__.tag for event, _, sentence in TOLD if sentence}
    assert told == SENTENCES.keys()
