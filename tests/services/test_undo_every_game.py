"""Undo through the API in every game: random play on two processes, taken back, played again."""

from __future__ import annotations

import asyncio
import os
import random
from typing import Any

import msgspec
import pytest

from games.catalog import GAMES
from tests.services.api import Client, Made, any_option, in_memory, memory
from tests.services.undoing import ask, code, token_for, version, word

MATCHES = int(os.environ.get("HALLOWSTREAM_REPLAYS", "2"))
FIRST = int(os.environ.get("HALLOWSTREAM_SEED", "1"))

every_game = pytest.mark.parametrize("game", GAMES)
every_match = pytest.mark.parametrize("number", range(FIRST, FIRST + MATCHES))


class Table:
    """A match that two processes serve; every request goes to one of them by chance."""

    def __init__(self, match: Made, clients: list[Client], rng: random.Random) -> None:
        self.match = match
        self.clients = clients
        self.rng = rng

    @property
    def here(self) -> Made:
        match = Made(self.rng.choice(self.clients), self._tokens())
        match.seats = self.match.seats
        return match

    def _tokens(self) -> dict[str, Any]:
        made = self.match
        return {"match": made.id, "host_token": made.host, "watch_token": made.watch}

    async def views(self) -> list[Any]:
        """What every seat sees of the game."""
        return [(await self.here.view(token))["game"] for token in self.match.seats.values()]

    async def answer(self) -> dict[str, Any] | None:
        """Somebody who is asked answers by chance; what was sent, None at the end."""
        public = await self.here.view()
        if public["status"] != "playing":
            return None
        seat = self.rng.choice(public["game"]["question"]["seats"])
        question = (await self.here.view(self.match.seats[seat]))["game"]["question"]
        option = any_option(question, self.rng.randrange)
        sent = {"seat": seat, "question": question["id"], "option": option}
        await self.send(sent, question["id"])
        return sent

    async def send(self, sent: dict[str, Any], question: str) -> None:
        reply = await self.here.answer(sent["seat"], sent["option"], question)
        assert reply.status_code == 200, reply.text

    async def taken_back(self, to: int, auditor: str) -> None:
        """By leave of all who must, who answer at once; or by a referee."""
        asked = await ask(self.here, 0, to)
        if code(asked) == "undo_referee":
            api = self.here.client
            reply = await api.post(f"{self.match.path}/revert", auditor, json={"to": to})
            assert reply.status_code == 200, reply.text
            return
        assert asked.status_code == 200, asked.text
        seen, events = asked.json()["version"], asked.json()["commit"]["events"]
        needs = events[0]["needs"]
        said = await asyncio.gather(*(word(self.here, s, "agree", seen) for s in needs))
        assert all(reply.status_code == 200 for reply in said), [reply.text for reply in said]
        kinds = [e["type"] for reply in said for e in reply.json()["commit"]["events"]]
        assert kinds.count("reverted") == (1 if needs else 0)
        assert needs or events[-1]["type"] == "reverted"


@every_game
@every_match
async def test_random_play_taken_back_and_played_again(game: str, number: int) -> None:
    rng = random.Random(number)
    parts = memory()
    async with in_memory(parts) as one, in_memory(parts) as two:
        seats = rng.randint(GAMES[game].least, min(4, GAMES[game].most))
        match = await one.playing(seats, game, undo="free_own")
        table = Table(match, [one, two], rng)
        auditor = await token_for(one, "audit")
        await play(table, auditor, rng)
        report = (await two.get(f"{match.path}/verify", auditor)).json()
        states = {check["name"]: check["state"] for check in report["checks"]}
        assert report["ok"] and states["rules"] == "ok", report


async def play(table: Table, auditor: str, rng: random.Random) -> None:
    start = await version(table.match)
    seen, given = {start: await table.views()}, []
    for _ in range(rng.randint(2, 10)):
        sent = await table.answer()
        if sent is None:
            break
        given.append(sent)
        seen[await version(table.match)] = await table.views()
    last = max(seen)
    to = rng.choice([at for at in seen if at < last])
    await table.taken_back(to, auditor)
    assert msgspec.json.encode(await table.views()) == msgspec.json.encode(seen[to])
    ids: dict[str, str] = {}
    for sent in given[len(given) - (last - to) :]:
        now = (await table.here.view())["game"]["question"]["id"]
        await table.send(sent, ids.setdefault(sent["question"], now))
    for view, was in zip(await table.views(), seen[last], strict=True):
        assert unnamed(view) == unnamed(was), "the same answers met another chance"


def unnamed(view: dict[str, Any]) -> dict[str, Any]:
    """Without the question's id: what is asked anew is named anew."""
    if view["question"] is not None:
        view["question"].pop("id")
    return view
