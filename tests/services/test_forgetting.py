"""A player is forgotten: tokens and words go, the log stays and proves as much as before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.redis_store import RedisStore
from events.server import Server, candidates
from events.shelf import Place
from events.store import ArchiveAway, Cell, Row
from projections.inbox import Inbox, Item
from projections.runner import Runner
from services import forgetting
from services.forgetting import Forgotten, forget
from services.keys import Keys
from services.vault import Grant, RedisVault
from tests.services.api import ADMIN, KEYS, Client, Made
from tests.services.cli.running import hallowstream

WORDS = "my name is Ann Example, and that was not fair"


async def player(api: Client, name: str) -> str:
    made = await api.post("/v1/tokens", ADMIN, json={"scope": "player", "player": name})
    return str(made.json()["token"])


async def disputed(api: Client, token: str, ruled: bool = True) -> Made:
    """A match in which this player and somebody else claim something."""
    match = await api.made(3)
    await match.join(token)
    await match.join()
    await match.join()
    assert (await api.post(f"{match.path}/start", match.host)).status_code == 200
    for seat, text in [(0, WORDS), (1, "words of another")]:
        body = {"steps": ["4"], "text": text}
        reply = await api.post(f"{match.path}/disputes", match.seats[seat], json=body)
        assert reply.status_code == 201, reply.text
        if ruled:
            await rule(api, match, seat + 1)
    return match


async def rule(api: Client, match: Made, number: int) -> None:
    body = {"upheld": False, "reason": "it was"}
    reply = await api.post(f"{match.path}/disputes/{number}/ruling", ADMIN, json=body)
    assert reply.status_code == 200, reply.text


async def test_tokens_and_words_of_one_player(api: Client) -> None:
    ann, bob = await player(api, "ann"), await player(api, "bob")
    matches = [await disputed(api, ann), await disputed(api, ann), await disputed(api, bob)]
    await Runner(api.desk.store, Inbox(), "w").drain()
    done = await forget(api.desk.store, api.desk.vault, KEYS, "ann")
    assert done == Forgotten("ann", tokens=3, texts=2, matches=2)
    assert (await api.get("/v1/inbox", bob)).status_code == 200
    api.desk.tokens.forget("")
    assert (await api.get("/v1/inbox", ann)).status_code == 401
    assert (await api.get(matches[0].path, matches[0].seats[0])).status_code == 401
    audit = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()["token"]
    told = [(await api.get(f"{match.path}/disputes", audit)).json() for match in matches]
    words = [[word["words"] for case in each["items"] for word in case["said"]] for each in told]
    assert words == [["removed", "kept", "kept", "kept"]] * 2 + [["kept"] * 4]
    removed = told[0]["items"][0]["said"][0]["removed"]
    step = (await api.get(f"{matches[0].path}/steps/{removed}")).json()
    event = {"type": "words_removed", "dispute": 1, "version": 6, "author": ""}
    assert (step["by"], step["events"]) == ("admin", [event])
    log = (await api.get(f"{matches[0].path}/log", audit)).text
    assert "Ann Example" not in log and '"ann"' in log
    report = (await api.get(f"{matches[0].path}/verify", audit)).json()
    assert report["ok"]
    head = (await api.get(matches[0].path)).json()["head"]
    again = await forget(api.desk.store, api.desk.vault, KEYS, "ann")
    assert again == Forgotten("ann", tokens=0, texts=0, matches=2)
    assert (await api.get(matches[0].path)).json()["head"] == head


async def test_words_that_a_referee_may_need_stay(api: Client) -> None:
    """Until the dispute is ruled on, and all others of the match."""
    ann = await player(api, "ann")
    matches = [await disputed(api, ann, ruled) for ruled in (True, False, True)]
    await Runner(api.desk.store, Inbox(), "w").drain()
    held = (matches[1].id,)
    done = await forget(api.desk.store, api.desk.vault, KEYS, "ann")
    assert done == Forgotten("ann", tokens=4, texts=2, matches=3, held=held)
    await rule(api, matches[1], 1)
    done = await forget(api.desk.store, api.desk.vault, KEYS, "ann")
    assert done == Forgotten("ann", tokens=0, texts=0, matches=3, held=held)
    await rule(api, matches[1], 2)
    done = await forget(api.desk.store, api.desk.vault, KEYS, "ann")
    assert done == Forgotten("ann", tokens=0, texts=1, matches=3)


async def test_without_the_key_of_a_match_its_words_stay(api: Client) -> None:
    """Nothing can be added to its log then."""
    ann = await player(api, "ann")
    match = await disputed(api, ann)
    await Runner(api.desk.store, Inbox(), "w").drain()
    done = await forget(api.desk.store, api.desk.vault, Keys([bytes(32)]), "ann")
    assert (done.texts, done.unread) == (0, (match.id,))
    assert (await forget(api.desk.store, api.desk.vault, KEYS, "ann")).texts == 1


async def test_a_seat_that_another_has_taken_over(api: Client) -> None:
    """Words belong to who sat there when they were said."""
    ann, bob = await player(api, "ann"), await player(api, "bob")
    match = await disputed(api, ann)
    await api.post(f"{match.path}/resign", match.seats[0])
    await match.join(bob, seat=0)
    body = {"steps": ["5"], "text": "bob's own"}
    await api.post(f"{match.path}/disputes", match.seats[0], json=body)
    await rule(api, match, 3)
    await Runner(api.desk.store, Inbox(), "w").drain()
    assert (await forget(api.desk.store, api.desk.vault, KEYS, "bob")).texts == 1
    audit = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()["token"]
    told = (await api.get(f"{match.path}/disputes", audit)).json()["items"]
    assert [case["said"][0]["words"] for case in told] == ["kept", "kept", "removed"]


@pytest.mark.parametrize("why", ["damaged", "away"])
async def test_a_log_that_cannot_be_read_keeps_no_other(
    api: Client, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    """What is said there stays until it can, and is named."""
    ann = await player(api, "ann")
    matches = [await disputed(api, ann) for _ in range(3)]
    await Runner(api.desk.store, Inbox(), "w").drain()
    store, bad = api.desk.store, matches[1].id
    read, log = store.read, store._logs[bad]
    good = log[2]

    async def away(match: str, *given: Any) -> Any:
        if match == bad:
            raise ArchiveAway("the archive cannot be reached")
        return await read(match, *given)

    with monkeypatch.context() as patch:
        if why == "damaged":
            log[2] = good._replace(facts=b"\xc1")
        else:
            patch.setattr(store, "read", away)
        done = await forget(store, api.desk.vault, KEYS, "ann")
    assert done == Forgotten("ann", tokens=4, texts=2, matches=3, unread=(bad,))
    log[2] = good
    again = await forget(store, api.desk.vault, KEYS, "ann")
    assert again == Forgotten("ann", tokens=0, texts=1, matches=3)


async def test_a_match_that_moves_meanwhile_is_not_missed(
    api: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "PAGE", 1)
    ann = await player(api, "ann")
    matches = [await disputed(api, ann) for _ in range(3)]
    store = api.desk.store
    worker = Runner(store, Inbox(), "w")
    await worker.drain()
    words = forgetting._forget_words
    moved: list[Any] = []

    async def moving(*given: Any) -> Any:
        if not moved:
            for match in reversed(matches):
                moved.append(await match.move())
            await worker.drain()
        return await words(*given)

    monkeypatch.setattr(forgetting, "_forget_words", moving)
    assert (await forget(store, api.desk.vault, KEYS, "ann")).texts == 3


@pytest.mark.skipif(next(candidates(), None) is None, reason="no Redis or Valkey is here")
async def test_what_is_left_is_named_on_the_command_line(tmp_path: Path) -> None:
    item = Item("gone", "tricks-and-treats", 0, "playing", 1, 1)
    row = Row("matches ann", "gone.0", 1, msgspec.json.encode(item))
    with Server(tmp_path / "redis") as server:
        store = await RedisStore.open(server.url)
        await store.put("inbox", "gone", 0, Cell(1, b""), [row])
        place = Place("a segment", 1, 2, 1, b"")
        assert await store.adopt("gone", place, bytes(32), "closed")
        await store.aclose()
        done = hallowstream("forget", "ann", cwd=tmp_path, REDIS_URL=server.url)
    assert done.returncode == 1 and "cannot be read: gone" in done.stdout, done.stdout
    assert "forget again" in done.stdout and "HALLOWSTREAM_ARCHIVE" in done.stderr


@pytest.mark.skipif(next(candidates(), None) is None, reason="no Redis or Valkey is here")
async def test_from_the_command_line(tmp_path: Path) -> None:
    with Server(tmp_path / "redis") as server:
        vault = RedisVault(server.url)
        await vault.grant("0" * 64, Grant("player", player="ann"))
        await vault.grant("1" * 64, Grant("play", "m", 0, "ann"))
        await vault.grant("2" * 64, Grant("player", player="bob"))
        done = hallowstream("forget", "ann", "--json", cwd=tmp_path, REDIS_URL=server.url)
        assert done.returncode == 0, done.stderr
        told = msgspec.json.decode(done.stdout)["forgotten"]
        assert told == {"player": "ann", "tokens": 2, "texts": 0, "matches": 0}
        assert await vault.find("0" * 64) is None and await vault.find("2" * 64) is not None
        wrong = hallowstream("forget", "no id!", cwd=tmp_path, REDIS_URL=server.url)
        assert wrong.returncode == 2 and "no player id" in wrong.stderr
        await vault.aclose()
