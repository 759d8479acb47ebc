"""The hot path: answers as plain ASGI, ahead of the framework, whose own work doubles their price.

Behaves as every other route does: the same limits, problems, headers, metrics and log line.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

import msgspec
import structlog
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocket
from structlog.contextvars import clear_contextvars

from games.rules import Refused
from games.sight import Viewer
from services import commands, fasthttp, tokens, told
from services.api import watch
from services.api.edge import Tag, checked_match, identified, our_mistake, refusal
from services.api.middleware import (
    HARDENING,
    App,
    Headers,
    Receive,
    Scope,
    Send,
    admitted,
    first_of_each,
    tell,
    too_large,
)
from services.api.schema import COMMANDED, VERSION_HEADERS, either, spec
from services.desk import Desk
from services.inputs import checked_key, decoded
from services.live import Outcome
from services.shapes import Accepted, Answering, Noted

PATH = "/v1/matches/{match}/answers"

_path = re.compile(r"/v1/matches/([^/]+)/answers")
_decoder = msgspec.json.Decoder(Answering)
_encode = msgspec.json.Encoder().encode
_logger = structlog.get_logger()

_FIXED = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"private, no-cache"),
    (b"vary", b"Authorization, Prefer"),
]

SPEC: dict[str, Any] = spec(
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
_OK: dict[str, Any] = SPEC["responses"][200]
_OK["content"]["application/json"]["schema"] = either("AnswerReply", Accepted, Noted)
_OK["headers"] = {
    **VERSION_HEADERS,
    "Preference-Applied": {
        "schema": {"type": "string"},
        "description": "`return=minimal`, where it was preferred.",
    },
}


class Front:
    """Answers and streams go straight to their handlers, all else to the app behind it."""

    def __init__(self, app: App, desk: Callable[[], Desk]) -> None:
        self._app = app
        self._desk = desk

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http":
            path = _path.fullmatch(scope["path"])
            if path is not None:
                return _answer(self._desk(), path[1], scope, receive, send)
        elif scope["type"] == "websocket":
            path = watch.PATH.fullmatch(scope["path"])
            if path is not None:
                return watch.stream(self._desk(), WebSocket(scope, receive, send), path[1])
        return self._app(scope, receive, send)


async def _answer(desk: Desk, match: str, scope: Scope, receive: Receive, send: Send) -> None:
    began = perf_counter()
    clear_contextvars()
    extra = list(HARDENING)
    more: dict[str, int] = {}
    try:
        outcome, minimal, body = await _accepted(desk, match, scope, receive, extra)
        status, headers = 200, _headers(outcome, minimal, body)
        more["version"] = outcome.commit.version
    except Refused as refused:
        desk.metrics.refused.labels(refused.code).inc()
        response = refusal(refused, scope["path"])
        status, headers, body = response.status_code, response.raw_headers, bytes(response.body)
    except ClientDisconnect:
        _logger.debug("client_gone", path=scope["path"])
        tell(desk, scope["method"], PATH, 0, began)
        return
    except Exception:
        _logger.exception("internal_error", path=scope["path"])
        desk.metrics.refused.labels("internal").inc()
        response = our_mistake(scope["path"])
        status, headers, body = response.status_code, response.raw_headers, bytes(response.body)
    headers += extra
    if status != 200 or not fasthttp.write(send, status, headers, body):
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    tell(desk, scope["method"], PATH, status, began, **more)


async def _accepted(
    desk: Desk, match: str, scope: Scope, receive: Receive, extra: Headers
) -> tuple[Outcome, bool, bytes]:
    """The outcome, whether a minimal reply was preferred, and the reply. Raises Refused."""
    headers = first_of_each(scope)
    admitted(desk, scope, headers, extra)
    if scope["method"] != "POST":
        extra.append((b"allow", b"POST"))
        raise Refused("method_not_allowed", "answers are sent with POST")
    checked_match(match)
    bearer = await identified(desk, scope, _text(headers.get(b"authorization")))
    seat = tokens.playing(bearer, match)
    command = commands.command_id(checked_key(_text(headers.get(b"idempotency-key"))))
    data = await _whole(receive, desk.settings.body_limit)
    sent = decoded(_decoder, _text(headers.get(b"content-type")), data)
    player = bearer.grant.player
    made = commands.answer(command, seat, sent.question, sent.option, sent.seen, player)
    try:
        outcome = await desk.submit(match, made)
    except Refused as refused:
        live = desk.matches.known(match)
        if live is not None:
            refused.detail.setdefault("current_version", live.version)
        raise
    viewer = desk.viewer(bearer, outcome.table)
    minimal = b"prefer" in headers and _minimal(scope["headers"])
    return outcome, minimal, _encode(_told(outcome, viewer, minimal))


def _told(outcome: Outcome, viewer: Viewer, minimal: bool) -> Accepted | Noted:
    version, head = outcome.commit.version, outcome.entry.head.hex()
    commit = told.outcome(outcome, viewer)
    if minimal:
        return Noted(version, head, outcome.again, commit, outcome.reverted)
    view = told.view_after(outcome, viewer)
    return Accepted(version, head, outcome.again, commit, view, outcome.reverted)


def _minimal(headers: Headers) -> bool:
    """Whether the first preference on what to return, over all headers, is a minimal reply."""
    given = b",".join([value for name, value in headers if name == b"prefer"])
    for preference in given.lower().split(b","):
        name, _, value = preference.partition(b";")[0].partition(b"=")
        if name.strip() == b"return":
            return value.strip().strip(b'"') == b"minimal"
    return False


def _headers(outcome: Outcome, minimal: bool, body: bytes) -> Headers:
    headers = [
        *_FIXED,
        (b"content-length", b"%d" % len(body)),
        (b"etag", str(Tag.of(outcome.commit.version, outcome.entry.head)).encode()),
    ]
    if outcome.again:
        headers.append((b"idempotent-replayed", b"true"))
    if minimal:
        headers.append((b"preference-applied", b"return=minimal"))
    return headers


def _text(header: bytes | None) -> str | None:
    return None if header is None else header.decode("latin-1")


async def _whole(receive: Receive, limit: int) -> bytes:
    """The body. Raises Refused(`body_too_large`), ClientDisconnect."""
    whole = fasthttp.whole_body(receive)
    if whole is not None and len(whole) <= limit:
        return whole
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            raise too_large(limit)
        parts.append(part)
        more = message.get("more_body", False)
    return parts[0] if len(parts) == 1 else b"".join(parts)
