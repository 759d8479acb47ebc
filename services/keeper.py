"""The keeper: a worker that closes matches when play is final, and ends those that are abandoned.

Each of these is a commit as any other, by nobody but the system.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

import structlog

from events.store import Corrupt, Meta, Store, Unavailable, Unconfirmed
from games import sight
from games.rules import Refused
from games.table import Table
from projections.heart import Heart
from projections.runner import Pace
from replay import words
from services import commands, undoing
from services.acting import ActingRunner
from services.keys import Keys, UnknownKey
from services.live import Live
from services.matches import Busy, Matches, UnknownMatch
from services.settings import Settings

_logger = structlog.get_logger()

HOUR = 3_600_000
REMEMBERED = 200_000

CLOSED_SECONDS = 3600.0
"""How long it is remembered that a match is closed: most matches are, and many times over."""


class Closing:
    """Closes a match that is over: then its seed is revealed. Ends undos that nobody agrees to."""

    name = "keeper"

    def __init__(self, matches: Matches, undo_hours: float = 24.0) -> None:
        self._matches = matches
        self._patience = int(undo_hours * HOUR)

    async def act(self, match: str) -> None:
        live = await self._matches.refresh(match)
        if live.table.match.closed:
            return
        if live.table.match.request is not None and not live.table.match.cause:
            await self._expire(live)
        elif live.table.status == "over" and await self._final(live):
            with suppress(Refused):
                await self._matches.submit(match, commands.close(self._id(live, "close")))

    async def _expire(self, live: Live) -> None:
        asked = undoing.asked_at((await self._matches.pasts.of(live)).commits)
        if asked is None or self._matches.clock() < asked.at + self._patience:
            return
        id = self._id(live, f"expire {asked.version}")
        with suppress(Refused):
            await self._matches.submit(live.id, undoing.expire(id, asked.version))
            await self.act(live.id)

    async def _final(self, live: Live) -> bool:
        """Whether the time is over in which an undo may be asked for; it begins with the end."""
        window = live.table.match.undo_window * 1000
        if not window:
            return True
        tables = (await self._matches.pasts.of(live)).tables
        ended = next(t.at for t in reversed(tables) if _last_to_be_over(t, tables))
        return self._matches.clock() >= ended + window

    def _id(self, live: Live, what: str) -> bytes:
        key = live.table.match.key
        return self._matches.keys.token(key, what, live.id, live.reverted)[:16]


def _last_to_be_over(table: Table, tables: Sequence[Table]) -> bool:
    """Whether the match came to its end with this version."""
    return tables[table.version - 1].status != "over"


class _Touched(NamedTuple):
    """What the last entry of a log tells: its time, and whether an undo may be asked for there."""

    version: int
    at: int
    asking: bool


class Abandoned:
    """Finds matches that nobody has touched for long, and ends them; also does what is due."""

    def __init__(self, store: Store, matches: Matches, settings: Settings) -> None:
        self._store = store
        self._matches = matches
        self._closing = Closing(matches, settings.undo_hours)
        self._limits = {
            "lobby": int(settings.lobby_hours * HOUR),
            "playing": int(settings.match_days * 24 * HOUR),
        }
        self._touched: dict[str, _Touched] = {}
        self._closed: set[str] = set()
        self._until = 0.0

    async def sweep(self, partitions: Iterable[int] | None = None) -> int:
        """Look at every match (of these partitions); how many were ended."""
        if time.monotonic() > self._until:
            # A store that has gone back may have lost a close.
            self._closed.clear()
            self._until = time.monotonic() + CLOSED_SECONDS
        ended = 0
        for number in range(self._store.partitions) if partitions is None else partitions:
            found = [match async for match in self._store.matches(number)]
            matches = [match for match in found if match not in self._closed]
            for start in range(0, len(matches), 500):
                ended += await self._some(matches[start : start + 500])
        return ended

    async def _some(self, matches: Sequence[str]) -> int:
        ended = 0
        for match, meta in zip(matches, await self._store.metas(matches), strict=True):
            if meta is None or meta.status == "closed":
                self._touched.pop(match, None)
                self._closed.add(match)
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
        if touched.asking:
            await self._closing.act(match)
        if self._matches.clock() - touched.at < self._limits[meta.status]:
            return False
        live = await self._matches.refresh(match)
        if live.version != meta.version:
            return False
        id = self._matches.keys.token(live.table.match.key, "abandoned", match)[:16]
        made = commands.abort(id, "system", "abandoned").checked(commands.at_version(meta.version))
        await self._matches.submit(match, made)
        _logger.info("abandoned", match=match, version=meta.version)
        return True

    async def _last(self, match: str, meta: Meta) -> _Touched:
        """How the match last moved; read from its log once for each version."""
        known = self._touched.get(match)
        if known is not None and known.version == meta.version:
            return known
        entries = await self._store.read(match, meta.version - 1, 1)
        made = _Touched(meta.version, self._matches.clock(), False)
        if entries:
            _, at, _, _, _, events = sight.read(entries[0].facts)[:6]
            # An answer ends every request, so that only other commits may leave one open.
            asking = meta.status == "playing" and events[0][0] not in words.ANSWERS
            made = _Touched(meta.version, int(at), asking)
        if len(self._touched) >= REMEMBERED:
            self._touched.clear()
        self._touched[match] = made
        return made


class KeeperRunner(ActingRunner):
    """Closes as matches end, and sweeps for the abandoned now and then."""

    def __init__(
        self,
        store: Store,
        keys: Keys,
        consumer: str,
        settings: Settings,
        pace: Pace | None = None,
        heart: Heart | None = None,
    ) -> None:
        matches = Matches(store, keys)
        super().__init__(store, Closing(matches, settings.undo_hours), consumer, pace, heart)
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
        """Its own partitions: the others are other workers' to look at."""
        while True:
            try:
                await self.abandoned.sweep(self.shares.mine())
            except (Unavailable, Unconfirmed, Busy) as error:
                _logger.warning("store_unavailable", worker="keeper", why=str(error))
            except Exception:
                _logger.exception("worker_failed", worker="keeper")
            await asyncio.sleep(self._every)


def runner(
    store: Store,
    keys: Keys,
    consumer: str,
    settings: Settings,
    pace: Pace | None = None,
    heart: Heart | None = None,
) -> KeeperRunner:
    """The worker of group `keeper`."""
    return KeeperRunner(store, keys, consumer, settings, pace, heart)
