"""Disputes over HTTP: claim, notes, ruling, appeal; the words, who reads them, and forgetting."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64decode
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest

from events.store import Unavailable
from projections.disputes import Disputes
from projections.runner import Runner
from projections.summary import Summaries, summary
from replay.checkpoint import checked
from replay.verify import verify_file
from services.keeper import Closing
from services.matches import Matches
from tests.services.api import ADMIN, KEYS, Client, Made, Running, told
from tests.services.test_review import closed_match, token_for

CLAIM = {"steps": ["4", "5.1"], "text": "I had no pumpkin of size 5"}


async def opened(match: Made, seat: int = 0, **changes: Any) -> dict[str, Any]:
    reply = await match.client.post(
        f"{match.path}/disputes", match.seats[seat], json={**CLAIM, **changes}
    )
    assert reply.status_code == 201, reply.text
    return dict(reply.json())


async def ruled(match: Made, token: str, number: int = 1, **verdict: Any) -> Any:
    body = {"upheld": True, "reason": "The log says so", **verdict}
    return await match.client.post(f"{match.path}/disputes/{number}/ruling", token, json=body)


def refused(reply: Any, status: int, code: str) -> None:
    assert (reply.status_code, reply.json()["code"]) == (status, code), reply.text


@pytest.fixture
async def match(api: Client) -> Made:
    match = await api.playing()
    await match.move()
    return match


@pytest.fixture
async def auditor(api: Client) -> str:
    return await token_for(api, "audit")


class TestACase:
    async def test_from_claim_to_appeal(self, api: Client, auditor: str) -> None:
        match = await closed_match(api)
        made = await opened(match)
        assert made["dispute"]["state"] == "open" and made["dispute"]["number"] == 1
        assert (await api.get(f"{match.path}/disputes")).json()["held"] is True
        path = f"{match.path}/disputes/1"
        noted = await api.post(f"{path}/notes", auditor, json={"text": "Asked seat 1"})
        assert noted.status_code == 201
        done = await ruled(match, auditor, winners=[0], scores=[9, 3])
        assert done.status_code == 200, done.text
        case = done.json()["dispute"]
        assert (case["state"], case["upheld"]) == ("ruled", True)
        assert [said["kind"] for said in case["said"]] == ["claim", "note", "ruling"]
        ruling = case["said"][-1]["ruling"]
        assert ruling["correction"] == {"winners": [0], "scores": [9, 3]}
        result = (await match.view())["result"]
        assert (result["winners"], result["scores"]) == ([0], [9, 3])
        assert (await api.get(f"{match.path}/disputes")).json()["held"] is False
        appealed = await api.post(f"{path}/appeal", match.seats[1], json={"text": "No!"})
        assert appealed.json()["dispute"]["state"] == "appealed"
        again = await ruled(match, ADMIN, upheld=False)
        assert again.json()["dispute"]["state"] == "ruled"
        authors = {said["author"] for said in again.json()["dispute"]["said"] if said["author"]}
        assert len(authors) == 2 and all(author.startswith("ref_") for author in authors)
        report = verify_file((await api.get(f"{match.path}/log", auditor)).content)
        assert report.ok and {check.state for check in report.checks} == {"ok"}

    async def test_after_the_close_nothing_is_answered(self, api: Client) -> None:
        match = await closed_match(api)
        await opened(match)
        reply = await match.answer(0, "x", "4.1")
        refused(reply, 409, "match_over")

    async def test_a_seat_is_emptied_and_taken_over(self, api: Client, auditor: str) -> None:
        match = await api.playing(3)
        await opened(match, seat=1)
        done = await ruled(match, auditor, vacate=2)
        assert done.json()["dispute"]["said"][-1]["ruling"]["vacate"] == 2
        assert (await match.view())["match"]["seats"][2]["kind"] == "open"
        step = (await api.get(f"{match.path}/steps/{done.json()['version']}")).json()
        assert step["says"] == ["Dispute 1 is upheld.", "Seat 2 is emptied by a referee."]
        await match.join(seat=2)
        assert (await match.finished())["view"]["status"] == "over"

    @pytest.mark.parametrize(("end", "cause"), [([1], "forfeited"), ([], "aborted")])
    async def test_a_running_match_is_ended(
        self, match: Made, auditor: str, end: list[int], cause: str
    ) -> None:
        await opened(match)
        done = await ruled(match, auditor, end=end)
        assert done.json()["dispute"]["said"][-1]["ruling"]["end"] == end
        view = await match.view()
        assert view["status"] == "over" and view["result"]["winners"] == end
        assert view["match"]["cause"] == cause

    async def test_a_command_sent_again_changes_nothing(self, match: Made, auditor: str) -> None:
        post, path = match.client.post, f"{match.path}/disputes"
        for way, token, body in (
            (path, match.seats[0], CLAIM),
            (f"{path}/1/notes", auditor, {"text": "a"}),
            (f"{path}/1/ruling", auditor, {"upheld": True, "reason": "b", "end": [1]}),
            (f"{path}/1/appeal", match.seats[1], {"text": "c"}),
        ):
            key = str(uuid4())
            first = await post(way, token, json=body, key=key)
            again = await post(way, token, json=body, key=key)
            assert again.status_code == first.status_code < 300, first.text
            assert again.json()["again"] and again.json()["version"] == first.json()["version"]
            words = "reason" if "reason" in body else "text"
            refused(await post(way, token, json={**body, words: "z"}, key=key), 422, "key_reused")

    async def test_of_two_rulings_at_once_one_stands(self, match: Made, auditor: str) -> None:
        await opened(match)
        both = await asyncio.gather(
            ruled(match, auditor, vacate=0), ruled(match, ADMIN, upheld=False)
        )
        assert sorted(reply.status_code for reply in both) == [200, 409]
        (code,) = [reply.json()["code"] for reply in both if reply.status_code == 409]
        assert code == "already_ruled"

    async def test_a_stream_tells_of_it(self, live: Running) -> None:
        match = await live.playing(3)
        auditor = await token_for(live, "audit")
        async with live.stream(match.id, match.seats[1]) as socket:
            await told(socket)
            await opened(match, steps=["4"])
            await ruled(match, auditor, vacate=2)
            messages = [await told(socket) for _ in range(2)]
        kinds = [event["type"] for message in messages for event in message["events"]]
        assert kinds == ["dispute_opened", "ruled", "kicked"]
        assert CLAIM["text"] not in json.dumps(messages)

    async def test_spectators_hear_of_it_as_late_as_of_all_else(
        self, api: Client, auditor: str
    ) -> None:
        match = await api.playing(2, delay=2)
        await opened(match, steps=["4"])
        seen = (await api.get(f"{match.path}/disputes")).json()
        assert seen == {"held": False, "items": []}
        point = (await api.get(f"{match.path}/checkpoint")).text.split("\n")[1]
        assert point == str((await match.view())["version"]) == "3"
        ahead = await api.get(f"{match.path}/checkpoint", params={"version": 4})
        refused(ahead, 409, "version_ahead")
        for token in (match.seats[1], auditor, ADMIN):
            assert (await api.get(f"{match.path}/disputes", token)).json()["held"]


class TestRefusals:
    @pytest.mark.parametrize("steps", [["99"], ["0"], ["4.99"], ["4.0"], ["4", "99.1"]])
    async def test_steps_that_are_not_there(self, match: Made, steps: list[str]) -> None:
        body = {**CLAIM, "steps": steps}
        reply = await match.client.post(f"{match.path}/disputes", match.seats[0], json=body)
        refused(reply, 422, "no_such_step")

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"steps": [], "text": "x"},
            {"steps": ["x"], "text": "x"},
            {"steps": ["4"], "text": ""},
            {"steps": ["4"], "text": "x" * 4001},
            {"steps": ["4"] * 51, "text": "x"},
            {"steps": ["4"], "text": "x", "more": 1},
        ],
    )
    async def test_shapes(self, match: Made, body: Any) -> None:
        reply = await match.client.post(f"{match.path}/disputes", match.seats[0], json=body)
        refused(reply, 422, "bad_body")

    async def test_half_a_character(self, match: Made) -> None:
        reply = await match.client.post(
            f"{match.path}/disputes",
            match.seats[0],
            content=b'{"steps": ["4"], "text": "\\ud800"}',
        )
        assert reply.status_code in (400, 422)

    async def test_a_step_that_is_named_twice_counts_once(self, match: Made) -> None:
        key = str(uuid4())
        for again in (False, True):
            body = {"steps": ["5", "4.1", "5", "4.1", "4"], "text": "x"}
            path = f"{match.path}/disputes"
            made = (await match.client.post(path, match.seats[0], key=key, json=body)).json()
            assert made["dispute"]["steps"] == ["5", "4.1", "4"] and made["again"] is again

    async def test_who_may(self, match: Made, auditor: str) -> None:
        post, path = match.client.post, f"{match.path}/disputes"
        for token, status in [("", 401), (match.host, 403), (auditor, 403), (ADMIN, 403)]:
            assert (await post(path, token, json=CLAIM)).status_code == status
        await opened(match)
        for way, body in (("notes", {"text": "x"}), ("ruling", {"upheld": True, "reason": "x"})):
            for token, status in [("", 401), (match.host, 403), (match.seats[0], 403)]:
                reply = await post(f"{path}/1/{way}", token, json=body)
                assert reply.status_code == status
        refused(await post(f"{path}/1/appeal", auditor, json={"text": "x"}), 403, "wrong_scope")
        other = await match.client.playing()
        refused(await post(path, other.seats[0], json=CLAIM), 403, "wrong_match")

    async def test_what_does_not_fit(self, match: Made, auditor: str) -> None:
        lobby = await match.client.made()
        await lobby.join()
        reply = await lobby.client.post(f"{lobby.path}/disputes", lobby.seats[0], json=CLAIM)
        refused(reply, 409, "not_started")
        await opened(match)
        post, path = match.client.post, f"{match.path}/disputes/1"
        refused(await match.client.get(f"{match.path}/disputes/2"), 404, "no_such_dispute")
        refused(await ruled(match, auditor, 2), 404, "no_such_dispute")
        reply = await post(f"{path}/appeal", match.seats[0], json={"text": "x"})
        refused(reply, 409, "not_ruled")
        refused(await ruled(match, auditor, winners=[0]), 409, "not_over")
        refused(await ruled(match, auditor, vacate=7), 404, "no_such_seat")
        assert (await match.view())["version"] == 6
        await match.finished()
        refused(await ruled(match, auditor, scores=[1]), 422, "bad_correction")
        refused(await ruled(match, auditor, end=[0]), 409, "match_over")
        assert (await ruled(match, auditor, scores=[1, None])).status_code == 200
        assert (await match.view())["result"]["scores"] == [1, None]
        refused(await ruled(match, auditor), 409, "already_ruled")

    async def test_sixteen_and_no_more(self, match: Made) -> None:
        for _ in range(16):
            await opened(match)
        reply = await match.client.post(f"{match.path}/disputes", match.seats[0], json=CLAIM)
        refused(reply, 409, "too_many_disputes")


class TestWords:
    async def test_who_reads_them(self, match: Made, auditor: str) -> None:
        api, path = match.client, f"{match.path}/disputes/1"
        await opened(match)
        await api.post(f"{path}/notes", auditor, json={"text": "note"})
        await ruled(match, auditor)
        await api.post(f"{path}/appeal", match.seats[1], json={"text": "appeal"})
        for token, kept in [
            (auditor, "claim note ruling appeal"),
            (ADMIN, "claim note ruling appeal"),
            (match.seats[0], "claim ruling"),
            (match.seats[1], "ruling appeal"),
            (match.watch, "ruling"),
            ("", "ruling"),
        ]:
            said = (await api.get(path, token)).json()["said"]
            assert " ".join(w["kind"] for w in said if w["words"] == "kept") == kept
            for word in said:
                assert (word["text"] is not None) == (word["words"] == "kept")

    async def test_the_log_binds_them_and_does_not_hold_them(
        self, match: Made, auditor: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        made = await opened(match)
        (word,) = made["dispute"]["said"]
        mark = sha256(b64decode(word["salt"]) + word["text"].encode()).hexdigest()
        assert mark == word["sha256"]
        log = (await match.client.get(f"{match.path}/log", auditor)).text
        assert mark in log and CLAIM["text"] not in log
        facts = b"".join(e.facts for e in await match.client.desk.store.read(match.id))
        assert str(CLAIM["text"]).encode() not in facts
        told = capsys.readouterr()
        assert str(CLAIM["text"]) not in told.out + told.err

    async def test_an_auditors_reading_of_them_is_recorded(self, match: Made, auditor: str) -> None:
        api = match.client
        await api.get(f"{match.path}/disputes", auditor)
        await opened(match)
        await api.get(f"{match.path}/disputes/1", auditor)
        await api.get(f"{match.path}/disputes/1", match.seats[1])
        items = (await api.get(f"{match.path}/access", auditor)).json()["items"]
        assert [item["what"] for item in items] == ["disputes"]

    async def test_forgotten(self, match: Made, auditor: str) -> None:
        api, path = match.client, f"{match.path}/disputes/1"
        version = (await opened(match))["version"]
        text = f"{path}/texts/{version}"
        for token, status in [("", 401), (auditor, 403), (match.seats[0], 403)]:
            assert (await api.send("DELETE", text, token)).status_code == status
        refused(await api.send("DELETE", f"{path}/texts/1", ADMIN), 404, "no_such_dispute")
        await ruled(match, auditor)
        for again in (False, True):
            done = await api.send("DELETE", text, ADMIN)
            assert done.status_code == 200 and done.json()["again"] is again
            removed = done.json()["version"]
        for token in (auditor, match.seats[0]):
            word = (await api.get(path, token)).json()["said"][0]
            assert (word["words"], word["removed"]) == ("removed", removed)
            assert word["text"] is None and word["salt"] is None
        word = (await api.get(path, match.seats[1])).json()["said"][0]
        assert (word["words"], word["removed"]) == ("withheld", removed)
        assert verify_file((await api.get(f"{match.path}/log", auditor)).content).ok

    async def test_the_log_says_who_had_them_removed(self, match: Made, auditor: str) -> None:
        api = match.client
        version = (await opened(match))["version"]
        await ruled(match, ADMIN)
        text = f"{match.path}/disputes/1/texts/{version}"
        removed = (await api.send("DELETE", text, ADMIN)).json()
        ruling, _ = (await api.get(f"{match.path}/disputes/1", auditor)).json()["said"][::-1]
        step = (await api.get(f"{match.path}/steps/{removed['version']}")).json()
        author = ruling["author"]
        event = {"type": "words_removed", "dispute": 1, "version": version, "author": author}
        assert (step["by"], step["events"]) == ("admin", [event]) and author.startswith("ref_")
        assert step["says"] == [f"The words said on dispute 1 in version {version} are removed."]

    async def test_never_while_a_dispute_waits(self, match: Made, auditor: str) -> None:
        api, path = match.client, f"{match.path}/disputes"
        versions = [(await opened(match))["version"] for _ in range(2)]
        texts = [f"{path}/{n}/texts/{version}" for n, version in enumerate(versions, 1)]
        for number in (1, 2):
            for text in texts:
                kept = await api.send("DELETE", text, ADMIN)
                refused(kept, 409, "dispute_open")
                assert f"dispute {number} of the match" in kept.json()["detail"]
                assert "rule on it first" in kept.json()["detail"]
            await ruled(match, auditor, number)
        await api.post(f"{path}/1/appeal", match.seats[1], json={"text": "no"})
        refused(await api.send("DELETE", texts[1], ADMIN), 409, "dispute_open")
        await ruled(match, auditor, 1)
        assert (await api.send("DELETE", texts[1], ADMIN)).status_code == 200
        told = (await api.get(path, auditor)).json()["items"]
        assert [case["said"][0]["words"] for case in told] == ["kept", "removed"]

    async def test_what_the_log_says_is_removed_is_told_to_nobody(
        self, match: Made, auditor: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Though the words could not go at once; sent again, they go."""
        api = match.client
        version = (await opened(match))["version"]
        await ruled(match, auditor)
        text = f"{match.path}/disputes/1/texts/{version}"

        async def away(*given: Any) -> bool:
            raise Unavailable("away")

        with monkeypatch.context() as patch:
            patch.setattr(api.desk.vault, "forget_text", away)
            refused(await api.send("DELETE", text, ADMIN), 503, "unavailable")
        word = (await api.get(f"{match.path}/disputes/1", auditor)).json()["said"][0]
        assert word["words"] == "removed" and word["text"] is None
        (kept,) = await api.desk.vault.texts(match.id, [word["sha256"]])
        assert kept is not None
        assert (await api.send("DELETE", text, ADMIN)).json()["again"] is True
        assert await api.desk.vault.texts(match.id, [word["sha256"]]) == [None]


class TestQueue:
    async def test_what_waits(self, api: Client, auditor: str) -> None:
        matches = [await api.playing() for _ in range(3)]
        for match in matches:
            await opened(match, steps=["4"])
        await ruled(matches[0], auditor)
        await ruled(matches[1], auditor)
        await api.post(f"{matches[1].path}/disputes/1/appeal", matches[1].seats[0], json=CLAIM_TEXT)
        for projection in (Disputes(), Summaries()):
            await Runner(api.desk.store, projection, "w").drain()
        for state, expected in [
            ("open", [1, 2]),
            ("appealed", [1]),
            ("ruled", [0]),
            (None, [0, 1, 2]),
        ]:
            params = {"state": state} if state else {}
            items = (await api.get("/v1/disputes", auditor, params=params)).json()["items"]
            assert [item["match"] for item in items] == [matches[n].id for n in expected]
        found, url = [], "/v1/disputes?limit=1&state=open"
        while url:
            reply = await api.get(url, ADMIN)
            found += [item["match"] for item in reply.json()["items"]]
            link = reply.headers.get("link")
            url = link.partition(">")[0].strip("<") if link else ""
        assert found == [matches[1].id, matches[2].id]
        held = [await summary(api.desk.store, match.id) for match in matches]
        assert [told.held for told in held if told] == [False, True, True]
        assert "pumpkin of size" not in json.dumps(items)

    async def test_for_referees_alone(self, api: Client) -> None:
        match = await api.playing()
        for token, status in [("", 401), (match.host, 403), (match.seats[0], 403)]:
            assert (await api.get("/v1/disputes", token)).status_code == status
        bad = await api.get("/v1/disputes", ADMIN, params={"after": "x"})
        refused(bad, 400, "bad_cursor")
        assert (await api.get("/v1/disputes", ADMIN, params={"state": "x"})).status_code == 422


CLAIM_TEXT = {"text": "once more"}


class TestFC22:
    """Repairs are commits that somebody signs for; who reads by offset never sees less."""

    async def read(self, match: Made, token: str) -> tuple[list[str], list[tuple[str, int]]]:
        """The log but for what counts its lines, and what the feed has of the match."""
        lines = (await match.client.get(f"{match.path}/log", token)).text.splitlines()
        fed = (await match.client.get("/v1/feed", token)).text.splitlines()[:-1]
        told = [json.loads(line) for line in fed]
        return [re.sub(r'"of":\d+', "", line) for line in lines], [
            (line["match"], line["version"]) for line in told if line["match"] == match.id
        ]

    async def test_no_repair_edits(self, api: Client, auditor: str) -> None:
        match = await api.playing(3)
        await match.move()
        path = f"{match.path}/disputes/1"
        before, fed = await self.read(match, auditor)
        after = len(before)

        async def repaired(reply: Any) -> None:
            """The log is the same as before, and one commit longer."""
            nonlocal before, fed
            assert reply.status_code < 300, reply.text
            log, feed = await self.read(match, auditor)
            assert log[: len(before)] == before and feed[: len(fed)] == fed
            assert len(log) == len(before) + 1
            before, fed = log, feed

        post = api.post
        await repaired(await post(f"{match.path}/disputes", match.seats[0], json=CLAIM))
        await repaired(await post(f"{path}/notes", auditor, json={"text": "a"}))
        await repaired(await ruled(match, auditor, vacate=2))
        await repaired(await post(f"{path}/appeal", match.seats[1], json={"text": "b"}))
        await repaired(await ruled(match, ADMIN, end=[1]))
        await Closing(Matches(api.desk.store, KEYS)).act(match.id)
        before, fed = await self.read(match, auditor)
        await repaired(await post(f"{path}/appeal", match.seats[0], json={"text": "c"}))
        await repaired(await ruled(match, auditor, winners=[0], scores=[1, 0, 0]))
        version = (await api.get(path, auditor)).json()["said"][0]["version"]
        await repaired(await api.send("DELETE", f"{path}/texts/{version}", ADMIN))
        tail = (await api.get(f"{match.path}/log", auditor, params={"after": after})).text
        for line in map(json.loads, tail.splitlines()):
            told = line["not_hashed"]
            for event in told["events"]:
                if event["type"] in ("ruled", "dispute_noted", "words_removed"):
                    assert told["by"] == "admin" and event["author"].startswith("ref_")
                elif event["type"] in ("dispute_opened", "appealed"):
                    assert told["by"] == event["seat"]
        assert verify_file((await api.get(f"{match.path}/log", auditor)).content).ok

    async def test_a_store_whose_tail_is_gone(self, api: Client, auditor: str) -> None:
        match = await closed_match(api)
        note = (await api.get(f"{match.path}/checkpoint")).text
        (key,) = (await api.get("/v1/keys")).json()["keys"]
        point = checked(note, key["key"])
        whole = (await api.get(f"{match.path}/log", auditor)).content
        assert verify_file(whole, checkpoint=point).ok and key["id"] == KEYS.current
        rows = whole.splitlines(keepends=True)[:-2]
        of = point.version
        less = b"".join(row.replace(b'"of":%d,' % of, b'"of":%d,' % (of - 2)) for row in rows)
        assert "later commits unknown" in str(verify_file(less).checks)
        report = verify_file(less, checkpoint=point)
        assert report.bad is not None and "the tail is missing" in report.bad.why
        earlier = await api.get(f"{match.path}/checkpoint", params={"version": 4})
        assert checked(earlier.text, key["key"]).version == 4
        assert verify_file(less, checkpoint=checked(earlier.text, key["key"])).ok
        ahead = await api.get(f"{match.path}/checkpoint", params={"version": 99})
        refused(ahead, 409, "version_ahead")
