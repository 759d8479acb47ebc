"""Review over HTTP: the log, any step of it, and what it proves; lists, inbox and feed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from events.store import Corrupt
from games import catalog
from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.runner import Runner
from projections.summary import Summaries
from replay import files
from replay.verify import verify_file
from services import cursors
from services.keeper import Closing
from services.matches import Matches
from tests.services.api import ADMIN, KEYS, TOY, Client, Made, etag


async def token_for(api: Client, scope: str, **more: Any) -> str:
    reply = await api.post("/v1/tokens", ADMIN, json={"scope": scope, **more})
    return str(reply.json()["token"])


async def closed_match(api: Client) -> Made:
    match = await api.playing()
    await match.finished()
    await Closing(Matches(api.desk.store, KEYS)).act(match.id)
    return match


class TestLog:
    async def test_is_a_file_that_verifies(self, api: Client, tmp_path: Path) -> None:
        match = await closed_match(api)
        auditor = await token_for(api, "audit")
        for token, viewer in [("", "spectator"), (match.seats[1], 1), (auditor, "auditor")]:
            reply = await api.get(f"{match.path}/log", token)
            assert reply.headers["content-type"] == "application/x-ndjson"
            report = verify_file(reply.content)
            assert report.ok and report.viewer == viewer, report
            stands = {"version": report.versions, "head": report.head, "viewer": viewer}
            assert reply.headers["etag"] == etag(stands)
            assert report.head == (await match.view())["head"]
            assert files.read(reply.content).match == match.id

    async def test_from_a_version_on(self, api: Client) -> None:
        match = await api.playing()
        lines = (await api.get(f"{match.path}/log", params={"after": 3})).text.splitlines()
        assert [json.loads(line)["version"] for line in lines] == [4]
        none = await api.get(f"{match.path}/log", params={"after": 9})
        assert none.status_code == 200 and none.text == ""


class TestSteps:
    async def test_any_of_them(self, api: Client) -> None:
        match = await api.playing()
        await match.finished()
        for step in ("1", "4", "4.1", "5"):
            shown = (await api.get(f"{match.path}/steps/{step}", match.seats[0])).json()
            assert shown["step"] == step and shown["viewer"] == 0 and shown["says"] is not None
            assert shown["view"]["version"] == shown["version"] == int(step.split(".")[0])
            assert len(shown["head"]) == 64
        last = (await match.view())["version"]
        assert (await api.get(f"{match.path}/steps/{last}")).json()["view"]["status"] == "over"

    @pytest.mark.parametrize("step", ["0", "99", "4.99", "x", "1.2.3", "-1", "9" * 30])
    async def test_that_are_not_there(self, api: Client, step: str) -> None:
        match = await api.playing()
        reply = await api.get(f"{match.path}/steps/{step}")
        assert (reply.status_code, reply.json()["code"]) == (404, "unknown_step")

    async def test_through_whose_eyes(self, api: Client) -> None:
        match = await api.playing()
        auditor = await token_for(api, "audit")
        for token, eyes, status in [
            (auditor, "0", 200),
            (auditor, "auditor", 200),
            (auditor, "9", 422),
            (auditor, "me", 422),
            (match.seats[0], "0", 200),
            (match.seats[0], "spectator", 200),
            (match.seats[0], "1", 403),
            (match.seats[0], "auditor", 403),
            (match.host, "0", 403),
            (ADMIN, "0", 403),
            ("", "0", 403),
            ("", "", 200),
        ]:
            reply = await api.get(f"{match.path}/steps/4", token, params={"as": eyes})
            assert reply.status_code == status, (eyes, reply.text)
            if status == 200 and eyes.isdigit():
                hands = reply.json()["view"]["game"]["hands"]
                assert [isinstance(hand, list) for hand in hands] == [True, False]


class TestVerify:
    async def test_what_the_bearer_can_prove(self, api: Client) -> None:
        match = await api.playing()
        await match.move()
        head = (await match.view())["head"]
        auditor = await token_for(api, "audit")
        for token, sure in [("", False), (match.seats[0], False), (auditor, True)]:
            report = (await api.get(f"{match.path}/verify", token, params={"head": head})).json()
            assert report["ok"] and report["head"] == head
            states = {check["name"]: check["state"] for check in report["checks"]}
            assert states["chain"] == "ok" and (states["rules"] == "ok") == sure
        wrong = await api.get(f"{match.path}/verify", params={"head": "0" * 64})
        assert wrong.json()["ok"] is False
        bad = await api.get(f"{match.path}/verify", params={"head": "x"})
        assert bad.json()["code"] == "bad_parameter"

    async def test_a_changed_log(self, api: Client) -> None:
        match = await closed_match(api)
        store: Any = api.desk.store
        entry = store._logs[match.id][4]
        changed = entry.facts.replace(b"answered", b"answerED").replace(b"chosen", b"chosEN")
        store._logs[match.id][4] = entry._replace(facts=changed)
        report = (await api.get(f"{match.path}/verify")).json()
        assert report["ok"] is False and report["bad"]["version"] == 5


def tampered(api: Client, match: Made, work: Any) -> None:
    """The log as `work` leaves it; the store keeps what it kept beside it, the process nothing."""
    store: Any = api.desk.store
    work(store._logs[match.id])
    api.desk.matches.forget(match.id)


class TestUnreadable:
    """Verify tells what is wrong with a log that nothing else can read."""

    async def everybody(self, api: Client, match: Made) -> list[Any]:
        told = []
        for token in (await token_for(api, "audit"), match.seats[0], match.host, ""):
            for path in ("", "/log", "/checkpoint", "/steps/2"):
                reply = await api.get(f"{match.path}{path}", token)
                assert (reply.status_code, reply.json()["code"]) == (500, "corrupt_log"), path
            reply = await api.get(f"{match.path}/verify", token)
            assert reply.status_code == 200 and reply.json()["ok"] is False
            told.append(reply.json())
        assert [report["viewer"] for report in told] == ["auditor", 0, "spectator", "spectator"]
        assert {report["checks"][-1]["state"] for report in told} == {"failed"}
        return [report["bad"]["version"] for report in told]

    async def test_a_tail_that_the_store_knows_is_missing(self, api: Client) -> None:
        for make in (api.playing, lambda: closed_match(api)):
            match = await make()
            last = (await match.view())["version"]
            tampered(api, match, lambda entries: entries.pop())
            assert await self.everybody(api, match) == [last - 1] * 4
            for token in (await token_for(api, "audit"), match.seats[0], ""):
                report = (await api.get(f"{match.path}/verify", token)).json()
                assert "the tail is missing" in report["bad"]["why"]

    async def test_a_tail_that_went_while_the_match_is_in_memory(self, api: Client) -> None:
        match = await api.playing()
        store: Any = api.desk.store
        entry = store._logs[match.id].pop()
        await api.get(match.path)
        reply = await api.get(f"{match.path}/checkpoint")
        assert (reply.status_code, reply.json()["code"]) == (500, "corrupt_log")
        assert not (await api.get(f"{match.path}/verify")).json()["ok"]
        store._logs[match.id].append(entry)
        assert (await api.get(f"{match.path}/checkpoint")).status_code == 200
        assert (await api.get(f"{match.path}/verify")).json()["ok"]

    async def test_a_store_that_is_ahead_of_a_log_which_memory_knows(self, api: Client) -> None:
        match = await api.playing()
        await match.view()
        store: Any = api.desk.store
        meta = store._metas[match.id]
        for other in (
            meta._replace(version=meta.version + 1, head=bytes(32)),
            meta._replace(head=bytes(32)),
        ):
            store._metas[match.id] = other
            reply = await api.get(f"{match.path}/checkpoint")
            assert (reply.status_code, reply.json()["code"]) == (500, "corrupt_log")
            assert (await api.get(f"{match.path}/verify")).json()["bad"]["version"] == meta.version

    async def test_a_version_that_is_gone_under_a_checkpoint(
        self, api: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = await api.playing()
        store: Any = api.desk.store
        read = store.read

        async def gone(id: str, after: int = 0, limit: int | None = None) -> Any:
            return [] if limit == 1 else await read(id, after, limit)

        monkeypatch.setattr(store, "read", gone)
        reply = await api.get(f"{match.path}/checkpoint")
        assert (reply.status_code, reply.json()["code"]) == (500, "corrupt_log")

    @pytest.mark.parametrize("at", [1, 3])
    async def test_bytes_that_are_no_commit(self, api: Client, at: int) -> None:
        match = await api.playing()

        def work(entries: Any) -> None:
            entries[at - 1] = entries[at - 1]._replace(facts=b"\xc1")

        tampered(api, match, work)
        if at == 3:
            assert await self.everybody(api, match) == [3] * 4
        else:
            reply = await api.get(f"{match.path}/verify", match.seats[0])
            assert reply.json()["bad"]["version"] == 1 and reply.json()["viewer"] == "spectator"

    @pytest.mark.parametrize("at", [1, 3])
    async def test_an_entry_that_the_store_cannot_give(
        self, api: Client, monkeypatch: pytest.MonkeyPatch, at: int
    ) -> None:
        match = await api.playing()
        store: Any = api.desk.store
        read = store.read

        async def unreadable(id: str, after: int = 0, limit: int | None = None) -> Any:
            if limit is None or after + limit >= at:
                raise Corrupt(id, at, "the entry is not whole")
            return await read(id, after, limit)

        monkeypatch.setattr(store, "read", unreadable)
        api.desk.matches.forget(match.id)
        report = (await api.get(f"{match.path}/verify", await token_for(api, "audit"))).json()
        assert report["bad"] == {"why": "the entry is not whole", "version": at, "line": None}
        assert report["versions"] == at - 1 and report["checks"][-1]["name"] == "read"

    async def test_who_sees_it_later_sees_no_more_of_it(self, api: Client) -> None:
        match = await api.playing(delay=2)
        await match.move()
        await match.move()
        last = (await match.view(match.seats[0]))["version"]
        tampered(api, match, lambda entries: entries.pop())
        report = (await api.get(f"{match.path}/verify")).json()
        assert report["bad"]["version"] == report["versions"] == last - 3
        assert "what follows it" in report["bad"]["why"]

    async def test_whose_delay_cannot_be_read_sees_nothing(self, api: Client) -> None:
        match = await api.playing(delay=2)

        def work(entries: Any) -> None:
            entries[0] = entries[0]._replace(facts=b"\xc1")

        tampered(api, match, work)
        report = (await api.get(f"{match.path}/verify")).json()
        assert (report["ok"], report["versions"], report["bad"]["version"]) == (False, 0, 1)

    async def test_who_sees_it_later_sees_what_was_before_play(self, api: Client) -> None:
        match = await api.playing(delay=2)

        def work(entries: Any) -> None:
            entries[1] = entries[1]._replace(facts=b"\xc1")

        tampered(api, match, work)
        report = (await api.get(f"{match.path}/verify")).json()
        assert (report["versions"], report["bad"]["version"]) == (1, 1)

    async def test_a_seat_that_is_another_players_by_now(self, api: Client) -> None:
        match = await api.playing()
        await api.post(f"{match.path}/seats/0/kick", match.host)
        tampered(api, match, lambda entries: entries.pop())
        # What emptied the seat is what is missing: so far as the log goes, it sits there.
        assert (await api.get(f"{match.path}/verify", match.seats[0])).json()["viewer"] == 0

    async def test_a_game_that_is_not_here(
        self, api: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = await closed_match(api)
        api.desk.matches.forget(match.id)
        monkeypatch.delitem(catalog.GAMES, TOY)
        report = (await api.get(f"{match.path}/verify", match.seats[1])).json()
        states = {check["name"]: check["state"] for check in report["checks"]}
        assert report["ok"] and states["rules"] == "unknown" and states["seed"] == "ok"
        for token in (match.seats[1], "", await token_for(api, "audit")):
            wrong = await api.get(f"{match.path}/verify", token, params={"head": "0" * 64})
            assert "is no head of this log" in wrong.json()["bad"]["why"]

    async def test_what_is_no_matter_of_the_log_is_refused(self, api: Client) -> None:
        reply = await api.get("/v1/matches/01J0000000000000000000TEST/verify")
        assert reply.json()["code"] == "unknown_match"


class TestLists:
    async def listed(self, api: Client) -> list[Made]:
        matches = [await api.made() for _ in range(3)] + [await api.playing()]
        await api.made(listed=False)
        await matches[0].join()
        for projection in (Lobby(), Inbox(), Summaries()):
            await Runner(api.desk.store, projection, "w").drain()
        return matches

    async def test_filters_and_pages(self, api: Client) -> None:
        matches = await self.listed(api)
        ids = {match.id for match in matches}
        whole = (await api.get("/v1/matches")).json()
        assert {item["match"] for item in whole["items"]} == ids and whole["next"] is None
        playing = (await api.get("/v1/matches", params={"status": "playing"})).json()["items"]
        assert [item["match"] for item in playing] == [matches[3].id]
        free = (await api.get("/v1/matches", params={"open": True, "game": TOY})).json()["items"]
        assert {item["match"] for item in free} == ids - {matches[3].id}
        assert not (await api.get("/v1/matches", params={"game": "chess"})).json()["items"]
        found, url = [], "/v1/matches?limit=1&open=true"
        while url:
            reply = await api.get(url)
            found += [item["match"] for item in reply.json()["items"]]
            link = reply.headers.get("link")
            url = link.partition(">")[0].strip("<") if link else ""
        assert sorted(found) == sorted(ids - {matches[3].id})

    @pytest.mark.parametrize("path", ["/v1/matches", "/v1/inbox", "/v1/feed"])
    @pytest.mark.parametrize("cursor", ["x", "!!", "é", cursors.sealed([1, 2])])
    async def test_cursors_that_are_not_ours(self, api: Client, path: str, cursor: str) -> None:
        token = await token_for(api, "audit" if "feed" in path else "player")
        reply = await api.get(path, token, params={"after": cursor})
        assert (reply.status_code, reply.json()["code"]) == (400, "bad_cursor")

    async def test_mine_and_the_inbox(self, api: Client) -> None:
        anna = await token_for(api, "player", player="anna")
        berta = await token_for(api, "player", player="berta")
        matches = [await api.made(listed=n != 1) for n in range(3)]
        for match in matches:
            await match.join(anna)
            await match.join(berta)
        await api.post(f"{matches[0].path}/start", matches[0].host)
        await api.post(f"{matches[1].path}/start", matches[1].host)
        await self.listed(api)
        mine = (await api.get("/v1/matches", anna, params={"mine": True})).json()["items"]
        assert {item["match"] for item in mine} == {match.id for match in matches}
        started = await api.get("/v1/matches", anna, params={"mine": True, "status": "playing"})
        assert len(started.json()["items"]) == 2
        page = (await api.get("/v1/inbox", anna, params={"limit": 1})).json()
        rest = (await api.get("/v1/inbox", anna, params={"after": page["next"]})).json()
        waiting = [item["match"] for item in page["items"] + rest["items"]]
        assert waiting == [matches[0].id, matches[1].id] and rest["next"] is None
        assert page["items"][0]["prompt"] and page["items"][0]["seat"] == 0

    async def test_nobody_reads_anothers(self, api: Client) -> None:
        match = await api.playing()
        for token, status in [(match.seats[0], 403), (match.host, 403), ("", 401)]:
            assert (await api.get("/v1/inbox", token)).status_code == status
            mine = await api.get("/v1/matches", token, params={"mine": True})
            assert mine.status_code == status


class TestFeed:
    async def pages(self, api: Client, token: str, limit: int) -> list[tuple[str, int]]:
        seen: list[tuple[str, int]] = []
        after = ""
        while True:
            params = {"after": after, "limit": limit}
            reply = await api.get("/v1/feed", token, params=params)
            assert reply.status_code == 200, reply.text
            *lines, end = map(json.loads, reply.text.splitlines())
            seen += [(line["match"], line["version"]) for line in lines]
            after = end["next"]
            if not end["more"]:
                return seen

    async def everything(self, api: Client) -> set[tuple[str, int]]:
        store = api.desk.store
        found = [match async for match in store.matches()]
        return {(m, e.version) for m in found for e in await store.read(m)}

    @pytest.mark.parametrize("limit", [1, 7, 1000])
    async def test_every_commit_in_the_order_of_its_match(self, api: Client, limit: int) -> None:
        for _ in range(3):
            await (await api.playing()).move()
        seen = await self.pages(api, await token_for(api, "audit"), limit)
        assert set(seen) == await self.everything(api)
        for match in {match for match, _ in seen}:
            versions = [version for m, version in seen if m == match]
            assert versions == sorted(versions)

    @pytest.mark.parametrize("limit", [1, 1000])
    async def test_what_the_feeds_no_longer_hold(self, api: Client, limit: int) -> None:
        for _ in range(3):
            await (await api.playing()).move()
        store = api.desk.store
        await Runner(store, Lobby(), "w").drain()
        assert await store.trim() > 0
        await api.made()
        seen = await self.pages(api, await token_for(api, "audit"), limit)
        assert set(seen) == await self.everything(api)

    async def test_goes_on_where_it_was(self, api: Client) -> None:
        auditor = await token_for(api, "audit")
        match = await api.playing()
        first = (await api.get("/v1/feed", auditor)).text.splitlines()
        after = json.loads(first[-1])["next"]
        await match.move()
        later = await api.get("/v1/feed", auditor, params={"after": after})
        lines = [json.loads(line) for line in later.text.splitlines()[:-1]]
        assert [(line["match"], line["version"]) for line in lines] == [(match.id, 5)]
        assert lines[0]["events"][0]["option"] != {"hidden": True}

    async def test_for_auditors_alone(self, api: Client) -> None:
        match = await api.playing()
        for token, status in [("", 401), (match.host, 403), (match.seats[0], 403), (ADMIN, 403)]:
            assert (await api.get("/v1/feed", token)).status_code == status
