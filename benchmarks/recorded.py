"""Matches played offline by the games' own bots, as stored entries."""

from __future__ import annotations

import random
from typing import Any

from events.log import Entry
from events.memory import MemoryStore
from games.dice import commitment
from games.game import Game
from games.table import Table
from services import commands
from services.keys import Keys
from services.matches import Matches


async def record(game: Game, seats: int, number: int, options: dict[str, Any]) -> list[Entry]:
    """One whole match; everything follows from its number."""
    rng = random.Random(number)
    keys = Keys([rng.randbytes(32)])
    store = MemoryStore()
    times = iter(range(1_700_000_000_000, 1_800_000_000_000, 1000))
    matches = Matches(store, keys, lambda: next(times))
    match = f"01BENCH{number:019d}"
    plain = game.checked_options(options)
    given = {name: getattr(plain, name) for name in plain.__struct_fields__}
    sealed = commitment(keys.seed(keys.current, match))
    created = commands.create(rng.randbytes(16), match, game, seats, given, keys.current, sealed)
    await matches.create(match, created, game)
    for seat in range(seats):
        await matches.submit(match, commands.seat_bot(rng.randbytes(16), seat))
    table = (await matches.submit(match, commands.start(rng.randbytes(16)))).table
    while table.status == "playing":
        table = (await matches.submit(match, _answer(game, table, rng))).table
    await matches.submit(match, commands.close(rng.randbytes(16)))
    return await store.read(match)


def _answer(game: Game, table: Table, rng: random.Random) -> commands.Command:
    seat = table.asked[0]
    view = table.view(seat)["game"]
    option = game.bot(view, view["question"], rng.randrange)
    return commands.answer(rng.randbytes(16), seat, view["question"]["id"], option)
