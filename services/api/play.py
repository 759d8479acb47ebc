"""Play: the view of the bearer, and answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response
from starlette.routing import Route
from structlog.contextvars import bind_contextvars

from games.rules import Refused
from services import accesses, commands, tokens, told
from services.api.edge import (
    TheBearer,
    TheDesk,
    TheMatch,
    bearer_of,
    checked_match,
    desk_of,
    tagged,
    version_of,
)
from services.api.matches import reply
from services.api.schema import COMMANDED, VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.inputs import checked_key, decoded
from services.projected import projected
from services.shapes import Accepted, Answering, View
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
            made = await projected(desk.store, match, bearer, need)
        if made is not None:
            desk.metrics.views.labels("projection").inc()
            return made
    live = await desk.newest(match)
    desk.metrics.views.labels("log").inc()
    viewer = desk.viewer(bearer, live.table)
    now = live.shown(viewer)
    return now.table.version, msgspec.json.encode(told.view(now.table, now.entry.head, viewer))


_answering = msgspec.json.Decoder(Answering)


async def answer(request: Request) -> Response:
    """The hot path: a Starlette route, since FastAPI's own work would double its price."""
    desk = desk_of(request)
    request.scope["route"] = ANSWER_ROUTE
    match = checked_match(request.path_params["match"])
    bearer = await bearer_of(request)
    seat = tokens.playing(bearer, match)
    headers = request.headers
    command = commands.command_id(checked_key(headers.get("idempotency-key")))
    sent = decoded(_answering, headers.get("content-type"), await request.body())
    made = commands.answer(command, seat, sent.question, sent.option, sent.seen)
    check = commands.still_seated(seat, bearer.grant.player)
    try:
        outcome = await desk.submit(match, made.checked(check))
    except Refused as refused:
        live = desk.matches.known(match)
        if live is not None:
            refused.detail.setdefault("current_version", live.version)
        raise
    return reply(desk, bearer, outcome)


_answers = re.compile(r"/v1/matches/([^/]+)/answers")


def hot(scope: MutableMapping[str, Any]) -> Callable[[Request], Awaitable[Response]] | None:
    """Answers go straight to their handler: finding the route costs more than the rules do."""
    if scope["method"] != "POST":
        return None
    path = _answers.fullmatch(scope["path"])
    if path is None:
        return None
    scope["path_params"] = {"match": path[1]}
    return answer


ANSWER_PATH = "/v1/matches/{match}/answers"
ANSWER_ROUTE = Route(ANSWER_PATH, answer, methods=["POST"])

ANSWER_SPEC: dict[str, Any] = spec(
    summary="Answer the open question",
    body=Answering,
    reply=Accepted,
    problems=(
        *COMMANDED,
        "token_required",
        "wrong_scope",
        "wrong_match",
        "not_seated",
        "unknown_match",
        "not_asked",
        "stale_question",
        "undone_since",
        "not_an_option",
        "match_over",
        "not_started",
    ),
    headers=VERSION_HEADERS,
)
