"""Sockets at a third of the price, inside the app on plain uvicorn: `uvicorn --ws` this class.

Handshake, pings, limits and the closing stay uvicorn's. Two short cuts: whole frames are written
straight to the transport, and text goes to a callback instead of a queue, a task and a dict.
Without this class (another server, a test client) the stream takes the usual path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "hallowstream.fastws"


class FastWS(WebSocketsSansIOProtocol):
    """`sink` takes whole text messages from the moment it is set."""

    sink: Callable[[bytes], None] | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][EXTENSION] = self

    def send_receive_event_to_app(self) -> None:
        if self.sink is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        if not self.close_sent:
            self.sink(data)

    def push(self, payload: bytes) -> None:
        """Write one text message at once; nothing, where the connection is on its way out."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(framed(payload))

    @property
    def full(self) -> bool:
        """Whether the reader is behind, so that what is pushed would pile up."""
        return not self.writable.is_set()


def framed(payload: bytes) -> bytes:
    """One unfragmented text frame from a server."""
    size = len(payload)
    if size < 126:
        return b"\x81" + bytes((size,)) + payload
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload
