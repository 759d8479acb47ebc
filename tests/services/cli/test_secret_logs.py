"""No line of any process, and no refusal, holds a secret: a whole session with all logs kept."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from events.server import candidates
from services.keys import Keys
from tests.services.api import any_option, bearer
from tests.services.cli.running import ROOT, Serve, environment, wait

pytestmark = pytest.mark.skipif(next(candidates(), None) is None, reason="no Redis or Valkey here")

ADMIN = "an admin key that nobody guesses"
KEY = "5e" * 32
METRICS = "the token of the metrics"
ENTROPY = "luck that only I know of"
WRONG = "hs_seat_" + "W" * 43
GAME = "tricks-and-treats"
SETTINGS = {
    "HALLOWSTREAM_ADMIN_KEY": ADMIN,
    "HALLOWSTREAM_SERVER_KEYS": KEY,
    "HALLOWSTREAM_METRICS_TOKEN": METRICS,
    "HALLOWSTREAM_LOG_LEVEL": "debug",
}


class Session:
    """One client that does everything, and remembers what it must not find again."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http
        self.secrets: dict[str, str] = {}
        self.refusals: list[str] = []

    async def ask(self, method: str, path: str, token: str = "", **more: Any) -> Any:
        key = more.pop("key", "") or str(uuid4())
        headers = {"idempotency-key": key, **(bearer(token) if token else {})}
        reply = await self.http.request(method, path, headers=headers, **more)
        if reply.status_code >= 400:
            self.refusals.append(f"{reply.text} {dict(reply.headers)}")
            return reply.json()
        told = reply.json()
        for name in ("token", "host_token", "watch_token"):
            if name in told:
                self.secrets[f"{name} of {method} {path} {len(self.secrets)}"] = told[name]
        return told

    async def whole(self) -> None:
        key = self.secrets["the key of creating"] = str(uuid4())
        body = {"game": GAME, "seats": 2, "options": {"first": 0}, "undo": "free_own"}
        made = await self.ask("POST", "/v1/matches", json=body, key=key)
        path, host = f"/v1/matches/{made['match']}", made["host_token"]
        seed = Keys([bytes.fromhex(KEY)]).seed(Keys([bytes.fromhex(KEY)]).current, made["match"])
        self.secrets["the seed"] = seed.hex()
        seats = []
        for _ in range(2):
            key = self.secrets[f"the key of joining {len(seats)}"] = str(uuid4())
            wish = {"entropy": ENTROPY}
            joined = await self.ask("POST", f"{path}/seats", json=wish, key=key)
            seats.append(joined["token"])
        await self.ask("POST", f"{path}/start", host)
        await self.plays(path, seats)
        await self.is_refused(path, seats)
        await self.streams(path, seats)
        scopes = [{"scope": "audit"}, {"scope": "player"}, {"scope": "admin"}]
        audit, player, admin = [
            (await self.ask("POST", "/v1/tokens", ADMIN, json=scope))["token"] for scope in scopes
        ]
        claim = {"steps": ["5"], "text": "that was not fair"}
        await self.ask("POST", f"{path}/disputes", seats[0], json=claim)
        await self.ask("POST", f"{path}/disputes/1/notes", audit, json={"text": "we shall see"})
        rotated = await self.ask("POST", f"{path}/seats/0/token", seats[0])
        await self.ask("GET", path, seats[0])
        await self.ask("GET", "/v1/inbox", player)
        await self.ask("DELETE", "/v1/tokens/me", rotated["token"])
        await self.ask("DELETE", "/v1/tokens/me", admin)
        await self.ask("POST", f"{path}/abort", host)

    async def plays(self, path: str, seats: list[str]) -> None:
        for _ in range(4):
            for token in seats:
                question = (await self.ask("GET", path, token))["game"]["question"]
                if question and "form" in question:
                    sent = {"question": question["id"], "option": any_option(question)}
                    await self.ask("POST", f"{path}/answers", token, json=sent)
        version = (await self.ask("GET", path, seats[0]))["version"]
        body = {"to": version - 1, "seen": version}
        for token in seats:
            await self.ask("POST", f"{path}/undo", token, json=body)

    async def is_refused(self, path: str, seats: list[str]) -> None:
        """Every secret where it does not belong."""
        held = [*seats, ADMIN, WRONG, KEY]
        for secret in held:
            await self.ask("GET", "/metrics", secret)
            await self.ask("GET", f"{path}?token={secret}&wait=x", secret)
            await self.ask("GET", f"/v1/matches/{secret}", secret)
            await self.ask("GET", f"/v1/{secret}", secret)
            await self.ask("DELETE", f"/v1/tokens/{secret}", secret)
            await self.ask("POST", f"{path}/answers", secret, json={secret: secret})
            await self.ask("POST", f"{path}/answers", secret, content=f'{{"question": {secret}')
            await self.ask("GET", f"/v1/matches?after={secret}")
            await self.ask("GET", path, params={"at_least": secret})
            await self.ask("POST", f"{path}/seats", json={"entropy": 1, "token": secret})
            await self.ask("POST", "/v1/matches", json={"game": "x", "seats": 2, secret: 1})

    async def streams(self, path: str, seats: list[str]) -> None:
        url = f"{self.http.base_url}".replace("http", "ws").rstrip("/") + f"{path}/stream"
        for token in [*seats, WRONG, ADMIN.replace(" ", "")]:
            protocols: Any = ["hallowstream.v1", f"bearer.{token}"]
            try:
                async with connect(f"{url}?after=0&token={token}", subprotocols=protocols) as line:
                    await line.recv()
                    await line.send(f'{{"type": "answer", "id": "{token}", "question": "{token}"}}')
                    self.refusals.append(str(await asyncio.wait_for(line.recv(), 5)))
            except ConnectionClosed as closed:
                self.refusals.append(str(closed.rcvd))


def session(url: str) -> Session:
    async def run() -> Session:
        async with httpx2.AsyncClient(base_url=url, timeout=20) as http:
            made = Session(http)
            await made.whole()
            return made

    return asyncio.run(run())


def held(text: str, secrets: dict[str, str]) -> list[str]:
    """Which of them stand there, in any of the forms they might."""
    found = []
    for name, secret in secrets.items():
        forms = {secret, secret.replace("-", ""), secret.removeprefix("hs_seat_")}
        found += [name for form in forms if form in text]
    return found


FIXED = {"the admin key": ADMIN, "a server key": KEY, "the metrics token": METRICS, "luck": ENTROPY}


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    with Serve(tmp_path_factory.mktemp("s"), **SETTINGS) as serve:
        yield serve


def test_our_own_processes(serve: Serve) -> None:
    done = session(serve.url)
    wait(lambda: serve.out.read_text().count('"accepted"') > 5)
    text = serve.out.read_text()
    assert text.count("answered") > 50 and "uvicorn" not in text
    assert held(text, {**FIXED, **done.secrets, "a wrong token": WRONG}) == []
    said = "\n".join(done.refusals)
    assert len(done.refusals) > 40 and "Traceback" not in said
    assert held(said, {"the metrics token": METRICS, "the seed": done.secrets["the seed"]}) == []


def test_uvicorns_own_access_log(serve: Serve, tmp_path: Path) -> None:
    """The app on plain uvicorn, which writes whole addresses; a client put its token into one."""
    out = tmp_path / "uvicorn.txt"
    command = [sys.executable, "-m", "uvicorn", "--factory", "services.api:create_app"]
    with out.open("wb") as file:
        plain = subprocess.Popen(
            [*command, "--port", "0", "--log-level", "debug"],
            env=environment(REDIS_URL=store_of(serve), **SETTINGS),
            cwd=ROOT,
            stdout=file,
            stderr=file,
        )
    try:
        running = re.compile(r"running on (http://[0-9.:]+)")
        wait(lambda: running.search(out.read_text()) is not None)
        (url,) = running.findall(out.read_text())
        done = session(url)
    finally:
        plain.terminate()
        plain.wait()
    text = out.read_text()
    assert text.count("HTTP/1.1") > 50 and "WebSocket" in text and "[hidden]" in text
    assert held(text, {**done.secrets, "a wrong token": WRONG, "luck": ENTROPY}) == []


def store_of(serve: Serve) -> str:
    """The address of its own Redis, as its children were given it."""
    words = Path(f"/proc/{serve.children()['serve']}/environ").read_bytes().decode().split("\0")
    return dict(word.split("=", 1) for word in words if "=" in word)["REDIS_URL"]
