"""The feed of all matches, for auditors and pipelines."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from services import accesses, cursors
from services.api.edge import TheBearer, TheDesk
from services.api.schema import spec
from services.desk import translated
from services.feed import Places
from services.tokens import scoped

router = APIRouter(tags=["feed"])


class End(msgspec.Struct, frozen=True):
    """The last line of a page: where the next one begins, and whether it has anything yet."""

    next: str
    more: bool


@router.get(
    "/v1/feed",
    **spec(
        summary="Every commit of every match, as JSON lines; the last line says where to go on",
        media="application/x-ndjson",
        problems=("bad_cursor", "token_required", "wrong_scope"),
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
        lines, places, more = await desk.feed.page(places, limit)
    await accesses.record_feed(desk, bearer, {line.match for line in lines})
    following = cursors.sealed(places)
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    content += msgspec.json.encode(End(following, more)) + b"\n"
    link = f'<{request.url.path}?{urlencode({"after": following, "limit": limit})}>; rel="next"'
    headers = {"cache-control": "no-store", "link": link}
    return Response(content, 200, headers, "application/x-ndjson")
