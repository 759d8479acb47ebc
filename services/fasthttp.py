"""Whole replies past ASGI's messages, on plain uvicorn: one write, nothing looked at twice.

Where `send` and `receive` are not uvicorn's own (another server, a layer that adds headers, a test
client) nothing is done here, and the usual path is to be taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle


def whole_body(receive: Any) -> bytes | None:
    """The body of a request that has come in whole; None where it has to be received."""
    cycle = getattr(receive, "__self__", None)
    if type(cycle) is not RequestResponseCycle or cycle.more_body or cycle.disconnected:
        return None
    return bytes(cycle.body)


def write(send: Any, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bool:
    """Whether the reply was written. `headers` hold the body's length and nothing of a client's."""
    cycle = getattr(send, "__self__", None)
    if type(cycle) is not RequestResponseCycle:
        return False
    slow = cycle.disconnected or cycle.flow.write_paused or cycle.response_started
    if slow or cycle.scope["method"] == "HEAD":
        return False
    parts = [STATUS_LINE[status]]
    for name, value in (*cycle.default_headers, *headers):
        parts += (name, b": ", value, b"\r\n")
    if not cycle.keep_alive:
        parts.append(b"connection: close\r\n")
    parts += (b"\r\n", body)
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    cycle.transport.write(b"".join(parts))
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True
