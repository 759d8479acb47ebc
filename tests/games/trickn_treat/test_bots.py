"""The heuristic player against the random one, and what it does in plain cases."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.bots import random_bot
from games.rules import view
from games.trickn_treat.bots import CHOICES, bot
from games.trickn_treat.game import GAME
from games.trickn_treat.options import Give, Target
from games.trickn_treat.state import DUMMY
from tests.games.trickn_treat.arena import competitive_wins, coop_wins
from tests.games.trickn_treat.table import play, treat
from tests.play import Match


def sent(match: Match, seat: int) -> Any:
    seen = view(match.state, seat)
    return bot(seen, seen["question"], random.Random(1).randrange)


def test_together_it_wins_where_random_players_never_do() -> None:
    games = range(25)
    assert coop_wins(random_bot, games) == 0
    assert coop_wins(bot, games) >= 6


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_against_random_players_its_team_wins_most(seats: int) -> None:
    assert competitive_wins(range(20), seats) >= 13


@pytest.mark.parametrize(("seats", "options"), [(3, {}), (5, {"advanced": True})])
def test_it_plays_every_table(seats: int, options: dict[str, Any]) -> None:
    assert 0 <= coop_wins(bot, range(2), seats, **options) <= 2


def test_it_answers_every_question_there_is() -> None:
    asked = {c.__struct_config__.tag for c in GAME.pending.__args__ if hasattr(c, "prompt")}
    assert asked == set(CHOICES)


def test_it_gives_the_winner_the_candy_that_seat_needs() -> None:
    match = treat("B15 Y1", "G4 R11", "B1", "B2", tokens="tG tR tB tY", scores=("G1 R1 Y3",))
    play(match, "B15")
    match.lay(hands=(("Y1",), ("B4", "B11", "R11"), ("B1",), ("B2",)))
    assert sent(match, 1) == "play:B4"


def test_it_scores_the_colour_it_lacks() -> None:
    match = treat("B2", "G4", "B15 Y2", "R1", tokens="tG tR tB tY")
    play(match, "B2", "G4", "B15", "R1")
    match.lay(scores=((), (), ("R3", "Y4"), ()))
    assert sent(match, 2) == "score:G4"


def test_it_swaps_a_needed_candy_into_the_trick() -> None:
    match = treat("B15 Y1", "B11 Y2", "*8 B4", "B12 Y3", tokens="tG tR tB tY")
    play(match, "B15", "B11", "*8")
    assert sent(match, 2) in ("swap:B4:B11", "swap:B4:B15")


def test_it_stops_where_a_swap_does_no_good() -> None:
    match = treat("B15 Y1", "B3 Y2", "*8 B14", "B12 Y3", tokens="tG tR tB tY")
    play(match, "B15", "B3", "*8")
    assert sent(match, 2) == "stop"


def test_it_takes_a_card_back_from_its_pile() -> None:
    match = treat("B3", "*9 R4", "B15 Y2", "B4", tokens="tG tR tB tY", piles=("", "G1 B14"))
    play(match, "B3", "*9")
    assert sent(match, 1) == "take:B14"


def test_it_hands_its_ghost_to_the_other_team() -> None:
    match = treat("B3 Y1", "*10 R4 *7", "B1 G2", "B15 Y4", mode="competitive", dark=(0, 1))
    play(match, "B3", "*10")
    assert sent(match, 1) in ("target:2", "target:3")
    match.answer(1, Target(3))
    assert sent(match, 1) == "give:*7"
    match.answer(1, Give("*7"))
    assert sent(match, 3) == "give:Y4"


def test_for_the_dummy_it_gives_of_the_row() -> None:
    match = treat("B4 R5", "*10 G1 G2", "B1 G2", mode="competitive", row="*6 Y0")
    play(match, "B4", "*10")
    match.answer(1, Target(DUMMY))
    assert sent(match, 0) == "give:*6"


def test_together_it_gives_a_friend_that_the_other_can_use() -> None:
    match = treat("B3", "*10 G14 *7", "G5", "B15 Y2", tokens="tG tB tR tY", scores=("", "G1"))
    play(match, "B3", "*10")
    match.answer(1, Target(3))
    assert sent(match, 1) == "give:G14"


def test_it_trades_with_the_dummy_for_the_better_card() -> None:
    match = treat("*10 R4", "B1", "B3 G1", leader=2, row="R2 B15")
    play(match, "B3", "*10")
    match.answer(0, Target(DUMMY))
    assert sent(match, 0) == "trade:R4:B15"


def test_a_lone_option_is_taken() -> None:
    assert sent(treat("B3", "B4", "B5", "B11"), 0) == "play:B3"
