"""For those who run it: alive, ready, metrics."""

from __future__ import annotations

import hmac

import msgspec
from fastapi import APIRouter, Request
from fastapi.responses import Response
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from events.store import Unavailable
from games.rules import Refused
from services.api.edge import Json, TheDesk, address, token_of
from services.api.schema import spec
from services.limits import admit
from services.shapes import Done

router = APIRouter(tags=["run"])


class Ready(msgspec.Struct, frozen=True):
    """Whether requests can be served, and why not."""

    ready: bool
    store: bool
    stopping: bool


@router.get("/livez", **spec(summary="The process is alive", reply=Done, open_to_all=True))
async def live() -> Response:
    return Json(Done(), headers={"cache-control": "no-store"})


@router.get(
    "/readyz",
    **spec(
        summary="The process can serve: its store answers, and it is not stopping",
        reply=Ready,
        open_to_all=True,
    ),
)
async def ready(desk: TheDesk) -> Response:
    answers = True
    try:
        await desk.store.metas([""])
    except Unavailable:
        answers = False
    state = Ready(answers and not desk.draining, answers, desk.draining)
    if state.ready:
        return Json(state, headers={"cache-control": "no-store"})
    if desk.draining:
        raise Refused("stopping", "this server is stopping; ask another one", retry_after=5)
    raise Refused("unavailable", "the store cannot be reached", retry_after=2)


@router.get(
    "/metrics",
    **spec(
        summary="Metrics in Prometheus' text format",
        media="text/plain",
        problems=("token_required",),
        open_to_all=True,
    ),
)
async def metrics(request: Request, desk: TheDesk) -> Response:
    wanted = desk.settings.metrics_token.get_secret_value()
    if wanted:
        token = token_of(request.headers.get("authorization"))
        if not token:
            raise Refused("token_required", "this needs the metrics token")
        limit, caller = desk.limits["bad_token"], address(request.scope)
        standing = limit.check(caller)
        if standing is not None:
            admit(limit, standing)
        if not hmac.compare_digest(token.encode(), wanted.encode()):
            limit.take(caller)
            raise Refused("unknown_token", "this is not the metrics token")
    await desk.gauges.refresh()
    headers = {"cache-control": "no-store", "content-type": CONTENT_TYPE_PLAIN_0_0_4}
    return Response(desk.metrics.text(), headers=headers)
