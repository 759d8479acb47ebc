"""Archived matches through the API: nobody can tell, until somebody disputes one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from events.archive import Archive
from events.archived import archived
from events.bucket import opened
from events.memory import MemoryStore
from projections.disputes import Disputes
from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.rebuild import Rebuild
from projections.runner import Runner
from projections.summary import Summaries
from projections.versions import named
from projections.views import Views
from services.archive import derivation
from services.archiving import now
from services.archivist import HOUR, Archivist, Done
from services.keeper import Closing
from services.keys import Keys
from services.matches import Matches
from services.retention import NotArchived, Retention
from services.settings import Settings
from services.vault import MemoryVault
from services.wiring import Parts
from tests.services.api import ADMIN, KEYS, Client, Made, any_option, closed, in_memory, told
from tests.services.api import running as over_a_port
from tests.services.test_disputes import opened as disputed
from tests.services.test_disputes import ruled
from tests.services.test_review import closed_match, token_for

DAYS = 24 * HOUR
PROJECTIONS = (Views(), Lobby(), Inbox(), Summaries(), Disputes())


class House:
    """One store with its archive, and as many API processes over it as wanted."""

    def __init__(self, folder: Path) -> None:
        self.raw = MemoryStore(4)
        self.archive = Archive(opened(f"file://{folder}"), derivation(lambda: KEYS))
        self.parts = Parts(archived(self.raw, self.archive), MemoryVault(), KEYS, self.archive)

    async def archived(self, later: int = 30 * DAYS) -> Done:
        """All that may go after so many ms from now on."""
        for projection in PROJECTIONS:
            await Runner(self.parts.store, projection, "w").drain()
        clock = Archivist(self.parts.store, self.archive, Settings(), lambda: now() + later)
        done = await clock.run(now=True)
        assert await clock.run() == Done(), "what is held is not looked at again before its time"
        return done

    @property
    def retention(self) -> Retention:
        return Retention(self.parts.store, self.archive, self.parts.vault, now)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "archive")


async def told_of(api: Client, match: Made, auditor: str) -> dict[str, Any]:
    """All that anybody can read of a match."""
    found: dict[str, Any] = {}
    tokens = {"spectator": "", "auditor": auditor, **{str(s): t for s, t in match.seats.items()}}
    paths = ("", "/log", "/log?after=3", "/steps/5", "/steps/5.1", "/verify", "/disputes")
    for who, token in tokens.items():
        for path in paths:
            reply = await api.get(match.path + path, token)
            assert reply.status_code == 200, (path, reply.text)
            found[f"{who} {path}"] = reply.text
    found["matches"] = (await api.get("/v1/matches")).text
    feed = await api.get("/v1/feed", auditor)
    found["feed"] = sorted(line for line in feed.text.splitlines() if '"version"' in line)
    return found


async def test_every_read_is_the_same_as_before(house: House) -> None:
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        auditor = await token_for(api, "audit")
        for projection in PROJECTIONS:
            await Runner(house.parts.store, projection, "w").drain()
        before = await told_of(api, match, auditor)
    assert (await house.archived()).matches == 1
    assert await house.raw.read(match.id) == []
    async with in_memory(house.parts) as api:
        match.client = api
        assert await told_of(api, match, auditor) == before
        body = {"step": "5"}
        forked = await api.post(f"{match.path}/fork", match.seats[0], json=body)
        assert forked.status_code == 201, forked.text
    assert await house.raw.read(match.id) == [], "its fork does not bring it back"


async def test_read_models_are_made_anew_from_the_archive(house: House) -> None:
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        await house.archived()
        for projection in PROJECTIONS:
            report = await Rebuild(house.parts.store, projection).run()
            assert (report.matches, report.parked, report.differ) == (1, 0, 0)
            new = named(projection.name, report.version)
            old = await house.raw.get(projection.name, match.id)
            assert old is not None and await house.raw.get(new, match.id) == old


async def test_the_feed_reads_what_only_the_archive_holds(house: House) -> None:
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        auditor = await token_for(api, "audit")
        await house.archived()
        await house.raw.trim()
    async with in_memory(house.parts) as api:
        lines, after = [], ""
        while True:
            *page, last = (await api.get("/v1/feed", auditor, params={"after": after})).text.split()
            lines += page
            told = json.loads(last)
            after = told["next"]
            if not told["more"]:
                break
        versions = [json.loads(line)["version"] for line in lines]
        assert versions == list(range(1, len(await house.parts.store.read(match.id)) + 1))


async def test_a_dispute_brings_a_match_back(house: House) -> None:
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        assert (await house.archived()).matches == 1
        before = await house.parts.store.read(match.id)
    async with in_memory(house.parts) as api:
        match.client = api
        referee = await token_for(api, "audit")
        opened_ = await disputed(match)
        assert opened_["version"] == len(before) + 1
        assert (await house.raw.read(match.id))[:-1] == before
        assert await house.archived(1000 * DAYS) == Done(left=1), "an open dispute freezes it"
        assert (await ruled(match, referee)).status_code == 200
        assert (await house.archived(13 * DAYS)).matches == 0, "there may be an appeal"
        assert (await house.archived(15 * DAYS)).matches == 1
        assert await house.raw.read(match.id) == []
        told = (await api.get(f"{match.path}/disputes", referee)).json()
        assert [case["state"] for case in told["items"]] == ["ruled"]
        appeal = {"text": "look again"}
        reply = await api.post(f"{match.path}/disputes/1/appeal", match.seats[0], json=appeal)
        assert reply.status_code == 200 and reply.json()["version"] == len(before) + 3
        assert (await house.archived(1000 * DAYS)).matches == 0
    assert len(await house.archive.segments()) == 2


async def test_words_that_are_removed_bring_a_match_back(house: House) -> None:
    """The log has to say so; then it may go again."""
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        said = (await disputed(match))["version"]
        await ruled(match, ADMIN)
        assert (await house.archived(15 * DAYS)).matches == 1
        text = f"{match.path}/disputes/1/texts/{said}"
        done = await api.send("DELETE", text, ADMIN)
        assert done.status_code == 200 and done.json()["version"] == said + 2
        assert len(await house.raw.read(match.id)) == said + 2
        assert (await house.archived(15 * DAYS)).matches == 1
        again = await api.send("DELETE", text, ADMIN)
        assert again.json()["again"] and await house.raw.read(match.id) == []


async def test_other_commands_are_refused_and_bring_nothing_back(house: House) -> None:
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        await house.archived()
    async with in_memory(house.parts) as api:
        body = {"question": "1.1", "option": "x"}
        reply = await api.post(f"{match.path}/answers", match.seats[0], json=body)
        assert reply.json()["code"] in ("match_over", "match_closed")
        assert (await api.post(f"{match.path}/resign", match.seats[0])).status_code == 409
        assert await house.raw.read(match.id) == []


async def test_a_retry_after_all_that_time_gets_its_first_result(house: House) -> None:
    async with in_memory(house.parts) as api:
        match = await api.playing()
        seat, view = await match.asked()
        question = view["game"]["question"]
        option = any_option(question)
        first = await match.answer(seat, option, question["id"], key="key-of-long-long-ago")
        assert first.status_code == 200, first.text
        await match.finished()
        await closing(house, match)
        await house.archived()
    async with in_memory(house.parts) as api:
        match.client = api
        again = await match.answer(seat, option, question["id"], key="key-of-long-long-ago")
        assert again.json()["again"] and again.json()["head"] == first.json()["head"]
        assert await house.raw.read(match.id) == []


async def closing(house: House, match: Made) -> None:
    await Closing(Matches(house.parts.store, KEYS)).act(match.id)


async def test_a_deleted_match_is_forgotten_by_who_had_it_in_memory(house: House) -> None:
    async with over_a_port(house.parts) as api:
        match = await closed_match(api)
        await house.archived()
        other = await closed_match(api)
        async with api.stream(match.id, match.seats[0], after=0) as socket:
            await told(socket)
            await house.retention.delete(match.id)
            assert await closed(socket) == 4409
        for path in ("", "/log", "/steps/3", "/verify", "/disputes"):
            reply = await api.get(match.path + path, match.seats[0])
            assert (reply.status_code, reply.json()["code"]) == (404, "unknown_match"), path
        claim = {"steps": ["3"], "text": "unfair"}
        reply = await api.post(f"{match.path}/disputes", match.seats[0], json=claim)
        assert reply.json()["code"] == "unknown_match"
        assert (await api.get(other.path)).status_code == 200
        assert match.id not in (await api.get("/v1/matches")).text


async def test_a_match_deleted_while_the_feed_is_read_is_left_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        auditor = await token_for(api, "audit")
        after = json.loads((await api.get("/v1/feed?limit=1", auditor)).text.splitlines()[-1])
        await house.archived()
    async with in_memory(house.parts) as api:
        read = api.desk.store.read

        async def deleting(*given: Any) -> Any:
            entries = await read(*given)
            if entries and await house.raw.read(match.id) == []:
                with suppress(NotArchived):
                    await house.retention.delete(match.id)
            return entries

        monkeypatch.setattr(api.desk.store, "read", deleting)
        reply = await api.get("/v1/feed", auditor, params={"after": after["next"]})
        assert reply.status_code == 200 and len(reply.text.splitlines()) == 1, reply.text


@asynccontextmanager
async def with_keys(house: House, keys: Keys) -> AsyncIterator[Client]:
    archive = Archive(house.archive.bucket, derivation(lambda: keys))
    async with in_memory(Parts(archived(house.raw, archive), house.parts.vault, keys)) as api:
        yield api


async def test_a_key_that_is_missing_is_no_mistake_of_the_player(house: House) -> None:
    async with in_memory(house.parts) as api:
        match = await closed_match(api)
        await house.archived()
        await house.raw.drop("views")
    async with with_keys(house, Keys([b"another key, of thirty-two bytes or more"])) as api:
        reply = await api.get(match.path)
        assert (reply.status_code, reply.json()["code"]) == (500, "corrupt_log")


async def test_metrics_show_what_was_archived(house: House) -> None:
    async with in_memory(house.parts) as api:
        await closed_match(api)
        await house.archived()
        text = (await api.get("/metrics")).text
        assert 'hallowstream_archive{what="matches"} 1.0' in text
