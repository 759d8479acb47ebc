"""One open stream: every commit after its cursor, in order."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import structlog

from events.store import Corrupt, Unavailable
from games.rules import Refused
from games.sight import Viewer
from services import told
from services.answering import Answers
from services.desk import Desk
from services.fastws import framed
from services.live import Live, Moved, decoded
from services.matches import UnknownMatch, follows
from services.outs import Out
from services.shapes import Hello, PingMessage
from services.telling import Telling
from services.tokens import Bearer

_logger = structlog.get_logger()

BATCH = 200
"""Commits read from a log at once for a stream that is behind."""

_encode = msgspec.json.Encoder().encode


class Stream:
    """A watcher of the hub with a socket behind it."""

    def __init__(self, desk: Desk, out: Out, bearer: Bearer, live: Live, after: int) -> None:
        self.match = live.id
        self.digest = bearer.digest
        self.viewer: Viewer = desk.viewer(bearer, live.table)
        self.cursor = after
        self.head = ""
        self._at = ""
        self._lineage = live.lineage
        self.epoch = live.epoch
        self._loop = asyncio.get_running_loop()
        self.closing: asyncio.Future[int] = self._loop.create_future()
        self._desk = desk
        self._out = out
        self._bearer = bearer
        self._catching_up: asyncio.Task[None] | None = None
        self._checked: Any = None
        self._lags = False
        self.answers = Answers(desk, self, bearer)

    def open(self, live: Live) -> None:
        """Say hello, then tell what was missed."""
        now = live.shown(self.viewer)
        self.head = now.entry.head.hex()
        table = now.table
        if self.cursor == table.version:
            self._at = self.head
        hello = Hello(
            self.match,
            live.epoch,
            self.viewer,
            table.version,
            self.head,
            self._desk.settings.socket_heartbeat,
            table.status,
            told.question(table, self.viewer),
            table.result,
            told.asked_back(table),
        )
        self.push(hello)
        self.moved(live)

    async def close(self) -> None:
        """Let answers that are on their way finish."""
        if self._catching_up is not None:
            self._catching_up.cancel()
        self._out.stop()
        await self.answers.finished()

    def moved(self, live: Live) -> None:
        """Most often one commit is new, and there is nothing else to look at."""
        if self._catching_up is not None or self.closing.done():
            return
        table = live.table
        version = table.version
        if (
            self.cursor + 1 != version
            or table.match is not self._checked
            or live.lineage is not self._lineage
            or self._lags
            or self._out.full
        ):
            self._follow(live)
            return
        self.epoch = live.epoch
        self._tell_newest(live.told.get(version) or _telling(live, live.recent[-1]))

    def lost(self) -> None:
        self.shut(4409)

    def failed(self) -> None:
        self.shut(1011)

    def dismissed(self) -> None:
        self.shut(4401)

    def beat(self, now: int) -> None:
        """A sign of life, where there is room; and the end, where the token has expired."""
        if 0 < self._bearer.grant.expires <= now:
            self.shut(4401)
        if self._catching_up is None and not self.closing.done() and not self._out.full:
            self.push(PingMessage(now, self.cursor, self.head, self.epoch))

    @property
    def full(self) -> bool:
        """Whether the reader lags so far that there is no room for more."""
        return self._out.full

    def shut(self, code: int) -> None:
        if not self.closing.done():
            self.closing.set_result(code)

    def push(self, message: Any) -> None:
        payload = _encode(message)
        self._out.push((payload, framed(payload)))
        self._desk.metrics.messages += 1

    def _follow(self, live: Live) -> None:
        """Tell from memory; what is not there, or has no room, is left to a task."""
        if live.table.match is not self._checked and not self._allowed(live):
            return
        if live.lineage is not self._lineage:
            self._catching_up = asyncio.create_task(self._catch_up())
            return
        self.epoch = live.epoch
        reach = live.reach(self.viewer)
        while self.cursor < reach:
            place = self.cursor - live.version + len(live.recent)
            if place < 0 or self._out.full:
                self._catching_up = asyncio.create_task(self._catch_up())
                return
            self._tell(live, live.recent[place], reach)

    def _allowed(self, live: Live) -> bool:
        try:
            allowed = self._desk.viewer(self._bearer, live.table) == self.viewer
        except Refused:
            allowed = False
        if allowed:
            self._checked = live.table.match
            self._lags = self.viewer == "spectator" and live.table.match.delay > 0
        else:
            self.shut(4401)
        return allowed

    def _tell(self, live: Live, moved: Moved, reach: int) -> None:
        version = moved.commit.version
        if version < reach:
            self._stand(version, moved.entry.head.hex())
            self.push(told.message(live, moved, self.viewer))
            return
        self._tell_newest(live.told.get(version) or _telling(live, moved))

    def _tell_newest(self, telling: Telling) -> None:
        self.cursor = telling.version
        self.head = self._at = telling.head
        self._out.push(telling.to(self.viewer))
        self._desk.metrics.messages += 1

    def _stand(self, version: int, head: str) -> None:
        self.cursor, self.head, self._at = version, head, head

    async def _holds(self, live: Live) -> bool:
        """Whether the log still has what was told, where memory turned out to be wrong."""
        lineage = live.lineage
        if lineage is not self._lineage and self.cursor:
            entries = await self._desk.store.read(self.match, self.cursor - 1, 1)
            if not entries or entries[0].head.hex() != self._at:
                return False
        self._lineage = lineage
        return True

    async def _catch_up(self) -> None:
        try:
            async with asyncio.timeout(None) as patience:
                while not self.closing.done():
                    live = await self._desk.matches.load(self.match)
                    if not await self._holds(live):
                        self.shut(4409)
                        break
                    if self.cursor >= live.reach(self.viewer) or not self._allowed(live):
                        break
                    patience.reschedule(None)
                    await self._read(live, patience)
        except TimeoutError:
            self.shut(4408)
        except Unavailable:
            self.shut(4503)
        except UnknownMatch:
            self.shut(4409)
        except (Corrupt, Refused) as error:
            _logger.error("cannot_tell", match=self.match, why=str(error))
            self.shut(1011)
        finally:
            self._catching_up = None
        known = self._desk.matches.known(self.match)
        if known is not None:
            self.moved(known)

    async def _read(self, live: Live, patience: asyncio.Timeout) -> None:
        limit = min(BATCH, live.reach(self.viewer) - self.cursor)
        entries = await self._desk.store.read(self.match, self.cursor, limit)
        if not entries:
            self.shut(4409)
        elif self._at and not follows(bytes.fromhex(self._at), entries[0], live.seal):
            await self._desk.matches.refresh(self.match)
            return
        for entry in entries:
            if self._out.full:
                loop = asyncio.get_running_loop()
                patience.reschedule(loop.time() + self._desk.settings.socket_patience)
                await self._out.drained()
                patience.reschedule(None)
            place = entry.version - live.version + len(live.recent) - 1
            if 0 <= place < len(live.recent):
                self._tell(live, live.recent[place], live.reach(self.viewer))
                continue
            commit = decoded(live.codec, self.match, entry)
            self._stand(entry.version, entry.head.hex())
            self.push(told.message(live, Moved(entry, commit, live.table), self.viewer))


def _telling(live: Live, moved: Moved) -> Telling:
    """The telling of the newest commit, and beside it that of one for who lags behind."""
    if len(live.told) > 1:
        live.told.clear()
    made = live.told[moved.commit.version] = Telling(live, moved)
    return made


async def heartbeat(desk: Desk) -> None:
    """Signs of life on all streams of this process."""
    while True:
        await asyncio.sleep(desk.settings.socket_heartbeat)
        now = desk.matches.clock()
        for watcher in desk.hub.watchers:
            if isinstance(watcher, Stream):
                watcher.beat(now)
