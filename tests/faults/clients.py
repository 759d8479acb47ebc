"""Matches and the clients that play them, some with tricks; all of it follows from the seed."""

from __future__ import annotations

import asyncio
import random
from typing import Any
from uuid import UUID

from games import catalog
from games.bots import random_bot
from games.game import Game
from tests.faults.caller import Caller
from tests.faults.history import Op
from tests.faults.sockets import Follower

ATTEMPTS = 4
"""How often a client that is never told sends the same command again before it goes on."""


def new_key(rng: random.Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))


class Client:
    """Who sends commands: a host or a player."""

    def __init__(
        self, caller: Caller, name: str, match: str, rng: random.Random, stop: asyncio.Event
    ) -> None:
        self.caller = caller
        self.stop = stop
        self.name = name
        self.match = match
        self.rng = rng
        self.token = ""
        self.seat: int | None = None

    @property
    def via(self) -> str:
        return self.rng.choice(self.caller.names)

    def op(self, what: str, body: Any, key: str = "", seat: int | None = None) -> Op:
        at = self.seat if seat is None else seat
        key = key or new_key(self.rng)
        return Op(self.name, self.match, what, at, self.via, key, body, 0.0)

    async def insist(
        self, what: str, path: str, body: Any, token: str, seat: int | None = None
    ) -> dict[str, Any]:
        """The same command under one key until something is known; the reply where it is ok."""
        key = new_key(self.rng)
        for attempt in range(3 * ATTEMPTS):
            op = self.op(what, body, key, seat)
            reply = await self.caller.command(op, path, token)
            if op.outcome == "ok":
                return reply
            if (op.outcome == "refused" and op.status != 503) or self.stop.is_set():
                break
            await asyncio.sleep(0.1 * attempt)
        return {}


class Table:
    """One match: made, filled and started by its host, then played by its players.

    `mischief` is how often a player that has answered does something that no good client would.
    """

    def __init__(
        self,
        caller: Caller,
        name: str,
        rng: random.Random,
        stop: asyncio.Event,
        mischief: float = 0.25,
    ) -> None:
        self.mischief = mischief
        self.caller = caller
        self.name = name
        self.rng = rng
        self.stop = stop
        self.host = Client(caller, f"{name} host", "", rng, stop)
        self.game: Game = rng.choice(list(catalog.GAMES.values()))
        self.seats = rng.randint(self.game.least, min(self.game.most, 4))
        self.tokens: dict[str, str] = {}
        self.undo = rng.choice(("never", "consent", "free_own", "free_own"))

    async def run(self) -> None:
        """From its creation until it is over, or until the run's load ends."""
        from tests.faults.players import Player

        made = await self._made()
        if not made:
            return
        match, host = made["match"], made["host_token"]
        self.host.match = match
        self.tokens[self.host.name] = host
        path = f"/v1/matches/{match}"
        bots = self.rng.sample(range(self.seats), self.rng.randint(0, self.seats - 1))
        players = []
        for seat in range(self.seats):
            if seat in bots:
                await self.host.insist("bot", f"{path}/seats/{seat}/bot", {}, host, seat)
                continue
            player = Player(self, seat, random.Random(self.rng.random()))
            if await player.join():
                self.tokens[player.name] = player.token
                players.append(player)
        if len(players) + len(bots) < self.seats or self.stop.is_set():
            return
        if not await self.host.insist("start", f"{path}/start", {}, host):
            return
        watching = Follower(self.caller, f"{self.name} watcher", match, "", self.rng)
        following = asyncio.create_task(watching.run())
        try:
            await asyncio.gather(*[player.run(players) for player in players])
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def _made(self) -> dict[str, Any]:
        wish = {"game": self.game.id, "seats": self.seats, "undo": self.undo}
        return await self.host.insist("create", "/v1/matches", wish, "")

    def option(self, view: dict[str, Any], rng: random.Random) -> Any:
        """What the game's bot would answer, or anything at all."""
        bot = self.game.bot if rng.random() < 0.7 else random_bot
        return bot(view["game"], view["game"]["question"], rng.randrange)
