"""The feed of all matches, for auditors and pipelines."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from services import accesses, cursors
from services.api.edge import TheBearer, TheDesk
from services.api.schema import either, spec
from services.desk import translated
from services.feed import Places
from services.feed_lines import Line, Untold
from services.tokens import scoped

router = APIRouter(tags=["feed"])

NDJSON = "application/x-ndjson"


class End(msgspec.Struct, frozen=True):
    """The last line of a page: where the next one begins, and whether it has anything yet."""

    next: str
    more: bool


@router.get(
    "/v1/feed",
    **spec(
        summary="Every commit of every match, as JSON lines; the last line says where to go on",
        media=NDJSON,
        problems=("bad_cursor", "token_required", "wrong_scope"),
        also={
            200: {
                "description": "Successful. Each line is one of these: a commit; commits of one "
                "match that cannot be told, with the problem that keeps them; and last of all the "
                "end of the page.",
                "content": {NDJSON: {"schema": either("FeedLine", Line, Untold, End)}},
            }
        },
    ),
)
async def show_feed(
    request: Request,
    desk: TheDesk,
    bearer: TheBearer,
    after: Annotated[str, Query(max_length=200_000, description="`next` of the page before.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000, description="About so many commits.")] = 200,
) -> Response:
    scoped(bearer, "audit")
    places = cursors.opened(after, Places) if after else {}
    with translated():
        items, places, more = await desk.feed.page(places, limit)
    shown = {item.match for item in items if isinstance(item, Line)}
    await accesses.record_feed(desk, bearer, shown)
    following = cursors.sealed(places)
    content = b"".join(msgspec.json.encode(item) + b"\n" for item in items)
    content += msgspec.json.encode(End(following, more)) + b"\n"
    link = f'<{request.url.path}?{urlencode({"after": following, "limit": limit})}>; rel="next"'
    headers = {"cache-control": "no-store", "link": link}
    return Response(content, 200, headers, NDJSON)
