"""Play over HTTP: views, waiting for them, and answers."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from events.store import Unavailable, Unconfirmed
from projections.runner import Runner
from projections.views import Views
from tests.services.api import Client, any_option, etag, in_memory, memory, running


async def waited_for(api: Client) -> None:
    """Somebody's request waits for what comes next."""
    async with asyncio.timeout(10):
        while not api.desk.hub.watchers:  # noqa: ASYNC110 - another task comes to it
            await asyncio.sleep(0.001)


class TestViews:
    async def test_everybody_sees_with_own_eyes(self, api: Client) -> None:
        match = await api.playing()
        for viewer, token in [(0, match.seats[0]), (1, match.seats[1]), ("spectator", "")]:
            view = await match.view(token)
            assert view["viewer"] == viewer and view["version"] == 4
            own = [hand for hand in view["game"]["hands"] if not isinstance(hand, dict)]
            assert len(own) == (viewer != "spectator")
            assert ("form" in view["game"]["question"]) == (viewer != "spectator")

    async def test_the_tag_names_version_and_head(self, api: Client) -> None:
        match = await api.playing()
        reply = await api.get(match.path, match.seats[0])
        tag = etag(reply.json())
        assert tag.startswith('"4-') and reply.headers["vary"] == "Authorization"
        assert reply.headers["etag"] == tag
        for known in (tag, f"W/{tag}", '"4"', 'W/"4"'):
            same = await api.get(match.path, match.seats[0], headers={"if-none-match": known})
            assert (same.status_code, same.content) == (304, b"") and same.headers["etag"] == tag
        await match.move()
        for known in (tag, '"4"', '"5-0123456789abcdef"'):
            newer = await api.get(match.path, match.seats[0], headers={"if-none-match": known})
            assert newer.status_code == 200 and newer.headers["etag"] == etag(newer.json())
        for wrong in ("4", '"4-"', '"4-0123"', '"4", "5"', '"4-0123456789abcdef-me"'):
            bad = await api.get(match.path, headers={"if-none-match": wrong})
            assert bad.json()["code"] == "bad_parameter"

    async def test_anothers_tag_tells_nothing_of_ones_own_view(self, api: Client) -> None:
        match = await api.playing()
        theirs = (await api.get(match.path, match.seats[0])).headers["etag"]
        for token, wait in ((match.seats[1], 0), (match.watch, 0), (match.seats[1], 20)):
            known = {"if-none-match": theirs}
            own = await api.get(match.path, token, params={"wait": wait}, headers=known)
            assert own.status_code == 200 and own.headers["etag"] == etag(own.json()) != theirs
        # As a precondition it says where the match stands, whoever saw it there.
        for expected, status in ((theirs, 409), (theirs.replace('"4-', '"3-'), 412)):
            head = {"if-match": expected}
            reply = await api.post(f"{match.path}/start", match.host, headers=head)
            assert reply.status_code == status

    async def test_who_has_just_sat_down_is_not_sent_away(self, api: Client) -> None:
        """By a process that knows the match from a read model alone, older than the joining."""
        match = await api.made()
        await Runner(api.desk.store, Views(), "w").drain()
        await match.join()
        api.desk.matches._live.clear()
        assert (await match.view(match.seats[0]))["viewer"] == 0

    async def test_waiting_for_something_newer(self, api: Client) -> None:
        match = await api.playing()
        waiting = asyncio.create_task(
            api.get(match.path, params={"wait": 20}, headers={"if-none-match": '"4"'})
        )
        await waited_for(api)
        await match.move()
        reply = await asyncio.wait_for(waiting, 10)
        assert reply.json()["version"] == 5

    async def test_waiting_on_a_seat_that_was_taken_through_another_process(self) -> None:
        parts = memory()
        async with in_memory(parts) as one, in_memory(parts) as other:
            match = await one.made()
            await other.get(match.path)
            await match.join()
            reply = await other.get(f"{match.path}?wait=0.01", match.seats[0])
            assert (reply.status_code, reply.json()["viewer"]) == (200, 0)
            gone = await other.get(f"{match.path}?wait=0.01", match.host)
            assert gone.json()["viewer"] == "spectator"

    async def test_waiting_in_vain(self, api: Client) -> None:
        match = await api.playing()
        tag = {"if-none-match": '"4"'}
        assert (await api.get(match.path, params={"wait": 0.1}, headers=tag)).status_code == 304
        ahead = await api.get(match.path, params={"wait": 0.1, "at_least": 9})
        assert (ahead.status_code, ahead.json()["code"]) == (409, "version_ahead")
        assert ahead.json()["current_version"] == 4
        assert not api.desk.hub.watchers

    async def test_a_server_that_stops_lets_go(self, api: Client) -> None:
        match = await api.playing()
        waiting = asyncio.create_task(
            api.get(match.path, params={"wait": 20}, headers={"if-none-match": '"4"'})
        )
        await waited_for(api)
        api.desk.drain()
        assert (await asyncio.wait_for(waiting, 10)).status_code == 304
        assert (await api.get("/readyz")).json()["code"] == "stopping"

    async def test_waiting_does_not_hold_up_the_end_of_a_server(self) -> None:
        async with running() as server:
            match = await server.playing()
            waiting = asyncio.create_task(
                server.get(match.path, params={"wait": 20}, headers={"if-none-match": '"4"'})
            )
            await waited_for(server)
            server.server.should_exit = True
            assert (await asyncio.wait_for(waiting, 10)).status_code == 304

    async def test_what_another_process_did_is_seen(self) -> None:
        parts = memory()
        async with in_memory(parts) as one, in_memory(parts) as other:
            match = await one.playing()
            view = await other.get(match.path, match.seats[0])
            assert view.json()["version"] == 4
            waiting = asyncio.create_task(other.get(match.path, params={"wait": 20, "at_least": 5}))
            await waited_for(other)
            await match.move()
            assert (await asyncio.wait_for(waiting, 10)).json()["version"] == 5

    async def test_the_projection_serves_what_is_not_in_memory(self) -> None:
        parts = memory()
        async with in_memory(parts) as one:
            match = await one.playing()
            await Runner(parts.store, Views(), "w").drain()
            folded = {t: await match.view(t) for t in ("", *match.seats.values())}
        async with in_memory(parts) as other:
            for token, view in folded.items():
                reply = await other.get(match.path, token)
                assert reply.json() == view and reply.headers["etag"] == etag(view)
            assert other.desk.matches.known(match.id) is None
            assert (await other.get(match.path, params={"at_least": 5})).status_code == 409

    async def test_the_projection_keeps_secrets_too(self) -> None:
        parts = memory()
        async with in_memory(parts) as one:
            match = await one.playing()
            other_match = await one.playing()
            await Runner(parts.store, Views(), "w").drain()
        async with in_memory(parts) as other:
            foreign = await other.get(match.path, other_match.seats[0])
            assert (foreign.status_code, foreign.json()["code"]) == (403, "wrong_match")
            watched = await other.get(match.path, match.watch)
            assert watched.json()["viewer"] == "spectator"


class TestAnswers:
    async def test_the_reply_is_the_commit_and_the_view(self, api: Client) -> None:
        match = await api.playing()
        seat, view = await match.asked()
        question = view["game"]["question"]
        reply = await match.answer(seat, any_option(question), question["id"])
        made = reply.json()
        assert reply.headers["etag"] == etag(made) and made["version"] == 5
        assert made["commit"]["events"][0]["type"] == "chosen"
        assert made["commit"]["head"] == made["head"] == made["view"]["head"]
        assert made["view"]["viewer"] == seat

    async def test_an_option_as_every_form_takes_it(self, api: Client) -> None:
        match = await api.playing()
        seat, view = await match.asked()
        id = view["game"]["question"]["id"]
        for option in ("nonsense", ["show:1"], [1, 2], 3, ""):
            reply = await match.answer(seat, option, id)
            assert (reply.status_code, reply.json()["code"]) == (422, "not_an_option"), option
        assert (await match.view())["version"] == 4

    async def test_who_is_not_asked(self, api: Client) -> None:
        match = await api.playing()
        await match.move()
        public = await match.view()
        question = public["game"]["question"]
        (asked,) = question["seats"]
        reply = await match.answer(1 - asked, "show:1", question["id"])
        assert (reply.status_code, reply.json()["code"]) == (409, "not_asked")
        assert reply.json()["seats"] == [asked] and reply.json()["current_version"] == 5

    async def test_before_the_start(self, api: Client) -> None:
        match = await api.made()
        await match.join()
        reply = await match.answer(0, "x", "1.1")
        assert (reply.status_code, reply.json()["code"]) == (409, "not_started")

    async def test_a_whole_match(self, api: Client) -> None:
        match = await api.playing(4)
        last = await match.finished()
        assert last["view"]["result"]["scores"]
        late = await match.answer(0, "x", "1.1")
        assert (late.status_code, late.json()["code"]) == (409, "match_over")

    async def test_a_store_that_is_away(self, api: Client, monkeypatch: Any) -> None:
        match = await api.playing()
        key = str(uuid4())
        for error, code in [(Unconfirmed(), "unconfirmed"), (Unavailable("no"), "unavailable")]:

            async def away(*_: Any, error: Exception = error) -> None:
                raise error

            seat, view = await match.asked()
            question = view["game"]["question"]
            with monkeypatch.context() as patch:
                patch.setattr(api.desk.store, "append", away)
                reply = await match.answer(seat, any_option(question), question["id"], key=key)
            assert (reply.status_code, reply.json()["code"]) == (503, code)
            assert int(reply.headers["retry-after"]) >= 1
        reply = await match.answer(seat, any_option(question), question["id"], key=key)
        assert reply.status_code == 200 and reply.json()["version"] == 5
