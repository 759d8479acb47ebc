"""What the client of a stream sends: answers, several of them on their way at once."""

from __future__ import annotations

import asyncio
from contextvars import Context
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from structlog.contextvars import bind_contextvars

from games.rules import Refused
from services import commands, tokens
from services.commands import Command
from services.desk import Desk
from services.inputs import bad_body, checked_key
from services.limits import admit
from services.live import Outcome
from services.matches import Done
from services.problems import OUR_MISTAKE, PROBLEMS, problem
from services.shapes import AcceptedMessage, AnswerMessage, RefusedMessage
from services.tokens import Bearer

if TYPE_CHECKING:
    from services.streams import Stream

_logger = structlog.get_logger()

IN_FLIGHT = 8
"""Answers of one stream that may be on their way at once."""

HEEDLESS = 50
"""Messages refused in a row before a stream is closed."""

_answers = msgspec.json.Decoder(AnswerMessage)


class Answers:
    """The way in of a stream; what comes of an answer is told on the same stream."""

    def __init__(self, desk: Desk, stream: Stream, bearer: Bearer) -> None:
        self._desk = desk
        self._stream = stream
        self._bearer = bearer
        self._loop = asyncio.get_running_loop()
        self._context = Context()
        self._context.run(bind_contextvars, match=stream.match, seat=bearer.grant.seat)
        self._on_their_way = 0
        self._through = asyncio.Event()
        self._through.set()
        self._waiting: set[asyncio.Task[None]] = set()
        self._longest = desk.settings.body_limit
        self._limit = desk.limits["token"]
        self._caller = bearer.digest or f"stream {id(stream)}"
        self._heedless = 0

    def receive(self, data: bytes) -> None:
        """A message from the client: an answer. Must not fail."""
        if self._stream.closing.done():
            return
        if len(data) > self._longest:
            self._stream.shut(1009)
            return
        id = ""
        try:
            self._admit()
            message = _parsed(data)
            id = message.id
            self._submit(id, self._command(message))
        except Exception as error:
            self._failed(id, error)

    def _admit(self) -> None:
        """Raises Refused."""
        standing = self._limit.take(self._caller)
        if standing is not None:
            admit(self._limit, standing)
        if self._on_their_way >= IN_FLIGHT:
            raise Refused("too_many_requests", "wait for the answers that are on their way")

    def _command(self, message: AnswerMessage) -> Command:
        """Raises Refused."""
        seat = tokens.playing(self._bearer, self._stream.match)
        key = commands.command_id(checked_key(message.id))
        player = self._bearer.grant.player
        return commands.answer(key, seat, message.question, message.option, message.seen, player)

    def _submit(self, id: str, command: Command) -> None:
        """Most often the command can be decided at once; where not, a task waits until it can, and
        so do those that come after it. Raises Refused."""

        def done(outcome: Outcome, error: BaseException | None) -> None:
            self._ended()
            if error is None:
                self._accepted(id, outcome)
            elif not isinstance(error, asyncio.CancelledError):
                self._failed(id, error)

        if self._waiting or not self._offer(command, done):
            work = self._answer(id, command)
            task = self._loop.create_task(work, context=self._context.copy())
            self._waiting.add(task)
            task.add_done_callback(self._waited)
        self._on_their_way += 1
        self._through.clear()

    def _offer(self, command: Command, done: Done) -> bool:
        """What is logged on the way names match and seat."""
        match = self._stream.match
        return self._context.run(self._desk.offer, match, command, done) is not None

    def _waited(self, task: asyncio.Task[None]) -> None:
        self._waiting.discard(task)
        self._ended()

    def _ended(self) -> None:
        self._on_their_way -= 1
        if not self._on_their_way:
            self._through.set()

    async def _answer(self, id: str, command: Command) -> None:
        try:
            outcome = await self._desk.submit(self._stream.match, command)
        except Exception as error:
            self._failed(id, error)
        else:
            self._accepted(id, outcome)

    def _accepted(self, id: str, outcome: Outcome) -> None:
        self._heedless = 0
        # The commit itself went out to the same end in this turn of the loop: both leave together.
        version, head = outcome.commit.version, outcome.entry.head.hex()
        again, reverted = outcome.again, outcome.reverted
        epoch = outcome.live.epoch
        self._stream.push(AcceptedMessage(id, version, head, epoch, again, reverted))

    def _failed(self, id: str, error: BaseException) -> None:
        if not isinstance(error, Refused):
            match = self._stream.match
            self._context.run(_logger.error, "internal_error", match=match, exc_info=error)
            error = Refused("internal", OUR_MISTAKE)
        self._refuse(id, error)

    def _refuse(self, id: str, refused: Refused) -> None:
        """Nobody is told for ever what it does not read or heed."""
        stream = self._stream
        self._heedless += 1
        if self._heedless > HEEDLESS or stream.full:
            stream.shut(4408 if stream.full else 4429)
            return
        code = refused.code if refused.code in PROBLEMS else "internal"
        self._desk.metrics.refused.labels(code).inc()
        made: Any = problem(code, refused.why, **refused.detail)
        stream.push(RefusedMessage(id, made, stream.cursor, stream.head, stream.epoch))

    async def finished(self) -> None:
        """When those that are on their way are."""
        await asyncio.gather(*self._waiting, return_exceptions=True)
        await self._through.wait()


def _parsed(data: bytes) -> AnswerMessage:
    """Raises Refused: `bad_body`, `malformed_json`."""
    try:
        return _answers.decode(data)
    except msgspec.ValidationError as error:
        raise bad_body(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed_json", f"the message is not JSON: {error}") from None
