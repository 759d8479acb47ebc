"""A connection that redis-py has made and greeted, with no stream and no task in between: half
the price of an exchange of a single command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from hiredis import pack_command
from redis._parsers.hiredis import NOT_ENOUGH_DATA
from redis.exceptions import ConnectionError as BrokenConnection
from redis.exceptions import InvalidResponse

Command = tuple[Any, ...]
Done = Callable[[Exception | None], None]
"""Told once how an exchange went; None: all replies are there."""


class Pipe(asyncio.Protocol):
    """Commands out, their replies in, one exchange at a time.

    It is of no use any more once it is `lost`: by either end, by what is no answer, by an
    exchange that took too long. `refused`: among the last replies are errors.
    """

    refused = False

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._gets = connection._parser._reader.gets
        self._feed = connection._parser._reader.feed
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport = connection._writer.transport
        self._stream: Any = self._transport.get_protocol()
        self._replies: list[Any] = []
        self._end = 0
        self._done: Done | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._transport.set_protocol(self)

    @property
    def lost(self) -> bool:
        return self._transport.is_closing()

    def begin(
        self, commands: Sequence[Command], replies: list[Any], within: float, done: Done
    ) -> None:
        """Send all commands at once and add their replies as they come; an error reply is a value.

        `done` is told TimeoutError where it is not through `within` seconds, and BrokenConnection
        where the line broke: what was sent may have been done then. It is called later, never
        from here, and not at all where this raises: then the pipe is lost.
        """
        try:
            self._transport.write(b"".join(map(pack_command, commands)))
        except BaseException:
            # Half a command may have left.
            self.close()
            raise
        self.refused = False
        self._replies = replies
        self._end = len(replies) + len(commands)
        self._done = done
        self._patience = self._loop.call_later(within, self.close, TimeoutError())

    async def exchange(
        self, commands: Sequence[Command], replies: list[Any], within: float
    ) -> None:
        """`begin`, and wait. A caller that is cancelled leaves it lost."""
        waiter: asyncio.Future[None] = self._loop.create_future()

        def done(error: Exception | None) -> None:
            if waiter.done():
                return
            if error is None:
                waiter.set_result(None)
            else:
                waiter.set_exception(error)

        self.begin(commands, replies, within, done)
        try:
            await waiter
        except asyncio.CancelledError:
            self.close()
            raise

    def data_received(self, data: bytes) -> None:
        try:
            self._feed(data)
            self._take()
        except (BrokenConnection, InvalidResponse) as error:
            self.close(error)

    def _take(self) -> None:
        replies, end = self._replies, self._end
        while (reply := self._gets(False)) is not NOT_ENOUGH_DATA:
            if isinstance(reply, Exception):
                self.refused = True
                if isinstance(reply, BrokenConnection):
                    raise reply
            if self._done is None or len(replies) == end:
                raise InvalidResponse("an answer to nothing that was asked")
            replies.append(reply)
        if self._done is not None and len(replies) == end:
            self._finish(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stream.connection_lost(exc)
        self.close(BrokenConnection(str(exc) if exc else "the server has closed the connection"))

    def close(self, error: Exception | None = None) -> None:
        """Whoever waits for replies is told that the line broke.

        What has not left yet never does, and no goodbye is waited for: a server that takes nothing
        more would keep both here for as long as it likes.
        """
        self._transport.abort()
        self._connection._close()
        if self._done is not None:
            self._finish(error or BrokenConnection("the connection was given up"))

    def _finish(self, error: Exception | None) -> None:
        done, self._done, self._replies = self._done, None, []
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if done is not None:
            done(error)
