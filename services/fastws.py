"""Sockets at a third of the price, inside the app on plain uvicorn: `uvicorn --ws` this class.

Handshake, pings, limits and the closing stay uvicorn's. Two short cuts: whole frames are written
to the transport, those of one turn of the loop together when it ends, and text goes to a callback
instead of a queue, a task and a dict. To write each at once would give the processor to its reader
in the midst of the turn. Without this class (another server, a test client) the stream takes the
usual path.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

EXTENSION = "hallowstream.fastws"

FRAGMENTS = 256
"""Frames of one message."""

SIGNS = 300
"""Pings and pongs a client may send in `WHILE` seconds."""

WHILE = 10.0

GIVE_UP = 60.0
"""Seconds after which a connection whose client has read nothing is dropped."""

HEAP = 65_536
"""Bytes for one reader that may wait for the end of a turn."""

TEXT, PING, PONG = 0x81, 0x89, 0x8A
QUICK = frozenset((TEXT, PING, PONG))
"""First bytes of frames that are whole messages."""

MASKED, LONG = 0x80, 126
"""In a frame's second byte: as all frames from clients are; the size stands in two more bytes."""


class FastWS(WebSocketsSansIOProtocol):
    """`sink` takes whole text messages from the moment it is set."""

    sink: Callable[[bytes], None] | None = None
    left: Callable[[], None] | None = None
    unread: asyncio.TimerHandle | None = None
    full = False
    """Whether the reader is behind, so that what is pushed would pile up."""
    plodding = False
    rest = b""
    kept = b""
    """Frames that wait for the end of the turn."""
    outbox: list[FastWS]
    stalled = False
    signs = 0
    since = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        if self.left is not None:
            self.left()
        self._read_on()
        super().connection_lost(exc)

    def _read_on(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None
        self.full = False

    def data_received(self, data: bytes) -> None:
        """Who does not read what it is sent is not read from either."""
        if self.sink is not None and not self.plodding:
            self._take(data)
        else:
            # What came before the sink may end inside a frame. The first call brings the handshake.
            self.plodding = self.handshake_initiated
            data, self.rest = self.rest + data, b""
            super().data_received(data)
        if not (self.writable.is_set() or self.stalled or self.transport.is_closing()):
            self.stalled = True
            self.transport.pause_reading()

    def _take(self, data: bytes) -> None:
        """Whole texts go straight to the sink, pings and pongs to uvicorn frame by frame.

        At the first frame of another kind this connection is left to uvicorn for good.
        """
        data = self.rest + data
        at, end = 0, len(data)
        while at + 2 <= end:
            size, head = data[at + 1] - MASKED, at + 2
            if size == LONG:
                head += 2
                if head > end:
                    break
                size = int.from_bytes(data[at + 2 : head], "big")
            frame = head + 4 + size
            if data[at] not in QUICK or not self._good(data[at + 1], size):
                self.plodding = True
                super().data_received(data[at:])
                at = end
            elif frame > end:
                break
            elif data[at] == TEXT and self.sink is not None:
                self.sink(apply_mask(data[head + 4 : frame], data[head : head + 4]))
                at = frame
            else:
                super().data_received(data[at:frame])
                at = frame
        self.rest = data[at:]

    def _good(self, second: int, size: int) -> bool:
        """Whether a frame with this second byte and of this size may be taken here."""
        masked = MASKED <= second <= MASKED + LONG
        return masked and size <= self.config.ws_max_size and not self.close_sent

    def pause_writing(self) -> None:
        super().pause_writing()
        self.full = True
        self.give_up_later()

    def give_up_later(self) -> None:
        """What is closed is still written to its end: not for ever to who does not read."""
        if self.unread is None and not self.disconnected:
            self.unread = self.loop.call_later(GIVE_UP, self.transport.abort)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.give_up_later()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_on()
        if self.stalled:
            self.stalled = False
            if not self.read_paused and not self.transport.is_closing():
                self.transport.resume_reading()

    def handle_cont(self, event: Any) -> None:
        if len(self.frames) < FRAGMENTS:
            super().handle_cont(event)
        else:
            self._end(1009, "too many fragments")

    def handle_ping(self) -> None:
        if self._few():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._few():
            super().handle_pong(event)

    def _few(self) -> bool:
        """Whether the client's pings and pongs are as few as they may be."""
        now = self.loop.time()
        if now - self.since > WHILE:
            self.since, self.signs = now, 0
        self.signs += 1
        if self.signs > SIGNS:
            self._end(4429, "too many pings")
        return self.signs <= SIGNS

    def _end(self, code: int, reason: str) -> None:
        if not self.close_sent:
            self.conn.send_close(code, reason)
            self.handle_parser_exception()
            self.give_up_later()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            self.outbox = _outboxes.setdefault(self.loop, [])
            scope["extensions"][EXTENSION] = self

    def send_receive_event_to_app(self) -> None:
        if self.sink is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        if not self.close_sent:
            self.sink(data)

    def push(self, message: tuple[bytes, bytes]) -> None:
        """Write the message's frame when this turn of the loop ends."""
        if not self.kept:
            if not self.outbox:
                self.loop.call_soon(_flush, self.outbox)
            self.outbox.append(self)
        self.kept += message[1]
        if len(self.kept) > HEAP:
            self.flush()

    def flush(self) -> None:
        """Nothing is written where the connection is on its way out."""
        frames, self.kept = self.kept, b""
        if frames and not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(frames)

    async def drained(self) -> None:
        await self.writable.wait()

    def stop(self) -> None:
        self.sink = None

    async def send(self, message: Any) -> None:
        self.flush()
        await super().send(message)


_outboxes: WeakKeyDictionary[asyncio.AbstractEventLoop, list[FastWS]] = WeakKeyDictionary()
"""The connections with something to write, by loop."""


def _flush(outbox: list[FastWS]) -> None:
    waiting = outbox[:]
    outbox.clear()
    for protocol in waiting:
        protocol.flush()


def framed(payload: bytes) -> bytes:
    """One unfragmented text frame from a server."""
    size = len(payload)
    if size < 126:
        return b"\x81" + bytes((size,)) + payload
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload
