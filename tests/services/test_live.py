"""The API and its workers on a real server, in processes of their own where they are killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from redis.asyncio import Redis

from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.runner import Pace, Runner
from projections.summary import Summaries
from projections.views import Views
from services import bots, keeper
from services.settings import Settings
from services.wiring import Parts
from tests import servers
from tests.services.api import (
    ADMIN,
    Client,
    Made,
    Running,
    answer,
    any_option,
    running,
    settings,
    told,
)

GAME = "tricks-and-treats"


@pytest.fixture(scope="module", params=("redis", "valkey"))
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with servers.running(request.param, tmp_path_factory.mktemp("live")) as found:
        yield found


@pytest.fixture
def chosen(url: str, tmp_path: Path) -> Settings:
    return settings(redis_url=url, partitions=8, data=tmp_path)


@pytest.fixture
async def parts(url: str, chosen: Settings) -> AsyncIterator[Parts]:
    async with Redis.from_url(url) as redis:
        await redis.flushall()
    made = await Parts.open(chosen)
    yield made
    await made.aclose()


@pytest.fixture
async def server(parts: Parts, chosen: Settings) -> AsyncIterator[Running]:
    async with running(parts, chosen) as client:
        yield client


async def evalshas(url: str) -> tuple[int, int]:
    """Calls of scripts, and of everything that reads logs, metas and tokens."""
    async with Redis.from_url(url) as redis:
        stats = await redis.info("commandstats")
    calls = {name: int(stats.get(f"cmdstat_{name}", {"calls": 0})["calls"]) for name in READS}
    return int(stats["cmdstat_evalsha"]["calls"]), sum(calls.values())


READS = ("xrange", "get")
"""What our scripts do not call themselves: their inner calls count too."""


class TestRoundTrips:
    async def test_one_for_each_accepted_answer(self, server: Running, url: str) -> None:
        match = await server.playing()
        for token in match.seats.values():
            await match.view(token)
        before, read = await evalshas(url)
        replies = 0
        while True:
            seat, view = await asked_without_reading(server, match)
            question = view["game"]["question"]
            reply = await match.answer(seat, any_option(question), question["id"])
            assert reply.status_code == 200
            replies += 1
            if reply.json()["view"]["status"] == "over":
                break
        scripts, reads = await evalshas(url)
        assert scripts - before == replies and reads == read

    async def test_over_a_socket_too(self, server: Running, url: str) -> None:
        match = await server.playing(2)
        async with (
            server.stream(match.id, match.seats[0]) as one,
            server.stream(match.id, match.seats[1]) as two,
        ):
            questions = {n: (await told(s))["question"] for n, s in enumerate((one, two))}
            before, read = await evalshas(url)
            for n, socket in enumerate((one, two)):
                await socket.send(answer(questions[n]))
                kinds = [await told(one), await told(two)]
                assert {kind["type"] for kind in kinds} == {"commit"}
                assert (await told(socket))["type"] == "accepted"
            scripts, reads = await evalshas(url)
        assert scripts - before == 2 and reads == read


async def asked_without_reading(server: Running, match: Made) -> tuple[int, dict[str, Any]]:
    """Who is asked, out of the server's memory."""
    live = server.desk.matches.known(match.id)
    seat = live.table.asked[0]
    return seat, json.loads(json.dumps(live.table.view(seat)))


class TestRaces:
    """FC06, FC07 and FC08 on a real store, between two APIs."""

    async def test_all_at_once(self, server: Running, chosen: Settings) -> None:
        mine = await Parts.open(chosen)
        try:
            async with running(mine, chosen) as other:
                await asyncio.gather(*[self.one(server, other) for _ in range(10)])
        finally:
            await mine.aclose()

    async def one(self, server: Running, other: Running) -> None:
        match = await server.playing(4)
        views = [await match.view(match.seats[seat]) for seat in range(4)]
        keys = [str(uuid4()) for _ in views]
        replies = await asyncio.gather(
            *[
                client.post(
                    f"{match.path}/answers",
                    match.seats[view["viewer"]],
                    key=keys[view["viewer"]],
                    json={
                        "question": view["game"]["question"]["id"],
                        "option": any_option(view["game"]["question"]),
                    },
                )
                for client in (server, other)
                for view in views
            ]
        )
        assert {reply.status_code for reply in replies} == {200}
        versions = sorted(reply.json()["version"] for reply in replies)
        assert versions == [7, 7, 8, 8, 9, 9, 10, 10]
        for client in (server, other):
            assert (await client.get(match.path)).json()["version"] == 10


class TestWholeLine:
    async def test_a_match_of_people_and_bots_with_all_workers(
        self, server: Running, parts: Parts, chosen: Settings
    ) -> None:
        pace = Pace(sweep=0.05)
        jobs: list[Any] = [
            Runner(parts.store, projection, "w", pace=pace)
            for projection in (Views(), Lobby(), Inbox(), Summaries())
        ]
        jobs.append(bots.runner(parts.store, parts.keys, "w", pace))
        jobs.append(keeper.runner(parts.store, parts.keys, "w", chosen, pace))
        tasks = [asyncio.create_task(job.run()) for job in jobs]
        try:
            await self.played(server)
        finally:
            for job in jobs:
                job.stop()
            await asyncio.gather(*tasks)
        for group in ("views", "lobby", "inbox", "summary", "bots", "keeper"):
            assert await parts.store.lag(group) == 0, group
            assert not await parts.store.parked(group)

    async def played(self, server: Running) -> None:
        player = (await server.post("/v1/tokens", ADMIN, json={"scope": "player"})).json()
        match = await server.made(4, GAME)
        for token in ("", player["token"]):
            await match.join(token)
        for seat in (2, 3):
            await server.post(f"{match.path}/seats/{seat}/bot", match.host)
        async with server.stream(match.id, after=0) as socket:
            assert (await server.post(f"{match.path}/start", match.host)).status_code == 200
            await self.people_answer(server, match)
            view = await match.view()
            if not view["closed"]:
                view = await match.view(params={"wait": 5, "at_least": view["version"] + 1})
            last = view["version"]
            await told(socket)
            assert [(await told(socket))["version"] for _ in range(last)] == list(
                range(1, last + 1)
            )
        assert (await match.view())["closed"]
        report = (await server.get(f"{match.path}/verify")).json()
        assert report["ok"] and report["versions"] == last
        mine = await server.get("/v1/matches", player["token"], params={"mine": True})
        assert [item["match"] for item in mine.json()["items"]] == [match.id]

    async def people_answer(self, server: Running, match: Made) -> None:
        version = 0
        while True:
            view = await match.view(params={"wait": 5, "at_least": version})
            if view["status"] == "over":
                return
            seats = [seat for seat in view["game"]["question"]["seats"] if seat < 2]
            if not seats:
                version = view["version"] + 1
                continue
            own = await match.view(match.seats[seats[0]])
            question = own["game"] and own["game"]["question"]
            if question and "form" in question:
                reply = await match.answer(seats[0], any_option(question), question["id"])
                assert reply.status_code in (200, 409), reply.text


class Process:
    """An API in a process of its own, on a socket."""

    def __init__(self, url: str, folder: Path) -> None:
        self.path = folder / "api.sock"
        self.environment = {
            **os.environ,
            "REDIS_URL": url,
            "HALLOWSTREAM_PARTITIONS": "8",
            "HALLOWSTREAM_DATA": str(folder),
            "HALLOWSTREAM_ADMIN_KEY": ADMIN,
            "HALLOWSTREAM_LOG_LEVEL": "warning",
        }
        self.start()

    def start(self) -> None:
        self.path.unlink(missing_ok=True)
        words = ["-m", "uvicorn", "--factory", "services.api:create_app", "--uds", str(self.path)]
        words += ["--log-level", "warning"]
        self.process = subprocess.Popen([sys.executable, *words], env=self.environment)

    async def ready(self) -> httpx2.AsyncClient:
        transport = httpx2.AsyncHTTPTransport(uds=str(self.path))
        http = httpx2.AsyncClient(transport=transport, base_url="http://api", timeout=20)
        async with asyncio.timeout(60):
            while True:
                try:
                    if (await http.get("/readyz")).status_code == 200:
                        return http
                except httpx2.TransportError:
                    await asyncio.sleep(0.02)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


class TestFC18:
    """What was acknowledged is there after `kill -9`, once."""

    @pytest.mark.parametrize("url", ["redis"], indirect=True)
    async def test_killed_in_the_middle_of_answers(self, url: str, tmp_path: Path) -> None:
        async with Redis.from_url(url) as redis:
            await redis.flushall()
        api = await asyncio.to_thread(Process, url, tmp_path)
        try:
            client = Client(await api.ready(), None)  # type: ignore[arg-type]
            match = await client.playing(2, GAME)
            acknowledged: list[tuple[int, str]] = []
            pending = ("", {}, 0)
            loop = asyncio.get_running_loop()
            try:
                while True:
                    if len(acknowledged) == 3:
                        # In the middle of what comes next, wherever that may be.
                        loop.call_later(0.02, api.kill)
                    seat, view = await match.asked()
                    question, key = view["game"]["question"], str(uuid4())
                    body = {"question": question["id"], "option": any_option(question)}
                    pending = (key, body, seat)
                    reply = await client.post(
                        f"{match.path}/answers", match.seats[seat], key=key, json=body
                    )
                    acknowledged.append((reply.json()["version"], reply.json()["head"]))
            except httpx2.TransportError:
                pass
            await asyncio.to_thread(api.start)
            await client.http.aclose()
            client.http = await api.ready()
            await self.all_is_there(client, match, acknowledged, pending)
            await client.http.aclose()
        finally:
            assert await asyncio.to_thread(api.stop) in (0, -signal.SIGTERM)

    async def all_is_there(
        self, client: Client, match: Made, acknowledged: list[Any], pending: Any
    ) -> None:
        log = (await client.get(f"{match.path}/log")).text.splitlines()
        heads = {line["version"]: line["head"] for line in map(json.loads, log)}
        assert acknowledged and all(heads[version] == head for version, head in acknowledged)
        assert sorted(heads) == list(range(1, len(log) + 1))
        key, body, seat = pending
        again = await client.post(f"{match.path}/answers", match.seats[seat], key=key, json=body)
        assert again.status_code == 200, again.text
        now = (await match.view())["version"]
        assert now <= acknowledged[-1][0] + 1 and again.json()["version"] <= now
        for version in range(now + 1, now + 4):
            assert (await match.move())["version"] == version
