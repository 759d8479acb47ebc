"""Disputes: opened by a seat, noted and ruled on by referees, appealed against; words forgotten."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from fastapi.responses import Response

from services import commands, disputes, hearing, tokens
from services.api.cases import READ, REFEREES, Number, heard, numbered
from services.api.edge import TheBearer, TheCommand, TheDesk, TheMatch, accepted, body
from services.api.schema import COMMANDED, VERSION_HEADERS, spec
from services.commands import Command
from services.desk import Desk, translated
from services.dispute_shapes import Appeal, Claim, DisputeCase, Disputed, Note, Verdict
from services.disputes import Saying
from services.live import Live, Outcome
from services.tokens import Bearer

router = APIRouter(tags=["disputes"])

WRITTEN = (*COMMANDED, *READ, "token_required", "wrong_scope")
RULED = (*WRITTEN, "no_such_dispute")


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
    steps = tuple(dict.fromkeys(claim.steps))
    made = saying(desk, live).claim(command, seat, steps, claim.text)
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


@router.delete(
    "/v1/matches/{match}/disputes/{number}/texts/{version}",
    **spec(
        summary="Have the words forgotten that were said in this version: the log says so, and "
        "still proves the rest",
        reply=Disputed,
        problems=(
            *("unknown_match", "token_required", "wrong_scope", "no_such_dispute", "dispute_open"),
            *("busy", "unconfirmed"),
        ),
        headers=VERSION_HEADERS,
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
    live, author = await _referee(desk, bearer, match)
    with translated():
        made = disputes.removal(desk.keys, live, number, version, author)
    outcome = await desk.submit(match, made)
    case = numbered(await heard(desk, bearer, outcome.live), number)
    (mark,) = [word.sha256 for word in case.said if word.version == version]
    with translated():
        await desk.vault.forget_text(match, mark)
    return _told(outcome, case)


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
    found = await heard(desk, bearer, outcome.live)
    number = number or len(outcome.table.match.disputes)
    return _told(outcome, numbered(found, number), status)


def _told(outcome: Outcome, case: DisputeCase, status: int = 200) -> Response:
    head = outcome.entry.head.hex()
    told = Disputed(outcome.commit.version, head, outcome.again, case)
    return accepted(outcome, told, status)
