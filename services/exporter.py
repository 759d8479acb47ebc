"""A worker's own figures, on a port of its own, for Prometheus."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Self
from wsgiref.simple_server import WSGIRequestHandler, make_server

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
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: who looks at metrics is of no interest."""


class Exporter:
    """Serves `/metrics` from a thread; asks for `token`, if there is one."""

    def __init__(self, host: str, port: int, token: str, runners: Runners) -> None:
        registry = CollectorRegistry()
        registry.register(Figures(runners))
        self._told = make_wsgi_app(registry)
        self._token = token
        self._server = make_server(host, port, self._answer, handler_class=_Quiet)
        self.port = self._server.server_port

    def _answer(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
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
