"""The feed of all matches, where something is wrong with one of them, or there are many."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from events.memory import MemoryStore
from events.partitions import match_keys
from events.store import Corrupt, Unavailable
from games import catalog
from projections.lobby import Lobby
from projections.runner import Runner
from services import cursors, feed
from services.api import create_app
from services.keys import Keys
from services.vault import MemoryVault
from services.wiring import Parts
from tests.servers import opened, running
from tests.services.api import KEYS, Client, Made, in_memory, settings
from tests.services.test_archived_matches import House, with_keys
from tests.services.test_review import closed_match, token_for


async def pages(api: Client, token: str, limit: int = 100) -> list[list[dict[str, Any]]]:
    """All there is, a page after the other, without their last lines."""
    found, after = [], ""
    while True:
        params = {"after": after, "limit": limit}
        reply = await api.get("/v1/feed", token, params=params)
        assert reply.status_code == 200, reply.text
        *items, end = map(json.loads, reply.text.splitlines())
        found.append(items)
        after = end["next"]
        if not end["more"]:
            return found


async def everything(api: Client, limit: int = 100) -> list[dict[str, Any]]:
    token = await token_for(api, "audit")
    return [item for page in await pages(api, token, limit) for item in page]


def versions(items: list[dict[str, Any]], match: Made) -> list[int]:
    return [item["version"] for item in items if item["match"] == match.id and "version" in item]


def untold(items: list[dict[str, Any]]) -> list[tuple[str, int, int, str]]:
    """Of what stands for commits that cannot be told: match, first, last, code."""
    return [
        (item["match"], item["first"], item["last"], item["problem"]["code"])
        for item in items
        if "problem" in item
    ]


async def trimmed(api: Client) -> None:
    """What was is in the feeds no more."""
    await Runner(api.desk.store, Lobby(), "w").drain()
    assert await api.desk.store.trim() > 0
    await api.made()


async def test_a_cursor_is_of_our_making_or_older_of_it(api: Client) -> None:
    """One that no store has given would be told by none where it is."""
    token = await token_for(api, "audit")
    for place, status in [
        (["x", 0], 400),
        (["1-0-0", 0], 400),
        ([f"{'9' * 30}-0", 0], 400),
        (["\u0661-0", 0], 400),
        (["1-0\n", 0], 400),
        ([f"{2**48}-7", 3, None], 200),
        (["0-0", 0, "m"], 200),
    ]:
        params = {"after": cursors.sealed({0: place})}
        reply = await api.get("/v1/feed", token, params=params)
        assert reply.status_code == status, (place, reply.text)
        assert status == 200 or reply.json()["code"] == "bad_cursor"


@pytest.mark.parametrize("trims", [False, True])
async def test_a_commit_that_cannot_be_read(api: Client, trims: bool) -> None:
    first, bad, last = [await api.playing() for _ in range(3)]
    log = api.desk.store._logs[bad.id]
    log[2] = log[2]._replace(facts=b"\xc1 is nothing")
    if trims:
        await trimmed(api)
    items = await everything(api)
    assert versions(items, first) == versions(items, last) == [1, 2, 3, 4]
    assert versions(items, bad) == [1, 2]
    assert untold(items) == [(bad.id, 3, 4, "corrupt_log")]
    (problem,) = [item["problem"] for item in items if "problem" in item]
    assert (problem["status"], problem["instance"]) == (500, f"{bad.path}/log")


async def test_what_comes_after_it_is_told(api: Client) -> None:
    match = await api.playing()
    log = api.desk.store._logs[match.id]
    log[2] = log[2]._replace(facts=b"\xc1 is nothing")
    token = await token_for(api, "audit")
    after = json.loads((await api.get("/v1/feed", token)).text.splitlines()[-1])["next"]
    await match.move()
    (item, _) = map(
        json.loads,
        (await api.get("/v1/feed", token, params={"after": after})).text.splitlines(),
    )
    assert (item["match"], item["version"]) == (match.id, 5)


@pytest.mark.parametrize("limit", [1, 100])
@pytest.mark.parametrize("trims", [False, True])
async def test_a_log_that_its_store_calls_corrupt(
    api: Client, monkeypatch: pytest.MonkeyPatch, trims: bool, limit: int
) -> None:
    bad, good = [await api.playing() for _ in range(2)]
    if trims:
        await trimmed(api)
    read = api.desk.store.read

    async def reading(match: str, after: int = 0, limit: int | None = None) -> Any:
        entries = await read(match, after, limit)
        for entry in entries:
            if match == bad.id and entry.version == 3:
                raise Corrupt(match, 3, "an entry stands in its place")
        return entries

    monkeypatch.setattr(api.desk.store, "read", reading)
    parts = Parts(api.desk.store, api.desk.vault, Keys([b"another key of thirty-two bytes ..."]))
    async with in_memory(parts) as other:
        found = [told for told in untold(await everything(other)) if told[0] == bad.id]
    assert [told[1:] for told in found] == [(1, 2, "locked_log"), (3, 4, "corrupt_log")]
    items = await everything(api, limit)
    assert versions(items, good) == [1, 2, 3, 4]
    told = versions(items, bad)
    assert [*told, *(v for _, a, b, _ in untold(items) for v in range(a, b + 1))] == [
        *([1, 2, 3, 4] if limit == 100 else [1, 2, 4, 3])
    ]


async def test_a_server_key_that_is_missing(api: Client) -> None:
    """Of running matches and of such as lie in the archive."""
    parts = Parts(api.desk.store, api.desk.vault, Keys([b"another key of thirty-two bytes ..."]))
    old = await api.playing()
    async with in_memory(parts) as other:
        new = await other.playing()
        items = await everything(other)
    assert versions(items, new) == [1, 2, 3, 4]
    assert untold(items) == [(old.id, 1, 4, "locked_log")]


@pytest.mark.parametrize("damaged", [False, True])
async def test_archived_matches(tmp_path: Path, damaged: bool) -> None:
    house = House(tmp_path / "archive")
    async with in_memory(house.parts) as api:
        bad = await closed_match(api)
        await house.archived()
        await house.raw.trim()
        good = await api.playing()
    last = len(await house.parts.store.read(bad.id))
    house.archive._kept.clear()
    other = Keys([b"another key, of thirty-two bytes or more"])
    if damaged:
        (segment,) = (tmp_path / "archive" / "segments").iterdir()
        data = bytearray(segment.read_bytes())
        data[60] ^= 1
        segment.write_bytes(bytes(data))
    async with with_keys(house, KEYS if damaged else other) as api:
        items = await everything(api)
    code = "corrupt_log" if damaged else "locked_log"
    assert (bad.id, 1, last, code) in untold(items)
    assert versions(items, good) == ([1, 2, 3, 4] if damaged else [])


async def test_a_game_that_is_not_here(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match, other = await api.playing(), await api.playing(game="tricks-and-treats")
    async with in_memory(Parts(api.desk.store, api.desk.vault, KEYS)) as fresh:
        token = await token_for(fresh, "audit")
        game = catalog.GAMES.pop("tricks-and-treats")
        try:
            (items,) = await pages(fresh, token)
        finally:
            catalog.GAMES["tricks-and-treats"] = game
    assert versions(items, match) == [1, 2, 3, 4]
    assert untold(items) == [(other.id, 1, 4, "unknown_game")]


async def test_an_archive_that_is_away_loses_nothing(
    api: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is over soon, and nobody wants holes for it: the same page can be asked for again."""
    match = await api.playing()
    token = await token_for(api, "audit")

    async def away(*given: Any) -> Any:
        raise Unavailable("the archive cannot be reached")

    with monkeypatch.context() as patch:
        patch.setattr(api.desk.store, "read", away)
        reply = await api.get("/v1/feed", token)
    assert (reply.status_code, reply.json()["code"]) == (503, "unavailable")
    (items,) = await pages(api, token)
    assert versions(items, match) == [1, 2, 3, 4]


async def test_what_cannot_be_told_is_no_use_of_an_auditors_eyes(api: Client) -> None:
    match = await api.playing()
    api.desk.store._logs[match.id][0] = api.desk.store._logs[match.id][0]._replace(facts=b"\xc1")
    assert untold(await everything(api)) == [(match.id, 1, 4, "corrupt_log")]
    assert not await api.desk.vault.notes(match.id, 0, 10)


class Counting(MemoryStore):
    """Counts what a reader goes through."""

    ids = reads = 0

    async def matches(self, partition: int | None = None, after: str = "") -> AsyncIterator[str]:
        async for match in super().matches(partition, after):
            self.ids += 1
            yield match

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> Any:
        self.reads += 1
        return await super().read(match, after, limit)


async def test_a_page_of_logs_goes_through_no_more_than_it_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed, "LOOKED", 20)
    store = Counting(1)
    async with in_memory(Parts(store, MemoryVault(), KEYS)) as api:
        made = [await api.made() for _ in range(60)]
        long = await api.playing()
        await long.finished()
        await trimmed(api)
        token = await token_for(api, "audit")
        seen: list[tuple[str, int]] = []
        after, more = "", True
        while more:
            store.ids = store.reads = 0
            reply = await api.get("/v1/feed", token, params={"after": after, "limit": 7})
            *items, end = map(json.loads, reply.text.splitlines())
            assert len(items) <= 7 and store.ids <= 9 and store.reads <= 9
            seen += [(item["match"], item["version"]) for item in items]
            after, more = end["next"], end["more"]
        assert len(set(seen)) == len(seen)
        assert {match for match, _ in seen} >= {match.id for match in made}
        assert [v for m, v in seen if m == long.id] == list(range(1, len(store._logs[long.id]) + 1))
        # Logs that went meanwhile leave their ids behind: they count as well.
        store._logs.clear()
        store.ids = 0
        params = {"after": "", "limit": 7}
        end = json.loads((await api.get("/v1/feed", token, params=params)).text.splitlines()[-1])
        assert end["more"] and store.ids <= 21


@pytest.mark.parametrize("limit", [5, 20])
async def test_a_page_is_as_long_as_it_may_be(limit: int) -> None:
    """Also where nearly all that has happened was in one partition; each has its share first."""
    async with in_memory(Parts(MemoryStore(8), MemoryVault(), KEYS)) as api:
        for _ in range(10):
            await api.made()
        busy = await api.playing()
        await busy.finished()
        token = await token_for(api, "audit")
        found = await pages(api, token, limit)
    last = len(api.desk.store._logs[busy.id])
    assert last > 14
    assert all(limit <= len(page) <= limit + 8 for page in found[:-1])
    items = [item for page in found for item in page]
    assert versions(items, busy) == list(range(1, last + 1))
    assert len({item["match"] for item in items}) == 11


async def test_a_page_asks_no_feed_for_more_than_it_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore(8)
    async with in_memory(Parts(store, MemoryVault(), KEYS)) as api:
        for _ in range(30):
            await api.made()
        token = await token_for(api, "audit")
        beyond, asked = store.beyond, []

        async def counted(positions: Any, limit: int) -> Any:
            found = await beyond(positions, limit)
            asked.append(sum(len(one.references) for one in found.values()))
            return found

        monkeypatch.setattr(store, "beyond", counted)
        reply = await api.get("/v1/feed", token, params={"limit": 16})
    assert len(reply.text.splitlines()) == 17 and sum(asked) <= 32


async def test_on_real_servers(tmp_path: Path) -> None:
    """A log with a bad entry in it, and one of which the feeds hold nothing any more."""
    with running("redis", tmp_path) as url:
        async with opened(url) as store, in_memory(Parts(store, MemoryVault(), KEYS)) as api:
            bad, good = [await api.playing() for _ in range(2)]
            keys, link = match_keys(bad.id, store.partitions), store._link
            commits = await link.call("XRANGE", keys.log, "-", "+")
            await link.call("DEL", keys.log)
            for version, (id, fields) in enumerate(commits, 1):
                fields[1] = b"\xc1" if version == 3 else fields[1]
                await link.call("XADD", keys.log, id, *fields)
            for trims in range(2):
                for limit in (1, 100):
                    items = await everything(api, limit)
                    assert versions(items, good) == [1, 2, 3, 4]
                    assert versions(items, bad) == ([1, 2, 4] if limit == 1 else [1, 2])
                    last = 3 if limit == 1 else 4
                    assert untold(items) == [(bad.id, 3, last, "corrupt_log")]
                if not trims:
                    await trimmed(api)


async def test_the_lines_are_documented() -> None:
    made = create_app(settings()).openapi()
    line = made["paths"]["/v1/feed"]["get"]["responses"]["200"]["content"]["application/x-ndjson"]
    assert line["schema"] == {"$ref": "#/components/schemas/FeedLine"}
    kinds = made["components"]["schemas"]["FeedLine"]["anyOf"]
    assert [kind["$ref"].rsplit("/")[-1] for kind in kinds] == ["Line", "Untold", "End"]
    assert "problem" in made["components"]["schemas"]["Untold"]["required"]
