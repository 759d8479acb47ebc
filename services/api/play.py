"""The view of the bearer, and waiting for a newer one."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Query
from fastapi.responses import Response
from structlog.contextvars import bind_contextvars

from games.rules import Refused
from services import accesses, told
from services.api.edge import (
    TheBearer,
    TheDesk,
    TheMatch,
    tagged,
    version_of,
)
from services.api.schema import VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.projected import projected
from services.shapes import View
from services.tokens import Bearer

router = APIRouter(tags=["play"])

Wait = Annotated[
    float, Query(ge=0, le=25, description="Seconds to wait for something newer than is known.")
]
AtLeast = Annotated[int, Query(ge=0, le=2**53, description="The version that the caller has seen.")]
Tag = Annotated[str | None, Header(description='The version that the caller has: `"12"`.')]


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
    if_none_match: Tag = None,
) -> Response:
    has = version_of(if_none_match, "If-None-Match") or 0
    if wait:
        await _wait(desk, bearer, match, max(at_least, has + 1), wait)
    await accesses.record(desk, bearer, match, "view")
    version, view = await seen(desk, bearer, match, max(has, at_least))
    if version < at_least:
        raise Refused(
            "version_ahead",
            f"the match stands at version {version}, not yet at {at_least}",
            current_version=version,
        )
    bind_contextvars(version=version)
    if version == has:
        return Response(status_code=304, headers=tagged(version))
    return Response(view, 200, tagged(version), "application/json")


async def _wait(desk: Desk, bearer: Bearer, match: str, version: int, seconds: float) -> None:
    """Until the match has come so far. Raises Refused."""
    live = await desk.load(match)
    try:
        viewer = desk.viewer(bearer, live.table)
    except Refused:
        # Who may not look, as far as this process knows, may have sat down by another one.
        live = await desk.newest(match)
        viewer = desk.viewer(bearer, live.table)
    if live.reach(viewer) < version and not desk.draining:
        seconds = min(seconds, desk.settings.wait_limit)
        with translated():
            await desk.hub.until(match, lambda live: live.reach(viewer) >= version, seconds)


async def seen(desk: Desk, bearer: Bearer, match: str, need: int) -> tuple[int, bytes]:
    """The version and the view, encoded. Raises Refused.

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
    return now.table.version, msgspec.json.encode(told.view(now.table, now.entry.head, viewer))
