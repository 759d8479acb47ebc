"""The keeper: a worker that closes matches when play is final, and ends those that are abandoned.

Each of these is a commit as any other, by nobody but the system.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import structlog

from events.store import Corrupt, Meta, Store, Unavailable, Unconfirmed
from games import sight
from games.rules import Refused
from projections.runner import Pace
from services import commands
from services.acting import ActingRunner
from services.keys import Keys, UnknownKey
from services.live import Live
from services.matches import Busy, Matches, UnknownMatch
from services.settings import Settings

_logger = structlog.get_logger()

HOUR = 3_600_000
REMEMBERED = 200_000


class Closing:
    """Closes a match that is over: then its seed is revealed."""

    name = "keeper"

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def act(self, match: str) -> None:
        live = await self._matches.refresh(match)
        if live.table.status != "over" or live.table.match.closed or not self._final(live):
            return
        with suppress(Refused):
            await self._matches.submit(match, commands.close(self._id(live)))

    def _final(self, live: Live) -> bool:
        """Whether the time is over in which an undo may be asked for."""
        window = live.table.match.undo_window * 1000
        return self._matches.clock() >= live.table.at + window

    def _id(self, live: Live) -> bytes:
        key = live.table.match.key
        return self._matches.keys.token(key, "close", live.id, live.reverted)[:16]


class Abandoned:
    """Finds matches that nobody has touched for long, and ends them; also closes what is due."""

    def __init__(self, store: Store, matches: Matches, settings: Settings) -> None:
        self._store = store
        self._matches = matches
        self._closing = Closing(matches)
        self._limits = {
            "lobby": int(settings.lobby_hours * HOUR),
            "playing": int(settings.match_days * 24 * HOUR),
        }
        self._touched: dict[str, tuple[int, int]] = {}

    async def sweep(self) -> int:
        """Look at every match; how many were ended."""
        ended = 0
        for number in range(self._store.partitions):
            matches = [match async for match in self._store.matches(number)]
            for start in range(0, len(matches), 500):
                ended += await self._some(matches[start : start + 500])
        return ended

    async def _some(self, matches: Sequence[str]) -> int:
        ended = 0
        for match, meta in zip(matches, await self._store.metas(matches), strict=True):
            if meta is None or meta.status == "closed":
                self._touched.pop(match, None)
                continue
            try:
                ended += await self._one(match, meta)
            except (UnknownMatch, UnknownKey, Corrupt, Refused) as error:
                _logger.warning("cannot_end", match=match, why=str(error))
        return ended

    async def _one(self, match: str, meta: Meta) -> bool:
        if meta.status == "over":
            await self._closing.act(match)
            return False
        touched = await self._last(match, meta)
        if self._matches.clock() - touched < self._limits[meta.status]:
            return False
        live = await self._matches.refresh(match)
        if live.version != meta.version:
            return False
        id = self._matches.keys.token(live.table.match.key, "abandoned", match)[:16]
        made = commands.abort(id, "system", "abandoned").checked(commands.at_version(meta.version))
        await self._matches.submit(match, made)
        _logger.info("abandoned", match=match, version=meta.version)
        return True

    async def _last(self, match: str, meta: Meta) -> int:
        """When the match last moved; read from its log once for each version."""
        known = self._touched.get(match)
        if known is not None and known[0] == meta.version:
            return known[1]
        entries = await self._store.read(match, meta.version - 1, 1)
        at = int(sight.read(entries[0].facts)[1]) if entries else self._matches.clock()
        if len(self._touched) >= REMEMBERED:
            self._touched.clear()
        self._touched[match] = meta.version, at
        return at


class KeeperRunner(ActingRunner):
    """Closes as matches end, and sweeps for the abandoned now and then."""

    def __init__(
        self,
        store: Store,
        keys: Keys,
        consumer: str,
        settings: Settings,
        pace: Pace | None = None,
    ) -> None:
        matches = Matches(store, keys)
        super().__init__(store, Closing(matches), consumer, pace)
        self.abandoned = Abandoned(store, matches, settings)
        self._every = settings.keeper_seconds

    async def run(self) -> None:
        sweeping = asyncio.create_task(self._sweeping())
        try:
            await super().run()
        finally:
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)

    async def _sweeping(self) -> None:
        while True:
            try:
                await self.abandoned.sweep()
            except (Unavailable, Unconfirmed, Busy) as error:
                _logger.warning("store_unavailable", worker="keeper", why=str(error))
            except Exception:
                _logger.exception("worker_failed", worker="keeper")
            await asyncio.sleep(self._every)


def runner(
    store: Store, keys: Keys, consumer: str, settings: Settings, pace: Pace | None = None
) -> KeeperRunner:
    """The worker of group `keeper`."""
    return KeeperRunner(store, keys, consumer, settings, pace)
