"""A whole match without a server: the same seed gives the same bytes on every machine."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec

from events.log import Entry, Seal
from events.memory import MemoryStore
from games.bots import random_bot
from games.dice import Dice, commitment
from games.game import Bot, Game
from games.table import Table
from services import commands
from services.commands import Command
from services.ids import match_id
from services.keys import Keys
from services.live import Live
from services.matches import Matches

Bots = Literal["heuristic", "random"]

START = 1_761_937_200_000
"""When every offline match begins: 2025-10-31, 19:00 UTC."""

PACE = 3_000
"""Milliseconds from one commit to the next."""


class Played(NamedTuple):
    """A closed match: its entries as a store holds them, what seals its secrets, and the server
    key from which that follows."""

    match: str
    table: Table
    entries: list[Entry]
    seal: Seal
    key: bytes


async def play(game: Game, seats: int, options: Any, seed: str, bots: Bots = "random") -> Played:
    """Bots play to the end. `options` as `Game.checked_options` gives them. Raises Refused."""
    offline = _Offline(game, seats, msgspec.to_builtins(options), seed)
    await offline.open()
    bot = game.bot if bots == "heuristic" else random_bot
    while offline.live.table.status == "playing":
        await offline.answer(bot)
    await offline.submit("close", commands.close)
    live = offline.live
    entries = await offline.store.read(live.id)
    return Played(live.id, live.table, entries, live.seal, offline.key)


class _Offline:
    """One match under way; whatever a server would take from a clock or at random is derived."""

    def __init__(self, game: Game, seats: int, options: dict[str, Any], seed: str) -> None:
        self.game = game
        self.seats = game.checked_seats(seats)
        self.options = options
        given = [game.id, game.edition, seats, sorted(options.items()), seed]
        self._root = sha256(b"hallowstream play\0" + msgspec.json.encode(given)).digest()
        self.match = match_id(START, self._derived("match")[:10])
        self.key = self._derived("key")
        self.keys = Keys([self.key])
        self.store = MemoryStore(partitions=1)
        self._commits = 0
        self._matches = Matches(self.store, self.keys, self._clock)
        self.live: Live

    async def open(self) -> None:
        """Create the match, seat bots and start it."""
        key = self.keys.current
        create = commands.create(
            self._id("create"),
            self.match,
            self.game,
            self.seats,
            self.options,
            key,
            commitment(self.keys.seed(key, self.match)),
        )
        self.live = (await self._matches.create(self.match, create, self.game)).live
        for seat in range(self.seats):
            await self.submit(f"bot {seat}", commands.seat_bot, seat)
        await self.submit("start", commands.start)

    async def answer(self, bot: Bot) -> None:
        """One of the seats that are asked answers; which one is left to chance."""
        table = self.live.table
        dice = Dice(self._derived("bots"), self.match, table.version, 0)
        seat = dice.choose(table.asked)
        seen = table.view(seat)["game"]
        asked = seen["question"]
        option = bot(seen, asked, dice.below)
        await self.submit(f"answer {table.version}", commands.answer, seat, asked["id"], option)

    async def submit(self, name: str, make: Callable[..., Command], *args: Any) -> None:
        await self._matches.submit(self.match, make(self._id(name), *args))

    def _clock(self) -> int:
        self._commits += 1
        return START + PACE * self._commits

    def _id(self, name: str) -> bytes:
        return self._derived(f"command {name}")[:16]

    def _derived(self, purpose: str) -> bytes:
        return sha256(self._root + purpose.encode()).digest()
