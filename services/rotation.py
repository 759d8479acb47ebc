"""Tokens that a match gave, and those that came after them."""

from __future__ import annotations

from typing import Literal

from events.store import Unavailable
from games.rules import Refused
from games.sight import Seat
from services.desk import Desk, translated
from services.live import Live
from services.tokens import Bearer, digest
from services.vault import Grant

Given = Literal["play", "host", "view"]
"""The scopes of the tokens that commands give."""

OF_THE_MATCH: tuple[Literal["host", "view"], ...] = ("host", "view")
"""Those that creating a match gives."""


def role(scope: Given, seat: Seat | None, command: bytes) -> str:
    """What rotations are counted of: one sitter on one seat, the host, the watchers."""
    return f"{scope if seat is None else seat}:{command.hex()}"


async def first(desk: Desk, live: Live, scope: Given, seat: Seat | None = None) -> str:
    """The token that creating or joining gave. Raises Refused: `token_rotated`, and `unconfirmed`
    where the store is away, since the command itself is in the log by now."""
    try:
        count = await desk.vault.rotations(live.id, role(scope, seat, _command(live, seat)))
    except Unavailable:
        why = "the store did not answer in time; send it again under the same key for the token"
        raise Refused("unconfirmed", why, retry_after=1) from None
    if count:
        raise Refused("token_rotated", "the token of this command has been rotated since")
    return token(desk, live, scope, seat, 0)


def token(desk: Desk, live: Live, scope: Given, seat: Seat | None, rotation: int) -> str:
    key, command = live.table.match.key, _command(live, seat)
    return desk.tokens.derived(scope, key, live.id, seat, command, rotation)


async def rotate(
    desk: Desk, live: Live, scope: Given, seat: Seat | None, bearer: Bearer, command: bytes
) -> tuple[str, Grant]:
    """A new token in the place of the present one, which is good for nothing any more.

    Sent again with the replaced token under the same key, the same new token comes back.
    Raises Refused(`token_rotated`).
    """
    name = role(scope, seat, _command(live, seat))
    with translated():
        count = await desk.vault.rotations(live.id, name)
        spent = bearer.grant.rotated_by
        if spent:
            if spent != command or bearer.grant.rotation + 1 != count:
                raise Refused("token_rotated", "the token has been rotated since, by other means")
            return token(desk, live, scope, seat, count), _grant(live, scope, seat, count)
        fresh, grant = (
            token(desk, live, scope, seat, count + 1),
            _grant(live, scope, seat, count + 1),
        )
        await desk.tokens.give(fresh, grant)
        await desk.vault.rotate(live.id, name, count + 1)
        present = digest(token(desk, live, scope, seat, count))
        was = _grant(live, scope, seat, count)
        await desk.tokens.revoke(present, _spent(was, command))
        if bearer.digest != present and bearer.grant.scope == scope:
            await desk.tokens.revoke(bearer.digest)
    return fresh, grant


def _grant(live: Live, scope: Given, seat: Seat | None, rotation: int) -> Grant:
    player = live.table.match.seats[seat].player if seat is not None else ""
    return Grant(scope, live.id, seat, player, rotation=rotation)


def _spent(grant: Grant, command: bytes) -> Grant:
    return Grant(
        grant.scope,
        grant.match,
        grant.seat,
        grant.player,
        rotation=grant.rotation,
        rotated_by=command,
    )


def _command(live: Live, seat: Seat | None) -> bytes:
    return live.created if seat is None else live.sat[seat]
