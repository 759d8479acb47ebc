"""What is measured, for Prometheus. Labels are routes, games and codes, never a match or a seat."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)


class Metrics:
    """The series of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "hallowstream_requests_total",
            "HTTP requests by route and status",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "hallowstream_request_seconds",
            "Time to answer an HTTP request",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.accepted = Counter(
            "hallowstream_commands_accepted_total",
            "Commands that are in a log",
            ["game"],
            registry=self.registry,
        )
        self.refused = Counter(
            "hallowstream_refused_total",
            "Requests and messages refused, by code",
            ["code"],
            registry=self.registry,
        )
        self.repeated = Counter(
            "hallowstream_commands_repeated_total",
            "Commands that had been accepted before",
            registry=self.registry,
        )
        self.sockets = Gauge(
            "hallowstream_sockets_open", "Streams that are open", registry=self.registry
        )
        self.closed = Counter(
            "hallowstream_sockets_closed_total",
            "Streams closed by the server, by code",
            ["code"],
            registry=self.registry,
        )
        self.sent = Counter(
            "hallowstream_messages_sent_total", "Messages put on streams", registry=self.registry
        )
        self.waiting = Gauge(
            "hallowstream_waiting", "Requests that wait for a match to move", registry=self.registry
        )
        self.watched = Gauge(
            "hallowstream_matches_watched",
            "Matches that a stream or a waiting request looks at",
            registry=self.registry,
        )
        self.views = Counter(
            "hallowstream_views_total",
            "Views read, by where they came from",
            ["source"],
            registry=self.registry,
        )

        self.messages = 0
        """Put on streams since the last look: counting so costs a tenth of a counter's own way."""
        self._routes: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """One HTTP request; finding a series by its labels costs more than counting."""
        known = self._routes.get((method, route, status))
        if known is None:
            count = self.requests.labels(method, route, str(status))
            known = self._routes[method, route, status] = count, self.seconds.labels(route)
        known[0].inc()
        known[1].observe(seconds)

    def text(self) -> bytes:
        self.sent.inc(self.messages)
        self.messages = 0
        return generate_latest(self.registry)
