"""Seats: joined, left, emptied, given to bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from fastapi.responses import Response

from games.rules import Refused
from games.sight import Seat
from projections import inbox
from services import commands, rotation, tokens
from services.api.edge import (
    Expected,
    TheBearer,
    TheCommand,
    TheDesk,
    TheMatch,
    at_tag,
    body,
)
from services.api.matches import HOSTED, reply
from services.api.schema import COMMANDED, VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.shapes import Accepted, Join
from services.tokens import Bearer
from services.vault import Grant

router = APIRouter(tags=["seats"])

PAGE, PAGES = 250, 8
"""How far back the matches of a player are counted."""

SeatPath = Annotated[int, Path(ge=0, le=99, description="The seat's number.")]


@router.post(
    "/v1/matches/{match}/seats",
    **spec(
        summary="Join: sit down on a seat, or take over an empty or resigned one",
        body=Join,
        reply=Accepted,
        status=201,
        problems=(
            *COMMANDED,
            "unknown_match",
            "wrong_match",
            "not_seated",
            "match_over",
            "no_such_seat",
            "seat_taken",
            "no_open_seat",
            "already_seated",
            "too_many_matches",
            "match_too_long",
            "bad_entropy",
            "token_rotated",
            "version_mismatch",
        ),
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def join(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    command: TheCommand,
    expected: Expected,
    wish: Annotated[Join, Depends(body(Join))],
) -> Response:
    live = await desk.load(match)
    tokens.viewer(bearer, live.table)
    key = live.table.match.key
    player = bearer.grant.player if bearer.grant.scope == "player" else ""
    if player and command not in live.ids:
        await _few(desk, player, match, command)
    player = player or desk.tokens.anonymous(key, match, command)

    async def grant(events: Sequence[Any]) -> None:
        seat = events[0].seat
        token = desk.tokens.derived("play", key, match, seat, command, 0)
        await desk.tokens.give(token, Grant("play", match, seat, player))

    made = commands.join(command, wish.seat, player, wish.entropy)._replace(prepare=grant)
    outcome = await desk.submit(match, made.checked(await at_tag(desk, match, expected)))
    seat: Seat = outcome.commit.events[0].seat
    if outcome.live.sat.get(seat) != command:
        raise Refused("not_seated", f"somebody else has taken seat {seat} since")
    token = await rotation.first(desk, outcome.live, "play", seat)
    sitter = Bearer("", Grant("play", match, seat, player))
    return reply(desk, sitter, outcome, 201, seat=seat, player=player, token=token)


async def _few(desk: Desk, player: str, match: str, command: bytes) -> None:
    """Raises Refused(`too_many_matches`), unless the command has been accepted already."""
    most, going, after = desk.settings.player_matches, 0, ""
    for _ in range(PAGES):
        with translated():
            page = await inbox.matches_of(desk.cells, player, after, PAGE)
        going += sum(item.status != "over" for item in page.items)
        after = page.after
        if going >= most or not after:
            break
    if going >= most and command not in (await desk.newest(match)).ids:
        why = f"you sit in {most} matches that are not over; play or resign some first"
        raise Refused("too_many_matches", why)


@router.delete(
    "/v1/matches/{match}/seats/me",
    **spec(
        summary="Leave the seat",
        reply=Accepted,
        problems=(*HOSTED, "not_seated", "seat_open", "version_mismatch"),
        headers=VERSION_HEADERS,
    ),
)
async def leave(
    desk: TheDesk, bearer: TheBearer, match: TheMatch, command: TheCommand, expected: Expected
) -> Response:
    seat = tokens.playing(bearer, match)
    check = commands.still_seated(seat, bearer.grant.player)
    stands = await at_tag(desk, match, expected)
    made = commands.leave(command, seat).checked(check).checked(stands)
    return reply(desk, Bearer("", Grant("view", match)), await desk.submit(match, made))


@router.delete(
    "/v1/matches/{match}/seats/{seat}",
    **spec(
        summary="Kick: the host empties a seat",
        reply=Accepted,
        problems=(*HOSTED, "no_such_seat", "seat_open", "version_mismatch"),
        headers=VERSION_HEADERS,
    ),
)
async def kick(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    seat: SeatPath,
    command: TheCommand,
    expected: Expected,
) -> Response:
    tokens.hosting(bearer, match)
    made = commands.kick(command, seat).checked(await at_tag(desk, match, expected))
    return reply(desk, bearer, await desk.submit(match, made))


@router.post(
    "/v1/matches/{match}/seats/{seat}/bot",
    **spec(
        summary="The host gives an empty or resigned seat to a bot",
        reply=Accepted,
        problems=(*HOSTED, "no_such_seat", "seat_taken", "version_mismatch"),
        headers=VERSION_HEADERS,
    ),
)
async def seat_bot(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    seat: SeatPath,
    command: TheCommand,
    expected: Expected,
) -> Response:
    tokens.hosting(bearer, match)
    made = commands.seat_bot(command, seat).checked(await at_tag(desk, match, expected))
    return reply(desk, bearer, await desk.submit(match, made))
