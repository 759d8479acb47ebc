"""Matches: made, started, ended, and what a host does with them."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from structlog.contextvars import bind_contextvars

from games import catalog
from games.dice import commitment
from games.game import Game
from games.rules import Refused
from services import commands, ids, rotation, tokens, told
from services.api.edge import (
    Expected,
    Json,
    TheBearer,
    TheCommand,
    TheDesk,
    TheMatch,
    accepted,
    address,
    at_tag,
    body,
    tagged,
)
from services.api.schema import COMMANDED, VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.limits import admit
from services.live import Outcome
from services.shapes import Accepted, Made, NewMatch
from services.tokens import Bearer
from services.vault import Grant

router = APIRouter(tags=["matches"])

CREATED = (
    *COMMANDED,
    "unknown_game",
    "unknown_edition",
    "bad_option",
    "bad_seats",
    "token_rotated",
)
HOSTED = (*COMMANDED, "unknown_match", "token_required", "wrong_scope", "wrong_match", "match_over")


@router.post(
    "/v1/matches",
    **spec(
        summary="Create a match",
        body=NewMatch,
        reply=Made,
        status=201,
        problems=CREATED,
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def create(
    request: Request,
    desk: TheDesk,
    bearer: TheBearer,
    command: TheCommand,
    new: Annotated[NewMatch, Depends(body(NewMatch))],
) -> Response:
    limited(request, desk, bearer)
    game, options = checked(new)
    outcome, host, watch = await created(desk, bearer, command, new, game, options)
    return made_reply(outcome, host, watch)


def limited(request: Request, desk: Desk, bearer: Bearer) -> None:
    """Raises Refused(`too_many_requests`) where too many matches are made."""
    limit = desk.limits["create"]
    standing = limit.take(bearer.grant.player or address(request.scope))
    if standing is not None:
        admit(limit, standing)


def made_reply(outcome: Outcome, host: str, watch: str) -> Response:
    live, table = outcome.live, outcome.table
    view = told.view_after(outcome, "spectator")
    head = outcome.entry.head.hex()
    made = Made(live.id, table.version, head, outcome.again, host, watch, view)
    headers = {**tagged(table.version, outcome.entry.head), "location": f"/v1/matches/{live.id}"}
    if outcome.again:
        headers["idempotent-replayed"] = "true"
    return Json(made, 201, headers)


def checked(new: NewMatch) -> tuple[Game, dict[str, Any]]:
    """The game and its options in full. Raises Refused."""
    game = catalog.find(new.game, new.edition)
    game.checked_seats(new.seats)
    options = game.checked_options(new.options)
    game.start(new.seats, options)
    return game, dict(msgspec.to_builtins(options))


async def created(
    desk: Desk,
    bearer: Bearer,
    command: bytes,
    new: NewMatch,
    game: Game,
    options: dict[str, Any],
) -> tuple[Outcome, str, str]:
    """The outcome, the host's token and the watchers'. Raises Refused."""
    claim = sha256(bearer.grant.player.encode() + b"\0" + command).hexdigest()
    with translated():
        match = await desk.vault.claim(claim, ids.match_id(desk.matches.clock()))
        known = await desk.matches.load(match) if await desk.store.meta(match) else None
    key = known.table.match.key if known else desk.keys.current
    seed = desk.keys.seed(key, match)
    made = commands.create(
        command,
        match,
        game,
        new.seats,
        options,
        key,
        commitment(seed),
        new.reveal,
        new.listed,
        new.undo,
        new.undo_window,
        new.delay,
    )

    async def grant(events: Any) -> None:
        for scope in rotation.OF_THE_MATCH:
            token = desk.tokens.derived(scope, key, match, None, command, 0)
            await desk.tokens.give(token, Grant(scope, match))

    made = made._replace(prepare=grant)
    bind_contextvars(match=match, command=made.shown)
    with translated():
        outcome = await desk.matches.create(match, made, game)
    desk.count(outcome)
    host = await rotation.first(desk, outcome.live, "host")
    return outcome, host, await rotation.first(desk, outcome.live, "view")


def reply(desk: Desk, bearer: Bearer, outcome: Outcome, status: int = 200, **more: Any) -> Response:
    """The commit and the view as the bearer may see them after it."""
    viewer = desk.viewer(bearer, outcome.table)
    content = Accepted(
        outcome.commit.version,
        outcome.entry.head.hex(),
        outcome.again,
        told.outcome(outcome, viewer),
        told.view_after(outcome, viewer),
        outcome.reverted,
        **more,
    )
    return accepted(outcome, content, status)


@router.post(
    "/v1/matches/{match}/start",
    **spec(
        summary="Start the match",
        reply=Accepted,
        problems=(*HOSTED, "already_started", "seats_open", "bad_option", "version_mismatch"),
        headers=VERSION_HEADERS,
    ),
)
async def start(
    desk: TheDesk, bearer: TheBearer, match: TheMatch, command: TheCommand, expected: Expected
) -> Response:
    tokens.hosting(bearer, match)
    made = commands.start(command).checked(await at_tag(desk, match, expected))
    return reply(desk, bearer, await desk.submit(match, made))


@router.post(
    "/v1/matches/{match}/abort",
    **spec(
        summary="End the match without a result",
        reply=Accepted,
        problems=HOSTED,
        headers=VERSION_HEADERS,
    ),
)
async def abort(desk: TheDesk, bearer: TheBearer, match: TheMatch, command: TheCommand) -> Response:
    tokens.hosting(bearer, match)
    by: Any = "admin" if bearer.grant.scope == "admin" else "host"
    return reply(desk, bearer, await desk.submit(match, commands.abort(command, by, "aborted")))


@router.post(
    "/v1/matches/{match}/resign",
    **spec(
        summary="Give the seat up",
        reply=Accepted,
        problems=(*HOSTED, "not_seated", "not_started", "already_resigned", "seat_open"),
        headers=VERSION_HEADERS,
    ),
)
async def resign(
    desk: TheDesk, bearer: TheBearer, match: TheMatch, command: TheCommand
) -> Response:
    seat = tokens.playing(bearer, match)
    check = commands.still_seated(seat, bearer.grant.player)
    outcome = await desk.submit(match, commands.resign(command, seat).checked(check))
    return reply(desk, bearer, outcome)


@router.post(
    "/v1/matches/{match}/rematch",
    **spec(
        summary="A new match of the same game, seats and options",
        reply=Made,
        status=201,
        problems=(
            *CREATED,
            "unknown_match",
            "token_required",
            "wrong_scope",
            "wrong_match",
            "not_over",
        ),
        headers=VERSION_HEADERS,
    ),
)
async def rematch(
    request: Request, desk: TheDesk, bearer: TheBearer, match: TheMatch, command: TheCommand
) -> Response:
    tokens.hosting(bearer, match)
    live = await desk.newest(match)
    if live.table.status != "over":
        raise Refused("not_over", "the match is not over yet; abort it first")
    old = live.table.match
    how = (old.listed, old.reveal, old.undo, old.undo_window, old.delay)
    new = NewMatch(old.game, len(old.seats), old.options, old.edition, *how)
    return await create(request, desk, bearer, command, new)
