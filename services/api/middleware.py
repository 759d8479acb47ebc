"""Around every HTTP request: limits on size and rate, one line in the log, never a stack trace."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog
from fastapi import Request
from fastapi.responses import Response
from structlog.contextvars import clear_contextvars

from games.rules import Refused
from services.api.edge import problem_response, refusal, token_of
from services.desk import Desk
from services.limits import Limit, Standing

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_logger = structlog.get_logger()

UNLIMITED = ("/livez", "/readyz", "/metrics")

HARDENING = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]


Handler = Callable[[Request], Awaitable[Response]]
Hot = Callable[[Scope], Handler | None]
"""The handler of a request that needs no router, its path parameters put into the scope."""


class Edge:
    """The outermost layer but CORS."""

    def __init__(self, app: App, desk: Callable[[], Desk], hot: Hot) -> None:
        self._app = app
        self._desk = desk
        self._hot = hot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        clear_contextvars()
        handler = self._hot(scope)
        app = self._app if handler is None else _straight(handler)
        await _Request(app, self._desk(), scope, receive, send).run()


def _straight(handler: Handler) -> App:
    """The handler without router and exit stacks around it."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive))
        await response(scope, receive, send)

    return app


class _Request:
    def __init__(self, app: App, desk: Desk, scope: Scope, receive: Receive, send: Send) -> None:
        self._app = app
        self._desk = desk
        self._scope = scope
        self._receive = receive
        self._send = send
        self._extra = list(HARDENING)
        self._status = 0
        self._read = 0
        self._began = time.perf_counter()

    async def run(self) -> None:
        try:
            self._admit()
        except Refused as refused:
            await self._problem(refused)
        else:
            await self._call()
        self._tell()

    async def _call(self) -> None:
        try:
            await self._app(self._scope, self._receiving, self._sending)
        except Refused as refused:
            self._desk.metrics.refused.labels(refused.code).inc()
            await self._problem(refused)
        except Exception:
            _logger.exception("internal_error", path=self._scope["path"])
            if not self._status:
                response = problem_response(
                    "internal", "this is our mistake; it has been noted", self._scope["path"]
                )
                await response(self._scope, self._receive, self._sending)

    async def _problem(self, refused: Refused) -> None:
        if not self._status:
            response = refusal(refused, self._scope["path"])
            await response(self._scope, self._receive, self._sending)

    def _admit(self) -> None:
        """Raises Refused."""
        headers = dict(self._scope["headers"])
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > self._desk.settings.body_limit:
            raise _too_large(self._desk)
        limit, caller = self._caller(headers.get(b"authorization"))
        if self._scope["path"] in UNLIMITED:
            return
        standing = limit.take(caller)
        if standing is not None:
            self._extra += limit.headers(standing)
            admit(limit, standing)

    def _caller(self, header: bytes | None) -> tuple[Limit, str]:
        """A token this process knows is counted by itself, everything else by address."""
        desk = self._desk
        if header is not None:
            token = token_of(header.decode("latin-1"))
            bearer = desk.tokens.known(token)
            if bearer is not None:
                self._scope["bearer"] = bearer
                return desk.limits["token"], bearer.digest
        return desk.limits["address"], address(self._scope)

    async def _receiving(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            if self._read > self._desk.settings.body_limit:
                raise _too_large(self._desk)
        return message

    async def _sending(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = [*message.get("headers", ()), *self._extra]
        await self._send(message)

    def _tell(self) -> None:
        seconds = time.perf_counter() - self._began
        route = getattr(self._scope.get("route"), "path", "unmatched")
        method = self._scope["method"]
        self._desk.metrics.answered(method, route, self._status, seconds)
        told = _logger.warning if self._status >= 500 else _logger.debug
        ms = round(seconds * 1000, 1)
        told("answered", method=method, route=route, status=self._status, ms=ms)


def admit(limit: Limit, standing: Standing) -> None:
    """Raises Refused(`too_many_requests`)."""
    if standing.wait > 0:
        raise Refused(
            "too_many_requests",
            "slow down; `RateLimit` says what is left",
            retry_after=standing.wait,
            violated_policies=[limit.name],
        )


def address(scope: Scope) -> str:
    return str((scope.get("client") or ("local",))[0])


def _too_large(desk: Desk) -> Refused:
    return Refused("body_too_large", f"a body has at most {desk.settings.body_limit} bytes")
