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
        body = {"seen": await version(self.match)}
        reply = await self.here.answer(sent["seat"], sent["option"], question, body=body)
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


REFUSED = {"undo_pending", "undone_since", "no_such_step", "undo_referee", "match_over", "busy"}
LATE = {"stale_question", "undone_since", "not_asked", "no_undo", "match_over", "not_an_option"}


@every_game
@every_match
async def test_races(game: str, number: int) -> None:
    """Two ask and somebody answers, at once; then all who must agree do so twice, at once."""
    rng = random.Random(number)
    parts = memory()
    async with in_memory(parts) as one, in_memory(parts) as two:
        seats = rng.randint(max(2, GAMES[game].least), min(4, GAMES[game].most))
        match = await one.playing(seats, game, undo=rng.choice(["consent", "free_own"]))
        table = Table(match, [one, two], rng)
        seen = {await version(match): await table.views()}
        for _ in range(rng.randint(2, 6)):
            if await table.answer() is not None:
                seen[await version(match)] = await table.views()
        to = rng.choice(list(seen)[:-1])
        await raced(table, to, rng)
        if (request := (await table.here.view())["match"]["request"]) is not None:
            assert await agreed(table, request) == 1
            assert msgspec.json.encode(await table.views()) == msgspec.json.encode(seen[to])
        auditor = await token_for(one, "audit")
        report = (await two.get(f"{match.path}/verify", auditor)).json()
        states = {check["name"]: check["state"] for check in report["checks"]}
        assert report["ok"] and states["rules"] == "ok", report


async def raced(table: Table, to: int, rng: random.Random) -> None:
    """Two asks and an answer in any order: one request at most, and none that an answer passed."""
    match = table.match
    public = await table.here.view()
    seen, calls = public["version"], []
    for seat in (0, 1):
        calls.append(ask(table.here, seat, to, body={"seen": seen}))
    if public["status"] == "playing":
        seat = rng.choice(public["game"]["question"]["seats"])
        question = (await table.here.view(match.seats[seat]))["game"]["question"]
        option = any_option(question, rng.randrange)
        sent = {"body": {"seen": seen}}
        calls.append(table.here.answer(seat, option, question["id"], **sent))
    order = rng.sample(range(len(calls)), len(calls))
    replies = await asyncio.gather(*(calls[n] for n in order))
    for n, reply in zip(order, replies, strict=True):
        assert reply.status_code == 200 or code(reply) in (REFUSED if n < 2 else LATE), reply.text
    kinds = []
    for reply in sorted((r.json() for r in replies if r.status_code == 200), key=_version):
        kinds += [event["type"] for event in reply["commit"]["events"]]
    request = (await table.here.view())["match"]["request"]
    asked = [n for n, kind in enumerate(kinds) if kind == "undo_asked"]
    answered = [n for n, kind in enumerate(kinds) if kind in ("answered", "chosen")]
    if request is not None:
        assert asked and not any(n > asked[-1] for n in answered), kinds


def _version(reply: dict[str, Any]) -> int:
    return int(reply["version"])


async def agreed(table: Table, request: dict[str, Any]) -> int:
    """How many of the consents took the answers back: each seat's are sent twice, once under the
    same key and once under another."""
    seen, calls = await version(table.match), []
    for seat in request["needs"]:
        key = f"consent-of-seat-{seat}-at-{seen}"
        calls += [word(table.here, seat, "agree", seen, key=k) for k in (key, key, f"{key}-2")]
    table.rng.shuffle(calls)
    replies = await asyncio.gather(*calls)
    fresh = [r.json() for r in replies if r.status_code == 200 and not r.json()["again"]]
    assert len(fresh) == len(request["needs"]), [reply.text for reply in replies]
    late = {code(reply) for reply in replies if reply.status_code != 200}
    assert late <= {"not_asked", "no_undo", "undone_since", "busy"}
    kinds = [event["type"] for reply in fresh for event in reply["commit"]["events"]]
    return kinds.count("reverted")
