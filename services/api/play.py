"""The view of the bearer, and waiting for a newer one."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Query
from fastapi.responses import Response
from structlog.contextvars import bind_contextvars

from games.rules import Refused
from services import accesses, told
from services.api.edge import Tag, TheBearer, TheDesk, TheMatch, tag_of, tagged
from services.api.schema import VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.live import Live
from services.projected import Seen, projected
from services.shapes import View
from services.tokens import Bearer

router = APIRouter(tags=["play"])

Wait = Annotated[
    float, Query(ge=0, le=25, description="Seconds to wait for something newer than is known.")
]
AtLeast = Annotated[int, Query(ge=0, le=2**53, description="The version that the caller has seen.")]
Known = Annotated[
    str | None,
    Header(description='The `ETag` that the caller has; its version alone, `"12"`, is taken too.'),
]


@router.get(
    "/v1/matches/{match}",
    **spec(
        summary="The match as the bearer may see it",
        reply=View,
        problems=("unknown_match", "wrong_match", "not_seated", "version_ahead"),
        open_to_all=True,
        headers=VERSION_HEADERS,
        also={304: {"description": "Nothing newer than `If-None-Match`."}},
    ),
)
async def show(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    wait: Wait = 0,
    at_least: AtLeast = 0,
    if_none_match: Known = None,
) -> Response:
    has = tag_of(if_none_match, "If-None-Match") or Tag(0)
    if wait:
        await _wait(desk, bearer, match, has, at_least, wait)
    await accesses.record(desk, bearer, match, "view")
    version, head, viewer, view = await seen(desk, bearer, match, max(has.version, at_least))
    if version < at_least:
        raise Refused(
            "version_ahead",
            f"the match stands at version {version}, not yet at {at_least}",
            current_version=version,
        )
    bind_contextvars(version=version)
    headers = tagged(version, head, viewer)
    if has.seen_by(viewer) and has.fits(Tag.of(version, head)):
        return Response(status_code=304, headers=headers)
    return Response(view, 200, headers, "application/json")


async def _wait(
    desk: Desk, bearer: Bearer, match: str, has: Tag, at_least: int, seconds: float
) -> None:
    """Until the match has moved on, or stands no more where the caller saw it; not at all where the
    caller saw it through other eyes. Raises Refused."""
    live = await desk.load(match)
    try:
        viewer = desk.viewer(bearer, live.table)
    except Refused:
        # Who may not look, as far as this process knows, may have sat down by another one.
        live = await desk.newest(match)
        viewer = desk.viewer(bearer, live.table)
    if not has.seen_by(viewer):
        return
    version = max(at_least, has.version + 1)

    def news(live: Live) -> bool:
        stands = live.shown(viewer).entry
        lost = stands.version <= has.version and not has.fits(Tag.of(stands.version, stands.head))
        return stands.version >= version or bool(has.head and lost)

    if live.reach(viewer) < version and not desk.draining:
        seconds = min(seconds, desk.settings.wait_limit)
        with translated():
            await desk.hub.until(match, news, seconds)


async def seen(desk: Desk, bearer: Bearer, match: str, need: int) -> Seen:
    """The view. Raises Refused.

    What this process has in memory it brings up to date; of other matches it reads the projection,
    if that has come as far as the caller has seen, and else it folds the log itself.
    """
    if desk.matches.known(match) is None:
        with translated():
            made = await projected(desk.cells, match, bearer, need)
        if made is not None:
            desk.metrics.views.labels("projection").inc()
            return made
    live = await desk.newest(match)
    desk.metrics.views.labels("log").inc()
    viewer = desk.viewer(bearer, live.table)
    now = live.shown(viewer)
    view = told.view(now.table, now.entry.head, viewer)
    return Seen(now.table.version, now.entry.head, viewer, msgspec.json.encode(view))
