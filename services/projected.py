"""Views out of the projection, where it has come far enough."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from events.store import Readable
from games.rules import Refused
from games.sight import Viewer
from projections import views
from services import tokens
from services.tokens import Bearer


class _Sitting(msgspec.Struct):
    player: str


class _Match(msgspec.Struct):
    seats: list[_Sitting]
    delay: int


class _Peek(msgspec.Struct):
    """What of a view says who may see it."""

    match: _Match


_peek = msgspec.json.Decoder(_Peek)


class Seen(NamedTuple):
    """A view, encoded, the version and head that it is of, and whose it is."""

    version: int
    head: bytes
    viewer: Viewer
    json: bytes


async def projected(cells: Readable, match: str, bearer: Bearer, need: int) -> Seen | None:
    """The view, if there is one of version `need` or later. Raises Unavailable.

    The auditor's is not kept, nor those that a lagging spectator may see. Who may not see it as of
    an older version may have sat down since: that is for the log to say.
    """
    if bearer.grant.scope == "audit":
        return None
    public = await views.view(cells, match, "spectator")
    if public is None or public.version < need:
        return None
    seen = _peek.decode(public.json).match
    players = [sitting.player for sitting in seen.seats]
    try:
        viewer = tokens.seen_as(bearer.grant, match, players)
    except Refused:
        return None
    if viewer == "spectator" and seen.delay:
        return None
    own = public if viewer == "spectator" else await views.view(cells, match, viewer)
    if own is None or own.version < need:
        return None
    lead = msgspec.json.encode({"viewer": viewer, "head": own.head.hex()})
    return Seen(own.version, own.head, viewer, lead[:-1] + b"," + own.json[1:])
