"""Commands over one connection at a time: answers in order, nothing sent twice unasked."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from redis._parsers.hiredis import NOT_ENOUGH_DATA
from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as BrokenConnection
from redis.exceptions import ReadOnlyError, RedisError, ResponseError
from redis.retry import Retry

from events.redis_errors import NotSent, code, in_doubt, told, verdict
from events.redis_pipe import Command, Done, Pipe
from events.scripts import SOURCES
from events.store import Unavailable

FAILURES = (RedisError, OSError, TimeoutError)
_PAUSES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)


class Asker(ABC):
    """Whoever can exchange commands for replies can ask and ask again."""

    timeout: float

    @abstractmethod
    async def exchange(self, commands: Sequence[Command], replies: list[Any]) -> None: ...

    def begin(self, commands: Sequence[Command], replies: list[Any], done: Done) -> bool:
        """`exchange` without a task, where a connection is free: under way from now on.

        `done` is told once how it ended: None, or what `exchange` would raise. False where it has
        to wait for anything first: nothing was done then.
        """
        return False

    @abstractmethod
    def sibling(self, size: int) -> Asker:
        """Another to the same place, with connections of its own; what is learnt is shared."""

    @abstractmethod
    def apart(self, size: int) -> Asker:
        """Another that shares nothing, for the event loop of another thread."""

    @abstractmethod
    def history(self, key: str) -> str:
        """Which history the server of this key has, by what it said when it was last connected to.

        Another one may lack what the one before had. Empty where that is not known.
        """

    @abstractmethod
    def connection(self) -> AbstractAsyncContextManager[AbstractConnection]: ...

    @abstractmethod
    async def aclose(self) -> None: ...

    async def many(
        self, commands: Sequence[Command], accept: Iterable[str] = (), once: bool = False
    ) -> list[Any]:
        """The replies to commands that may be sent twice; those to be done `once` are not, where
        they may have been done.

        Raises Unavailable, also where any of them was answered by an error whose code word is not
        among `accept`.
        """
        why: Exception | None = None
        for pause in _PAUSES if commands else ():
            await asyncio.sleep(pause)
            replies: list[Any] = []
            try:
                await self.exchange(commands, replies)
            except (*FAILURES, NotSent) as error:
                why = error
            else:
                errors = [r for r in replies if isinstance(r, Exception) and code(r) not in accept]
                if not errors:
                    return replies
                why = errors[0]
            if verdict(why) in ("fail", "corrupt") or (once and in_doubt(why)):
                break
        if why is None:
            return []
        raise Unavailable(told(why)) from why

    async def call(self, *command: Any) -> Any:
        return (await self.many([command]))[0]


class Told:
    """What a server says of itself to whoever connects: which history it has.

    With `primary` it must say that it is one, whatever others say of it.
    """

    def __init__(self, primary: bool = False) -> None:
        self.history = ""
        self._primary = primary

    async def greet(self, connection: AbstractConnection) -> None:
        """Called by redis-py with each new connection. Raises ReadOnlyError."""
        await connection.on_connect()
        await connection.send_command("INFO", "replication")
        try:
            info = await connection.read_response(disable_decoding=True)
        except ResponseError:
            if self._primary:
                raise
            return
        self.note(info)

    def note(self, info: bytes) -> None:
        """From the reply to INFO. Raises ReadOnlyError."""
        fields = dict(line.split(b":", 1) for line in info.splitlines() if b":" in line)
        if self._primary and fields.get(b"role") != b"master":
            raise ReadOnlyError("the server is no primary")
        self.history = fields.get(b"master_replid", b"").decode()


class Link(Asker):
    """At most `size` connections; `timeout` is how long to wait for an answer, in seconds.

    The pool of redis-py makes the connections, but giving one back there waits for a lock, and a
    caller that is cancelled at that moment loses it for good. Here it waits for nothing.
    """

    def __init__(self, url: str, size: int, timeout: float, told: Told | None = None) -> None:
        plain: Any = {"protocol": 2, "retry": Retry(NoBackoff(), 0), "socket_timeout": None}
        if told is not None:
            plain["redis_connect_func"] = told.greet
        self._url = url
        self._told = told
        self._pool: Any = ConnectionPool.from_url(url, **plain)
        self._idle: list[AbstractConnection] = []
        self._busy: set[AbstractConnection] = set()
        self._pipes: list[Pipe] = []
        self._open_pipes: set[Pipe] = set()
        self._missing: set[str] = set()
        self._ended = False
        self._room = asyncio.Semaphore(size)
        self.timeout = timeout

    def sibling(self, size: int) -> Link:
        return Link(self._url, size, self.timeout, self._told)

    def apart(self, size: int) -> Link:
        return Link(self._url, size, self.timeout)

    def history(self, key: str) -> str:
        return self._told.history if self._told is not None else ""

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AbstractConnection]:
        """A connection of one's own for a while. Raises NotSent."""
        async with self._room:
            connection = self._idle.pop() if self._idle else self._pool.make_connection()
            self._busy.add(connection)
            try:
                if not connection.is_connected:
                    await self._open(connection)
                yield connection
            finally:
                self._busy.discard(connection)
                self._idle.append(connection)
                if self._ended:
                    await connection.disconnect(nowait=True)

    async def _open(self, connection: Any) -> None:
        try:
            async with asyncio.timeout(self.timeout):
                await connection.connect()
        except FAILURES as error:
            raise NotSent(str(error)) from error

    async def exchange(self, commands: Sequence[Command], replies: list[Any]) -> None:
        """Sends all commands at once and adds their replies; an error reply is a value.

        Raises NotSent, or one of FAILURES when the connection broke: `replies` holds what came.
        A script that the server does not know is loaded before the next exchange.
        """
        async with self._room:
            pipe = self._free() or await self._new()
            try:
                await self._loaded(pipe)
                if pipe.lost:
                    raise NotSent("the server has closed the connection")
                await pipe.exchange(commands, replies, self.timeout)
                if pipe.refused:
                    self._note_missing(commands, replies)
            finally:
                self._back(pipe)

    def begin(self, commands: Sequence[Command], replies: list[Any], done: Done) -> bool:
        """As `Asker.begin`."""
        if self._missing or self._room.locked():
            return False
        pipe = self._free()
        if pipe is None:
            return False

        def ended(error: Exception | None) -> None:
            self._room.release()
            self._back(pipe)
            if error is None and pipe.refused:
                self._note_missing(commands, replies)
            done(error)

        try:
            pipe.begin(commands, replies, self.timeout, ended)
        except BaseException:
            self._back(pipe)
            raise
        _enter(self._room)
        return True

    def _back(self, pipe: Pipe) -> None:
        """Free for the next; who comes back to a link that has ended is closed."""
        self._pipes.append(pipe)
        if self._ended:
            pipe.close()

    def _free(self) -> Pipe | None:
        """One that is open and nobody uses."""
        while self._pipes:
            pipe = self._pipes.pop()
            if not pipe.lost:
                return pipe
            self._open_pipes.discard(pipe)
        return None

    async def _new(self) -> Pipe:
        """Raises NotSent."""
        connection = self._pool.make_connection()
        await self._open(connection)
        if await connection.can_read():
            # The end, or what would be taken for the answer to another question.
            await connection.disconnect(nowait=True)
            raise NotSent("the server has closed the connection")
        pipe = Pipe(connection)
        self._open_pipes.add(pipe)
        return pipe

    async def _loaded(self, pipe: Pipe) -> None:
        """Raises NotSent: none of the commands has left yet."""
        missing, self._missing = self._missing, set()
        if missing:
            loads = [("SCRIPT", "LOAD", SOURCES[sha]) for sha in missing]
            try:
                await pipe.exchange(loads, [], self.timeout)
            except FAILURES as error:
                self._missing |= missing
                raise NotSent(str(error)) from error

    def _note_missing(self, commands: Sequence[Command], replies: Sequence[Any]) -> None:
        """By the last replies, which are those to the commands."""
        for command, reply in zip(commands, replies[-len(commands) :], strict=True):
            if isinstance(reply, Exception) and verdict(reply) == "load":
                self._missing.add(command[1])

    async def leave(self) -> None:
        """Break all connections, also those that somebody waits on; none is kept from now on."""
        self._ended = True
        for connection in (*self._idle, *self._busy):
            await connection.disconnect(nowait=True)
        for pipe in tuple(self._open_pipes):
            pipe.close()

    async def aclose(self) -> None:
        """Those in use are closed once they come back."""
        self._ended = True
        for connection in self._idle:
            await connection.disconnect()
        for pipe in self._pipes:
            pipe.close()
        await self._pool.aclose()
        # What was broken off is closed by the loop, in its next turn.
        await asyncio.sleep(0)


def _enter(room: asyncio.Semaphore) -> None:
    """Where there is room, nobody has to wait for it."""
    entering = room.acquire()
    with suppress(StopIteration):
        entering.send(None)


class OverRedis:
    """What the parts of the store share."""

    _link: Asker
    partitions: int


def buffered(connection: Any) -> Iterator[Any]:
    """What came in one piece with the reply read last, at a tenth of what reading it costs.

    Raises what breaks a connection, as reading does; other errors are values.
    """
    gets = connection._parser._reader.gets
    while (reply := gets(False)) is not NOT_ENOUGH_DATA:
        if isinstance(reply, BrokenConnection):
            raise reply
        yield reply
