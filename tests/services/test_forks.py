"""Forks over HTTP: who may, from where, and what the new match knows."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx2

from tests.services.api import ADMIN, Client, Made, any_option
from tests.services.undoing import code, token_for, turns, version


async def fork(match: Made, token: str, at: Any, key: str | None = None, **body: Any) -> Any:
    path = f"{match.path}/fork"
    return await match.client.post(path, token, key=key, json={"step": str(at), **body})


def made(api: Client, reply: httpx2.Response) -> Made:
    assert reply.status_code == 201, reply.text
    return Made(api, reply.json())


async def manned(match: Made, seats: int = 2) -> Made:
    for _ in range(seats):
        await match.join()
    return match


async def test_a_seat_goes_on_from_what_it_knew(api: Client) -> None:
    match = await turns(api)
    at = await version(match)
    then = await match.view(match.seats[1])
    reply = await fork(match, match.seats[1], at)
    other = await manned(made(api, reply))
    view = await other.view(other.seats[1])
    assert view["match"]["origin"] == f"{match.id}@{at}" and not view["match"]["listed"]
    for game in (view["game"], then["game"]):
        game["question"] = game["question"]["kind"]
    assert view["game"] == then["game"]
    question = (await other.asked())[1]["game"]["question"]
    assert (await other.answer(0, any_option(question), question["id"])).status_code == 200
    await other.finished()
    assert await version(match) == at, "the match itself is as it was"


async def test_what_a_seat_cannot_see_is_dealt_otherwise(api: Client) -> None:
    """Over some forks the other hand differs; the auditor's fork is the truth."""
    match = await api.playing()
    auditor = await token_for(api, "audit")
    path = f"{match.path}/steps/4"
    truth = (await api.get(path, auditor)).json()["view"]["game"]
    hands = []
    for _ in range(6):
        other = await manned(made(api, await fork(match, match.seats[1], 4)))
        assert (await other.view(other.seats[1]))["game"]["hands"][1] == truth["hands"][1]
        hands.append((await other.view(other.seats[0]))["game"]["hands"][0])
    assert any(hand != truth["hands"][0] for hand in hands)
    same = await manned(made(api, await fork(match, auditor, 4)))
    for seat in (0, 1):
        assert (await same.view(same.seats[seat]))["game"]["hands"][seat] == truth["hands"][seat]
    asone = await manned(made(api, await fork(match, auditor, 4, **{"as": "1"})))
    assert (await asone.view(asone.seats[1]))["game"]["hands"][1] == truth["hands"][1]
    items = (await api.get(f"{match.path}/access", auditor)).json()["items"]
    forks = [(item["step"], item["eyes"]) for item in items if item["what"] == "fork"]
    assert forks == [("4", "auditor"), ("4", 1)]


async def test_what_was_seen_after_the_step_was_there_at_the_step(api: Client) -> None:
    """Seat 0 has shown a pumpkin since; an undo takes nothing from who has seen it."""
    match = await turns(api)
    at, begun = await version(match), 4
    (shown,) = (await match.view())["game"]["shown"][0]
    assert (await api.post(f"{match.path}/revert", ADMIN, json={"to": begun})).status_code == 200
    for step in [begun, await version(match), begun, at - 1]:
        other = await manned(made(api, await fork(match, match.seats[1], step)))
        assert shown in (await other.view(other.seats[0]))["game"]["hands"][0], step


async def test_who_takes_a_seat_over_knows_all_that_it_has_seen(api: Client) -> None:
    """The log of a seat is its own, whoever sits there; who has gone makes no forks any more."""
    match = await api.playing(3)
    at, old = await version(match), match.seats[0]
    hand = (await match.view(old))["game"]["hands"][0]
    await match.move()
    assert (await api.post(f"{match.path}/resign", old)).status_code == 200
    assert (await match.join(seat=0))["token"] != old
    assert code(await fork(match, old, at)) == "not_seated"
    other = await manned(made(api, await fork(match, match.seats[0], at)), 3)
    assert (await other.view(other.seats[0]))["game"]["hands"][0] == hand


async def test_who_may_and_from_where(api: Client) -> None:
    match = await turns(api)
    at = await version(match)
    auditor = await token_for(api, "audit")
    for token, step, eyes, wanted in [
        ("", at, "", "token_required"),
        (match.host, at, "", "wrong_scope"),
        (match.watch, at, "", "wrong_scope"),
        (ADMIN, at, "", "wrong_scope"),
        (match.seats[0], at, "1", "wrong_scope"),
        (match.seats[0], at, "auditor", "wrong_scope"),
        (match.seats[0], at, "spectator", "wrong_scope"),
        (match.seats[0], at, "nobody", "bad_parameter"),
        (match.seats[0], at + 1, "", "unknown_step"),
        (match.seats[0], "x", "", "unknown_step"),
        (match.seats[0], 3, "", "not_started"),
        (match.seats[0], "4.2", "", "inside_commit"),
        (auditor, f"{at}.1", "", "inside_commit"),
    ]:
        reply = await fork(match, token, step, **{"as": eyes})
        assert code(reply) == wanted, (step, eyes, reply.text)
    await match.finished()
    over = await version(match)
    assert code(await fork(match, match.seats[0], over)) == "match_over"
    assert (await fork(match, match.seats[0], over - 1)).status_code == 201


async def test_sent_again(api: Client) -> None:
    match = await turns(api)
    at, key = await version(match), str(uuid4())
    first = await fork(match, match.seats[0], at, key=key)
    again = await fork(match, match.seats[0], at, key=key)
    assert again.headers["idempotent-replayed"] == "true"
    assert {**again.json(), "again": False} == first.json()
    assert code(await fork(match, match.seats[0], at - 1, key=key)) == "key_reused"
    other = await fork(match, match.seats[1], at, key=key)
    assert other.status_code == 201 and other.json()["match"] != first.json()["match"]


async def test_a_fork_is_a_match_like_others(api: Client) -> None:
    """It can be verified, taken back, forked again, and is never taken for a lobby."""
    match = await turns(api)
    at = await version(match)
    other = made(api, await fork(match, match.seats[0], at))
    assert code(await api.post(f"{other.path}/start", other.host)) == "already_started"
    await manned(other)
    begun = await version(other)
    await other.move()
    body: dict[str, Any] = {"to": begun}
    reverted = await api.post(f"{other.path}/revert", ADMIN, json=body)
    assert reverted.status_code == 200
    again = made(api, await fork(other, other.seats[1], begun))
    assert (await again.view())["match"]["origin"] == f"{other.id}@{begun}"
    auditor = await token_for(api, "audit")
    for token in ("", other.seats[0], auditor):
        report = (await api.get(f"{other.path}/verify", token)).json()
        assert report["ok"], report
