"""A worker's own figures, on a port of its own, for Prometheus."""

from __future__ import annotations

import hmac
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from socketserver import ThreadingMixIn
from types import TracebackType
from typing import Any, Self
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from projections.runner import Runner

Runners = Callable[[], Iterable[tuple[str, Runner]]]
"""Those that are at work now, each under the name of its group."""

_COUNTS: dict[str, tuple[str, Callable[[Runner], int]]] = {
    "references": ("References worked off", lambda r: r.tally.references),
    "claimed": ("References taken over from others", lambda r: r.tally.claimed),
    "trimmed": ("References dropped from feeds", lambda r: r.tally.trimmed),
    "cells_written": ("Cells written", lambda r: r.keeper.counts.written),
    "cells_refused": ("Writes that came too late", lambda r: r.keeper.counts.refused),
    "cells_fenced": ("Writes refused for want of the lease", lambda r: r.keeper.counts.fenced),
    "parked": ("Matches parked", lambda r: r.keeper.counts.parked),
}


class Figures(Collector):
    """What the runners of this process have done, read when it is asked for."""

    def __init__(self, runners: Runners) -> None:
        self._runners = runners

    def collect(self) -> Iterator[Metric]:
        runners = list(self._runners())
        for name, (what, count) in _COUNTS.items():
            family = CounterMetricFamily(f"hallowstream_worker_{name}", what, labels=["group"])
            for group, runner in runners:
                family.add_metric([group], count(runner))
            yield family
        held = GaugeMetricFamily(
            "hallowstream_worker_leases", "Partitions that this worker has", labels=["group"]
        )
        for group, runner in runners:
            held.add_metric([group], len(runner.shares.held))
        yield held


class _Quiet(WSGIRequestHandler):
    timeout = 10.0
    """Seconds that whoever asks may be silent."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: who looks at metrics is of no interest."""


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each who asks: who is slow holds up neither the others nor the end."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: whoever asked was silent for too long, or is gone."""


class _Server6(_Server):
    address_family = socket.AF_INET6


class Exporter:
    """Serves `/metrics` from threads of its own, to who shows `token`, if there is one.

    To anybody it says at `/livez` whether the worker is `awake`.
    """

    def __init__(
        self,
        host: str,
        port: int,
        token: str,
        runners: Runners,
        awake: Callable[[], bool] = lambda: True,
    ) -> None:
        registry = CollectorRegistry()
        registry.register(Figures(runners))
        self._told = make_wsgi_app(registry)
        self._token = token
        self._awake = awake
        kind = _Server6 if ":" in host else _Server
        self._server = make_server(host, port, self._answer, kind, _Quiet)
        self.port = self._server.server_port

    def _answer(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/livez":
            awake = self._awake()
            start("200 OK" if awake else "503 Service Unavailable", [])
            return [b"alive\n" if awake else b"the work stands still\n"]
        shown = environ.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ")
        if self._token and not hmac.compare_digest(shown.encode(), self._token.encode()):
            start("401 Unauthorized", [("WWW-Authenticate", "Bearer")])
            return [b"this needs the metrics token\n"]
        told: Iterable[bytes] = self._told(environ, start)
        return told

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
