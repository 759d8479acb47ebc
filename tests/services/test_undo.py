"""Undo through the API: what it costs, who agrees, what it leaves, and races."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from events.redis_store import RedisStore
from events.store import Corrupt, Unavailable
from games.match import Reverted
from games.rules import Refused
from services import bots, undoing
from services.keeper import HOUR, Abandoned, Closing
from services.matches import Matches
from services.vault import RedisVault
from services.wiring import Parts
from tests.servers import PARTITIONS
from tests.servers import running as server
from tests.services.api import ADMIN, KEYS, Client, Made, Running, answer, in_memory, memory, told
from tests.services.api import settings as chosen
from tests.services.undoing import (
    ask,
    code,
    finished,
    granted,
    reverted,
    says,
    token_for,
    turns,
    version,
    word,
)


def shown(view: dict[str, Any]) -> Any:
    return view["game"]


@pytest.fixture(scope="module", params=("memory", "redis"))
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(request.param, tmp_path_factory.mktemp("undo")) as found:
        yield found


@pytest.fixture
async def pair(url: str) -> AsyncIterator[tuple[Client, Client]]:
    """Two API processes over one store: that of the tests' memory, and a real one."""
    one = two = memory()
    if url:
        one, two = [
            Parts(await RedisStore.open(url, PARTITIONS), RedisVault(url), KEYS) for _ in range(2)
        ]
    async with in_memory(one) as first, in_memory(two) as second:
        yield first, second
    for parts in (one, two):
        await parts.aclose()


def through(match: Made, client: Client) -> Made:
    """The same match, spoken to through another process."""
    other = Made(client, {"match": match.id, "host_token": match.host, "watch_token": match.watch})
    other.seats = match.seats
    return other


class TestFC10:
    """A, undo A, B, C, undo C: what is left is B, and A stays gone."""

    async def test_what_is_left(self, pair: tuple[Client, Client]) -> None:
        api, other = pair
        match = await turns(api, undo="free_own")
        start = await version(match)
        first = str(uuid4())
        assert (await says(match, "pass", first, seen=start)).status_code == 200
        assert (await ask(match, 0, start)).json()["commit"]["events"][-1]["type"] == "reverted"
        assert (await says(match, "draw")).status_code == 200
        kept = await version(match)
        wanted = [shown(await match.view(token)) for token in match.seats.values()]
        assert (await says(match, "pass")).status_code == 200
        assert (await ask(match, 1, kept)).status_code == 200
        for client in pair:
            views = [await through(match, client).view(token) for token in match.seats.values()]
            assert [shown(view) for view in views] == wanted
        log = (await other.get(f"{match.path}/log")).text
        assert log.count('"type":"reverted"') == 2
        last = await version(match)
        step = (await other.get(f"{match.path}/steps/{last}", match.seats[0])).json()
        assert step["view"]["game"] == wanted[0]

    async def test_an_answer_taken_back_and_sent_again(self, api: Client) -> None:
        match = await turns(api, undo="free_own")
        start = await version(match)
        seat, view = await match.asked()
        question, key = view["game"]["question"]["id"], str(uuid4())
        first = (await match.answer(seat, "pass", question, key=key)).json()
        await ask(match, 0, start)
        again = await match.answer(seat, "pass", question, key=key)
        assert again.headers["idempotent-replayed"] == "true"
        body = again.json()
        assert (body["again"], body["reverted"]) == (True, True)
        assert {**body, "again": False, "reverted": False} == first
        assert (await match.view())["version"] == first["version"] + 1

    async def test_sent_before_the_undo_and_late(self, pair: tuple[Client, Client]) -> None:
        """Also where the process that gets it has not heard of the undo."""
        one, two = pair
        match = await turns(one, undo="free_own")
        other = through(match, two)
        await other.view()
        start = await version(match)
        await says(match, "pass")
        seen = await version(match)
        await ask(match, 0, start)
        late = await says(other, "draw", seen=seen)
        assert (late.status_code, code(late)) == (409, "undone_since")
        assert late.json()["current_version"] == seen + 1
        assert (await says(other, "draw", seen=seen + 1)).status_code == 200

    async def test_without_a_word_on_what_was_seen(self, pair: tuple[Client, Client]) -> None:
        """From the first undo on it is not taken for granted that a sender knows of it."""
        one, two = pair
        match = await turns(one, undo="free_own")
        other = through(match, two)
        start = await version(match)
        seat, view = await match.asked()
        asked, key = view["game"]["question"]["id"], str(uuid4())
        first = await match.answer(seat, "pass", asked, key=key)
        assert first.status_code == 200, "before there was one"
        assert (await ask(match, 0, start)).status_code == 200
        for process in (match, other):
            for body in ({}, {"seen": 0}):
                late = await process.answer(seat, "draw", asked, body=body)
                assert (late.status_code, code(late)) == (409, "undone_since")
                assert "send the version seen as `seen`" in late.json()["detail"]
                wish = {"to": start, **body}
                late = await process.client.post(f"{match.path}/undo", match.seats[0], json=wish)
                assert (late.status_code, code(late)) == (409, "undone_since")
            again = await process.answer(seat, "pass", asked, key=key)
            assert again.json()["again"] and again.json()["reverted"]
        body = {"seen": await version(match)}
        assert (await other.answer(seat, "draw", asked, body=body)).status_code == 200

    async def test_without_a_word_over_the_stream(self, live: Running) -> None:
        match = await turns(live, undo="free_own")
        start = await version(match)
        await says(match, "pass")
        await ask(match, 0, start)
        _, view = await match.asked()
        message = answer(view["game"]["question"], option="pass")
        async with live.stream(match.id, match.seats[0]) as socket:
            await told(socket)
            await socket.send(message)
            refused = await told(socket)
            assert (refused["type"], refused["problem"]["code"]) == ("refused", "undone_since")
            await socket.send(answer(view["game"]["question"], option="pass", seen=start + 2))
            assert {(await told(socket))["type"] for _ in range(2)} == {"commit", "accepted"}

    async def test_what_is_not_about_the_table_goes_on(self, api: Client) -> None:
        match = await turns(api, undo="free_own")
        start = await version(match)
        await says(match, "pass")
        await ask(match, 0, start)
        claim = {"steps": ["4"], "text": "x"}
        disputed = await api.post(f"{match.path}/disputes", match.seats[0], json=claim)
        assert disputed.status_code == 201
        assert (await api.post(f"{match.path}/resign", match.seats[0])).status_code == 200


class TestAReferees:
    """A referee's undo is signed for, and is a look with an auditor's eyes."""

    async def reverts(self, match: Made, token: str, **more: Any) -> Any:
        key = more.pop("key", None)
        return await match.client.post(f"{match.path}/revert", token, key=key, json=more)

    async def test_author_and_reason_are_for_all_to_read(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        auditor = await token_for(api, "audit")
        authors = []
        for token, reason in [(auditor, "a <b>wrong</b> card"), (ADMIN, "")]:
            await says(match, "pass")
            done = (await self.reverts(match, token, to=start, reason=reason)).json()
            (event,) = done["commit"]["events"]
            assert event == reverted(start, event["author"], reason)
            authors.append(event["author"])
            step = (await api.get(f"{match.path}/steps/{done['version']}")).json()
            assert step["events"] == [event]
            (said,) = step["says"]
            assert said.startswith(f"A referee ({event['author']}) takes the game back")
            assert reason in said
        assert len({*authors}) == 2 and all(each.startswith("ref_") for each in authors)
        log = (await api.get(f"{match.path}/log", match.seats[1])).text
        assert auditor not in log and all(each in log for each in authors)
        await says(match, "pass")
        key = str(uuid4())
        first = await self.reverts(match, auditor, to=start, reason="x", key=key)
        assert first.json()["commit"]["events"][0]["author"] == authors[0]
        for token, reason in [(auditor, "y"), (ADMIN, "x")]:
            other = await self.reverts(match, token, to=start, reason=reason, key=key)
            assert code(other) == "key_reused"
        report = (await api.get(f"{match.path}/verify", auditor)).json()
        assert report["ok"]

    @pytest.mark.parametrize("reason", ["x" * 401, "two\nlines", "\x1b[2J", "\u202etxet", 7, None])
    async def test_a_reason_is_one_plain_line(self, api: Client, reason: Any) -> None:
        match = await turns(api)
        await says(match, "pass")
        reply = await self.reverts(match, ADMIN, to=4, reason=reason)
        assert (reply.status_code, code(reply)) == (422, "bad_body")

    async def test_its_look_is_recorded_every_time(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        await says(match, "draw")
        auditor = await token_for(api, "audit")
        key = str(uuid4())
        for times in (1, 2):
            done = await self.reverts(match, auditor, to=start, key=key)
            assert done.json()["view"]["viewer"] == "auditor"
            items = (await api.get(f"{match.path}/access", match.seats[0])).json()["items"]
            assert [(item["what"], item["eyes"]) for item in items] == [("view", "auditor")] * times
        await says(match, "draw")
        assert (await self.reverts(match, ADMIN, to=start)).status_code == 200
        items = (await api.get(f"{match.path}/access", match.seats[0])).json()["items"]
        assert len(items) == 2, "an admin does not see the table's secrets"
        nowhere = "/v1/matches/01J8ZQ4V6M3T7N9X2C5B8D1F0G"
        assert code(await api.post(f"{nowhere}/revert", auditor, json={"to": 4})) == "unknown_match"
        assert await api.desk.vault.notes("01J8ZQ4V6M3T7N9X2C5B8D1F0G", 0, 1) == []

    async def test_what_cannot_be_recorded_is_not_shown(
        self, api: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = await turns(api)
        start = await version(match)
        await says(match, "draw")
        auditor = await token_for(api, "audit")
        before = await version(match)

        async def away(*given: Any) -> None:
            raise Unavailable("away")

        with monkeypatch.context() as patch:
            patch.setattr(api.desk.vault, "note", away)
            reply = await self.reverts(match, auditor, to=start)
        assert (reply.status_code, code(reply)) == (503, "unavailable")
        assert await version(match) == before, "nothing was written"


class TestFC12:
    """Who has drawn or revealed gets it back by others' leave or a referee's, and never anew."""

    async def test_a_secret_draw_is_the_referees(self, api: Client) -> None:
        match = await turns(api, undo="free_own")
        start = await version(match)
        await says(match, "draw")
        hand = shown(await match.view(match.seats[0]))["hands"][0]
        quote = (await api.get(f"{match.path}/undo", match.seats[0], params={"to": start})).json()
        assert (quote["kind"], quote["at_once"]) == ("referee", False)
        refused = await ask(match, 0, start)
        assert (refused.status_code, code(refused)) == (409, "undo_referee")
        auditor = await token_for(api, "audit")
        done = await api.post(f"{match.path}/revert", auditor, json={"to": start})
        assert done.status_code == 200 and done.json()["commit"]["by"] == "admin"
        await says(match, "draw")
        assert shown(await match.view(match.seats[0]))["hands"][0] == hand

    async def test_what_was_shown_stays_on_record(self, api: Client) -> None:
        match = await api.playing()
        start = await version(match)
        for _ in range(2):
            await match.move()
        quote = (await api.get(f"{match.path}/undo", match.seats[0], params={"to": start})).json()
        assert (quote["kind"], quote["seats"], quote["needs"]) == ("consent", [1], [1])
        shown_then = [e for e in await events(api, match) if e["type"] == "shown"]
        await granted(match, 0, start)
        for _ in range(2):
            await match.move()
        assert [e for e in await events(api, match) if e["type"] == "shown"] == shown_then * 2


async def events(api: Client, match: Made) -> list[dict[str, Any]]:
    lines = (await api.get(f"{match.path}/log")).text.splitlines()
    return [event for line in lines for event in msgspec.json.decode(line)["not_hashed"]["events"]]


class TestAsking:
    async def test_asked_and_agreed_to(self, api: Client) -> None:
        match = await turns(api, 3)
        start = await version(match)
        then = shown(await match.view(match.seats[0]))
        await says(match, "pass")
        asked = (await ask(match, 0, start)).json()
        assert asked["view"]["match"]["request"] == {
            "seat": 0,
            "to": start,
            "needs": [1, 2],
            "agreed": [],
        }
        agreed = (await word(match, 2, "agree", asked["version"])).json()
        assert agreed["view"]["match"]["request"]["agreed"] == [2]
        done = (await word(match, 1, "agree", agreed["version"])).json()
        assert [e["type"] for e in done["commit"]["events"]] == ["undo_agreed", "reverted"]
        assert shown(await match.view(match.seats[0])) == then

    @pytest.mark.parametrize("seat", [0, 1])
    async def test_declined_or_withdrawn(self, api: Client, seat: int) -> None:
        match = await turns(api, 3)
        start = await version(match)
        await says(match, "pass")
        asked = (await ask(match, 0, start)).json()["version"]
        key = str(uuid4())
        said = await word(match, seat, "decline", asked, key=key)
        assert said.status_code == 200 and said.json()["view"]["match"]["request"] is None
        assert (await word(match, seat, "decline", asked, key=key)).json()["again"] is True
        late = await word(match, 2, "agree", asked)
        assert (late.status_code, code(late)) == (409, "no_undo")

    async def test_leave_is_for_the_request_that_was_seen(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        await says(match, "pass")
        first = (await ask(match, 0, start)).json()["version"]
        await says(match, "pass")
        await match.move()
        second = (await ask(match, 0, start)).json()["version"]
        late = await word(match, 1, "agree", first)
        assert (late.status_code, code(late)) == (409, "no_undo")
        assert (await word(match, 1, "agree", second)).status_code == 200

    async def test_refusals(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        never = await turns(api, undo="never")
        await says(match, "pass")
        await says(never, "pass")
        lobby = await api.made()
        await lobby.join()
        for made, seat, to, expected in [
            (never, 0, start, "undo_never"),
            (match, 0, 1, "no_such_step"),
            (match, 0, start + 1, "no_such_step"),
            (match, 0, 99, "no_such_step"),
            (lobby, 0, 1, "not_started"),
        ]:
            reply = await ask(made, seat, to)
            assert code(reply) == expected, reply.text
            quote = await api.get(f"{made.path}/undo", made.seats[seat], params={"to": to})
            assert code(quote) == expected
        for token, expected in [("", "token_required"), (match.host, "wrong_scope")]:
            reply = await api.post(f"{match.path}/undo", token, json={"to": start})
            assert code(reply) == expected
            assert code(await api.get(f"{match.path}/undo", token, params={"to": 5})) == expected
        for token in (match.seats[0], match.host):
            reply = await api.post(f"{match.path}/revert", token, json={"to": start})
            assert code(reply) == "wrong_scope"
        for body in ({}, {"to": 0}, {"to": "x"}, {"to": start, "seen": -1}):
            reply = await api.post(f"{match.path}/undo", match.seats[0], json=body)
            assert (reply.status_code, code(reply)) == (422, "bad_body")
        assert (
            await api.post(f"{match.path}/undo/agree", match.seats[1], json={})
        ).status_code == 422

    async def test_a_referee_says_where_it_stands(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        await says(match, "pass")
        body: dict[str, Any] = {"json": {"to": start}}
        headers = {"if-match": f'"{start}"'}
        wrong = await api.post(f"{match.path}/revert", ADMIN, headers=headers, **body)
        assert (wrong.status_code, code(wrong)) == (412, "version_mismatch")
        key = str(uuid4())
        done = await api.post(f"{match.path}/revert", ADMIN, key=key, **body)
        assert done.status_code == 200
        again = await api.post(f"{match.path}/revert", ADMIN, key=key, **body)
        assert again.json()["again"] is True and again.json()["reverted"] is False
        other = await api.post(f"{match.path}/revert", ADMIN, key=key, json={"to": start - 1})
        assert code(other) == "key_reused"

    async def test_an_undo_of_an_undo(self, api: Client) -> None:
        match = await turns(api, undo="free_own")
        start = await version(match)
        await says(match, "pass")
        then = shown(await match.view(match.seats[0]))
        gone = await version(match)
        await ask(match, 0, start)
        quote = (await api.get(f"{match.path}/undo", match.seats[0], params={"to": gone})).json()
        assert (quote["kind"], quote["needs"]) == ("consent", [1])
        await granted(match, 0, gone)
        assert shown(await match.view(match.seats[0])) == then

    async def test_streams_tell_of_it(self, live: Running) -> None:
        match = await turns(live)
        start = await version(match)
        await says(match, "pass")
        async with live.stream(match.id, match.seats[1]) as socket:
            assert (await told(socket))["undo"] is None
            asked = (await ask(match, 0, start)).json()["version"]
            request = {"seat": 0, "to": start, "needs": [1], "agreed": []}
            assert (await told(socket))["undo"] == request
            async with live.stream(match.id, match.seats[0]) as late:
                assert (await told(late))["undo"] == request
            await word(match, 1, "agree", asked)
            done = await told(socket)
            assert done["undo"] is None and done["events"][-1] == reverted(start)

    async def test_a_retry_over_the_stream_says_so_too(self, live: Running) -> None:
        match = await turns(live, undo="free_own")
        start = await version(match)
        _, view = await match.asked()
        message = answer(view["game"]["question"], option="pass")
        async with live.stream(match.id, match.seats[0]) as socket:
            await told(socket)
            await socket.send(message)
            assert {(await told(socket))["type"] for _ in range(2)} == {"commit", "accepted"}
            await ask(match, 0, start)
            assert (await told(socket))["events"][-1]["type"] == "reverted"
            await socket.send(message)
            again = await told(socket)
            assert (again["type"], again["again"], again["reverted"]) == ("accepted", True, True)


class TestRaces:
    """On two processes over one store: one wins, and the log says which."""

    @pytest.mark.parametrize("number", range(4))
    async def test_ask_and_answer_at_once(self, pair: tuple[Client, Client], number: int) -> None:
        one, two = pair
        match = await turns(one)
        other = through(match, two)
        start = await version(match)
        await says(match, "pass")
        both = [ask(match, 0, start), says(other, "pass")]
        if number % 2:
            both.reverse()
        replies = await asyncio.gather(*both)
        assert [reply.status_code for reply in replies] == [200, 200]
        request = (await other.view())["match"]["request"]
        kinds = [e["type"] for e in await events(one, match)]
        answered_last = kinds.index("undo_asked") < len(kinds) - 1 - kinds[::-1].index("answered")
        assert (request is None) == answered_last

    async def test_two_ask_at_once(self, pair: tuple[Client, Client]) -> None:
        one, two = pair
        match = await turns(one, 3)
        other = through(match, two)
        await other.view()
        start = await version(match)
        await says(match, "pass")
        replies = await asyncio.gather(ask(match, 0, start), ask(other, 1, start))
        assert sorted(reply.status_code for reply in replies) == [200, 409]
        assert {"undo_pending"} == {code(r) for r in replies if r.status_code == 409}

    async def test_consent_twice(self, pair: tuple[Client, Client]) -> None:
        one, two = pair
        match = await turns(one, 3)
        other = through(match, two)
        await other.view()
        start = await version(match)
        await says(match, "pass")
        asked = (await ask(match, 0, start)).json()["version"]
        twice = await asyncio.gather(*(word(m, 1, "agree", asked) for m in (match, other)))
        assert sorted(reply.status_code for reply in twice) == [200, 409]
        assert {"not_asked"} == {code(r) for r in twice if r.status_code == 409}
        key = str(uuid4())
        last = await asyncio.gather(*(word(m, 2, "agree", asked, key=key) for m in (match, other)))
        assert [reply.status_code for reply in last] == [200, 200]
        assert sorted(reply.json()["again"] for reply in last) == [False, True]
        assert sum(e["type"] == "reverted" for e in await events(one, match)) == 1

    async def test_the_last_leave_and_an_answer_at_once(self, pair: tuple[Client, Client]) -> None:
        one, two = pair
        match = await turns(one)
        other = through(match, two)
        start = await version(match)
        await says(match, "pass")
        asked = (await ask(match, 0, start)).json()["version"]
        seat, view = await other.asked()
        question = view["game"]["question"]["id"]
        body = {"seen": asked}
        leave, answered = await asyncio.gather(
            word(match, 1, "agree", asked), other.answer(seat, "pass", question, body=body)
        )
        won = {leave.status_code, answered.status_code}
        assert won == {200, 409}, (leave.text, answered.text)
        if leave.status_code == 409:
            assert code(leave) == "no_undo"
        else:
            assert code(answered) in ("undone_since", "stale_question")


class TestTime:
    async def later(self, api: Client, hours: float, **more: Any) -> tuple[Matches, Abandoned]:
        now = api.desk.matches.clock() + int(hours * HOUR)
        matches = Matches(api.desk.store, KEYS, clock=lambda: now)
        return matches, Abandoned(api.desk.store, matches, chosen(**more))

    async def test_a_request_expires(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        await says(match, "pass")
        await ask(match, 0, start)
        for hours, gone in [(1.9, False), (2.1, True), (4.0, True)]:
            _, sweeping = await self.later(api, hours, undo_hours=2)
            await sweeping.sweep()
            view = await match.view()
            assert (view["match"]["request"] is None) is gone
        assert [e["type"] for e in await events(api, match)][-1] == "undo_expired"

    async def test_closed_only_after_the_window(self, api: Client) -> None:
        match = await api.playing(undo_window=3600)
        await finished(match)
        matches, sweeping = await self.later(api, 0)
        await Closing(matches).act(match.id)
        assert not (await match.view())["closed"]
        over = await version(match)
        asked = (await ask(match, 0, over - 1)).json()["version"]
        _, sweeping = await self.later(api, 2)
        await sweeping.sweep()
        assert not (await match.view())["closed"], "an undo is asked for"
        await word(match, 1, "decline", asked)
        await sweeping.sweep()
        assert (await match.view())["closed"]
        assert code(await ask(match, 0, over - 1)) == "match_closed"
        late = await api.post(f"{match.path}/revert", ADMIN, json={"to": over - 1})
        assert code(late) == "match_closed"

    async def test_the_end_is_taken_back(self, api: Client) -> None:
        match = await api.playing(undo_window=3600)
        await finished(match)
        over = await version(match)
        await granted(match, 0, over - 1)
        view = await match.view()
        assert view["status"] == "playing" and view["result"] is None
        await finished(match)
        matches, _ = await self.later(api, 0.5)
        await Closing(matches).act(match.id)
        assert not (await match.view())["closed"]
        matches, _ = await self.later(api, 1.1)
        await Closing(matches).act(match.id)
        assert (await match.view())["closed"]

    async def test_a_request_does_not_keep_an_aborted_match_open(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        await says(match, "pass")
        await ask(match, 0, start)
        await api.post(f"{match.path}/abort", match.host)
        await Closing(Matches(api.desk.store, KEYS)).act(match.id)
        assert (await match.view())["closed"]

    async def test_another_keeper_was_faster(self, api: Client) -> None:
        match = await turns(api)
        start = await version(match)
        await says(match, "pass")
        asked = (await ask(match, 0, start)).json()["version"]
        made = undoing.expire(b"1" * 16, asked)
        matches = Matches(api.desk.store, KEYS)
        assert (await matches.submit(match.id, made)).commit.by == "system"
        assert (await matches.submit(match.id, made)).again
        with pytest.raises(Exception, match="not asked for any more"):
            await matches.submit(match.id, undoing.expire(b"2" * 16, asked))


class TestBots:
    async def test_wait_while_an_undo_is_asked_for(self, api: Client) -> None:
        match = await api.made(3)
        for _ in range(2):
            await match.join()
        await api.post(f"{match.path}/seats/2/bot", match.host)
        await api.post(f"{match.path}/start", match.host)
        start = await version(match)
        for seat in (0, 1):
            question = shown(await match.view(match.seats[seat]))["question"]
            await match.answer(seat, question["form"]["options"][0]["id"], question["id"])
        asked = (await ask(match, 0, start)).json()["version"]
        playing = bots.Bots(Matches(api.desk.store, KEYS))
        await playing.act(match.id)
        assert await version(match) == asked
        declined = (await word(match, 1, "decline", asked)).json()["version"]
        await playing.act(match.id)
        assert await version(match) > declined

    async def test_are_not_stopped_by_an_undo_they_had_not_heard_of(self, api: Client) -> None:
        match = await turns(api, undo="free_own")
        start = await version(match)
        await says(match, "pass")
        store = api.desk.store
        stale = Matches(store, KEYS)
        live = await stale.load(match.id)
        made = bots.Bots(stale)._answer(live, 1)
        await ask(match, 0, start)
        with pytest.raises(Refused) as refused:
            await stale.submit(match.id, made)
        assert refused.value.code in bots.OVERTAKEN


async def test_a_crooked_undo_in_a_store_is_corruption(api: Client) -> None:
    match = await turns(api)
    await api.post(f"{match.path}/revert", ADMIN, json={"to": 4})
    store: Any = api.desk.store
    entry = store._logs[match.id][-1]
    right, crooked = (msgspec.msgpack.encode(Reverted(to))[:-2] for to in (4, 99))
    assert right in entry.facts
    store._logs[match.id][-1] = entry._replace(facts=entry.facts.replace(right, crooked))
    with pytest.raises(Corrupt, match="goes back to version 99"):
        await Matches(store, KEYS).load(match.id)
