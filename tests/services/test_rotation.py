"""Tokens and server keys change while matches run, at several processes on one store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from events.redis_store import RedisStore
from services.keys import Keys, key_id
from services.vault import RedisVault
from services.wiring import Parts
from tests.servers import running as server
from tests.services.api import (
    ADMIN,
    KEYS,
    Running,
    any_option,
    closed,
    in_memory,
    memory,
    running,
    told,
)

OLD, NEW = b"an old key of this server ......", b"a new key of this server ......."


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[list[Running]]:
    """Two APIs with connections of their own to one Redis."""
    with server("redis", tmp_path) as url:
        async with AsyncExitStack() as stack:
            apis = []
            for _ in range(2):
                parts = Parts(await RedisStore.open(url, 4), RedisVault(url), KEYS)
                stack.push_async_callback(parts.aclose)
                apis.append(await stack.enter_async_context(running(parts)))
            yield apis


class TestTokens:
    async def test_streams_at_another_process_close(self, both: list[Running]) -> None:
        one, other = both
        match = await one.playing()
        audit = (await one.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()
        async with (
            other.stream(match.id, match.seats[0]) as seat,
            other.stream(match.id, match.seats[1]) as rotated,
            other.stream(match.id, audit["token"]) as auditor,
            other.stream(match.id, match.host) as kept,
        ):
            for socket in (seat, rotated, auditor, kept):
                await told(socket)
            await one.send("DELETE", "/v1/tokens/me", match.seats[0])
            await one.send("DELETE", f"/v1/tokens/{audit['id']}", ADMIN)
            fresh = (await one.post(f"{match.path}/seats/1/token", match.seats[1])).json()["token"]
            for socket in (seat, auditor, rotated):
                assert await closed(socket) == 4401
            assert (await other.get(match.path, match.seats[0])).status_code == 401
            assert (await other.get(match.path, match.seats[1])).status_code == 401
            assert (await other.get(match.path, fresh)).json()["viewer"] == 1
            assert (await other.post(f"{match.path}/abort", match.host)).status_code == 200
            assert (await told(kept))["status"] == "over"


class TestServerKeys:
    async def test_old_matches_go_on_under_a_new_key(self) -> None:
        """And close and verify; new ones are made with the new key."""
        parts = memory()
        async with in_memory(parts._replace(keys=Keys([OLD]))) as api:
            match = await api.playing()
            await match.move()
            checkpoint = (await api.get(f"{match.path}/checkpoint")).text
        async with in_memory(parts._replace(keys=Keys([NEW, OLD]))) as api:
            match.client = api
            await match.move()
            again = await api.get(f"{match.path}/checkpoint", params={"version": 5})
            assert again.text == checkpoint
            fresh = await api.playing()
            assert (await match.view())["match"]["key"] == key_id(OLD)
            assert (await fresh.view())["match"]["key"] == key_id(NEW)
            ids = [key["id"] for key in (await api.get("/v1/keys")).json()["keys"]]
            assert ids == [key_id(NEW), key_id(OLD)]
            seat = (await api.post(f"{match.path}/seats/0/token", match.seats[0])).json()["token"]
            assert (await api.get(match.path, seat)).json()["viewer"] == 0
            await api.post(f"{match.path}/abort", match.host)
            for each in (match, fresh):
                assert (await api.get(f"{each.path}/verify", each.host)).json()["ok"]

    async def test_without_its_key_a_match_is_left_alone(self) -> None:
        parts = memory()
        async with in_memory(parts._replace(keys=Keys([OLD]))) as api:
            match = await api.playing()
        async with in_memory(parts._replace(keys=Keys([NEW]))) as api:
            match.client = api
            seat, view = await match.asked()
            question = view["game"]["question"]
            reply = await match.answer(seat, any_option(question), question["id"])
            assert (reply.status_code, reply.json()["code"]) == (500, "corrupt_log")
            assert (await match.view())["version"] == view["version"]
            assert (await api.playing()).id != match.id
