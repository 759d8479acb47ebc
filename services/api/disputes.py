"""Disputes: opened by a seat, noted and ruled on by referees, appealed against, looked up."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response

from games.rules import Refused
from projections import disputes as queue
from services import accesses, commands, cursors, disputes, hearing, tokens
from services.api.edge import (
    Json,
    TheBearer,
    TheCommand,
    TheDesk,
    TheMatch,
    accepted,
    body,
    tagged,
)
from services.api.lists import After, Limit, linked
from services.api.schema import COMMANDED, VERSION_HEADERS, spec
from services.commands import Command
from services.desk import Desk, translated
from services.dispute_shapes import (
    Appeal,
    Claim,
    DisputeCase,
    Disputed,
    DisputeQueue,
    MatchDisputes,
    Note,
    Verdict,
)
from services.disputes import Saying
from services.live import Live
from services.shapes import Done
from services.tokens import Bearer
from services.vault import Scope

router = APIRouter(tags=["disputes"])

REFEREES: tuple[Scope, ...] = ("audit", "admin")
READ = ("unknown_match", "wrong_match", "not_seated")
WRITTEN = (*COMMANDED, *READ, "token_required", "wrong_scope")
RULED = (*WRITTEN, "no_such_dispute")

Number = Annotated[int, Path(ge=1, le=99, description="The dispute's number in its match.")]


@router.post(
    "/v1/matches/{match}/disputes",
    **spec(
        summary="Dispute what happened at some steps: a seat's claim",
        body=Claim,
        reply=Disputed,
        status=201,
        problems=(*WRITTEN, "not_started", "too_many_disputes", "no_such_step"),
        headers=VERSION_HEADERS,
    ),
)
async def open_dispute(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    command: TheCommand,
    claim: Annotated[Claim, Depends(body(Claim))],
) -> Response:
    seat = tokens.playing(bearer, match)
    live = await desk.newest(match)
    with translated():
        await hearing.check_steps(desk, live, claim.steps)
    made = saying(desk, live).claim(command, seat, tuple(claim.steps), claim.text)
    made = made.checked(commands.still_seated(seat, bearer.grant.player))
    return await _submitted(desk, bearer, match, made, 0, 201)


@router.post(
    "/v1/matches/{match}/disputes/{number}/notes",
    **spec(
        summary="A referee notes something, for referees to read",
        body=Note,
        reply=Disputed,
        status=201,
        problems=RULED,
        headers=VERSION_HEADERS,
    ),
)
async def note(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    number: Number,
    command: TheCommand,
    note: Annotated[Note, Depends(body(Note))],
) -> Response:
    live, author = await _referee(desk, bearer, match)
    made = saying(desk, live).note(command, number, author, note.text)
    return await _submitted(desk, bearer, match, made, number, 201)


@router.post(
    "/v1/matches/{match}/disputes/{number}/ruling",
    **spec(
        summary="A referee rules on it, and says what follows: another result, a seat, the end",
        body=Verdict,
        reply=Disputed,
        problems=(
            *RULED,
            "already_ruled",
            "not_over",
            "match_over",
            "bad_correction",
            "no_such_seat",
            "seat_open",
        ),
        headers=VERSION_HEADERS,
    ),
)
async def rule(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    number: Number,
    command: TheCommand,
    verdict: Annotated[Verdict, Depends(body(Verdict))],
) -> Response:
    live, author = await _referee(desk, bearer, match)
    made = saying(desk, live).ruling(
        command,
        number,
        author,
        verdict.upheld,
        verdict.reason,
        _seats(verdict.winners),
        _seats(verdict.scores),
        verdict.vacate,
        _seats(verdict.end),
    )
    return await _submitted(desk, bearer, match, made, number)


@router.post(
    "/v1/matches/{match}/disputes/{number}/appeal",
    **spec(
        summary="A seat appeals against the ruling: the dispute waits for a referee again",
        body=Appeal,
        reply=Disputed,
        problems=(*RULED, "not_ruled"),
        headers=VERSION_HEADERS,
    ),
)
async def appeal(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    number: Number,
    command: TheCommand,
    appeal: Annotated[Appeal, Depends(body(Appeal))],
) -> Response:
    seat = tokens.playing(bearer, match)
    live = await desk.newest(match)
    made = saying(desk, live).appeal(command, number, seat, appeal.text)
    made = made.checked(commands.still_seated(seat, bearer.grant.player))
    return await _submitted(desk, bearer, match, made, number)


@router.get(
    "/v1/matches/{match}/disputes",
    **spec(
        summary="The disputes of a match, with the words that the bearer may read",
        reply=MatchDisputes,
        problems=READ,
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def list_disputes(desk: TheDesk, bearer: TheBearer, match: TheMatch) -> Response:
    live = await desk.newest(match)
    found = await _cases(desk, bearer, live)
    waits = any(case.state != "ruled" for case in found)
    return Json(MatchDisputes(waits, found), headers=tagged(_reach(desk, bearer, live)))


@router.get(
    "/v1/matches/{match}/disputes/{number}",
    **spec(
        summary="One dispute, with the words that the bearer may read",
        reply=DisputeCase,
        problems=(*READ, "no_such_dispute"),
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def show_dispute(
    desk: TheDesk, bearer: TheBearer, match: TheMatch, number: Number
) -> Response:
    live = await desk.newest(match)
    found = await _cases(desk, bearer, live)
    return Json(_numbered(found, number), headers=tagged(_reach(desk, bearer, live)))


@router.delete(
    "/v1/matches/{match}/disputes/{number}/texts/{version}",
    **spec(
        summary="Forget the words that were said in this version: the log still proves the rest",
        reply=Done,
        problems=("unknown_match", "token_required", "wrong_scope", "no_such_dispute"),
    ),
)
async def forget(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    number: Number,
    version: Annotated[int, Path(ge=1, le=2**53, description="The version it was said in.")],
) -> Response:
    tokens.scoped(bearer, "admin")
    live = await desk.newest(match)
    said = _numbered(await _cases(desk, bearer, live), number).said
    for word in said:
        if word.version == version:
            with translated():
                await desk.vault.forget_text(match, word.sha256)
            return Json(Done(), headers={"cache-control": "no-store"})
    raise Refused("no_such_dispute", f"nothing was said in version {version} of that dispute")


@router.get(
    "/v1/disputes",
    **spec(
        summary="The referees' queue: disputes of all matches, the oldest first",
        reply=DisputeQueue,
        problems=("bad_cursor", "token_required", "wrong_scope"),
    ),
)
async def list_queue(
    request: Request,
    desk: TheDesk,
    bearer: TheBearer,
    state: Annotated[
        queue.State | None,
        Query(description="`open` are all that wait for a ruling, those appealed against too."),
    ] = None,
    after: After = "",
    limit: Limit = 50,
) -> Response:
    tokens.scoped(bearer, *REFEREES)
    position = cursors.opened(after, str) if after else ""
    with translated():
        page = await queue.waiting(desk.store, state, position, limit)
    following, headers = linked(request, page.after)
    return Json(DisputeQueue(page.items, following), headers=headers)


def saying(desk: Desk, live: Live) -> Saying:
    return Saying(desk.vault, desk.keys, live.table.match.key, live.id)


def _seats(given: list[Any] | None) -> tuple[Any, ...] | None:
    return None if given is None else tuple(given)


async def _referee(desk: Desk, bearer: Bearer, match: str) -> tuple[Live, str]:
    """The match, and who the bearer is in its log. Raises Refused."""
    tokens.scoped(bearer, *REFEREES)
    live = await desk.newest(match)
    with translated():
        return live, disputes.author(desk.keys, live.table.match.key, bearer.digest)


async def _submitted(
    desk: Desk, bearer: Bearer, match: str, made: Command, number: int, status: int = 200
) -> Response:
    """`number` 0 is the dispute that the command opened."""
    outcome = await desk.submit(match, made)
    number = number or len(outcome.table.match.disputes)
    found = _numbered(await _cases(desk, bearer, outcome.live), number)
    head = outcome.entry.head.hex()
    told = Disputed(outcome.commit.version, head, outcome.again, found)
    return accepted(outcome, told, status)


async def _cases(desk: Desk, bearer: Bearer, live: Live) -> list[DisputeCase]:
    with translated():
        viewer = desk.viewer(bearer, live.table)
        referee = bearer.grant.scope in REFEREES
        if live.table.match.disputes:
            await accesses.record(desk, bearer, live.id, "disputes")
        return await hearing.heard(desk, live, viewer, referee)


def _reach(desk: Desk, bearer: Bearer, live: Live) -> int:
    if bearer.grant.scope in REFEREES:
        return live.version
    return live.reach(desk.viewer(bearer, live.table))


def _numbered(found: list[DisputeCase], number: int) -> DisputeCase:
    if number > len(found):
        raise Refused("no_such_dispute", f"this match has {len(found)} disputes")
    return found[number - 1]
