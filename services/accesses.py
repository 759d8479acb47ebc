"""Every use of an auditor's eyes is itself recorded, before anything is shown."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.sight import Viewer
from services.desk import Desk, translated
from services.tokens import Bearer

What = Literal["view", "log", "step", "verify", "stream", "fork", "disputes", "feed"]

PAGE = 200
"""Records shown at once."""

FEED_EVERY = 3_600_000
REMEMBERED = 100_000


class Access(msgspec.Struct, frozen=True):
    """Who looked (the id of its token), when, at what, at which step and through whose eyes.

    `feed` is a look at all matches at once; who goes on with it is recorded once an hour.
    """

    at: int
    who: str
    what: What
    step: str
    eyes: Viewer


class Accesses(msgspec.Struct, frozen=True):
    """A page of records, oldest first; `next` is the `after` of the next page, null at the end."""

    items: list[Access]
    next: int | None


async def record(
    desk: Desk,
    bearer: Bearer,
    match: str,
    what: What,
    eyes: Viewer = "auditor",
    step: str = "",
    *,
    early: bool = False,
) -> None:
    """Nothing where the bearer is no auditor, or sees only what all may see by now: `early` is what
    spectators are shown later. Raises Refused."""
    if bearer.grant.scope != "audit" or (eyes == "spectator" and not early):
        return
    made = Access(desk.matches.clock(), bearer.digest, what, step, eyes)
    with translated():
        await desk.vault.note(match, msgspec.msgpack.encode(made))


async def record_feed(desk: Desk, bearer: Bearer, matches: set[str]) -> None:
    """A look at many matches at once: for each of them, but by one auditor once an hour."""
    now = desk.matches.clock()
    for match in sorted(matches):
        if now - desk.fed.get((match, bearer.digest), 0) < FEED_EVERY:
            continue
        if len(desk.fed) >= REMEMBERED:
            desk.fed.clear()
        await record(desk, bearer, match, "feed")
        desk.fed[match, bearer.digest] = now


async def recorded(desk: Desk, match: str, after: int) -> tuple[list[Access], int | None]:
    """The records from number `after` on, oldest first, and where to go on. Raises Refused."""
    with translated():
        found = await desk.vault.notes(match, after, PAGE + 1)
    items = [msgspec.msgpack.decode(data, type=Access) for data in found[:PAGE]]
    return items, after + PAGE if len(found) > PAGE else None
