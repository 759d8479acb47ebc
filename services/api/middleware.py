"""Around every HTTP request: limits on size and rate, one line in the log, never a stack trace."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import structlog
from starlette.requests import ClientDisconnect
from structlog.contextvars import clear_contextvars

from games.rules import Refused
from services import logs
from services.api.edge import address, our_mistake, refusal, token_of
from services.desk import Desk
from services.limits import Limit, admit
from services.tokens import Bearer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

_logger = structlog.get_logger()

UNLIMITED = ("/livez", "/readyz", "/metrics")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Those that metrics tell apart."""

HARDENING: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]


class Edge:
    """The outermost layer of all that has a route of the framework's."""

    def __init__(self, app: App, desk: Callable[[], Desk]) -> None:
        self._app = app
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        clear_contextvars()
        await _Request(self._app, self._desk(), scope, receive, send).run()


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
            admitted(self._desk, self._scope, first_of_each(self._scope), self._extra)
        except Refused as refused:
            await self._problem(refused)
        else:
            await self._call()
        route = getattr(self._scope.get("route"), "path", "unmatched")
        tell(self._desk, self._scope["method"], route, self._status, self._began)

    async def _call(self) -> None:
        try:
            await self._app(self._scope, self._receiving, self._sending)
        except Refused as refused:
            self._desk.metrics.refused.labels(refused.code).inc()
            await self._problem(refused)
        except ClientDisconnect:
            _logger.debug("client_gone", path=self._scope["path"])
        except Exception:
            _logger.exception("internal_error", path=self._scope["path"])
            self._desk.metrics.refused.labels("internal").inc()
            if not self._status:
                response = our_mistake(self._scope["path"])
                await response(self._scope, self._receive, self._sending)

    async def _problem(self, refused: Refused) -> None:
        if not self._status:
            response = refusal(refused, self._scope["path"])
            await response(self._scope, self._receive, self._sending)

    async def _receiving(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            if self._read > self._desk.settings.body_limit:
                raise too_large(self._desk.settings.body_limit)
        return message

    async def _sending(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = [*message.get("headers", ()), *self._extra]
        await self._send(message)


def first_of_each(scope: Scope) -> dict[bytes, bytes]:
    """The headers by name. Of one that came twice the first counts, as everywhere."""
    return dict(reversed(scope["headers"]))


def admitted(desk: Desk, scope: Scope, headers: Mapping[bytes, bytes], extra: Headers) -> None:
    """Check size and rate; what is to be told of the limit is added to `extra`. Raises Refused."""
    if scope["path"] not in UNLIMITED:
        limit, caller = _caller(desk, scope, headers.get(b"authorization"))
        standing = limit.take(caller)
        if standing is not None:
            extra += limit.headers(standing)
            admit(limit, standing)
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and (len(length) > 15 or int(length) > desk.settings.body_limit):
        raise too_large(desk.settings.body_limit)
    if headers.get(b"content-encoding", b"identity").strip().lower() != b"identity":
        raise Refused("encoded_body", "send the body as it is, without a Content-Encoding")


def _caller(desk: Desk, scope: Scope, header: bytes | None) -> tuple[Limit, str]:
    """A token this process knows is counted by itself, everything else by address."""
    bearer = _known(desk, header)
    if bearer is None:
        return desk.limits["address"], address(scope)
    scope["bearer"] = bearer
    return desk.limits["token"], bearer.digest


def _known(desk: Desk, header: bytes | None) -> Bearer | None:
    if header is None:
        return None
    try:
        return desk.tokens.known(token_of(header.decode("latin-1")))
    except Refused:  # the route tells it, once the request is counted
        return None


def tell(desk: Desk, method: str, route: str, status: int, began: float, **more: int) -> None:
    """Count a request that began then, and put its one line into the log."""
    seconds = time.perf_counter() - began
    method = method if method in METHODS else "OTHER"
    desk.metrics.answered(method, route, status, seconds)
    if status < 500 and not logs.heard(logging.DEBUG):
        return
    told = _logger.warning if status >= 500 else _logger.debug
    ms = round(seconds * 1000, 1)
    told("answered", method=method, route=route, status=status, ms=ms, **more)


def too_large(limit: int) -> Refused:
    return Refused("body_too_large", f"a body has at most {limit} bytes")
