"""What is told to whom."""

from __future__ import annotations

from typing import Any

import pytest

from games.tricks_and_treats import events as e
from games.tricks_and_treats import line_events as l
from games.tricks_and_treats.game import GAME
from games.tricks_and_treats.state import Score, Verdict

ROWS = {0: Score(7, 4, 0, 11), 2: Score(9, 0, 0, 9)}

TOLD: list[tuple[Any, str, str]] = [
    (e.StarterChosen(1), "Seat 1 takes the first turn.", ""),
    (
        e.LineLaidOut(("A", "B01", "B")),
        "The Baskets lie in a line: Basket A, Bomb and Basket B.",
        "",
    ),
    (e.CandyShuffled(("PEP1",)), "", ""),
    (e.HandsDealt((("PEP1",),), 24), "Everybody has two Candy cards; 24 are left.", ""),
    (e.TimesUpBuried(("TU",)), "Time's Up is shuffled into the last cards of the deck.", ""),
    (e.LettersDealt(("A",), ()), "Everybody has a Secret Letter.", ""),
    (
        e.OpeningExchange(0, 1, "PEP4", "COR1"),
        "Seat 0 gives Peppermint 4 to seat 1, who gives Candy Corn 1 for it.",
        "Seat 0 gives her highest card to seat 1, who gives her lowest card for it.",
    ),
    (e.TurnStarted(1, 4), "Turn 4: seat 1.", ""),
    (e.CandyDrawn(0, "GUM2", 9, False), "Seat 0 draws Gummies 2.", "Seat 0 draws a card."),
    (
        e.CandyDrawn(0, "GUM2", 9, True),
        "Seat 0 draws Gummies 2, and Time's Up shows on the deck.",
        "Seat 0 draws a card, and Time's Up shows on the deck.",
    ),
    (e.CandyPlayed(0, "CHO3", "B06", 2), "Seat 0 puts Chocolate 3 under Merry-Go-Round.", ""),
    (
        e.TattleMade(0, 1, "B", True),
        "Seat 0 accuses seat 1 of owning Basket B, and is right.",
        "",
    ),
    (
        e.TattleMade(0, 1, "B", False),
        "Seat 0 accuses seat 1 of owning Basket B, and is wrong.",
        "",
    ),
    (
        e.SecretLetterShown(1, 0, "C"),
        "Seat 1 shows the letter C to seat 0 alone.",
        "Seat 1 shows her Secret Letter to seat 0 alone.",
    ),
    (
        e.SecretLetterHandedOver(1, 0, "C"),
        "Seat 1's letter C lies face up before seat 0.",
        "",
    ),
    (e.PlayerEliminated(1, "tattled"), "Seat 1 is out: her Basket was named.", ""),
    (e.PlayerEliminated(1, "wrong_tattle"), "Seat 1 is out: she accused wrongly.", ""),
    (
        e.PlayerEliminated(1, "guessed_by_all"),
        "Seat 1 is out: everybody else guessed her Basket.",
        "",
    ),
    (
        e.GuessWritten(0, 1, "C"),
        "Seat 0 writes the letter C and lays it before seat 1.",
        "Seat 0 writes a guess and lays it before seat 1.",
    ),
    (
        l.LineChanged("B01", "swap", ("B01", "A")),
        "Bomb changes the line: Bomb and Basket A.",
        "",
    ),
    (
        l.CandyMoved("B03", (l.Moved("PEP1", 0, 0, 1),)),
        "Magnet: Peppermint 1 moves to another Basket.",
        "",
    ),
    (
        l.CandyMoved("B10", (l.Moved("COR1", 0, 0, 1), l.Moved("COR2", 1, 0, 2))),
        "Corn Maze: Candy Corn 1 and Candy Corn 2 move to another Basket.",
        "",
    ),
    (
        l.CandyRemoved("B01", (l.Lying("PEP1", 0, 0),)),
        "Bomb: Peppermint 1 leaves the game.",
        "",
    ),
    (
        l.CandyRemoved("B01", (l.Lying("PEP1", 0, 0), l.Lying("PEP2", 0, 1))),
        "Bomb: Peppermint 1 and Peppermint 2 leave the game.",
        "",
    ),
    (
        l.CandyDoubled("B12", (l.Lying("GUM1", 0, 0),)),
        "Sugar Rush: Gummies 1 counts double.",
        "",
    ),
    (
        l.CandyDoubled("B12", (l.Lying("GUM1", 0, 0), l.Lying("GUM2", 0, 1))),
        "Sugar Rush: Gummies 1 and Gummies 2 count double.",
        "",
    ),
    (
        e.CandyTraded("B09", 0, "A", 0, "PEP1", "GUM4"),
        "Seat 0 trades Peppermint 1 for Gummies 4 under Basket A.",
        "",
    ),
    (l.ResolutionOrdered(()), "", ""),
    (
        l.ResolutionOrdered(("B04", "B01")),
        "At the end these do their part: Electric Slide and Bomb.",
        "",
    ),
    (l.SpecialResolved("B01", 1, 2, "done"), "Bomb does its part.", ""),
    (
        l.SpecialResolved("B04", 1, 1, "odd"),
        "Electric Slide has an odd number of cards under it.",
        "",
    ),
    (
        l.SpecialResolved("B04", 1, 2, "even"),
        "Electric Slide has an even number of cards under it.",
        "",
    ),
    (l.SpecialResolved("B04", 1, 0, "zero"), "Electric Slide has no cards under it.", ""),
    (
        e.SecretLettersRevealed(("C", "A")),
        "All letters are revealed: seat 0 owns Basket C and seat 1 owns Basket A.",
        "",
    ),
    (e.GuessesRevealed(()), "The guesses are revealed: none is right.", ""),
    (
        e.GuessesRevealed((Verdict(0, 1, "B", True), Verdict(1, 0, "B", False))),
        "The guesses are revealed; right were seat 0 at seat 1.",
        "",
    ),
    (e.Scored(ROWS), "The count: seat 0 has 11 and seat 2 has 9.", ""),
    (e.Scored({}), "Nobody is left to be counted.", ""),
    (e.TiesStruckOut(9, (0, 2)), "Seats 0 and 2 tie at 9 and are out.", ""),
    (e.GameEnded("times_up", None), "The game is over, and nobody wins.", ""),
    (e.GameEnded("times_up", 2), "The game is over: seat 2 wins.", ""),
    (e.GameEnded("last_player", 2), "The game is over: seat 2, the last one in, wins.", ""),
]


@pytest.mark.parametrize(("event", "full", "cut"), TOLD, ids=str)
def test_the_sentence(event: Any, full: str, cut: str) -> None:
    assert GAME.narrate(event, "auditor") == full
    assert GAME.narrate(event, "spectator") == (cut or full)


def test_every_event_has_been_told() -> None:
    own = {
        m
        for m in GAME.event.__args__
        if isinstance(m, type) and m.__module__ in (e.__name__, l.__name__)
    }
    assert own == {type(event) for event, *_ in TOLD}
