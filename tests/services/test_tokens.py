"""Tokens: given, found by their hash alone, rotated, revoked, expired."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from events.store import Unavailable
from services.tokens import digest
from services.vault import Grant, MemoryVault, RedisVault, Text, Vault
from tests.servers import running as server
from tests.services.api import ADMIN, TOY, Client, bearer, in_memory, memory, settings


class TestGiven:
    async def test_before_the_commit_that_grants_them(self, api: Client, monkeypatch: Any) -> None:
        match = await api.made()
        granted: list[str] = []
        grant, append = api.desk.vault.grant, api.desk.store.append

        async def granting(mark: str, made: Grant) -> None:
            granted.append(f"grant seat {made.seat}")
            await grant(mark, made)

        async def appending(*words: Any) -> None:
            granted.append("append")
            await append(*words)

        monkeypatch.setattr(api.desk.vault, "grant", granting)
        monkeypatch.setattr(api.desk.store, "append", appending)
        await match.join()
        assert granted == ["grant seat 0", "append"]

    async def test_a_vault_that_is_lost_after_the_commit(
        self, api: Client, monkeypatch: Any
    ) -> None:
        """The command is in the log: it is not said that nothing was written."""
        match = await api.made()
        rotations, key = api.desk.vault.rotations, str(uuid4())

        async def away(*_: Any) -> int:
            raise Unavailable("gone")

        monkeypatch.setattr(api.desk.vault, "rotations", away)
        lost = await api.post(f"{match.path}/seats", key=key, json={})
        assert (lost.status_code, lost.json()["code"]) == (503, "unconfirmed")
        assert (await match.view())["version"] == 2
        monkeypatch.setattr(api.desk.vault, "rotations", rotations)
        again = (await api.post(f"{match.path}/seats", key=key, json={})).json()
        assert again["again"] and again["version"] == 2 and again["token"]

    async def test_without_a_vault_nothing_is_committed(
        self, api: Client, monkeypatch: Any
    ) -> None:
        match = await api.made()

        async def away(*_: Any) -> None:
            raise Unavailable("gone")

        with monkeypatch.context() as patch:
            patch.setattr(api.desk.vault, "grant", away)
            reply = await api.post(f"{match.path}/seats", json={})
        assert (reply.status_code, reply.json()["code"]) == (503, "unavailable")
        assert (await match.view())["version"] == 1

    async def test_only_their_hash_is_kept(self, api: Client) -> None:
        match = await api.playing()
        kept = repr(vars(api.desk.vault)) + repr(vars(api.desk.store))
        for token in (match.host, match.watch, *match.seats.values()):
            assert token not in kept
            assert re.fullmatch(r"hs_(host|view|seat)_[0-9A-Za-z]{43}", token)

    async def test_all_are_different(self, api: Client) -> None:
        match = await api.playing(4)
        assert len({match.host, match.watch, *match.seats.values()}) == 6


class TestRotating:
    async def test_the_old_one_ends(self, api: Client) -> None:
        match = await api.playing()
        old, key = match.seats[0], str(uuid4())
        reply = await api.post(f"{match.path}/seats/0/token", old, key=key)
        new = reply.json()["token"]
        assert reply.status_code == 200 and new != old
        assert (await match.view(new))["viewer"] == 0
        gone = await api.get(match.path, old)
        assert (gone.status_code, gone.json()["code"]) == (401, "unknown_token")
        again = await api.post(f"{match.path}/seats/0/token", old, key=key)
        assert again.json()["token"] == new
        other = await api.post(f"{match.path}/seats/0/token", old)
        assert (other.status_code, other.json()["code"]) == (409, "token_rotated")
        newest = (await api.post(f"{match.path}/seats/0/token", new)).json()["token"]
        assert (await match.view(newest))["viewer"] == 0
        late = await api.post(f"{match.path}/seats/0/token", old, key=key)
        assert late.json()["code"] == "token_rotated"

    async def test_joining_again_does_not_give_the_new_one(self, api: Client) -> None:
        match, key = await api.made(), str(uuid4())
        joined = (await api.post(f"{match.path}/seats", key=key, json={})).json()
        await api.post(f"{match.path}/seats/0/token", joined["token"])
        again = await api.post(f"{match.path}/seats", key=key, json={})
        assert (again.status_code, again.json()["code"]) == (409, "token_rotated")

    async def test_a_lost_token_is_replaced_by_its_player(self, api: Client) -> None:
        match = await api.made()
        made = (await api.post("/v1/tokens", ADMIN, json={"scope": "player"})).json()
        joined = await match.join(made["token"])
        assert joined["player"] == made["player"]
        reply = await api.post(f"{match.path}/seats/0/token", made["token"])
        assert (await match.view(reply.json()["token"]))["viewer"] == 0
        assert (await api.get(match.path, joined["token"])).status_code == 401
        await match.join()
        foreign = await api.post(f"{match.path}/seats/1/token", made["token"])
        assert (foreign.status_code, foreign.json()["code"]) == (403, "wrong_seat")

    async def test_nobody_rotates_anothers(self, api: Client) -> None:
        match = await api.playing()
        for token, code in [(match.seats[1], "wrong_seat"), (match.host, "wrong_scope")]:
            reply = await api.post(f"{match.path}/seats/0/token", token)
            assert (reply.status_code, reply.json()["code"]) == (403, code)
        assert (await api.post(f"{match.path}/seats/0/token")).status_code == 401
        assert (await api.post(f"{match.path}/seats/7/token", match.host)).status_code == 404

    async def test_the_hosts_and_the_watchers(self, api: Client) -> None:
        match = await api.made()
        new = (await api.post(f"{match.path}/tokens/host", match.host)).json()["token"]
        gone = await api.post(f"{match.path}/tokens/watch", match.host)
        assert gone.status_code == 401
        watch = (await api.post(f"{match.path}/tokens/watch", new)).json()["token"]
        assert (await match.view(watch))["viewer"] == "spectator"
        assert (await api.get(match.path, match.watch)).status_code == 401
        rescued = (await api.post(f"{match.path}/tokens/host", ADMIN)).json()["token"]
        assert (await api.post(f"{match.path}/abort", rescued)).status_code == 200
        assert (await api.post(f"{match.path}/abort", new)).status_code == 401


class TestAdmin:
    async def test_makes_and_revokes(self, api: Client) -> None:
        match = await api.playing()
        made = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()
        view = await match.view(made["token"])
        assert view["viewer"] == "auditor"
        assert not any(isinstance(hand, dict) for hand in view["game"]["hands"])
        assert made["id"] == digest(made["token"])
        assert (await api.send("DELETE", f"/v1/tokens/{made['id']}", ADMIN)).status_code == 200
        assert (await api.get(match.path, made["token"])).json()["code"] == "unknown_token"

    async def test_nobody_else_does(self, api: Client) -> None:
        match = await api.playing()
        for token, status in [(match.host, 403), (match.seats[0], 403), ("", 401)]:
            reply = await api.post("/v1/tokens", token, json={"scope": "audit"})
            assert reply.status_code == status
            mark = digest(match.seats[1])
            assert (await api.send("DELETE", f"/v1/tokens/{mark}", token)).status_code == status

    async def test_a_watchers(self, api: Client) -> None:
        match = await api.playing()
        body = {"scope": "view", "match": match.id, "hours": 1}
        made = (await api.post("/v1/tokens", ADMIN, json=body)).json()
        assert (await match.view(made["token"]))["viewer"] == "spectator"
        other = await api.made()
        assert (await api.get(other.path, made["token"])).json()["code"] == "wrong_match"
        for unknown in ("", "01J0000000000000000000TEST"):
            body = {"scope": "view", "match": unknown}
            reply = await api.post("/v1/tokens", ADMIN, json=body)
            assert reply.json()["code"] == "unknown_match"

    async def test_that_expires(self, api: Client) -> None:
        body = {"scope": "player", "hours": 1}
        made = (await api.post("/v1/tokens", ADMIN, json=body)).json()
        assert (await api.get("/v1/inbox", made["token"])).status_code == 200
        api.desk.tokens.clock = lambda: made["expires"]
        reply = await api.get("/v1/inbox", made["token"])
        assert (reply.status_code, reply.json()["code"]) == (401, "token_expired")

    @pytest.mark.parametrize("player", ["a b", "x" * 65, "anon_1", "ä"])
    async def test_ids_that_no_player_can_have(self, api: Client, player: str) -> None:
        reply = await api.post("/v1/tokens", ADMIN, json={"scope": "player", "player": player})
        assert (reply.status_code, reply.json()["code"]) == (422, "bad_player")

    async def test_ones_own_is_revoked_by_itself(self, api: Client) -> None:
        match = await api.playing()
        assert (await api.send("DELETE", "/v1/tokens/me", match.seats[0])).status_code == 200
        assert (await api.get(match.path, match.seats[0])).status_code == 401
        assert (await api.send("DELETE", "/v1/tokens/me")).json()["code"] == "token_required"
        kept = await api.send("DELETE", "/v1/tokens/me", ADMIN)
        assert (kept.status_code, kept.json()["code"]) == (403, "wrong_scope")

    async def test_without_an_admin_key_there_is_no_admin(self) -> None:
        async with in_memory(chosen=settings(admin_key="")) as api:
            for token in ("", ADMIN):
                reply = await api.post("/v1/tokens", token, json={"scope": "audit"})
                assert reply.status_code == 401

    async def test_revoking_reaches_other_processes(self) -> None:
        parts = memory()
        async with in_memory(parts) as one, in_memory(parts) as other:
            match = await one.playing()
            assert (await other.get(match.path, match.seats[0])).status_code == 200
            assert other.desk.tokens.known(match.seats[0]) is not None
            await one.send("DELETE", "/v1/tokens/me", match.seats[0])
            async with asyncio.timeout(20):
                while other.desk.tokens.known(match.seats[0]):  # noqa: ASYNC110 - it hears of it
                    await asyncio.sleep(0.01)
            assert (await other.get(match.path, match.seats[0])).status_code == 401


class TestRefused:
    @pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic abc", "hs_seat_abc"])
    async def test_what_is_no_bearer(self, api: Client, header: str) -> None:
        reply = await api.http.get("/v1/inbox", headers={"authorization": header})
        assert (reply.status_code, reply.json()["code"]) == (401, "unknown_token")
        assert reply.headers["www-authenticate"].startswith("Bearer")

    async def test_a_token_of_our_make_but_not_given(self, api: Client) -> None:
        match = await api.playing()
        reply = await api.http.get(match.path, headers=bearer("hs_seat_" + "0" * 43))
        assert (reply.status_code, reply.json()["code"]) == (401, "unknown_token")


@pytest.fixture(scope="module", params=("memory", "redis"))
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(request.param, tmp_path_factory.mktemp("vault")) as found:
        yield found


@pytest.fixture
async def vault(url: str) -> AsyncIterator[Vault]:
    made = RedisVault(url) if url else MemoryVault()
    yield made
    await made.aclose()


class TestVaults:
    """One contract for both."""

    async def test_grants(self, vault: Vault) -> None:
        mark, grant = uuid4().hex, Grant("play", "m", 1, "anna")
        assert await vault.find(mark) is None
        await vault.grant(mark, grant)
        assert await vault.find(mark) == grant
        spent = Grant("play", "m", 1, "anna", rotated_by=b"by")
        await vault.revoke(mark, spent)
        assert await vault.find(mark) == spent
        await vault.revoke(mark)
        assert await vault.find(mark) is None

    async def test_all_of_one_player(self, vault: Vault) -> None:
        ann, bob = f"ann-{uuid4().hex}", f"bob-{uuid4().hex}"
        marks = [uuid4().hex for _ in range(4)]
        await vault.grant(marks[0], Grant("player", player=ann))
        await vault.grant(marks[1], Grant("play", "m", 1, ann))
        await vault.grant(marks[2], Grant("play", "m", 0, bob))
        await vault.grant(marks[3], Grant("view", "m"))
        news = vault.revoked()
        assert await anext(news) == ""
        assert await vault.forget_player(ann) == 2
        assert {await anext(news), await anext(news)} == set(marks[:2])
        assert [await vault.find(mark) is None for mark in marks] == [True, True, False, False]
        assert await vault.forget_player(ann) == 0
        await news.aclose()  # type: ignore[attr-defined]

    async def test_what_is_spent_or_expired_does_not_stay_for_ever(self, tmp_path: Path) -> None:
        with server("redis", tmp_path) as url:
            vault, client = RedisVault(url), Redis.from_url(url)
            await vault.grant("lasting", Grant("player", player="ann"))
            await vault.revoke("spent", Grant("play", "m", 0, "ann", rotated_by=b"by"))
            soon = time.time_ns() // 1_000_000 + 60_000
            await vault.grant("expiring", Grant("audit", expires=soon))
            left = [await client.ttl(f"token:{name}") for name in ("lasting", "spent", "expiring")]
            assert left[0] == -1
            assert 86_000 < left[1] <= 86_400 and 86_400 < left[2] <= 86_460
            await vault.aclose()
            await client.aclose()

    async def test_revocations_are_told(self, vault: Vault) -> None:
        news = vault.revoked()
        assert await anext(news) == ""
        await vault.revoke("some digest")
        assert await anext(news) == "some digest"
        await news.aclose()  # type: ignore[attr-defined]

    async def test_rotations_only_grow(self, vault: Vault) -> None:
        match = uuid4().hex
        assert await vault.rotations(match, "host") == 0
        await vault.rotate(match, "host", 2)
        await vault.rotate(match, "host", 1)
        assert await vault.rotations(match, "host") == 2
        assert await vault.rotations(match, "view") == 0

    async def test_texts_by_their_mark(self, vault: Vault) -> None:
        text, other = Text(b"salt", "words"), Text(b"pepper", "words")
        assert text.mark != other.mark
        assert await vault.texts("m", []) == []
        for _ in range(2):
            await vault.keep_text("m", text)
        assert await vault.texts("m", [other.mark, text.mark]) == [None, text]
        assert await vault.texts("n", [text.mark]) == [None]
        assert await vault.forget_text("m", text.mark)
        assert not await vault.forget_text("m", text.mark)
        assert await vault.texts("m", [text.mark]) == [None]

    async def test_records_are_kept_in_order(self, vault: Vault) -> None:
        name = uuid4().hex
        assert await vault.notes(name, 0, 5) == []
        for record in (b"one", b"two", b"two", b"three"):
            await vault.note(name, record)
        assert await vault.notes(name, 0, 2) == [b"one", b"two"]
        assert await vault.notes(name, 2, 5) == [b"two", b"three"]
        assert await vault.notes("another", 0, 5) == []

    async def test_the_first_claim_stands(self, vault: Vault) -> None:
        key = uuid4().hex
        assert [await vault.claim(key, m) for m in ("one", "two", "one")] == ["one"] * 3


async def test_a_vault_that_is_away(tmp_path: Path) -> None:
    vault = RedisVault(f"unix://{tmp_path}/nobody", reply_within=0.05)
    with pytest.raises(Unavailable):
        await vault.find("x")
    await vault.aclose()


async def test_a_token_that_cannot_be_looked_up(api: Client, monkeypatch: Any) -> None:
    """Is not taken for a mistake of ours, nor for a wrong token."""
    match = await api.playing()

    async def away(*_: Any) -> None:
        raise Unavailable("gone")

    monkeypatch.setattr(api.desk.vault, "find", away)
    api.desk.tokens.forget("")
    asked = [
        await api.get(match.path, match.seats[0]),
        await match.answer(0, "x", "1.1"),
        await api.post(f"{match.path}/seats/0/token", match.seats[0]),
    ]
    for reply in asked:
        assert (reply.status_code, reply.json()["code"]) == (503, "unavailable")


async def test_games_are_named(api: Client) -> None:
    assert TOY in (await api.get("/v1/games")).text
