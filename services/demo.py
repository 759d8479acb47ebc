"""A match played by clients through the API, told as it happens, and verified when it is over.

The clients know what any client knows: addresses, tokens, and what the API answers. Every second
one answers over its WebSocket, the others by HTTP.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from games.game import Game
from replay import words
from replay.verify import Report, verify_file

Say = Callable[[str], None]

PATIENCE = 60.0
"""Seconds without anything happening after which the demo gives up."""


class Stuck(Exception):
    """The API did not do what it should; the text says what."""


class Outcome(NamedTuple):
    """A finished match, as the clients know it."""

    match: str
    result: dict[str, Any]
    answers: int
    log: bytes
    report: Report


class Player(NamedTuple):
    """One client: its seat and its token."""

    seat: int
    token: str

    @property
    def by_socket(self) -> bool:
        return self.seat % 2 == 0


class Demo:
    """One match on an API that is up."""

    def __init__(self, url: str, admin_key: str, game: Game, seats: int, say: Say) -> None:
        self.url = url
        self.game = game
        self.seats = seats
        self.say = say
        self.answers = 0
        self._admin_key = admin_key
        self._http = httpx2.AsyncClient(base_url=url, timeout=30)
        self._match = ""

    async def play(self) -> Outcome:
        """The whole of it. Raises Stuck."""
        try:
            return await self._played()
        except (httpx2.HTTPError, WebSocketException, OSError) as error:
            raise Stuck(f"the API went away: {error!r}") from error

    async def _played(self) -> Outcome:
        async with self._http:
            made = await self._post("/v1/matches", {"game": self.game.id, "seats": self.seats})
            self._match, host = made["match"], made["host_token"]
            self.say(f"{self.game.title}, match {self._match}")
            players = [await self._join(seat) for seat in range(self.seats)]
            telling = asyncio.create_task(self._tell())
            playing = [asyncio.create_task(self._play(player)) for player in players]
            try:
                await self._post(f"/v1/matches/{self._match}/start", {}, host)
                await asyncio.gather(telling, *playing)
            finally:
                for task in (telling, *playing):
                    task.cancel()
                await asyncio.gather(telling, *playing, return_exceptions=True)
            log = await self._log()
            return Outcome(self._match, telling.result(), self.answers, log, verify_file(log))

    async def _join(self, seat: int) -> Player:
        entropy = {"seat": seat, "entropy": f"luck of seat {seat}"}
        joined = await self._post(f"/v1/matches/{self._match}/seats", entropy)
        return Player(joined["seat"], joined["token"])

    async def _tell(self) -> dict[str, Any]:
        """Watch as anybody may: a sentence for all that happens. The result, once it is closed."""
        result: dict[str, Any] = {}
        async with self._stream("", 0) as stream:
            async for message in _commits(stream):
                first = message["events"][0]
                if first["type"] in words.ANSWERS:
                    self.answers += 1
                for sentence in words.sentences(self.game, message["events"], message["by"]):
                    self.say(f"  {sentence}")
                result = message.get("result") or result
                if first["type"] in ("closed", "closed_sealed"):
                    return result
        raise Stuck("the stream ended before the match was closed")

    async def _play(self, player: Player) -> None:
        """Answer whenever asked, until the match is over."""
        chance = random.Random(f"{self._match} {player.seat}")
        async with self._stream(player.token, 0) as stream:
            async for message in _commits(stream):
                if message.get("status") == "over":
                    return
                question = message.get("question")
                if question and player.seat in question["seats"]:
                    await self._answer(player, stream, message["version"], chance)

    async def _answer(
        self, player: Player, stream: ClientConnection, version: int, chance: random.Random
    ) -> None:
        """Look at the view, think, and send."""
        path = f"/v1/matches/{self._match}"
        view = await self._get(path, player.token, at_least=version)
        game = view["game"]
        question = game and game["question"]
        if not question or "form" not in question or view["status"] != "playing":
            return
        option = self.game.bot(game, question, chance.randrange)
        sent = {"question": question["id"], "option": option, "seen": view["version"]}
        if player.by_socket:
            answer = {"type": "answer", "id": str(uuid4()), **sent}
            await stream.send(msgspec.json.encode(answer).decode())
        else:
            await self._post(f"{path}/answers", sent, player.token)

    async def _log(self) -> bytes:
        """The auditor's log, by a token that the admin key gives."""
        made = await self._post("/v1/tokens", {"scope": "audit", "hours": 1}, self._admin_key)
        path = f"/v1/matches/{self._match}/log"
        reply = await self._http.get(path, headers=_bearer(made["token"]))
        return bytes(_good(reply).content)

    async def _get(self, path: str, token: str, **query: int) -> Any:
        reply = await self._http.get(path, headers=_bearer(token), params=query)
        return msgspec.json.decode(_good(reply).content)

    async def _post(self, path: str, body: Any, token: str = "") -> Any:
        headers = {**_bearer(token), "Idempotency-Key": str(uuid4())}
        reply = await self._http.post(path, json=body, headers=headers)
        return msgspec.json.decode(_good(reply).content)

    @asynccontextmanager
    async def _stream(self, token: str, after: int) -> AsyncIterator[ClientConnection]:
        address = self.url.replace("http", "ws", 1)
        path = f"{address}/v1/matches/{self._match}/stream?after={after}"
        async with connect(path, additional_headers=_bearer(token), compression=None) as stream:
            yield stream


async def _commits(stream: ClientConnection) -> AsyncIterator[dict[str, Any]]:
    """Every commit as it comes. Raises Stuck for a refusal, and where nothing comes any more."""
    while True:
        try:
            text = await asyncio.wait_for(stream.recv(), PATIENCE)
        except TimeoutError:
            raise Stuck(f"nothing has happened for {PATIENCE:.0f} seconds") from None
        message = msgspec.json.decode(text)
        if message["type"] == "refused":
            raise Stuck(f"an answer was refused: {message['problem']}")
        if message["type"] == "commit":
            yield message


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _good(reply: httpx2.Response) -> httpx2.Response:
    if reply.is_success:
        return reply
    raise Stuck(
        f"{reply.request.method} {reply.request.url.path}: {reply.status_code} {reply.text}"
    )
