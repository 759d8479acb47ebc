"""The door of the API: few enough connections, heads of bounded size, requests in time.

uvicorn bounds none of it: a head may grow and trickle for ever, and a body that was refused goes
on being read.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Collection
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any, ClassVar

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from services.fastws import FastWS
from services.limits import Held, household
from services.problems import MEDIA, PROBLEMS, problem
from services.settings import Settings

HEAD = 262_144
"""Bytes of a request's line and headers; a feed's cursor is the longest that there is."""

FIELDS = 100
"""Headers of a request."""

PIPELINED = 16
"""Requests that one connection may send before their time."""

SPARE = 256
"""Open files that are kept for the store and for what else is not a client's."""


class Refusing(Exception):
    """Ends the parsing of a request that is refused already."""


class GuardedHTTP(HttpToolsProtocol):
    """One connection; `guarded` makes the class for a server."""

    held: ClassVar[Held]
    total: ClassVar[Held]
    seconds: ClassVar[float]
    patience: ClassVar[float]
    proxies: ClassVar[Collection[str]]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._callers: list[tuple[Held, str]] = []
        self._due: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._partial = False
        self._heading = False
        self._head = 0
        self._refusal = ("bad_request", "")

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if self._enter(self.total, "") and self._enter(self.held, self._caller()):
            self._due = self.loop.call_later(self.seconds, self._late)
            return
        self._refuse("too_many_connections", "close some of those that are open")

    def _caller(self) -> str:
        """Whose connection it is; nobody's where it comes through a proxy or a Unix socket."""
        return "" if not self.client or believed(self.client[0], self.proxies) else self.client[0]

    def _enter(self, held: Held, caller: str) -> bool:
        if held is self.held and not caller:
            return True
        name = household(caller)
        if not held.take(name):
            return False
        self._callers.append((held, name))
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_on()

    def _read_on(self) -> None:
        """The client reads its reply, or is gone."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        self._read_on()
        _leave(self._callers)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.parser is None:  # it was refused
            return
        super().data_received(data)
        if self._heading:
            self._head += len(data)
            if self._head > HEAD:
                self._refuse("head_too_large", f"a request's head has at most {HEAD} bytes")
        if self._due is None and (self._partial or self._at_rest()):
            self._due = self.loop.call_later(self.seconds, self._late)

    def _at_rest(self) -> bool:
        """Something came, but no request: empty lines may go before one."""
        return self.cycle is not None and self.cycle.response_complete

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._partial = self._heading = True
        self._head = 0

    def on_headers_complete(self) -> None:
        self._heading = False
        if len(self.headers) > FIELDS:
            self._refusal = ("head_too_large", f"a request has at most {FIELDS} headers")
            raise Refusing
        super().on_headers_complete()
        if len(self.pipeline) > PIPELINED:
            self._refusal = ("too_many_requests", "wait for the replies to those before")
            raise Refusing

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._partial = False
        self._in_time()

    def _in_time(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _late(self) -> None:
        """The request has not come in whole; nor has one at all, where nothing came."""
        self._due = None
        cycle = self.cycle
        unanswered = cycle is None or cycle.response_complete or not cycle.response_started
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        if self._partial and unanswered and not (cycle and cycle.response_complete and cycle.body):
            self._refuse("too_slow", f"a request has to come in whole within {self.seconds:g} s")
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        code, why = self._refusal
        self._refuse(code, why or "this is no HTTP request")

    def _refuse(self, code: str, why: str) -> None:
        """Say so and hang up."""
        self._in_time()
        desk = getattr(getattr(self.config.app, "state", None), "desk", None)
        if desk is not None:
            desk.metrics.refused.labels(code).inc()
        if not self.transport.is_closing():
            self.transport.write(response(code, why))
            self.transport.close()
        self.parser = None  # type: ignore[assignment]

    def handle_websocket_upgrade(self) -> None:
        """The socket takes the connection over, and keeps nothing of this."""
        self._in_time()
        self._read_on()
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, FastWS):
            protocol.left = partial(_leave, self._callers)
        else:
            _leave(self._callers)


def _leave(callers: list[tuple[Held, str]]) -> None:
    """The connection counts no more."""
    while callers:
        held, name = callers.pop()
        held.give(name)


def response(code: str, why: str) -> bytes:
    """A problem as a whole response, after which the connection ends."""
    content = msgspec.json.encode(problem(code, why))
    head = (
        f"content-type: {MEDIA}\r\ncontent-length: {len(content)}\r\n"
        "cache-control: no-store\r\nconnection: close\r\n\r\n"
    )
    return STATUS_LINE[PROBLEMS[code].status] + head.encode() + content


def believed(address: str, proxies: Collection[str]) -> bool:
    """Whether it is the address of one of the proxies, which are addresses, networks or `*`."""
    if not proxies:
        return False
    if "*" in proxies or address in proxies:
        return True
    try:
        host = ip_address(address)
        return any(host in ip_network(proxy) for proxy in proxies if "/" in proxy)
    except ValueError:
        return False


def guarded(settings: Settings) -> type[GuardedHTTP]:
    """The protocol of one server, which counts the connections to it."""

    class Guarded(GuardedHTTP):
        held = Held(settings.connections_address)
        total = Held(max(64, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE))
        seconds = settings.request_seconds
        patience = settings.socket_patience
        proxies = frozenset(settings.proxies)

    return Guarded


def many_files() -> None:
    """A connection is an open file: as many as this process may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
