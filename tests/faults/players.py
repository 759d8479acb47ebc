"""A player: looks, answers when it is asked, and now and then does what no good client would."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tests.faults import hostile
from tests.faults.clients import ATTEMPTS, Client, Table, new_key
from tests.faults.history import Op
from tests.faults.sockets import Follower


class Player(Client):
    """One seat of a match; half of the players follow a stream and answer over it."""

    def __init__(self, table: Table, seat: int, rng: random.Random) -> None:
        name = f"{table.name} seat {seat}"
        super().__init__(table.caller, name, table.host.match, rng, table.stop)
        self.table = table
        self.seat = seat
        self.seen = 0
        self.last: Op | None = None
        self.path = f"/v1/matches/{self.match}"
        self.by_socket = rng.random() < 0.5

    async def join(self) -> bool:
        wish = {"seat": self.seat, "entropy": self.name}
        reply = await self.insist("join", f"{self.path}/seats", wish, "")
        self.token = reply.get("token", "")
        return bool(self.token)

    async def run(self, players: Sequence[Player]) -> None:
        self.others = [player for player in players if player is not self]
        self.stream = Follower(self.caller, self.name, self.match, self.token, self.rng)
        following = asyncio.create_task(self.stream.run()) if self.by_socket else None
        try:
            while not self.stop.is_set() and await self._turn():
                pass
        finally:
            if following is not None:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)

    async def _turn(self) -> bool:
        """One look, and what follows from it; False when the match is over."""
        view = await self._look()
        if view is None:
            await asyncio.sleep(0.05)
            return True
        self.seen = max(self.seen, view["version"])
        if view["status"] == "over":
            return False
        request = view["match"]["request"]
        if request is not None:
            await hostile.leave_for(self, request)
        question = view["game"] and view["game"]["question"]
        if question and "form" in question and self.seat in question["seats"]:
            await self._answer(question["id"], self.table.option(view, self.rng))
            await hostile.mischief(self, view)
        return True

    async def _look(self) -> dict[str, Any] | None:
        wait = 0.0
        if self.by_socket:
            self.stream.news.clear()
            if self.stream.cursor <= self.seen:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.stream.news.wait(), 0.5)
            self.seen = max(self.seen, self.stream.cursor)
        elif self.seen:
            wait = 0.5
        return await self.caller.view(self.name, self.match, self.via, self.token, self.seen, wait)

    async def _answer(self, question: str, option: Any) -> None:
        """Sent until it is known what became of it, or as long as this client has patience."""
        body = {"question": question, "option": option, "seen": self.seen}
        key = new_key(self.rng)
        attempts = self.rng.randint(1, ATTEMPTS)
        for attempt in range(attempts):
            op = await self.send(self.op("answer", body, key))
            known = op.outcome == "ok" or (op.outcome == "refused" and op.status != 503)
            if known or self.stop.is_set():
                break
            await asyncio.sleep(0.05 * (attempt + 1))

    async def send(self, op: Op, token: str = "") -> Op:
        """An answer, over the stream where there is one, else by HTTP."""
        if self.by_socket and self.stream.connected and not token and self.rng.random() < 0.8:
            await self.stream.answer(op)
        else:
            await self.caller.command(op, f"{self.path}/answers", token or self.token)
        if op.outcome == "ok":
            self.seen = max(self.seen, op.version)
            self.last = op
        return op
