"""The real command line with one known bug in it: `python -m tests.faults.planted BUG serve ...`.

Nothing of the product knows of these; a checker that finds none of them would be worth nothing.
"""

from __future__ import annotations

import asyncio
import copy
import os
import sys
from collections.abc import Callable
from hashlib import sha1
from typing import Any

from events import redis_append
from events.entries import unpack
from events.partitions import match_keys
from events.redis_append import Appender
from events.redis_link import FAILURES
from events.redis_store import RedisStore
from events.scripts import SOURCES
from events.store import Unavailable
from services.cli import main
from services.matches import Matches

UNGATED = """
local n = string.format('%d', (redis.call('HGET', KEYS[2], 'v') or 0) + 1)
redis.call('XADD', KEYS[3], '*', ARGV[3], n)
redis.call('XADD', KEYS[1], n .. '-0', 'c', ARGV[2])
redis.call('HSET', KEYS[2], 'v', n, 'h', ARGV[4], 's', ARGV[5])
if KEYS[4] then redis.call('ZADD', KEYS[4], 0, ARGV[3]) end
return 1
"""

_tasks: set[asyncio.Future[Any]] = set()


def no_version_gate() -> None:
    """The script writes whatever comes at the next version."""
    _script(UNGATED)


def ack_before_write() -> None:
    """The reply goes out while the append is still on its way."""
    append = RedisStore.append

    async def begun(self: RedisStore, *words: Any) -> None:
        _begin(append(self, *words))

    def at_once(self: RedisStore, *words: Any) -> asyncio.Future[None]:
        return asyncio.ensure_future(begun(self, *words))

    setattr(RedisStore, "append", begun)  # noqa: B010
    setattr(RedisStore, "begin_append", at_once)  # noqa: B010


def lost_reply_by_tail_read() -> None:
    """After a lost reply the log is read, and what is not in it yet is taken for not written."""

    settle = Appender._until_settled

    async def settled(self: Appender, items: list[Any], first: bool) -> None:
        left = await self._send(items) if first else items
        for item in left:
            if item.doubt and not item.done.done():
                await _by_tail_read(self, item)
        await settle(self, [item for item in left if not item.done.done()], False)

    setattr(Appender, "_until_settled", settled)  # noqa: B010


async def _by_tail_read(appender: Appender, item: Any) -> None:
    key = match_keys(item.match, appender._partitions).log
    version = item.entry.version
    replies: list[Any] = []
    try:
        asked = ("XRANGE", key, f"{version}-0", f"{version}-0")
        await appender._link.exchange([asked], replies)
    except FAILURES as error:
        item.done.set_exception(Unavailable(str(error)))
        return
    if [unpack(item.match, version, fields[1]) for _, fields in replies[0]] == [item.entry]:
        item.done.set_result(None)
    else:
        item.done.set_exception(Unavailable("it is not in the log"))


def snapshot_without_ids() -> None:
    """Who reads a match anew, here often, knows nothing of the commands that made it."""
    os.environ["HALLOWSTREAM_MATCHES_IN_MEMORY"] = "1"
    read = Matches._read

    async def forgetful(self: Matches, match: str) -> Any:
        live = await read(self, match)
        live.ids = {}
        return live

    setattr(Matches, "_read", forgetful)  # noqa: B010


def feed_outside_the_script() -> None:
    """The reference for the workers is a write of its own, a little later."""
    source = SOURCES[redis_append._APPEND.sha]
    _script(source.replace("redis.call('XADD', KEYS[3], '*', ARGV[3], n)", ""))
    append = RedisStore.append

    async def refer(self: RedisStore, match: str, version: int) -> None:
        await asyncio.sleep(2.0)
        feed = match_keys(match, self.partitions).feed
        await self._link.call("XADD", feed, "*", match, version)

    async def appended(self: RedisStore, match: str, entry: Any, *more: Any) -> None:
        await append(self, match, entry, *more)
        _begin(refer(self, match, entry.version))

    def begun(self: RedisStore, *words: Any) -> asyncio.Future[None]:
        return asyncio.ensure_future(appended(self, *words))

    setattr(RedisStore, "append", appended)  # noqa: B010
    setattr(RedisStore, "begin_append", begun)  # noqa: B010


def broadcast_before_append() -> None:
    """Those who watch are told what was decided, whether it gets into the log or not."""
    decided = Matches._decided

    def told(self: Matches, live: Any, *words: Any) -> Any:
        outcome = decided(self, live, *words)
        early = copy.copy(live)
        early.recent, early.ids, early.told = live.recent.copy(), dict(live.ids), {}
        early.follow(outcome.entry, outcome.commit, outcome.table)
        self.deliver(early)
        return outcome

    setattr(Matches, "_decided", told)  # noqa: B010


BUGS: dict[str, Callable[[], None]] = {
    bug.__name__: bug
    for bug in (
        no_version_gate,
        ack_before_write,
        lost_reply_by_tail_read,
        snapshot_without_ids,
        feed_outside_the_script,
        broadcast_before_append,
    )
}


def _script(source: str) -> None:
    """The append script is this one."""
    redis_append._APPEND.sha = sha1(source.encode(), usedforsecurity=False).hexdigest()
    SOURCES[redis_append._APPEND.sha] = source


def _begin(work: Any) -> None:
    """A task that nobody waits for, whose errors nobody hears."""
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_ended)


def _ended(task: asyncio.Future[Any]) -> None:
    _tasks.discard(task)
    if not task.cancelled():
        task.exception()


if __name__ == "__main__":
    BUGS[sys.argv.pop(1)]()
    main()
