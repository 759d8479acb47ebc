"""One open stream: every commit after its cursor, in order, and answers the other way."""

from __future__ import annotations

import asyncio
from contextvars import Context
from typing import Any

import msgspec
import structlog
from structlog.contextvars import bind_contextvars

from events.store import Corrupt, Unavailable
from games.rules import Refused
from games.sight import Viewer
from services import commands, tokens, told
from services.desk import Desk
from services.fastws import framed
from services.inputs import bad_body, checked_key
from services.limits import admit
from services.live import Live, Moved, decoded
from services.matches import UnknownMatch, follows
from services.outs import Out
from services.problems import PROBLEMS, problem
from services.shapes import AcceptedMessage, AnswerMessage, Hello, PingMessage, RefusedMessage
from services.telling import Telling
from services.tokens import Bearer

_logger = structlog.get_logger()

IN_FLIGHT = 8
"""Answers of one stream that may be on their way at once."""

HEEDLESS = 50
"""Messages refused in a row before a stream is closed."""

BATCH = 200
"""Commits read from a log at once for a stream that is behind."""

_encode = msgspec.json.Encoder().encode
_answers = msgspec.json.Decoder(AnswerMessage)


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
        self._epoch = live.epoch
        self._loop = asyncio.get_running_loop()
        self.closing: asyncio.Future[int] = self._loop.create_future()
        self._context = Context()
        self._context.run(bind_contextvars, match=live.id, seat=bearer.grant.seat)
        self._desk = desk
        self._out = out
        self._bearer = bearer
        self._catching_up: asyncio.Task[None] | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self._checked: Any = None
        self._lags = False
        self._longest = desk.settings.body_limit
        self._limit = desk.limits["token"]
        self._caller = bearer.digest or f"stream {id(self)}"
        self._heedless = 0

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
        self._push(hello)
        self.moved(live)

    async def close(self) -> None:
        """Let answers that are on their way finish."""
        if self._catching_up is not None:
            self._catching_up.cancel()
        self._out.stop()
        await asyncio.gather(*self._answers, return_exceptions=True)

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
        self._epoch = live.epoch
        self._tell_newest(live.told.get(version) or _telling(live, live.recent[-1]))

    def lost(self) -> None:
        self._shut(4409)

    def dismissed(self) -> None:
        self._shut(4401)

    def beat(self, now: int) -> None:
        """A sign of life, where there is room; and the end, where the token has expired."""
        if 0 < self._bearer.grant.expires <= now:
            self._shut(4401)
        if self._catching_up is None and not self.closing.done() and not self._out.full:
            self._push(PingMessage(now, self.cursor, self.head, self._epoch))

    @property
    def full(self) -> bool:
        """Whether the reader lags so far that there is no room for more."""
        return self._out.full

    def _shut(self, code: int) -> None:
        if not self.closing.done():
            self.closing.set_result(code)

    def _push(self, message: Any) -> None:
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
        self._epoch = live.epoch
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
            self._shut(4401)
        return allowed

    def _tell(self, live: Live, moved: Moved, reach: int) -> None:
        version = moved.commit.version
        if version < reach:
            self._stand(version, moved.entry.head.hex())
            self._push(told.message(live, moved, self.viewer))
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
                        self._shut(4409)
                        break
                    if self.cursor >= live.reach(self.viewer) or not self._allowed(live):
                        break
                    patience.reschedule(None)
                    await self._read(live, patience)
        except TimeoutError:
            self._shut(4408)
        except Unavailable:
            self._shut(4503)
        except UnknownMatch:
            self._shut(4409)
        except (Corrupt, Refused) as error:
            _logger.error("cannot_tell", match=self.match, why=str(error))
            self._shut(1011)
        finally:
            self._catching_up = None
        known = self._desk.matches.known(self.match)
        if known is not None:
            self.moved(known)

    async def _read(self, live: Live, patience: asyncio.Timeout) -> None:
        limit = min(BATCH, live.reach(self.viewer) - self.cursor)
        entries = await self._desk.store.read(self.match, self.cursor, limit)
        if not entries:
            self._shut(4409)
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
            self._push(told.message(live, Moved(entry, commit, live.table), self.viewer))

    def receive(self, data: bytes) -> None:
        """A message from the client: an answer. Must not fail."""
        if self.closing.done():
            return
        if len(data) > self._longest:
            self._shut(1009)
            return
        try:
            standing = self._limit.take(self._caller)
            if standing is not None:
                admit(self._limit, standing)
            if len(self._answers) >= IN_FLIGHT:
                raise Refused("too_many_requests", "wait for the answers that are on their way")
            message = _parsed(data)
        except Refused as refused:
            self._refuse("", refused)
            return
        task = self._loop.create_task(self._answer(message), context=self._context.copy())
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer(self, message: AnswerMessage) -> None:
        try:
            seat = tokens.playing(self._bearer, self.match)
            key = commands.command_id(checked_key(message.id))
            player = self._bearer.grant.player
            made = commands.answer(
                key, seat, message.question, message.option, message.seen, player
            )
            outcome = await self._desk.submit(self.match, made)
        except Refused as refused:
            self._refuse(message.id, refused)
            return
        except Exception:
            _logger.exception("internal_error", match=self.match)
            self._refuse(message.id, Refused("internal", "this is our mistake; it has been noted"))
            return
        self._heedless = 0
        # The commit itself went out to the same end in this turn of the loop: both leave together.
        version, head = outcome.commit.version, outcome.entry.head.hex()
        again, reverted = outcome.again, outcome.reverted
        self._push(AcceptedMessage(message.id, version, head, outcome.live.epoch, again, reverted))

    def _refuse(self, id: str, refused: Refused) -> None:
        """Nobody is told for ever what it does not read or heed."""
        self._heedless += 1
        if self._heedless > HEEDLESS or self._out.full:
            self._shut(4408 if self._out.full else 4429)
            return
        code = refused.code if refused.code in PROBLEMS else "internal"
        self._desk.metrics.refused.labels(code).inc()
        made: Any = problem(code, refused.why, **refused.detail)
        self._push(RefusedMessage(id, made, self.cursor, self.head, self._epoch))


def _telling(live: Live, moved: Moved) -> Telling:
    """The telling of the newest commit, and beside it that of one for who lags behind."""
    if len(live.told) > 1:
        live.told.clear()
    made = live.told[moved.commit.version] = Telling(live, moved)
    return made


def _parsed(data: bytes) -> AnswerMessage:
    """Raises Refused: `bad_body`, `malformed_json`."""
    try:
        return _answers.decode(data)
    except msgspec.ValidationError as error:
        raise bad_body(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed_json", f"the message is not JSON: {error}") from None


async def heartbeat(desk: Desk) -> None:
    """Signs of life on all streams of this process."""
    while True:
        await asyncio.sleep(desk.settings.socket_heartbeat)
        now = desk.matches.clock()
        for watcher in desk.hub.watchers:
            if isinstance(watcher, Stream):
                watcher.beat(now)
