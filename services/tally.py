"""Requests counted as plain numbers: on the hot path the client library's locks cost more."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)


class Requests(Collector):
    """HTTP requests by route, and the time they took. For the one thread of an event loop."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, str, int], int] = defaultdict(int)
        self._took: defaultdict[str, _Took] = defaultdict(_Took)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._counts[method, route, status] += 1
        self._took[route].add(seconds)

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "hallowstream_requests",
            "HTTP requests by route and status",
            labels=["method", "route", "status"],
        )
        for (method, route, status), count in self._counts.items():
            requests.add_metric([method, route, str(status)], count)
        yield requests
        seconds = HistogramMetricFamily(
            "hallowstream_request_seconds", "Time to answer an HTTP request", labels=["route"]
        )
        for route, took in self._took.items():
            seconds.add_metric([route], took.buckets(), took.sum)
        yield seconds


class _Took:
    """How many took how long."""

    def __init__(self) -> None:
        self.sum = 0.0
        self._within = [0] * (len(SECONDS) + 1)

    def add(self, seconds: float) -> None:
        self.sum += seconds
        self._within[bisect_left(SECONDS, seconds)] += 1

    def buckets(self) -> list[tuple[str, float]]:
        """Upper bounds, each with how many took no longer."""
        bounds = [*map(str, SECONDS), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self._within)), strict=True))
