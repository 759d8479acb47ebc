"""What is measured, for Prometheus. Labels are routes, games and codes, never a match or a seat."""

from __future__ import annotations

from collections import defaultdict

from prometheus_client import CollectorRegistry, Counter, Gauge, ProcessCollector
from prometheus_client.exposition import generate_latest

from services.problems import CLOSES, PROBLEMS
from services.tally import Requests


class Metrics:
    """The series of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Requests()
        self.registry.register(self.requests)
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

        # From 0 on: of what begins with its first count, no growth can be told.
        for code in PROBLEMS:
            self.refused.labels(code)
        for close in CLOSES:
            self.closed.labels(str(close))

        self.messages = 0
        """Put on streams since the last look: counting so costs a tenth of a counter's own way."""
        self.answered = self.requests.answered
        self._accepted: defaultdict[str, int] = defaultdict(int)

    def accept(self, game: str) -> None:
        """One command of that game is in a log."""
        self._accepted[game] += 1

    def text(self) -> bytes:
        self.sent.inc(self.messages)
        self.messages = 0
        for game, count in self._accepted.items():
            self.accepted.labels(game).inc(count)
        self._accepted.clear()
        return generate_latest(self.registry)
