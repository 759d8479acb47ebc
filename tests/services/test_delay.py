"""A spectator lags behind by what the host has set, wherever it looks, until the match is over."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from projections.lobby import Lobby
from projections.runner import Runner
from projections.views import Views
from tests.services.api import Client, Made, Running, told
from tests.services.undoing import code, token_for, turns, version

DELAY = 3


@pytest.fixture
async def match(live: Running) -> Made:
    """Two have shown their pumpkins; the newest version is 6, a spectator sees up to 3."""
    return await turns(live, delay=DELAY)


async def own(match: Made) -> int:
    return int((await match.view(match.seats[0]))["version"])


async def everywhere(match: Made, token: str) -> set[int]:
    """The newest version that is to be seen, looked for in all places."""
    api: Any = match.client
    view = await match.view(token)
    log = (await api.get(f"{match.path}/log", token)).text.splitlines()
    report = (await api.get(f"{match.path}/verify", token)).json()
    step = (await api.get(f"{match.path}/steps", token)).json()
    views = (await api.get(f"{match.path}/views", token)).text.splitlines()
    seen = msgspec.json.decode(views[-1])
    async with api.stream(match.id, token, after=0) as socket:
        hello = await told(socket)
        for number in range(1, hello["version"] + 1):
            assert (await told(socket))["version"] == number
    last = msgspec.json.decode(log[-1])
    heads = {view["head"], hello["head"], report["head"], last["head"], step["head"], seen["head"]}
    assert len(heads) == 1
    newest = {view["version"], len(log), report["versions"], step["version"], hello["version"]}
    return newest | {last["of"], seen["version"], len(views)}


async def test_in_all_places(live: Running, match: Made) -> None:
    newest = await own(match)
    assert newest == 6
    for token in ("", match.watch, match.host):
        assert await everywhere(match, token) == {newest - DELAY}
    await match.move()
    assert await everywhere(match, "") == {newest + 1 - DELAY}
    assert await everywhere(match, match.seats[1]) == {newest + 1}
    assert await everywhere(match, await token_for(live, "audit")) == {newest + 1}


async def test_what_is_not_to_be_seen_yet(live: Running, match: Made) -> None:
    for path in ("steps/4", "steps/6", "steps/4.1"):
        assert code(await live.get(f"{match.path}/{path}")) == "unknown_step"
    assert (await live.get(f"{match.path}/log", params={"after": 5})).text == ""
    assert code(await live.get(f"{match.path}/log", params={"until": 5})) == "version_ahead"
    assert code(await live.get(match.path, params={"at_least": 5})) == "version_ahead"
    known = {"if-none-match": '"3"'}
    assert (await live.get(match.path, headers=known)).status_code == 304
    waited = await live.get(match.path, headers=known, params={"wait": 0.2})
    assert waited.status_code == 304


async def test_the_lobby_and_the_start(live: Running) -> None:
    match = await live.made(delay=DELAY)
    for number in (2, 3):
        await match.join()
        assert await version(match) == number
    started = (await live.post(f"{match.path}/start", match.host)).json()
    assert (started["version"], started["view"]["version"]) == (4, 3)
    assert [event["type"] for event in started["commit"]["events"]] == ["started"]
    assert await version(match) == 3


async def test_a_host_is_shown_no_more_by_its_commands(live: Running, match: Made) -> None:
    reply = (await live.send("DELETE", f"{match.path}/seats/1", match.host)).json()
    assert [event["type"] for event in reply["commit"]["events"]] == ["kicked", "forfeited"]
    assert reply["view"]["version"] == 7, "it is over"
    other = await turns(live, 3, delay=DELAY)
    kicked = (await live.send("DELETE", f"{other.path}/seats/1", other.host)).json()
    newest = await own(other)
    assert (kicked["version"], kicked["view"]["version"]) == (newest, newest - DELAY)
    left = (await live.send("DELETE", f"{other.path}/seats/me", other.seats[2])).json()
    assert left["view"]["version"] >= newest - DELAY


async def test_streams_lag_and_catch_up_at_the_end(live: Running, match: Made) -> None:
    async with live.stream(match.id) as socket:
        assert (await told(socket))["version"] == 3
        await match.move()
        message = await told(socket)
        assert message["version"] == 4 and message["question"]["seats"] == [0, 1]
        last = (await match.finished())["version"]
        versions = []
        while not versions or versions[-1] < last:
            message = await told(socket)
            versions.append(message["version"])
        assert versions == list(range(5, last + 1)) and message["status"] == "over"
    assert await everywhere(match, "") == {last}


async def test_nobody_is_shown_less_than_before(live: Running) -> None:
    """Not even where the end is taken back."""
    match = await turns(live, delay=DELAY, undo_window=3600)
    over = (await match.finished())["version"]
    auditor = await token_for(live, "audit")
    await live.post(f"{match.path}/revert", auditor, json={"to": over - 1})
    assert await version(match) == over
    await match.move()
    assert await everywhere(match, "") == {over + 2}


async def test_a_long_delay_is_kept_in_memory(live: Running) -> None:
    match = await turns(live, delay=40)
    for _ in range(3):
        await match.move()
    assert await version(match) == 3
    fresh = await live.desk.matches.renew(match.id)
    assert fresh.shown("spectator").commit.version == 3


async def test_the_projection_does_not_tell(live: Running, match: Made) -> None:
    """Where the match is not in memory, the read model would have the newest view."""
    await Runner(live.desk.store, Views(), "w").keeper.catch_up({match.id: 6})
    live.desk.matches._live.clear()
    assert await version(match) == 3
    live.desk.matches._live.clear()
    assert (await match.view(match.seats[0]))["version"] == 6


async def test_the_public_list_does_not_tell(live: Running, match: Made) -> None:
    """Neither how far play is, nor when it moved, until the match is over."""
    lobby = Runner(live.desk.store, Lobby(), "w").keeper

    async def listed() -> Any:
        await lobby.catch_up({match.id: await own(match)})
        (item,) = (await live.get("/v1/matches")).json()["items"]
        return item

    seen = await listed()
    log = (await live.get(f"{match.path}/log")).text.splitlines()
    last = msgspec.json.decode(log[-1])["not_hashed"]
    assert (seen["version"], seen["answers"], seen["moved"]) == (3, 0, last["at"])
    assert (seen["status"], [seat["kind"] for seat in seen["seats"]]) == ("playing", ["player"] * 2)
    await match.move()
    assert (await listed())["version"] == 4
    over = (await match.finished())["version"]
    assert ((await listed())["version"], (await listed())["status"]) == (over, "over")


async def test_a_delay_has_its_bounds(api: Client) -> None:
    for wrong in ({"delay": -1}, {"delay": 201}, {"undo": "always"}, {"undo_window": -1}):
        reply = await api.post("/v1/matches", json={"game": "pumpkin-patch", "seats": 2, **wrong})
        assert (reply.status_code, code(reply)) == (422, "bad_body")
    match = await api.made(undo="never", undo_window=60, delay=2)
    await api.post(f"{match.path}/abort", match.host)
    again = (await api.post(f"{match.path}/rematch", match.host)).json()
    shown = again["view"]["match"]
    assert (shown["undo"], shown["undo_window"], shown["delay"]) == ("never", 60, 2)
