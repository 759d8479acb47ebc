"""Commands over one connection at a time: answers in order, nothing sent twice unasked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from redis.asyncio import BlockingConnectionPool, ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from events.redis_errors import code, verdict
from events.scripts import SOURCES
from events.store import Unavailable

Command = tuple[Any, ...]

FAILURES = (RedisError, OSError, TimeoutError)
_PAUSES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)


class NotSent(Exception):
    """No connection could be had: nothing has left."""


def pool(url: str, size: int) -> ConnectionPool:
    """Waits for a free connection when all are out; no reply is awaited without our own clock."""
    plain: Any = {"protocol": 2, "retry": Retry(NoBackoff(), 0), "socket_timeout": None}
    return BlockingConnectionPool.from_url(url, max_connections=size, timeout=None, **plain)


class Link:
    """A pool of connections and how long to wait for an answer, in seconds."""

    def __init__(self, connections: ConnectionPool, timeout: float) -> None:
        self._pool: Any = connections
        self.timeout = timeout

    async def exchange(self, commands: Sequence[Command], replies: list[Any]) -> None:
        """Sends all commands at once and adds their replies; an error reply is a value.

        Raises NotSent, or one of FAILURES when the connection broke: `replies` holds what came.
        A script that the server does not know is loaded for the next time.
        """
        try:
            async with asyncio.timeout(self.timeout):
                connection: AbstractConnection = await self._pool.get_connection()
        except FAILURES as error:
            raise NotSent(f"{type(error).__name__}: {error}") from error
        try:
            async with asyncio.timeout(self.timeout):
                await connection.send_packed_command(connection.pack_commands(commands))
                for _ in commands:
                    replies.append(await _reply(connection))
                await _load(connection, commands, replies)
        except FAILURES:
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._pool.release(connection)

    async def many(self, commands: Sequence[Command], again: bool = True) -> list[Any]:
        """The replies to commands that may be sent twice; with `again` false, only unsent ones.

        Raises Unavailable, also where any of them was answered by an error.
        """
        if not commands:
            return []
        why: Exception = NotSent()
        for pause in _PAUSES:
            await asyncio.sleep(pause)
            replies: list[Any] = []
            try:
                await self.exchange(commands, replies)
            except (*FAILURES, NotSent) as error:
                why = error
                if verdict(error) == "fail" or not (again or isinstance(error, NotSent)):
                    break
                continue
            errors = [reply for reply in replies if isinstance(reply, Exception)]
            if not errors:
                return replies
            why = errors[0]
            if any(verdict(error) not in ("load", "wait") for error in errors):
                break
        raise Unavailable(f"{code(why)}: {why}") from why

    async def call(self, *command: Any, again: bool = True) -> Any:
        return (await self.many([command], again))[0]

    async def aclose(self) -> None:
        await self._pool.disconnect()


async def _reply(connection: AbstractConnection) -> Any:
    try:
        return await connection.read_response(disable_decoding=True)
    except RedisError as error:
        if not connection.is_connected:
            raise
        return error


async def _load(
    connection: AbstractConnection, commands: Sequence[Command], replies: list[Any]
) -> None:
    missing = {
        command[1]
        for command, reply in zip(commands, replies, strict=True)
        if isinstance(reply, Exception) and verdict(reply) == "load"
    }
    for sha in missing:
        await connection.send_command("SCRIPT", "LOAD", SOURCES[sha])
        await _reply(connection)
