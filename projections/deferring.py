"""Matches whose logs lie in an archive that is away: others go on, and these are looked at later.

While it is known to be away, nobody waits for it: a call over a network that fails takes seconds.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence

import structlog

from events.partitions import partition
from events.store import Deferred, Store

FIRST, LONGEST = 5.0, 60.0
"""Seconds until the first look again, and at most; between them each is twice as long."""

SHUT = 3 * LONGEST
"""Seconds for which an archive that nothing could be read from counts as away, if nobody finds
that it is back."""

log = structlog.get_logger(__name__)


class Deferring:
    """What one projection defers. The archive counts as away when `enough` matches in a row could
    not be read from it."""

    def __init__(self, store: Store, name: str, enough: int = 1) -> None:
        self._store = store
        self._name = name
        self._enough = enough
        self._failed = 0
        self._shut = 0.0
        self._why = ""

    @property
    def shut(self) -> str:
        """Why the archive counts as away, empty where it does not."""
        return self._why if time.monotonic() < self._shut else ""

    def know(self, why: str) -> None:
        """The archive is away for this reason; an empty one: it is not."""
        self._why, self._shut = why, time.monotonic() + SHUT if why else 0.0

    async def notice(self, tried: Sequence[str], away: Mapping[str, str]) -> None:
        """Of those that were tried these could not be read from the archive. Raises Unavailable."""
        if not away and not self._failed:
            return
        standings = zip(tried, await self._store.standings(tried), strict=True)
        archived = {match for match, stands in standings if stands and stands.place is not None}
        self._failed = 0 if archived - away.keys() else self._failed + len(away)
        if away and self._failed >= self._enough:
            self.know(_one(away))

    async def away(self, matches: Sequence[str]) -> dict[str, str]:
        """Those of them that cannot be read now, and why. Raises Unavailable."""
        why = self.shut
        if not why:
            return {}
        standings = await self._store.standings(matches)
        found = zip(matches, standings, strict=True)
        return {match: why for match, stands in found if stands and stands.place is not None}

    async def defer(self, away: Mapping[str, str]) -> None:
        """Have the partitions of these matches looked at again. Raises Unavailable."""
        if not away:
            return
        before, now = await self._store.deferred(self._name), time.time() * 1000
        each = {partition(match, self._store.partitions): match for match in away}
        if new := sorted(each.keys() - before.keys()):
            log.warning("deferred", projection=self._name, partitions=new, why=_one(away))
        for number, match in each.items():
            deferred = _next(before.get(number), match, away[match], int(now))
            await self._store.defer(self._name, number, deferred)

    async def due(self) -> list[int]:
        """The partitions that it is time to look at again. Raises Unavailable."""
        now = time.time() * 1000
        found = await self._store.deferred(self._name)
        # A clock that went back makes nobody wait for longer.
        return [n for n, d in found.items() if not now < d.due <= now + LONGEST * 1000]


def _next(before: Deferred | None, match: str, why: str, now: int) -> Deferred:
    """A look that is still to come stays when it was to be; after one that came, it is another."""
    about = match, why, secrets.token_hex(4)
    if before is not None and before.due > now:
        return Deferred(before.due, before.tries, *about)
    tries = 0 if before is None else before.tries + 1
    pause = min(LONGEST, FIRST * 2 ** min(tries, 10))
    return Deferred(now + int(pause * 1000), tries, *about)


def _one(away: Mapping[str, str]) -> str:
    return next(iter(away.values()))
