"""What tests of undo share: requests, and matches brought to the turns of the toy game."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.services.api import ADMIN, Client, Made


async def token_for(api: Client, scope: str, **more: Any) -> str:
    reply = await api.post("/v1/tokens", ADMIN, json={"scope": scope, **more})
    return str(reply.json()["token"])


async def turns(api: Client, seats: int = 2, **more: Any) -> Made:
    """A match in which all have shown a pumpkin: seat 0 may draw."""
    match = await api.playing(seats, **more)
    for _ in range(seats):
        await match.move()
    return match


async def version(match: Made) -> int:
    return int((await match.view())["version"])


async def says(match: Made, option: str, key: str | None = None, **body: Any) -> httpx2.Response:
    """Whose turn it is draws or passes."""
    seat, view = await match.asked()
    body = {"seen": view["version"], **body}
    return await match.answer(seat, option, view["game"]["question"]["id"], key=key, body=body)


async def ask(match: Made, seat: int, to: int, **more: Any) -> httpx2.Response:
    body = {"to": to, "seen": await version(match), **more.pop("body", {})}
    return await match.client.post(f"{match.path}/undo", match.seats[seat], json=body, **more)


async def word(match: Made, seat: int, what: str, seen: int, **more: Any) -> httpx2.Response:
    """`agree` or `decline`."""
    path = f"{match.path}/undo/{what}"
    return await match.client.post(path, match.seats[seat], json={"seen": seen}, **more)


async def granted(match: Made, asker: int, to: int) -> int:
    """Asked by one seat, agreed to by all others; the version of the undo."""
    asked = (await ask(match, asker, to)).json()
    for seat in asked["commit"]["events"][0]["needs"]:
        reply = await word(match, seat, "agree", asked["version"])
        assert reply.status_code == 200, reply.text
        asked = reply.json()
    assert asked["commit"]["events"][-1] == reverted(to)
    return int(asked["version"])


def reverted(to: int, author: str = "", reason: str = "") -> dict[str, Any]:
    """The event as clients get it: by the leave of seats, or signed by a referee."""
    return {"type": "reverted", "to": to, "author": author, "reason": reason}


def code(reply: httpx2.Response) -> str:
    return str(reply.json().get("code"))


async def finished(match: Made) -> None:
    """To the end, with nobody drawing: then even the last answer can be taken back by consent."""
    while (await match.view())["status"] == "playing":
        seat, view = await match.asked()
        question, body = view["game"]["question"], {"seen": view["version"]}
        option = question["form"]["options"][-1]["id"]
        await match.answer(seat, option, question["id"], body=body)
