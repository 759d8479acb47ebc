"""How clients speak to the processes: every attempt and everything that is shown is recorded."""

from __future__ import annotations

import time
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import httpx2
import msgspec

from tests.faults.history import History, Op, Outcome, Read
from tests.faults.world import Api

PATIENCE = 4.5
"""Seconds after which a client gives a request up: longer than any server should think."""

NOT_KNOWN = ("unconfirmed", "internal", "corrupt_log")
"""Refusals after which the command may be in the log all the same."""

_TOLD = ("version", "head", "at", "by", "rules", "events")
_AFTER = ("status", "question", "result", "undo")


def digest(value: Any) -> str:
    """Of a value as JSON has it, whatever the order of its members."""
    return sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:32]


def commit_digests(message: dict[str, Any]) -> tuple[str, str]:
    """What a stream's message tells of a commit, and of the table after it, if it does."""
    told = digest({name: message.get(name) for name in _TOLD})
    if "status" not in message:
        return told, ""
    return told, digest({name: message.get(name) for name in _AFTER})


def outcome_of(status: int, code: str) -> Outcome:
    if status < 300:
        return "ok"
    return "unknown" if code in NOT_KNOWN or (status >= 500 and not code) else "refused"


class Clock:
    """Seconds since the run began."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def __call__(self) -> float:
        return round(time.monotonic() - self._began, 4)


class Caller:
    """Speaks HTTP to every API process, and keeps the history."""

    def __init__(self, apis: Sequence[Api], history: History, clock: Clock) -> None:
        self.history = history
        self.clock = clock
        self.names = [api.name for api in apis]
        self.urls = {api.name: api.url for api in apis}
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        self._http = {
            api.name: httpx2.AsyncClient(base_url=api.url, timeout=PATIENCE, limits=limits)
            for api in apis
        }
        self.sockets = 0

    async def aclose(self) -> None:
        for http in self._http.values():
            await http.aclose()

    async def command(
        self, op: Op, path: str, token: str = "", method: str = "POST"
    ) -> dict[str, Any]:
        """One attempt, recorded when it ends; the reply's body, empty where there is none."""
        op.invoked = self.clock()
        headers = {"Idempotency-Key": op.key, **_bearer(token)}
        found: dict[str, Any] = {}
        try:
            sent = self._http[op.via].request(method, path, json=op.body, headers=headers)
            reply = await sent
            op.status = reply.status_code
            found = dict(msgspec.json.decode(reply.content))
        except (httpx2.HTTPError, msgspec.DecodeError, OSError) as error:
            op.code = type(error).__name__
        else:
            op.code = str(found.get("code", ""))
            op.outcome = outcome_of(op.status, op.code)
        finally:
            self._ended(op, found)
        return found

    def _ended(self, op: Op, found: dict[str, Any]) -> None:
        if op.outcome == "ok":
            op.version, op.head, op.again = found["version"], found["head"], found["again"]
            op.reverted = found.get("reverted", False)
            op.match = op.match or str(found["match"])
        self.done(op)
        if op.outcome == "ok":
            self._read(op.client, op.match, op.via, found["view"])

    def done(self, op: Op) -> None:
        """The attempt has ended, as it says."""
        op.ended = self.clock()
        self.history.add(op)

    def _read(
        self, client: str, match: str, via: str, view: dict[str, Any], least: int = 0
    ) -> None:
        viewer, version, head = str(view["viewer"]), view["version"], view["head"]
        at, shown = self.clock(), digest(view)
        self.history.add(
            Read(client, match, viewer, "view", via, 0, at, least, version, head, "", shown)
        )

    async def view(
        self, client: str, match: str, via: str, token: str, seen: int, wait: float = 0.0
    ) -> dict[str, Any] | None:
        """The view, never of less than was seen; None where there is none or nothing new."""
        query: dict[str, Any] = {"at_least": seen}
        headers = _bearer(token)
        if wait:
            query["wait"] = wait
            headers["If-None-Match"] = f'"{seen}"'
        reply = await self._get(f"/v1/matches/{match}", via, headers, query)
        if reply is None or reply.status_code == 304:
            return None
        found = dict(msgspec.json.decode(reply.content))
        if reply.status_code == 200:
            self._read(client, match, via, found, seen)
            return found
        self._refused(client, match, "view", via, seen, reply.status_code, found["code"])
        return None

    async def log(self, client: str, match: str, via: str, token: str, viewer: str) -> None:
        """The whole log as the client may have it; each line is a read."""
        reply = await self._get(f"/v1/matches/{match}/log", via, _bearer(token), {})
        if reply is None:
            return
        if reply.status_code != 200:
            code = str(msgspec.json.decode(reply.content)["code"])
            self._refused(client, match, "log", via, 0, reply.status_code, code)
            return
        at = self.clock()
        for number, line in enumerate(reply.content.splitlines(), 1):
            told = msgspec.json.decode(line)
            shown = digest({name: told[name] for name in ("public", "openings", "not_hashed")})
            version, head = told["version"], told["head"]
            if version != number:
                shown = f"version {version} stands in the place of {number}"
            self.history.add(
                Read(client, match, viewer, "log", via, 0, at, 0, version, head, "", shown)
            )

    async def _get(
        self, path: str, via: str, headers: dict[str, str], query: dict[str, Any]
    ) -> httpx2.Response | None:
        try:
            return await self._http[via].get(path, params=query, headers=headers)
        except (httpx2.HTTPError, OSError):
            return None

    def _refused(
        self, client: str, match: str, source: Any, via: str, least: int, status: int, code: str
    ) -> None:
        at = self.clock()
        self.history.add(
            Read(client, match, "", source, via, 0, at, least, status=status, code=code)
        )


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
