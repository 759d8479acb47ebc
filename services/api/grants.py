"""Tokens: rotated by who holds them, made and revoked by an admin."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import Response

from games.rules import Refused
from games.sight import Seat
from services import ids, rotation, tokens
from services.api.edge import (
    Json,
    TheBearer,
    TheCommand,
    TheDesk,
    TheMatch,
    body,
    desk_of,
    shown,
    token_of,
)
from services.api.schema import spec
from services.api.seats import SeatPath
from services.desk import Desk, translated, unknown_match
from services.live import Live
from services.shapes import Done, NewToken, Token
from services.tokens import Bearer, digest
from services.vault import Grant

router = APIRouter(tags=["tokens"])

ROTATED = (
    "token_required",
    "wrong_scope",
    "wrong_match",
    "wrong_seat",
    "not_seated",
    "unknown_match",
    "token_rotated",
    "key_required",
    "bad_key",
)
NO_STORE = {"cache-control": "no-store"}


async def holder_of(request: Request) -> Bearer:
    """Who asks, even by a token that was rotated. Raises Refused."""
    token = token_of(request.headers.get("authorization"))
    if not token:
        raise Refused("token_required", "this needs the token that is to be rotated")
    return await shown(desk_of(request), token, request.scope)


Holder = Annotated[Bearer, Depends(holder_of)]


@router.post(
    "/v1/matches/{match}/seats/{seat}/token",
    **spec(
        summary="Rotate a seat's token: asked by the seat, or by the player who sits there",
        reply=Token,
        problems=(*ROTATED, "no_such_seat", "seat_open"),
    ),
)
async def rotate_seat(
    desk: TheDesk, bearer: Holder, match: TheMatch, seat: SeatPath, command: TheCommand
) -> Response:
    live = await desk.newest(match)
    sits = live.table.match.seats
    if seat >= len(sits):
        raise Refused("no_such_seat", f"seats go from 0 to {len(sits) - 1}")
    if bearer.grant.scope == "player":
        if sits[seat].player != bearer.grant.player:
            raise Refused("wrong_seat", f"you do not sit on seat {seat}")
    elif tokens.playing(bearer, match) != seat:
        raise Refused("wrong_seat", "the token is for another seat")
    tokens.viewer(bearer, live.table)
    return await _rotated(desk, live, "play", seat, bearer, command)


@router.post(
    "/v1/matches/{match}/tokens/{role}",
    **spec(summary="Rotate the host's or the watchers' token", reply=Token, problems=ROTATED),
)
async def rotate_role(
    desk: TheDesk,
    bearer: Holder,
    match: TheMatch,
    role: Annotated[Literal["host", "watch"], Path(description="Whose token.")],
    command: TheCommand,
) -> Response:
    tokens.hosting(bearer, match)
    if bearer.grant.rotated_by and role == "watch":
        raise Refused("unknown_token", "the token is not known here, or it was revoked")
    live = await desk.newest(match)
    scope: rotation.Given = "host" if role == "host" else "view"
    return await _rotated(desk, live, scope, None, bearer, command)


async def _rotated(
    desk: Desk,
    live: Live,
    scope: rotation.Given,
    seat: Seat | None,
    bearer: Bearer,
    command: bytes,
) -> Response:
    token, grant = await rotation.rotate(desk, live, scope, seat, bearer, command)
    return _shown(token, grant)


def _shown(token: str, grant: Grant, status: int = 200) -> Response:
    shown = Token(
        digest(token), token, grant.scope, grant.player, grant.match, expires=grant.expires
    )
    return Json(shown, status, NO_STORE)


@router.post(
    "/v1/tokens",
    **spec(
        summary="Make a token: an admin's to give",
        body=NewToken,
        reply=Token,
        status=201,
        problems=("token_required", "wrong_scope", "bad_player", "unknown_match"),
    ),
)
async def make(
    desk: TheDesk, bearer: TheBearer, new: Annotated[NewToken, Depends(body(NewToken))]
) -> Response:
    tokens.scoped(bearer, "admin")
    player = ""
    if new.scope == "player":
        player = tokens.checked_player(new.player) if new.player else tokens.new_player()
    if new.scope == "view":
        if not ids.is_match_id(new.match):
            raise unknown_match()
        await desk.load(new.match)
    match = new.match if new.scope == "view" else ""
    expires = desk.tokens.clock() + int(new.hours * 3_600_000) if new.hours else 0
    grant = Grant(new.scope, match, None, player, expires)
    with translated():
        return _shown(await desk.tokens.fresh(grant), grant, 201)


@router.delete(
    "/v1/tokens/me",
    **spec(
        summary="Revoke the bearer's own token",
        reply=Done,
        problems=("token_required", "wrong_scope"),
    ),
)
async def revoke_own(desk: TheDesk, bearer: TheBearer) -> Response:
    if not bearer.digest:
        raise Refused("token_required", "show the token that is to be revoked")
    with translated():
        await desk.tokens.revoke(bearer.digest)
    return Json(Done(), headers=NO_STORE)


@router.delete(
    "/v1/tokens/{id}",
    **spec(
        summary="Revoke a token by its id: its SHA-256 in hex",
        reply=Done,
        problems=("token_required", "wrong_scope"),
    ),
)
async def revoke(
    desk: TheDesk,
    bearer: TheBearer,
    id: Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="The token's id.")],
) -> Response:
    tokens.scoped(bearer, "admin")
    with translated():
        await desk.tokens.revoke(id)
    return Json(Done(), headers=NO_STORE)
