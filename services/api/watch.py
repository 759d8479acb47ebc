"""Watch: a stream of everything that happens in a match, as the bearer may see it."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect
from structlog.contextvars import bind_contextvars, clear_contextvars

from games.rules import Refused
from services import accesses, ids
from services.api.edge import address, shown, token_of
from services.desk import Desk, translated, unknown_match
from services.fastws import EXTENSION, FastWS
from services.limits import admit
from services.live import Live
from services.outs import QueueOut
from services.problems import CLOSES, PROBLEMS
from services.streams import Stream
from services.tokens import ANYONE, Bearer

PATH = re.compile(r"/v1/matches/([^/]+)/stream")

PROTOCOL = "hallowstream.v1"

_logger = structlog.get_logger()


async def stream(desk: Desk, socket: WebSocket, match: str) -> None:
    """Until one side ends it. Ahead of the framework, whose frames would lie under it as long."""
    clear_contextvars()
    offered = socket.scope.get("subprotocols") or []
    await socket.accept(PROTOCOL if PROTOCOL in offered else None)
    try:
        bearer, live, after = await _admitted(desk, socket, match)
        reach = live.reach(desk.viewer(bearer, live.table))
        follows = await _follows(desk, socket, live, reach, after)
    except Refused as refused:
        await _close(desk, socket, _code(refused), refused.code)
        return
    if not follows:
        await _close(desk, socket, 4409, "history_lost")
        return
    callers = {"address": address(socket.scope), "token": bearer.digest}
    held = [desk.sockets[kind].take(caller) for kind, caller in callers.items() if caller]
    try:
        if all(held):
            await _run(desk, socket, Stream(desk, _out(socket), bearer, live, after), live)
        else:
            await _close(desk, socket, 4429, "too_many_connections")
    finally:
        for taken, (kind, caller) in zip(held, callers.items(), strict=False):
            if taken:
                desk.sockets[kind].give(caller)


async def _admitted(desk: Desk, socket: WebSocket, match: str) -> tuple[Bearer, Live, int]:
    """Who watches, and from where on. Raises Refused."""
    limit = desk.limits["address"]
    standing = limit.take(address(socket.scope))
    if standing is not None:
        admit(limit, standing)
    if not ids.is_match_id(match):
        raise unknown_match()
    bind_contextvars(match=match)
    token = _token(socket)
    bearer = await shown(desk, token, socket.scope) if token else ANYONE
    if bearer.grant.rotated_by:
        raise Refused("unknown_token", "the token was rotated")
    live = await desk.newest(match)
    desk.viewer(bearer, live.table)
    await accesses.record(desk, bearer, match, "stream")
    given = socket.query_params.get("after", str(live.reach(desk.viewer(bearer, live.table))))
    if not (given.isascii() and given.isdigit() and len(given) < 16):
        raise Refused("bad_parameter", "`after` is the version that you have seen")
    return bearer, live, int(given)


def _token(socket: WebSocket) -> str:
    """From the header, or from the pair of subprotocols that browsers can send."""
    for offered in socket.scope.get("subprotocols") or []:
        if offered.startswith("bearer."):
            return str(offered.removeprefix("bearer."))
    return token_of(socket.headers.get("authorization"))


async def _follows(desk: Desk, socket: WebSocket, live: Live, reach: int, after: int) -> bool:
    """Whether what the client has seen is what the log holds.

    The head of its version says so, whatever happened since. Without one the epoch must be the
    same: nothing can have been lost then.
    """
    asked = socket.query_params
    if after > reach:
        return False
    if not after:
        return True
    if not asked.get("head"):
        return asked.get("epoch", live.epoch) == live.epoch
    with translated():
        entries = await desk.store.read(live.id, after - 1, 1)
    return bool(entries) and entries[0].head.hex() == asked["head"]


def _out(socket: WebSocket) -> FastWS | QueueOut:
    protocol = socket.scope.get("extensions", {}).get(EXTENSION)
    return protocol if isinstance(protocol, FastWS) else QueueOut(socket)


async def _run(desk: Desk, socket: WebSocket, watcher: Stream, live: Live) -> None:
    protocol = socket.scope.get("extensions", {}).get(EXTENSION)
    fast = isinstance(protocol, FastWS)
    desk.hub.add(watcher)
    desk.metrics.sockets.inc()
    try:
        watcher.open(live)
        if fast:
            protocol.sink = watcher.answers.receive
        gone = asyncio.ensure_future(_until_gone(socket, watcher))
        await asyncio.wait((gone, watcher.closing), return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
    finally:
        desk.hub.remove(watcher)
        desk.metrics.sockets.dec()
        await watcher.close()
    if watcher.closing.done():
        await _close(desk, socket, watcher.closing.result(), "")
        if fast and watcher.full:
            protocol.transport.abort()


async def _until_gone(socket: WebSocket, watcher: Stream) -> None:
    """Hand on what comes the usual way, until the client is gone."""
    with suppress(WebSocketDisconnect):
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            watcher.answers.receive(
                (message.get("text") or "").encode() or message.get("bytes") or b""
            )


def _code(refused: Refused) -> int:
    status = PROBLEMS[refused.code].status
    if refused.code in ("bad_parameter", "bad_body"):
        return 4400
    closes = {401: 4401, 403: 4403, 404: 4404, 409: 4409, 429: 4429, 503: 4503}
    return closes.get(status, 1011)


async def _close(desk: Desk, socket: WebSocket, code: int, reason: str) -> None:
    desk.metrics.closed.labels(str(code)).inc()
    with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
        await asyncio.wait_for(socket.close(code, reason or CLOSES[code]), 2)
    protocol = socket.scope.get("extensions", {}).get(EXTENSION)
    if isinstance(protocol, FastWS):
        protocol.give_up_later()
