"""The restore drill: what docs/operators.md says, done to a match that is being played."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import httpx2
import pytest
from redis import Redis
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from events.server import candidates
from tests.services.api import any_option, bearer
from tests.services.cli.running import Serve, hallowstream, wait

pytestmark = [
    pytest.mark.skipif(next(candidates(), None) is None, reason="no Redis or Valkey is here"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
]

T = TypeVar("T")


class Table:
    """A match with a player on each of two seats."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http

    async def ask(self, method: str, path: str, token: str = "", **more: Any) -> Any:
        headers = {"idempotency-key": str(uuid4()), **(bearer(token) if token else {})}
        reply = await self.http.request(method, path, headers=headers, **more)
        assert reply.is_success, reply.text
        return reply.json()

    async def open(self) -> dict[str, Any]:
        body = {"game": "tricks-and-treats", "seats": 2}
        made = await self.ask("POST", "/v1/matches", json=body)
        path, host = f"/v1/matches/{made['match']}", made["host_token"]
        seats = [(await self.ask("POST", f"{path}/seats", json={}))["token"] for _ in range(2)]
        await self.ask("POST", f"{path}/start", host)
        return {"match": made["match"], "path": path, "seats": seats}

    async def move(self, match: dict[str, Any]) -> dict[str, Any]:
        """Whoever is asked gives its first option; the reply."""
        for token in match["seats"]:
            question = (await self.ask("GET", match["path"], token))["game"]["question"]
            if "form" in question:
                sent = {"question": question["id"], "option": any_option(question)}
                return dict(await self.ask("POST", f"{match['path']}/answers", token, json=sent))
        raise AssertionError("nobody is asked")


def at(serve: Serve, do: Callable[[Table], Awaitable[T]]) -> T:
    async def run() -> T:
        async with httpx2.AsyncClient(base_url=serve.url, timeout=20) as http:
            return await do(Table(http))

    return asyncio.run(run())


def backed_up(serve: Serve, into: Path) -> None:
    """The keys, then the append-only file of the running server, as the page has it."""
    data = serve.cwd / ".hallowstream"
    into.mkdir()
    for name in ("keys", "admin-key"):
        shutil.copy2(data / name, into / name)
    with Redis.from_url(store_of(serve)) as redis:
        client: Any = redis
        client.config_set("auto-aof-rewrite-percentage", 0)
        wait(lambda: client.info("persistence")["aof_rewrite_in_progress"] == 0)
        (log,) = [path for path in (data / "redis").rglob("appendonlydir") if path.is_dir()]
        shutil.copytree(log, into / log.relative_to(data))
        client.config_set("auto-aof-rewrite-percentage", 100)


def store_of(serve: Serve) -> str:
    words = Path(f"/proc/{serve.children()['serve']}/environ").read_bytes().decode().split("\0")
    return dict(word.split("=", 1) for word in words if "=" in word)["REDIS_URL"]


async def told_when_behind(serve: Serve, match: dict[str, Any], seen: int) -> int:
    """The code that a stream is closed with, whose client has seen this version."""
    url = serve.url.replace("http", "ws") + f"{match['path']}/stream?after={seen}"
    try:
        async with connect(url) as line:
            while True:
                await asyncio.wait_for(line.recv(), 5)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006


def test_a_match_goes_on_from_a_backup(tmp_path: Path) -> None:
    first, second, third, backup = (tmp_path / name for name in ("a", "b", "c", "backup"))
    for folder in (first, second, third):
        folder.mkdir()
    with Serve(first) as serve:
        match = at(serve, lambda table: table.open())

        async def played(table: Table) -> int:
            for _ in range(6):
                reply = await table.move(match)
            return int(reply["version"])

        kept = at(serve, played)
        backed_up(serve, backup)
        lost = at(serve, played)
    assert lost == kept + 6
    shutil.copytree(backup, second / ".hallowstream")
    told = hallowstream("verify", "--all", cwd=second)
    assert told.returncode == 0, told.stdout + told.stderr
    with Serve(second) as serve:
        view = at(serve, lambda t: t.ask("GET", match["path"], match["seats"][0]))
        assert view["version"] == kept, "as it was when it was backed up, seats and tokens too"
        assert asyncio.run(told_when_behind(serve, match, lost)) == 4409
        assert at(serve, lambda t: t.move(match))["version"] == kept + 1
        report = at(serve, lambda t: t.ask("GET", f"{match['path']}/verify"))
        assert report["ok"]
    shutil.copytree(backup, third / ".hallowstream")
    (third / ".hallowstream" / "keys").unlink()
    told = hallowstream("verify", match["match"], cwd=third)
    assert told.returncode == 2 and "server key" in told.stderr, "why the keys come first"
