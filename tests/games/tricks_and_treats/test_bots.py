"""The heuristic player knows what follows from what it has seen, and beats chance."""

from __future__ import annotations

import random
from typing import Any

from games.tricks_and_treats.bots import LATE, bot
from games.tricks_and_treats.game import GAME
from games.tricks_and_treats.options import Draw, Guess, Put
from tests.games.tricks_and_treats.laid import hold, lined, owned, piles, table, to_play
from tests.play import Match, against_chance


def said(match: Match) -> Any:
    """What the bot on the asked seat answers."""
    seen = match.view(match.asked.seat)
    return bot(seen, seen["question"], random.Random(1).randrange)


def test_it_beats_chance() -> None:
    games = [against_chance(GAME, number) for number in range(60)]
    assert sum(mine in result.winners for mine, result in games) >= 40


def test_it_accuses_when_only_one_letter_is_left() -> None:
    match = table(4)
    match.lay(
        out=(2, 3),
        shown=(owned((2, "C"), (3, "D")), (), (), ()),
        ruled_out=owned((1, "E"), (1, "F")),
    )
    assert said(match) == "tattle:1:B"


def test_it_does_not_accuse_at_random_while_there_is_time() -> None:
    assert said(table()) == "draw"


def test_late_and_behind_it_takes_the_chance() -> None:
    match = table(2)
    match.lay(deck=("PEP1",) * (LATE - 1) + ("TU",), piles=piles("", "PEP4 GUM4", "CHO1", "COR1"))
    assert said(match) == "tattle:1:B"
    match.lay(piles=piles("PEP4 GUM4", "CHO1", "CHO1", "COR1"))
    assert said(match) == "draw"
    other = table(3)
    other.lay(deck=("PEP1", "TU"), piles=piles("", "PEP4 GUM4", "CHO4 COR4", "", ""))
    assert said(other).startswith("tattle:")


def test_it_feeds_its_own_basket_but_does_not_show_off() -> None:
    match = table()
    to_play(match, "PEP4 GUM1 GUM2")
    assert said(match) == "put:PEP4:A"
    match.lay(piles=piles("PEP3 GUM4", "", "", "", ""))
    assert match.form(0).contains(Put("PEP4", "A"))
    assert said(match) == "put:PEP4:A", "still better than to feed another"


def test_it_uses_the_special_baskets_for_itself() -> None:
    match = lined("A B01 B C D B07", "", "PEP4 GUM4")
    to_play(match, "CHO1 CHO2 CHO3")
    match.answer(0, Put("CHO1", "B01"))
    assert said(match) == "swap:left"
    match = lined("A B C D B07 B14", "PEP4", "", "GUM4 CHO3", "", "")
    to_play(match, "CHO1 CHO2 CHO3")
    match.answer(0, Put("CHO3", "B07"))
    assert said(match) in ("jump:right", "jump:left", "decline")
    match = lined("A B03 B C D B10", "", "", "PEP4")
    to_play(match, "CHO1 CHO2 CHO3")
    match.answer(0, Put("CHO1", "B03"))
    assert said(match) == "move:B:A"
    match = lined("A B09 B C D B10", "PEP1", "", "PEP1")
    to_play(match, "CHO1 CHO2 CHO3")
    match.answer(0, Put("CHO1", "B09"))
    assert said(match) == "trade:CHO3:A"


def test_it_writes_its_guesses_late() -> None:
    match = table(written=True)
    assert said(match) == "draw"
    match.lay(deck=("PEP1",) * 8 + ("TU",), piles=piles("", "", "", "PEP4 GUM4", ""))
    assert said(match) in ("guess:1", "guess:2")
    match.answer(0, Guess(2))
    assert said(match) == "write:D"


def test_it_plays_the_exchange_and_ends_its_turn() -> None:
    match = table(exchange=True)
    hold(match, "GUM2 PEP4", "CHO1 CHO2", "CHO3 COR3")
    assert said(match) == "give:PEP4"
    other = table()
    other.answer(0, Draw())
    other.answer(0, Put(other.state.hands[0][0], "A"))
    assert said(other) == "end"
