"""Disputes looked up: those of a match, the referees' queue."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from games.rules import Refused
from games.sight import Viewer
from projections import disputes as queue
from services import accesses, cursors, hearing, tokens
from services.api.edge import Json, TheBearer, TheDesk, TheMatch, tagged
from services.api.lists import After, Limit, linked
from services.api.schema import VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.dispute_shapes import DisputeCase, DisputeQueue, MatchDisputes
from services.live import Live
from services.tokens import Bearer
from services.vault import Scope

router = APIRouter(tags=["disputes"])

REFEREES: tuple[Scope, ...] = ("audit", "admin")
READ = ("unknown_match", "wrong_match", "not_seated")

Number = Annotated[int, Path(ge=1, le=99, description="The dispute's number in its match.")]


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
    found = await heard(desk, bearer, live)
    waits = any(case.state != "ruled" for case in found)
    return Json(MatchDisputes(waits, found), headers=_tagged(desk, bearer, live))


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
    found = await heard(desk, bearer, live)
    return Json(numbered(found, number), headers=_tagged(desk, bearer, live))


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
        page = await queue.waiting(desk.cells, state, position, limit)
    following, headers = linked(request, page.after)
    return Json(DisputeQueue(page.items, following), headers=headers)


async def heard(desk: Desk, bearer: Bearer, live: Live) -> list[DisputeCase]:
    """The disputes as the bearer may hear them; an auditor's look is recorded. Raises Refused."""
    with translated():
        viewer = desk.viewer(bearer, live.table)
        referee = bearer.grant.scope in REFEREES
        if live.table.match.disputes:
            await accesses.record(desk, bearer, live.id, "disputes")
        return await hearing.heard(desk, live, viewer, referee)


def _tagged(desk: Desk, bearer: Bearer, live: Live) -> dict[str, str]:
    referee = bearer.grant.scope in REFEREES
    viewer: Viewer = "auditor" if referee else desk.viewer(bearer, live.table)
    seen = live.shown(viewer).entry
    return tagged(seen.version, seen.head, viewer)


def numbered(found: list[DisputeCase], number: int) -> DisputeCase:
    """Raises Refused(`no_such_dispute`)."""
    if number > len(found):
        raise Refused("no_such_dispute", f"this match has {len(found)} disputes")
    return found[number - 1]
