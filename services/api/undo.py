"""Undo: what it costs, asked for, agreed to, declined; and a referee's."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from games import undo
from games.rules import Refused
from services import accesses, commands, disputes, tokens, undoing
from services.api.edge import (
    Expected,
    Json,
    TheBearer,
    TheCommand,
    TheDesk,
    TheMatch,
    at_tag,
    body,
    tagged,
)
from services.api.matches import HOSTED, reply
from services.api.schema import COMMANDED, VERSION_HEADERS, spec
from services.commands import Command
from services.desk import Desk, translated
from services.shapes import Accepted, AskUndo, Leave, Revert, UndoQuote
from services.tokens import Bearer

router = APIRouter(tags=["undo"])

SEATED = ("unknown_match", "token_required", "wrong_scope", "wrong_match", "not_seated")
STEPS = ("match_over", "match_closed", "not_started", "no_such_step", "no_such_seat", "undo_never")
ANSWERED = (*COMMANDED, *SEATED, "undone_since", "no_undo", "not_asked")


@router.get(
    "/v1/matches/{match}/undo",
    **spec(
        summary="What it would cost the seat to go back to a version",
        reply=UndoQuote,
        problems=(*SEATED, *STEPS),
        headers=VERSION_HEADERS,
    ),
)
async def quote(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    to: Annotated[int, Query(ge=1, le=2**53, description="The version to go back to.")],
) -> Response:
    seat = tokens.playing(bearer, match)
    live = await desk.newest(match)
    desk.viewer(bearer, live.table)
    past = await desk.past(live)
    table = past.tables[-1]
    price, needs = undo.quote(table, past.commits, seat, to)
    referee = price.kind == "referee"
    shown = UndoQuote(
        table.version,
        to,
        price.kind,
        sorted(price.seats),
        [] if referee else list(needs),
        not referee and not needs,
    )
    return Json(shown, headers=tagged(table.version, past.entries[-1].head, seat))


@router.post(
    "/v1/matches/{match}/undo",
    **spec(
        summary="Ask to go back to a version; granted at once where nobody has to agree",
        body=AskUndo,
        reply=Accepted,
        problems=(*ANSWERED, *STEPS, "undo_pending", "undo_referee"),
        headers=VERSION_HEADERS,
    ),
)
async def ask(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    command: TheCommand,
    wish: Annotated[AskUndo, Depends(body(AskUndo))],
) -> Response:
    seat = tokens.playing(bearer, match)
    return await _seats(desk, bearer, match, undoing.ask(command, seat, wish.to, wish.seen))


@router.post(
    "/v1/matches/{match}/undo/agree",
    **spec(
        summary="Agree to the undo that is asked for; the last who has to grants it",
        body=Leave,
        reply=Accepted,
        problems=ANSWERED,
        headers=VERSION_HEADERS,
    ),
)
async def agree(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    command: TheCommand,
    leave: Annotated[Leave, Depends(body(Leave))],
) -> Response:
    seat = tokens.playing(bearer, match)
    return await _seats(desk, bearer, match, undoing.agree(command, seat, leave.seen))


@router.post(
    "/v1/matches/{match}/undo/decline",
    **spec(
        summary="Decline the undo that is asked for, or withdraw one's own",
        body=Leave,
        reply=Accepted,
        problems=ANSWERED,
        headers=VERSION_HEADERS,
    ),
)
async def decline(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    command: TheCommand,
    leave: Annotated[Leave, Depends(body(Leave))],
) -> Response:
    seat = tokens.playing(bearer, match)
    return await _seats(desk, bearer, match, undoing.decline(command, seat, leave.seen))


async def _seats(desk: Desk, bearer: Bearer, match: str, made: Command) -> Response:
    """What a seat sends, as long as its bearer sits there. Raises Refused."""
    assert isinstance(made.by, int)
    check = commands.still_seated(made.by, bearer.grant.player)
    try:
        outcome = await desk.submit(match, made.checked(check))
    except Refused as refused:
        live = desk.matches.known(match)
        if live is not None:
            refused.detail.setdefault("current_version", live.version)
        raise
    return reply(desk, bearer, outcome)


@router.post(
    "/v1/matches/{match}/revert",
    **spec(
        summary="A referee takes back what happened after a version: nobody is asked",
        body=Revert,
        reply=Accepted,
        problems=(*HOSTED, *STEPS, "version_mismatch"),
        headers=VERSION_HEADERS,
    ),
)
async def revert(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    command: TheCommand,
    expected: Expected,
    wish: Annotated[Revert, Depends(body(Revert))],
) -> Response:
    tokens.scoped(bearer, "audit", "admin")
    live = await desk.load(match)
    with translated():
        author = disputes.author(desk.keys, live.table.match.key, bearer.digest)
    made = undoing.revert(command, wish.to, author, wish.reason)
    made = made.checked(await at_tag(desk, match, expected))
    await accesses.record(desk, bearer, match, "view")
    return reply(desk, bearer, await desk.submit(match, made))
