"""Any step over HTTP: what was asked and answered, what changed, whose eyes; cached for good."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from replay import seeking
from replay.verify import verify_file
from services import looking
from tests.replay.patching import applied
from tests.replay.test_seeking import GOES_BY
from tests.services.api import ADMIN, Client, Made
from tests.services.test_documents import Schemas
from tests.services.undoing import ask, code, says, token_for, turns, version


async def step(match: Made, at: Any, token: str = "", **query: Any) -> dict[str, Any]:
    reply = await match.client.get(f"{match.path}/steps/{at}", token, params=query)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


async def code_at(match: Made, at: Any, token: str = "", **query: Any) -> str:
    return code(await match.client.get(f"{match.path}/steps/{at}", token, params=query))


class TestAskedAndAnswered:
    async def test_a_secret_choice(self, api: Client) -> None:
        match = await api.playing()
        made = await match.move()
        at, seat = made["version"], made["commit"]["by"]
        auditor = await token_for(api, "audit")
        own = await step(match, at, match.seats[seat])
        other = await step(match, at, match.seats[1 - seat])
        truth = await step(match, at, auditor)
        public = await step(match, at)
        for shown in (own, other, truth, public):
            assert shown["asked"]["question"]["seats"] == [0, 1]
            assert shown["asked"]["same_rules"] is True
            assert shown["answer"]["seat"] == seat
        assert own["asked"]["question"]["form"] == truth["asked"]["question"]["form"]
        for shown, viewer in ((own, seat), (other, 1 - seat)):
            before = await step(match, at - 1, match.seats[viewer])
            hand = before["view"]["game"]["hands"][viewer]
            offered = {option["id"] for option in shown["asked"]["question"]["form"]["options"]}
            assert offered == {f"show:{pumpkin}" for pumpkin in hand}
        assert "form" not in public["asked"]["question"]
        assert own["answer"]["labels"][0].startswith("Show the pumpkin")
        assert own["answer"]["sent"] == truth["answer"]["sent"]
        for shown in (other, public):
            assert (shown["answer"]["sent"], shown["answer"]["hidden"]) == (None, True)

    async def test_an_open_one_and_what_changed(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        assert (await says(match, "pass")).status_code == 200
        shown = await step(match, start + 1)
        assert shown["answer"]["sent"] == "pass"
        assert shown["answer"]["labels"] == ["Leave the bag alone"]
        before = await step(match, start)
        assert shown["changed"]["since"] == str(start)
        assert applied(shown["changed"]["patch"], before["view"]) == shown["view"]

    async def test_what_is_no_answer(self, api: Client) -> None:
        match = await api.playing()
        first, last = await step(match, 1), await step(match, 4)
        assert (first["asked"], first["answer"], first["changed"]) == (None, None, None)
        assert last["changed"]["says"] == ["The game is set up."]

    async def test_forms_by_other_rules_are_marked_or_left_out(
        self, api: Client, monkeypatch: Any
    ) -> None:
        match = await api.playing()
        at = (await match.move())["version"]
        look = await looked(api, match, at, monkeypatch)
        assert look.shown()["asked"]["same_rules"] is False
        top = type(look._past.tables[at - 1].state.pending[-1].item)

        def fails(*_: Any) -> Any:
            raise KeyError("what older rules asked")

        monkeypatch.setattr(top, "form", fails)
        look = await looked(api, match, at, monkeypatch)
        assert look.shown()["view"]["game"]["hands"]
        asked = look.shown()["asked"]
        assert asked["question"]["prompt"] and "form" not in asked["question"]
        monkeypatch.setattr(top, "prompt", fails)
        assert look.shown()["asked"] is None


async def looked(api: Client, match: Any, at: int, monkeypatch: Any) -> Any:
    """A look at a step that older rules have decided, with nothing in memory of an earlier look."""
    live = await api.desk.matches.load(match.id)
    api.desk.matches.pasts.forget(match.id)
    look = looking.Look(live, await api.desk.matches.pasts.of(live), str(at), "auditor")
    monkeypatch.setattr(look, "_named", lambda v: {**look_named(look, v), "rules": "0.older"})
    return look


def look_named(look: Any, version: int) -> dict[str, Any]:
    return dict(type(look)._named(look, version))


class TestPositions:
    async def test_inside_a_commit(self, api: Client) -> None:
        match = await api.playing()
        parts = (await step(match, 4))["parts"]
        assert parts > 2
        views = [await step(match, f"4.{k}", match.seats[0]) for k in range(1, parts)]
        assert [view["changed"]["since"] for view in views[:3]] == ["3", "4.1", "4.2"]
        for one, two in pairwise(views):
            assert applied(two["changed"]["patch"], one["view"]) == two["view"]
        assert (await step(match, f"4.{parts}"))["step"] == "4"

    async def test_by_time_round_and_the_newest(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        for _ in range(2):
            await says(match, "pass")
        last = await version(match)
        newest = await api.get(f"{match.path}/steps")
        assert newest.json()["step"] == str(last)
        assert newest.headers["content-location"] == f"{match.path}/steps/{last}"
        asked = {"as": "spectator", "since": "4"}
        there = await api.get(f"{match.path}/steps", params=asked)
        place = there.headers["content-location"]
        assert place == f"{match.path}/steps/{last}?as=spectator&since=4"
        assert (await api.get(place)).content == there.content
        assert "no-cache" in newest.headers["cache-control"]
        at = (await step(match, start))["at"]
        then = (await api.get(f"{match.path}/steps", params={"at": at})).json()
        assert then["at"] == at and then["version"] >= start
        for query, why in [
            ({"at": 1}, "no match yet"),
            ({"round": 9}, "no round 9"),
            ({"turn": 1}, "Pumpkin Patch goes by rounds"),
            ({"turn": 1, "at": at}, "not for several"),
        ]:
            reply = await api.get(f"{match.path}/steps", params=query)
            assert code(reply) == "unknown_step" and why in reply.json()["detail"]

    @pytest.mark.parametrize("game", GOES_BY)
    async def test_every_game_by_what_its_rulebook_goes(self, api: Client, game: str) -> None:
        what, other = GOES_BY[game], "turn" if GOES_BY[game] == "round" else "round"
        match = await api.playing(3, game)
        auditor = await token_for(api, "audit")
        begun = 0
        while begun < 2:
            await match.move()
            asked = {what: begun + 1}
            reply = await api.get(f"{match.path}/steps", match.seats[0], params=asked)
            begun += reply.status_code == 200
        found = []
        for token in (match.seats[0], "", auditor):
            asked = {what: 2}
            reply = await api.get(f"{match.path}/steps", token, params=asked)
            found.append(reply.json()["step"])
            wrong = await api.get(f"{match.path}/steps", token, params={other: 1})
            assert code(wrong) == "unknown_step"
            assert f"goes by {what}s" in wrong.json()["detail"]
        assert len(set(found)) == 1

    async def test_since_one_last_looked(self, api: Client, monkeypatch: Any) -> None:
        match = await turns(api)
        start = await version(match)
        for _ in range(2):
            await says(match, "pass")
        last = await version(match)
        assert (await step(match, last))["passed"] is None
        shown = await step(match, last, since=start)
        assert [c["version"] for c in shown["passed"]["commits"]] == [start + 1, start + 2]
        assert all(c["says"] for c in shown["passed"]["commits"])
        before = await step(match, start)
        assert applied(shown["changed"]["patch"], before["view"]) == shown["view"]
        monkeypatch.setattr(seeking, "MOST", 1)
        passed = (await step(match, last, since=1))["passed"]
        assert (passed["omitted"], len(passed["commits"])) == (last - 2, 1)
        for since in (last, last + 1, "x", f"{last}.99"):
            assert await code_at(match, last, since=since) == "unknown_step"
        inside = await step(match, last, since=f"{last}.1")
        assert inside["passed"]["commits"] == [] and inside["changed"]["patch"]
        assert await code_at(match, f"{last}.1", since=f"{last}.2") == "unknown_step"

    async def test_side_by_side(self, api: Client) -> None:
        match = await api.playing()
        auditor = await token_for(api, "audit")
        shown = await step(match, 4, auditor, **{"as": "1", "compare": "auditor"})
        truth = await step(match, 4, auditor)
        assert shown["viewer"] == 1 and shown["compared"]["viewer"] == "auditor"
        assert shown["compared"]["view"] == truth["view"]
        assert applied(shown["compared"]["patch"], shown["view"]) == truth["view"]
        assert any("hands of seat 0" in said for said in shown["compared"]["says"])
        assert await code_at(match, 4, match.seats[1], compare="auditor") == "wrong_scope"
        assert await code_at(match, 4, match.seats[1], compare="0") == "wrong_scope"
        assert await code_at(match, 4, auditor, compare="nobody") == "bad_parameter"


class TestCaching:
    async def test_a_step_never_changes(self, api: Client) -> None:
        match = await api.playing()
        path = f"{match.path}/steps/4"
        first = await api.get(path, match.seats[0])
        assert first.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert first.headers["vary"] == "Authorization"
        await match.finished()
        again = await api.get(path, match.seats[0])
        assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
        known = {"if-none-match": first.headers["etag"]}
        same = await api.get(path, match.seats[0], headers=known)
        assert (same.status_code, same.content) == (304, b"")
        other = await api.get(path, match.seats[1], headers=known)
        assert other.status_code == 200

    async def test_the_log_in_pages(self, api: Client) -> None:
        match = await api.playing()
        await match.finished()
        last = await version(match)
        url, text, pages = f"{match.path}/log?limit=7", b"", 0
        while url:
            reply = await api.get(url, match.seats[0])
            text, pages = text + reply.content, pages + 1
            link = reply.headers.get("link", "")
            url = link[1:].partition(">")[0]
        assert pages == -(-last // 7)
        report = verify_file(text)
        assert report.ok and report.versions == last
        assert text == (await api.get(f"{match.path}/log", match.seats[0])).content

    async def test_the_log_as_it_was(self, api: Client) -> None:
        match = await api.playing()
        await match.move()
        query = {"until": 4}
        then = await api.get(f"{match.path}/log", match.seats[0], params=query)
        assert then.headers["cache-control"].endswith("immutable")
        await match.move()
        again = await api.get(f"{match.path}/log", match.seats[0], params=query)
        assert again.content == then.content and verify_file(then.content).versions == 4
        known = {"if-none-match": then.headers["etag"]}
        same = await api.get(f"{match.path}/log", match.seats[0], params=query, headers=known)
        assert (same.status_code, same.content) == (304, b"")
        none = await api.get(f"{match.path}/log", params={"until": 4, "after": 4})
        assert none.content == b""
        ahead = await api.get(f"{match.path}/log", params={"until": 99})
        assert (ahead.status_code, code(ahead)) == (409, "version_ahead")

    async def test_no_tag_is_of_two_viewers(self, api: Client) -> None:
        match = await api.playing()
        claim = {"steps": ["4"], "text": "That was no draw."}
        await match.client.post(f"{match.path}/disputes", match.seats[0], json=claim)
        auditor = await token_for(api, "audit")
        tokens = [*match.seats.values(), match.watch, auditor]
        for path in (
            "",
            "/log",
            "/log?until=4",
            "/log?until=4&limit=2",
            "/verify",
            "/disputes",
            "/disputes/1",
            "/steps",
            "/steps/4",
            "/views",
            "/views?limit=4",
        ):
            replies = [await api.get(f"{match.path}{path}", token) for token in tokens]
            assert [reply.status_code for reply in replies] == [200] * 4, path
            shown = {reply.content: reply.headers["etag"] for reply in replies}
            assert len(set(shown.values())) == len(shown) > 1, path
            known = {"if-none-match": replies[0].headers["etag"]}
            other = await api.get(f"{match.path}{path}", auditor, headers=known)
            assert other.content == replies[-1].content, path
        match = await turns(api)
        await says(match, "draw")
        undo = f"{match.path}/undo?to={await version(match) - 1}"
        quotes = [await api.get(undo, token) for token in match.seats.values()]
        assert len({reply.headers["etag"] for reply in quotes}) == 2

    async def test_views_in_pages(self, api: Client) -> None:
        match = await api.playing()
        await match.move()
        last = await version(match)
        path = f"{match.path}/views"
        page = await api.get(path, match.seats[0], params={"limit": 3})
        assert page.headers["content-type"] == "application/x-ndjson"
        assert page.headers["cache-control"].endswith("immutable")
        rest = await api.get(path, match.seats[0], params={"after": 3, "limit": 3})
        assert "no-cache" in rest.headers["cache-control"]  # more may follow
        lines = [json.loads(line) for line in (page.text + rest.text).splitlines()]
        assert [line["version"] for line in lines] == list(range(1, last + 1))
        for line in lines:
            there = await step(match, line["version"], match.seats[0])
            assert (line["view"], line["head"]) == (there["view"], there["head"])
        await match.move()
        again = await api.get(path, match.seats[0], params={"limit": 3})
        assert again.content == page.content
        known = {"if-none-match": page.headers["etag"]}
        same = await api.get(path, match.seats[0], params={"limit": 3}, headers=known)
        assert (same.status_code, same.content) == (304, b"")
        for query, refused in (
            ({"after": last + 1}, "version_ahead"),
            ({"limit": 101}, "bad_parameter"),
            ({"as": "1"}, "wrong_scope"),
            ({"as": "me"}, "bad_parameter"),
        ):
            assert code(await api.get(path, match.seats[0], params=query)) == refused

    async def test_views_of_a_match_that_spectators_lag_behind(self, api: Client) -> None:
        match = await api.playing(delay=2)
        for _ in range(3):
            await match.move()
        seen = await api.get(f"{match.path}/views")
        own = await api.get(f"{match.path}/views", match.seats[0])
        assert (len(seen.text.splitlines()), len(own.text.splitlines())) == (5, 7)
        ahead = await api.get(f"{match.path}/views", params={"after": 5})
        assert (code(ahead), ahead.json()["current_version"]) == ("version_ahead", 5)


class TestAccess:
    async def test_every_use_of_an_auditors_eyes(self, api: Client) -> None:
        match = await api.playing()
        made = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()
        auditor, who = made["token"], made["id"]
        assert (await self.access(match, match.seats[0]))["items"] == []
        await match.view(auditor)
        await step(match, 4, auditor)
        await step(match, "4.1", auditor, **{"as": "1"})
        await step(match, 2, auditor, **{"as": "spectator"})
        await step(match, 2, auditor, **{"as": "spectator", "compare": "auditor"})
        await step(match, 3, auditor, compare="spectator")
        await step(match, 3, auditor, **{"as": "0", "compare": "1"})
        await step(match, 3, auditor, **{"as": "0", "compare": "0"})
        await api.get(f"{match.path}/views", auditor, params={"as": "1", "after": 1, "limit": 2})
        await api.get(f"{match.path}/views", auditor, params={"as": "spectator"})
        await api.get(f"{match.path}/log", auditor)
        await api.get(f"{match.path}/verify", auditor)
        for _ in range(2):
            await api.get("/v1/feed", auditor)
        await match.view(match.seats[0])
        await step(match, 4, match.seats[0])
        for token in (match.seats[0], match.host, auditor, ADMIN):
            items = (await self.access(match, token))["items"]
            assert {item["who"] for item in items} == {who}
            assert [(item["what"], item["step"], item["eyes"]) for item in items] == [
                ("view", "", "auditor"),
                ("step", "4", "auditor"),
                ("step", "4.1", 1),
                ("step", "2", "auditor"),
                ("step", "3", "auditor"),
                ("step", "3", 0),
                ("step", "3", 1),
                ("step", "3", 0),
                ("step", "2-3", 1),
                ("log", "1-4", "auditor"),
                ("verify", "", "auditor"),
                ("feed", "", "auditor"),
            ]
        stranger = await api.get(f"{match.path}/access")
        assert (stranger.status_code, code(stranger)) == (401, "token_required")

    async def test_in_pages(self, api: Client, monkeypatch: Any) -> None:
        monkeypatch.setattr("services.accesses.PAGE", 2)
        match = await api.playing()
        auditor = await token_for(api, "audit")
        for at in (1, 2, 3):
            await step(match, at, auditor)
        first = await self.access(match, auditor)
        assert [item["step"] for item in first["items"]] == ["1", "2"]
        rest = await self.access(match, auditor, after=first["next"])
        assert [item["step"] for item in rest["items"]] == ["3"] and rest["next"] is None

    async def access(self, match: Made, token: str, **query: Any) -> dict[str, Any]:
        reply = await match.client.get(f"{match.path}/access", token, params=query)
        assert reply.status_code == 200, reply.text
        return dict(reply.json())


@pytest.mark.parametrize("undone", [False, True])
async def test_a_step_of_what_was_taken_back_is_still_there(api: Client, undone: bool) -> None:
    match = await turns(api, undo="free_own")
    start = await version(match)
    await says(match, "pass")
    shown = await step(match, start + 1)
    if undone:
        await ask(match, 0, start)
    assert await step(match, start + 1) == shown


async def test_replies_are_as_documented(api: Client) -> None:
    """Also what an open undo looks like, and a question inside a step."""
    schemas = Schemas(api.app.openapi())
    match = await turns(api)
    start = await version(match)
    await says(match, "pass")
    auditor = await token_for(api, "audit")
    for token, query in [
        (match.seats[0], {}),
        (match.seats[1], {"since": "4"}),
        ("", {}),
        (auditor, {"as": "0", "compare": "auditor"}),
    ]:
        for at in (1, 3, 4, "4.2", 5, 6, start + 1):
            if "since" not in query or at == start + 1:
                schemas.check(await step(match, at, token, **query), "SeenStep")
    quote = await api.get(f"{match.path}/undo", match.seats[0], params={"to": start})
    schemas.check(quote.json(), "UndoQuote")
    asked = (await ask(match, 0, start)).json()
    schemas.check(asked, "Accepted")
    schemas.check(asked["view"]["match"], "Match")
    schemas.check((await api.get(f"{match.path}/access", auditor)).json(), "Accesses")
    body = {"step": str(start)}
    fork = await api.post(f"{match.path}/fork", match.seats[0], json=body)
    schemas.check(fork.json(), "Made")
    lines = (await api.get(f"{match.path}/log")).text.splitlines()
    for event in msgspec.json.decode(lines[-1])["not_hashed"]["events"]:
        schemas.check(event, "Event")
