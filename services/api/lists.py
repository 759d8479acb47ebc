"""Lists of matches, and a player's inbox: read from the projections, a moment behind the logs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from projections import inbox, lobby, summary
from projections.summary import Summary
from services import cursors
from services.api.edge import Json, TheBearer, TheDesk
from services.api.schema import spec
from services.desk import Desk, translated
from services.shapes import Inbox, Listing
from services.tokens import scoped

router = APIRouter(tags=["lists"])

Limit = Annotated[int, Query(ge=1, le=100, description="Items of a page.")]
LOOKED = 10
"""Pages looked through for one reply: where filters leave little, the reply is short."""

After = Annotated[str, Query(max_length=500, description="`next` of the page before.")]
Status = Annotated[
    Literal["lobby", "playing", "over"] | None, Query(description="Only those that are so.")
]


@router.get(
    "/v1/matches",
    **spec(
        summary="Matches that are for everybody, or one's own; the newest first",
        reply=Listing,
        problems=("bad_cursor", "token_required", "wrong_scope"),
        open_to_all=True,
    ),
)
async def list_matches(
    request: Request,
    desk: TheDesk,
    bearer: TheBearer,
    game: Annotated[str | None, Query(max_length=100, description="Only of this game.")] = None,
    status: Status = None,
    open: Annotated[bool, Query(description="Only those with a free seat.")] = False,
    mine: Annotated[bool, Query(description="Only those the player sits in.")] = False,
    after: After = "",
    limit: Limit = 50,
) -> Response:
    position = cursors.opened(after, str) if after else ""
    wanted = _Wanted(game, status, open)
    if mine:
        player = scoped(bearer, "player").player
    with translated():
        if mine:
            found, position = await _mine(desk, player, wanted, position, limit)
        else:
            found, position = await _listed(desk, wanted, position, limit)
    return _page(request, found, position)


class _Wanted:
    """The filters of a list."""

    def __init__(self, game: str | None, status: Status, open: bool) -> None:
        self.game = game
        self.status = status
        self.open = open

    def has(self, match: Summary) -> bool:
        return (
            self.game in (None, match.game)
            and self.status in (None, match.status)
            and (not self.open or (match.status != "over" and _free(match)))
        )


def _free(match: Summary) -> bool:
    return any(seat.kind == "open" or seat.resigned for seat in match.seats)


Found = tuple[list[Summary], str]


async def _listed(desk: Desk, wanted: _Wanted, after: str, limit: int) -> Found:
    """Filters that the listings don't know may leave a page short: then it goes on for a while."""
    found: list[Summary] = []
    for _ in range(LOOKED):
        rest = limit - len(found)
        page = await lobby.matches(desk.cells, wanted.status, wanted.game, after, rest)
        found += filter(wanted.has, page.matches)
        after = page.after
        if not after or len(found) == limit:
            break
    return found, after


async def _mine(desk: Desk, player: str, wanted: _Wanted, after: str, limit: int) -> Found:
    found: list[Summary] = []
    for _ in range(LOOKED):
        page = await inbox.matches_of(desk.cells, player, after, limit - len(found))
        told = await asyncio.gather(*(summary.summary(desk.cells, i.match) for i in page.items))
        found += [match for match in told if match is not None and wanted.has(match)]
        after = page.after
        if not after or len(found) == limit:
            break
    return found, after


def _page(request: Request, items: list[Summary], position: str) -> Response:
    following, headers = linked(request, position)
    return Json(Listing(items, following), headers=headers)


def linked(request: Request, position: str) -> tuple[str | None, dict[str, str]]:
    """The cursor of the next page, None at the end, and the headers of this one."""
    headers = {"cache-control": "private, no-cache", "vary": "Authorization"}
    if not position:
        return None, headers
    following = cursors.sealed(position)
    query = {**request.query_params, "after": following}
    headers["link"] = f'<{request.url.path}?{urlencode(query)}>; rel="next"'
    return following, headers


@router.get(
    "/v1/inbox",
    **spec(
        summary="The questions that wait for a player, the oldest first",
        reply=Inbox,
        problems=("bad_cursor", "token_required", "wrong_scope"),
    ),
)
async def show_inbox(
    desk: TheDesk, bearer: TheBearer, after: After = "", limit: Limit = 50
) -> Response:
    player = scoped(bearer, "player").player
    position = cursors.opened(after, str) if after else ""
    with translated():
        page = await inbox.waiting(desk.cells, player, position, limit)
    following = cursors.sealed(page.after) if page.after else None
    return Json(
        Inbox(page.items, following),
        headers={"cache-control": "private, no-cache", "vary": "Authorization"},
    )
