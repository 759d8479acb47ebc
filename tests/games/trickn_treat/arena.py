"""Whole games between bots, without the log: quick enough for hundreds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from games.bots import random_bot
from games.dice import Dice
from games.forms import Below
from games.game import Bot
from games.rules import Answer, begin, decide, fold, view
from games.trickn_treat.bots import bot
from games.trickn_treat.game import GAME
from games.trickn_treat.state import State

MATCH = "arena"


def played(bots: Sequence[Bot], number: int, **options: Any) -> State:
    """The end of game `number`: the deal and all chance follow from it."""
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
    return state


def coop_wins(player: Bot, games: range, seats: int = 4, **options: Any) -> int:
    """How many of these games the table wins with this player on every seat."""
    return sum(bool(played([player] * seats, n, **options).winners) for n in games)


def by_team(seat: int, dark: bool) -> Bot:
    """The heuristic player on that team, the random one on the other."""

    def player(view: dict[str, Any], question: dict[str, Any], below: Below) -> Any:
        smart = (seat in view["dark"]) == dark
        return (bot if smart else random_bot)(view, question, below)

    return player


def competitive_wins(games: range, seats: int) -> int:
    """How many of these games the heuristic team wins: dark in even ones, light in odd ones."""
    won = 0
    for n in games:
        dark = n % 2 == 0
        end = played([by_team(seat, dark) for seat in range(seats)], n, mode="competitive")
        won += (end.winners[0] in end.dark) == dark
    return won
