"""Light clients on one connection each: an HTTP one that reads replies, and players of a match."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from typing import Any

import msgspec


class Http:
    """One kept connection; as little client as there can be."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> Http:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def send(self, method: str, path: str, token: str, key: str, body: Any) -> bytes:
        data = msgspec.json.encode(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\nIdempotency-Key: {key}\r\n"
        )
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self.writer.write(f"{head}{bearer}\r\n".encode() + data)
        status = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        at = status.index(b"content-length:") + 15
        reply = await self.reader.readexactly(int(status[at : status.index(b"\r\n", at)]))
        if status[9:10] != b"2":
            raise RuntimeError(f"{method} {path}: {status[:40]!r} {reply[:300]!r}")
        return reply

    def close(self) -> None:
        self.writer.close()


class Option(msgspec.Struct):
    id: str


class Form(msgspec.Struct):
    options: list[Option] = []


class Question(msgspec.Struct):
    id: str
    kind: str
    seats: list[int]
    form: Form | None = None


class Game(msgspec.Struct):
    question: Question | None


class View(msgspec.Struct):
    status: str
    game: Game | None


class Reply(msgspec.Struct):
    view: View
    version: int


decoded = msgspec.json.Decoder(Reply).decode


def next_option(question: Question) -> str:
    """Draw, put, end: a plain turn, known without seeing the asked seat's own form."""
    options = [option.id for option in question.form.options] if question.form else []
    for id in options:
        if id.startswith("put:"):
            return id
    return {"before_draw": "draw", "end_turn": "end"}.get(question.kind, "decline")


class Seats(msgspec.Struct):
    """A running match of Tricks and Treats and what is needed to play it on."""

    match: str
    tokens: list[str]
    question: Question | None
    version: int


def fresh() -> str:
    return os.urandom(16).hex()


async def seated(http: Http, seats: int) -> Seats:
    """Create, join, start."""
    body = {"game": "tricks-and-treats", "seats": seats, "options": {"first": 0}}
    made = msgspec.json.decode(await http.send("POST", "/v1/matches", "", fresh(), body))
    match, host = made["match"], made["host_token"]
    tokens = []
    for _ in range(seats):
        joined = await http.send("POST", f"/v1/matches/{match}/seats", "", fresh(), {})
        tokens.append(msgspec.json.decode(joined)["token"])
    begun = decoded(await http.send("POST", f"/v1/matches/{match}/start", host, fresh(), {}))
    assert begun.view.game is not None
    return Seats(match, tokens, begun.view.game.question, begun.version)


async def answered(http: Http, seats: Seats) -> bytes:
    """The asked seat answers; the reply."""
    question = seats.question
    assert question is not None
    path = f"/v1/matches/{seats.match}/answers"
    body = {"question": question.id, "option": next_option(question), "seen": seats.version}
    data = await http.send("POST", path, seats.tokens[question.seats[0]], fresh(), body)
    reply = decoded(data)
    seats.question = reply.view.game.question if reply.view.game else None
    seats.version = reply.version
    return data


async def play_http(http: Http, waiting: deque[Seats], until: float, clock: Any) -> list[float]:
    """Answers one after another until the time is up; the seconds that each took."""
    took = []
    while waiting and clock() < until:
        seats = waiting.popleft()
        while seats.question is not None and clock() < until:
            begun = clock()
            await answered(http, seats)
            took.append(clock() - begun)
    return took
