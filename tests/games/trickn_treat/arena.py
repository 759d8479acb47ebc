"""Whole games between bots, without the log: quick enough for hundreds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from games.bots import random_bot
from games.dice import Dice
from games.game import Bot
from games.rules import Answer, Result, begin, decide, fold, view
from games.trickn_treat.bots import bot
from games.trickn_treat.game import GAME

MATCH = "arena"


def played(bots: Sequence[Bot], number: int, **options: Any) -> Result:
    """Game `number`: the deal and all chance follow from it."""
    rng, seed = random.Random(number), str(number).encode()
    empty, setup = GAME.start(len(bots), GAME.checked_options(options))
    state, place = fold(empty, begin(empty, setup, Dice(seed, MATCH, 0, 1))), 0
    while state.pending:
        place += 1
        asked = state.pending[-1]
        seat = asked.item.seats[0]
        seen = view(state, seat)
        sent = bots[seat](seen, seen["question"], rng.randrange)
        option = asked.item.form(state, seat).pick(sent)
        dice = Dice(seed, MATCH, place, place + 1)
        state = fold(state, decide(state, seat, Answer(asked.id, option), dice))
    result = GAME.result(state)
    assert result is not None
    return result


def coop_wins(player: Bot, games: range, seats: int = 4, **options: Any) -> int:
    """How many of these games the table wins with this player on every seat."""
    return sum(bool(played([player] * seats, n, **options).winners) for n in games)


def competitive(games: range, seats: int) -> tuple[int, int]:
    """Wins of the heuristic player and of the random one, half the seats of each, by seat won.

    The first seats are the heuristic player's in even games and the random one's in odd ones.
    """
    won = [0, 0]
    for n in games:
        smart = [(seat + n) % 2 == 0 for seat in range(seats)]
        players = [bot if one else random_bot for one in smart]
        for seat in played(players, n, mode="competitive").winners:
            won[smart[seat]] += 1
    return won[1], won[0]
