"""One decision of each game: the median over whole matches of bots."""

from __future__ import annotations

import random
import time
from statistics import median

from benchmarks.common import Row
from games.catalog import GAMES
from games.game import Game
from games.match import BotSeated, Created
from games.rules import Answer
from games.table import Table, committed

SEED = bytes(32)


def _decisions(game: Game, seats: int, number: int) -> list[float]:
    """Microseconds of every decision of one match."""
    rng = random.Random(number)
    created = Created("01BENCH", game.id, "", {}, seats, game.version, "", "", "at_close", True)
    table = Table(game).after(committed(Table(game), 0, "host", b"", 0, [created]))
    for seat in range(seats):
        table = table.after(committed(table, 0, "host", b"", 0, [BotSeated(seat)]))
    events, draws = table.start(SEED)
    table = table.after(committed(table, 0, "host", b"", draws, events))
    took = []
    while table.status == "playing":
        seat = table.asked[0]
        top = table.state.pending[-1]  # type: ignore[union-attr]
        answer = Answer(top.id, top.item.form(table.state, seat).sample(rng.randrange))
        begun = time.perf_counter()
        events, draws = table.answer(seat, answer, SEED)
        took.append((time.perf_counter() - begun) * 1e6)
        table = table.after(committed(table, 0, seat, b"", draws, events))
    return took


async def run(rounds: int) -> list[Row]:
    rows = []
    for game in GAMES.values():
        medians = tuple(
            median(t for n in range(5) for t in _decisions(game, game.most, 10 * r + n))
            for r in range(rounds)
        )
        rows.append(Row("decide", game.id, median(medians), "us", medians, good="200"))
    return rows
