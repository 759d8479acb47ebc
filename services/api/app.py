"""The app: routes, limits, problems, and what happens when it starts and stops."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from games.rules import Refused
from services import logs
from services.api import (
    cases,
    disputes,
    feed,
    forks,
    games,
    grants,
    keys,
    lists,
    matches,
    pages,
    play,
    review,
    run,
    seats,
    steps,
    undo,
)
from services.api.answers import Front
from services.api.document import document
from services.api.edge import problem_response, refusal
from services.api.middleware import METHODS, Edge
from services.desk import Desk
from services.settings import Settings
from services.streams import heartbeat
from services.wiring import Parts

ALLOWED = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Prefer",
)
EXPOSED = (
    "ETag",
    "Location",
    "Link",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Idempotent-Replayed",
    "Preference-Applied",
)


YOUNG = (50_000, 50, 50)
"""What the collector waits for: little here is in cycles, and looking for them costs time."""


class App(FastAPI):
    """FastAPI behind a front that takes the hot path itself."""

    front: ASGIApp
    desk: Desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.front(scope, receive, send)

    async def behind(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().__call__(scope, receive, send)


def create_app(settings: Settings | None = None, parts: Parts | None = None) -> FastAPI:
    """The API on `parts`, or on what the settings say; the settings are the environment's.

    Parts that are handed in stay open when the app stops.
    """
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        mine = parts or await Parts.open(chosen)
        desk = app.state.desk = app.desk = Desk(chosen, mine.store, mine.vault, mine.keys)
        desk.open()
        beats = asyncio.create_task(heartbeat(desk))
        if parts is None:
            gc.collect()
            gc.freeze()
            gc.set_threshold(*YOUNG)
        try:
            yield
        finally:
            desk.drain()
            beats.cancel()
            await desk.close()
            if parts is None:
                await mine.aclose()

    if parts is None:
        logs.configure(chosen)
    app = App(
        title="Hallowstream",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    for module in (games, lists, matches, seats, play, review, feed, grants, run, pages):
        app.include_router(module.router)
    for later in (undo, steps, forks, disputes, cases, keys):
        app.include_router(later.router)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_middleware(Edge, desk=lambda: app.state.desk)
    app.front = Front(app.behind, lambda: app.desk)
    if chosen.cors_origins:
        app.front = CORSMiddleware(
            app.front,
            allow_origins=list(chosen.cors_origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=list(ALLOWED),
            expose_headers=list(EXPOSED),
        )
    setattr(app, "openapi", lambda: document(app))  # noqa: B010
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    request.app.state.desk.metrics.refused.labels(error.code).inc()
    return refusal(error, request.url.path)


async def _invalid(request: Request, error: Exception) -> Response:
    """FastAPI's own complaint about parameters."""
    assert isinstance(error, RequestValidationError)
    flaws = [
        {"pointer": "#/" + "/".join(map(str, flaw["loc"])), "detail": flaw["msg"]}
        for flaw in error.errors()
    ]
    why = "; ".join(f"{flaw['pointer']}: {flaw['detail']}" for flaw in flaws)
    return problem_response("bad_parameter", why, request.url.path, errors=flaws)


async def _http(request: Request, error: Exception) -> Response:
    """Starlette's own: no route, no such method, an unreadable request."""
    assert isinstance(error, HTTPException)
    codes = {404: "not_found", 405: "method_not_allowed"}
    code = codes.get(error.status_code, "bad_request" if error.status_code < 500 else "internal")
    response = problem_response(code, str(error.detail), request.url.path)
    response.headers.update(error.headers or {})
    if error.status_code == 405:
        response.headers["allow"] = ", ".join(_allowed(request))
    return response


def _allowed(request: Request) -> list[str]:
    """What a path can be asked for: each method has a route of its own, which names no other."""

    def has(method: str) -> bool:
        asked = {**request.scope, "method": method}
        return any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)

    return [method for method in sorted(METHODS) if has(method)]
