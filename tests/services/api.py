"""A client for tests, and APIs that run in this process: in memory, or behind a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from uuid import uuid4

import httpx2
import msgspec
from fastapi import FastAPI
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from events.memory import MemoryStore
from games import catalog
from games.bots import page_of, sent
from services.api import create_app
from services.keys import Keys
from services.server import Server, config
from services.settings import Settings
from services.vault import MemoryVault
from services.wiring import Parts
from tests.toy.pumpkin_patch.game import GAME

KEYS = Keys([b"the key of the server in tests .."])
ADMIN = "the admin key of the tests"
TOY = GAME.id


@contextmanager
def with_toy() -> Iterator[None]:
    """The toy game in the catalogue."""
    catalog.GAMES[TOY] = GAME
    try:
        yield
    finally:
        del catalog.GAMES[TOY]


def settings(**changes: Any) -> Settings:
    given: dict[str, Any] = {
        "admin_key": ADMIN,
        "rate_token": "0",
        "rate_address": "0",
        "rate_create": "0",
        "rate_bad_token": "0",
        "rate_verify": "0",
        "watch_seconds": 0.05,
        "log_level": "warning",
        "shutdown_seconds": 2,
    }
    return Settings(**{**given, **changes})


def memory() -> Parts:
    return Parts(MemoryStore(partitions=4), MemoryVault(), KEYS)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


class Client:
    """Speaks to one API; every command gets a key of its own."""

    def __init__(self, http: httpx2.AsyncClient, app: FastAPI) -> None:
        self.http = http
        self.app = app

    @property
    def desk(self) -> Any:
        return self.app.state.desk

    async def send(
        self, method: str, path: str, token: str = "", key: str | None = None, **more: Any
    ) -> httpx2.Response:
        headers = {"idempotency-key": key or str(uuid4()), **more.pop("headers", {})}
        if token:
            headers |= bearer(token)
        return await self.http.request(method, path, headers=headers, **more)

    async def get(self, path: str, token: str = "", **more: Any) -> httpx2.Response:
        headers = more.pop("headers", {}) | (bearer(token) if token else {})
        return await self.http.get(path, headers=headers, **more)

    async def post(self, path: str, token: str = "", **more: Any) -> httpx2.Response:
        return await self.send("POST", path, token, **more)

    async def made(self, seats: int = 2, game: str = TOY, **more: Any) -> Made:
        reply = await self.post("/v1/matches", json={"game": game, "seats": seats, **more})
        assert reply.status_code == 201, reply.text
        return Made(self, reply.json())

    async def playing(self, seats: int = 2, game: str = TOY, **more: Any) -> Made:
        """A match that has started, with a player on every seat."""
        match = await self.made(seats, game, **more)
        for _ in range(seats):
            await match.join()
        assert (await self.post(f"{match.path}/start", match.host)).status_code == 200
        return match


class Made:
    """A match with the tokens it gave."""

    def __init__(self, client: Client, made: dict[str, Any]) -> None:
        self.client = client
        self.id: str = made["match"]
        self.path = f"/v1/matches/{self.id}"
        self.host: str = made["host_token"]
        self.watch: str = made["watch_token"]
        self.seats: dict[int, str] = {}

    async def join(self, token: str = "", **body: Any) -> dict[str, Any]:
        reply = await self.client.post(f"{self.path}/seats", token, json=body)
        assert reply.status_code == 201, reply.text
        made = dict(reply.json())
        self.seats[made["seat"]] = made["token"]
        return made

    async def view(self, token: str = "", **more: Any) -> dict[str, Any]:
        reply = await self.client.get(self.path, token, **more)
        assert reply.status_code == 200, reply.text
        return dict(reply.json())

    async def asked(self) -> tuple[int, dict[str, Any]]:
        """A seat that is asked, and its view."""
        public = await self.view(self.watch)
        if public["match"]["delay"]:
            public = await self.view(next(iter(self.seats.values())))
        seat = public["game"]["question"]["seats"][0]
        return seat, await self.view(self.seats[seat])

    async def answer(self, seat: int, option: Any, question: str, **more: Any) -> httpx2.Response:
        body = {"question": question, "option": option, **more.pop("body", {})}
        return await self.client.post(f"{self.path}/answers", self.seats[seat], json=body, **more)

    async def move(self, key: str | None = None) -> dict[str, Any]:
        """Whoever is asked gives its first option; the reply."""
        seat, view = await self.asked()
        question, body = view["game"]["question"], {"seen": view["version"]}
        reply = await self.answer(seat, any_option(question), question["id"], key=key, body=body)
        assert reply.status_code == 200, reply.text
        return dict(reply.json())

    async def finished(self) -> dict[str, Any]:
        """Play to the end."""
        while True:
            reply = await self.move()
            if reply["view"]["status"] == "over":
                return reply


def etag(told: dict[str, Any]) -> str:
    """The entity tag of what names this version, head and, in a view, its viewer."""
    eyes = f"-{told['viewer']}" if "viewer" in told else ""
    return f'"{told["version"]}-{told["head"][:16]}{eyes}"'


def any_option(question: dict[str, Any], below: Any = lambda n: 0) -> Any:
    return sent(page_of(question).sample(below))


@asynccontextmanager
async def in_memory(
    parts: Parts | None = None, chosen: Settings | None = None
) -> AsyncIterator[Client]:
    """An API without a socket."""
    app = create_app(chosen or settings(), parts or memory())
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://api") as http,
    ):
        yield Client(http, app)


class Running(Client):
    """An API behind a real port."""

    def __init__(self, http: httpx2.AsyncClient, app: FastAPI, server: Server, port: int) -> None:
        super().__init__(http, app)
        self.server = server
        self.port = port

    def stream(self, match: str, token: str = "", after: int | None = None, **more: Any) -> Any:
        query = "" if after is None else f"?after={after}"
        return connect(
            f"ws://127.0.0.1:{self.port}/v1/matches/{match}/stream{query}",
            additional_headers=bearer(token) if token else None,
            compression=None,
            **more,
        )


@asynccontextmanager
async def running(
    parts: Parts | None = None, chosen: Settings | None = None, **more: Any
) -> AsyncIterator[Running]:
    chosen = chosen or settings()
    app = create_app(chosen, parts or memory())
    server = Server(config(app, chosen, port=0, **more))
    task = asyncio.create_task(server.serve())
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
            yield Running(http, app, server, port)
    finally:
        server.should_exit = True
        await task


async def told(socket: Any) -> dict[str, Any]:
    """The next message that is not a sign of life."""
    while True:
        message = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 20))
        if message["type"] != "ping":
            return dict(message)


def answer(asked: dict[str, Any], **changes: Any) -> str:
    message = {
        "type": "answer",
        "id": str(uuid4()),
        "question": asked["id"],
        "option": any_option(asked),
    }
    return json.dumps({**message, **changes})


async def closed(socket: Any, seconds: float = 20) -> int:
    """The code that the server closes with, whatever it says before."""
    try:
        while True:
            await asyncio.wait_for(socket.recv(), seconds)
    except ConnectionClosed as error:
        return error.rcvd.code if error.rcvd else 1006
