"""Rate limits, kept by each process for itself: they never cost a round trip.

A client that talks to n processes of one service may make n times as many requests.
"""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from ipaddress import IPv6Address
from typing import NamedTuple

from games.rules import Refused

REMEMBERED = 100_000
"""Callers that a limit remembers; the longest unseen are forgotten first."""


class Standing(NamedTuple):
    """Where a caller stands: what is left now, and when all of it is back, in seconds.

    `wait` is how long until the next request is allowed, 0 if this one is.
    """

    left: int
    reset: int
    wait: float


class Limit:
    """So many requests in so many seconds, let through smoothly (GCRA)."""

    def __init__(self, name: str, rate: tuple[int, int] | None) -> None:
        self.name = name
        self.rate = rate
        self._gap = rate[1] / rate[0] if rate else 0.0
        self._due: OrderedDict[str, float] = OrderedDict()

    def take(self, caller: str, now: float | None = None) -> Standing | None:
        """Count one request; None where there is no limit."""
        if self.rate is None:
            return None
        now = time.monotonic() if now is None else now
        due = max(now, self._due.get(caller, now))
        seconds = self.rate[1]
        if due + self._gap > now + seconds + 1e-9:
            return Standing(0, math.ceil(due - now), due + self._gap - now - seconds)
        self._due[caller] = due = due + self._gap
        self._due.move_to_end(caller)
        while len(self._due) > REMEMBERED:
            self._due.popitem(last=False)
        return Standing(int((now + seconds - due) / self._gap + 1e-9), math.ceil(due - now), 0.0)

    def check(self, caller: str, now: float | None = None) -> Standing | None:
        """Where the caller stands, without counting anything; None where there is no limit."""
        if self.rate is None:
            return None
        now = time.monotonic() if now is None else now
        due, seconds = max(now, self._due.get(caller, now)), self.rate[1]
        wait = max(0.0, due + self._gap - now - seconds)
        return Standing(int((now + seconds - due) / self._gap + 1e-9), math.ceil(due - now), wait)

    def headers(self, standing: Standing) -> list[tuple[bytes, bytes]]:
        """`RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-11."""
        assert self.rate is not None
        count, seconds = self.rate
        policy = f'"{self.name}";q={count};w={seconds}'
        state = f'"{self.name}";r={standing.left};t={standing.reset}'
        return [(b"ratelimit-policy", policy.encode()), (b"ratelimit", state.encode())]


def admit(limit: Limit, standing: Standing) -> None:
    """Raises Refused(`too_many_requests`)."""
    if standing.wait > 0:
        # The draft's own name for the member.
        violated = {"violated-policies": [limit.name]}
        why = "slow down; `RateLimit` says what is left"
        raise Refused("too_many_requests", why, retry_after=standing.wait, **violated)


class Held:
    """How many of something each caller holds open at once; 0 is no limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    def take(self, caller: str) -> bool:
        """Whether the caller may have one more; then it counts until `give`."""
        if self.most and self._open[caller] >= self.most:
            return False
        self._open[caller] += 1
        return True

    def give(self, caller: str) -> None:
        self._open[caller] -= 1
        if self._open[caller] <= 0:
            del self._open[caller]


def household(address: str) -> str:
    """What one caller has: an IPv4 address, or the 64 bits of an IPv6 address that a network gets.

    Anything else, like the name of a test's client, stands for itself.
    """
    if ":" not in address:
        return address
    try:
        packed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = packed.ipv4_mapped
    return str(mapped) if mapped else f"{IPv6Address(int(packed) >> 64 << 64)}/64"
