"""Appends over Redis: those of one process leave together, and a lost reply is asked for again."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Protocol

from events.entries import pack, unpack
from events.log import Entry
from events.partitions import match_keys, partition, waited_key
from events.redis_errors import LINE_DOWN, NotSent, code, in_doubt, told, verdict
from events.redis_link import FAILURES, Asker
from events.redis_pipe import Command
from events.scripts import Script
from events.store import Conflict, Corrupt, Meta, Unavailable, Unconfirmed

_APPEND = Script("append")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.25
_LARGEST_BATCH = 256


class _Append:
    """One append on its way. `doubt`: it was sent once and its fate is not known."""

    def __init__(
        self, match: str, entry: Entry, command: Command, until: float, done: asyncio.Future[None]
    ) -> None:
        self.match = match
        self.entry = entry
        self.command = command
        self.until = until
        self.done = done
        self.doubt = False
        self.why: Exception | None = None

    def abandon(self) -> None:
        """Nobody is left to send it."""
        if not self.done.done():
            self.done.set_exception(Unconfirmed("the appender has ended"))

    def settle(self, reply: Any) -> bool:
        """By the script's answer: accepted, or refused with where the match stands."""
        error = None if reply == 1 else self._refusal(reply)
        if self.done.done():
            return error is None
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)
        return error is None

    def _refusal(self, reply: Any) -> Exception | None:
        try:
            conflict = _conflict(self.match, reply)
        except Corrupt as corrupt:
            return corrupt
        tail = conflict.tail
        return None if self.doubt and tail and tail[0] == self.entry else conflict

    def again(self, error: Exception) -> bool:
        """Whether to try once more after a failure; if not, the caller is told."""
        if self.done.done():
            return False
        self.why = error
        what = verdict(error)
        if what == "corrupt":
            self.done.set_exception(Corrupt(self.match, self.entry.version, str(error)))
        elif what == "fail" or monotonic() >= self.until:
            kind = Unconfirmed if self.doubt else Unavailable
            self.done.set_exception(kind(told(error)))
        return not self.done.done()


def _conflict(match: str, reply: Any) -> Conflict:
    (version, head, status, archived), tail = reply
    meta = Meta(int(version or archived or 0), head or b"", (status or b"").decode())
    entries = [unpack(match, int(id.split(b"-")[0]), fields[1]) for id, fields in tail]
    return Conflict(meta, entries)


def _fence(number: int) -> Command:
    return ("SET", waited_key(number), "")


class TooFewReplicas(Exception):
    """So far an append is on the primary alone, and a failover would lose it."""


Accepted = Callable[[str, int], None]
"""Told match and version of what was accepted."""


def _to_nobody(match: str, version: int) -> None:
    """Nobody wants to know."""


class Appends(Protocol):
    """How appends leave a process."""

    def append(
        self, match: str, entry: Entry, status: str, before: bytes = b""
    ) -> asyncio.Future[None]:
        """Under way from now on."""

    async def confirm(self, match: str) -> None: ...

    async def aclose(self) -> None: ...


class Appender:
    """Sends appends in batches, one at a time.

    `patience` is how long, in seconds, an append is tried before its caller is told. `replicas`
    must have a batch, in `replica_ms` each try, before any of it counts as accepted.
    """

    def __init__(
        self,
        link: Asker,
        partitions: int,
        patience: float,
        replicas: int = 0,
        replica_ms: int = 500,
        accepted: Accepted = _to_nobody,
    ) -> None:
        self._link = link
        self._partitions = partitions
        self._patience = patience
        self._replicas = replicas
        self._accepted = accepted
        self._wait: list[Command] = [("WAIT", replicas, replica_ms)] if replicas else []
        self._queue: deque[_Append] = deque()
        self._through = asyncio.Event()
        self._through.set()
        self._trying: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def append(
        self, match: str, entry: Entry, status: str, before: bytes = b""
    ) -> asyncio.Future[None]:
        keys = match_keys(match, self._partitions)
        expected = entry.version - 1
        named = keys if expected == 0 else keys[:3]
        command = _APPEND.command(named, expected, pack(entry), match, entry.head, status, before)
        loop = self._loop or self._at_home()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.append(_Append(match, entry, command, monotonic() + self._patience, done))
        if self._through.is_set():
            self._through.clear()
            loop.call_soon(self._next)
        return done

    def _at_home(self) -> asyncio.AbstractEventLoop:
        """The loop in which it lives. To ask for the one that runs is a system call in 3.11."""
        self._loop = asyncio.get_running_loop()
        return self._loop

    async def confirm(self, match: str) -> None:
        """As `Log.confirm`."""
        if not self._replicas:
            return
        found = await self._link.many([_fence(partition(match, self._partitions)), *self._wait])
        if found[1] < self._replicas:
            raise Unconfirmed(f"{found[1]} of {self._replicas} replicas have it")

    def _next(self) -> None:
        """What came up in this turn of the loop, and while a batch was out, is the next batch."""
        batch = self._batch()
        if not batch:
            self._through.set()
            return
        replies: list[Any] = []

        def came(error: Exception | None) -> None:
            # What else has come in by now belongs to the next batch, which leaves before anybody
            # is told of this one.
            loop.call_soon(self._came, batch, replies, error)

        loop = self._loop or self._at_home()
        try:
            begun = self._link.begin(self._commands(batch), replies, came)
        except Exception:
            self._abandon(batch)
            raise
        if not begun:
            self._try(batch, first=True)

    def _came(self, batch: list[_Append], replies: list[Any], error: Exception | None) -> None:
        try:
            left = self._settled(batch, replies, error)
        except Exception:
            self._abandon(batch)
            raise
        if left:
            self._try(left)
        else:
            self._next()

    def _abandon(self, items: Sequence[_Append]) -> None:
        """After an error of our own nobody is left waiting: neither these nor the queue."""
        for item in (*items, *self._queue):
            item.abandon()
        self._next()

    def _batch(self) -> list[_Append]:
        batch: list[_Append] = []
        while self._queue and len(batch) < _LARGEST_BATCH:
            item = self._queue.popleft()
            if not item.done.done():
                batch.append(item)
        return batch

    def _try(self, items: list[_Append], first: bool = False) -> None:
        """Until nothing is left of them; those that come up meanwhile wait."""

        def tried(task: asyncio.Task[None]) -> None:
            self._trying = None
            if not task.cancelled() and task.exception() is None:
                self._next()
                return
            self._abandon(items)
            if not task.cancelled():
                # The loop is told of an error of our own.
                task.result()

        self._trying = asyncio.get_running_loop().create_task(self._until_settled(items, first))
        self._trying.add_done_callback(tried)

    async def _until_settled(self, items: list[_Append], first: bool) -> None:
        left = await self._send(items) if first else items
        pause = _FIRST_PAUSE
        while left := await self._apiece(left):
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _apiece(self, items: list[_Append]) -> list[_Append]:
        """Resend one by one, for a failed batch says nothing of each; gives back what is left.

        Where the line is down the others need not try it too; who broke it goes last.
        """
        left: list[_Append] = []
        for place, item in enumerate(items):
            failed = await self._send([item])
            if failed and item.why is not None and code(item.why) == LINE_DOWN:
                others = [one for one in items[place + 1 :] if one.again(item.why)]
                return [*others, *left, item]
            left += failed
        return left

    async def _send(self, batch: list[_Append]) -> list[_Append]:
        """One try; gives back those to try again."""
        batch = [item for item in batch if not item.done.done()]
        if not batch:
            return []
        replies: list[Any] = []
        failed = None
        try:
            await self._link.exchange(self._commands(batch), replies)
        except (*FAILURES, NotSent) as error:
            failed = error
        return self._settled(batch, replies, failed)

    def _commands(self, batch: Sequence[_Append]) -> list[Command]:
        commands = [item.command for item in batch]
        return [*commands, *self._end(batch)] if self._wait else commands

    def _settled(
        self, batch: list[_Append], replies: list[Any], failed: Exception | None
    ) -> list[_Append]:
        """What came is told to who waits for it; gives back those to try again."""
        if failed is None:
            self._confirm(batch, replies)
        else:
            # Without the count of replicas behind them, replies that came settle nothing.
            known = [] if self._wait else replies[: len(batch)]
            replies = [*known, *[failed] * (len(batch) - len(known))]
        left = []
        for item, reply in zip(batch, replies, strict=True):
            if not isinstance(reply, Exception):
                if item.settle(reply):
                    self._accepted(item.match, item.entry.version)
                continue
            item.doubt = item.doubt or in_doubt(reply)
            if item.again(reply):
                left.append(item)
        return left

    def _end(self, batch: Sequence[_Append]) -> list[Command]:
        """WAIT counts what its own connection has written, and a refusal writes nothing: where an
        entry may be there already, something of no meaning is written first."""
        numbers = {partition(item.match, self._partitions) for item in batch if item.doubt}
        return [*[_fence(number) for number in sorted(numbers)], *self._wait]

    def _confirm(self, batch: list[_Append], replies: list[Any]) -> None:
        """WAIT counts for its own connection alone, so it ends the batch; zero is no error.

        What is not on enough replicas is in doubt. Sent again it is refused, its entry being
        there, and the WAIT behind that refusal and a fence tells whether they have it by now.
        """
        if not self._wait:
            return
        reached = replies.pop()
        fences = replies[len(batch) :]
        del replies[len(batch) :]
        reached = next((fence for fence in fences if isinstance(fence, Exception)), reached)
        if isinstance(reached, Exception) or reached < self._replicas:
            for place, item in enumerate(batch):
                if not isinstance(replies[place], Exception):
                    item.doubt = True
                    replies[place] = TooFewReplicas(f"{reached} of {self._replicas}")

    async def aclose(self) -> None:
        """Waits for what is on its way, then gives the connection back."""
        await self._through.wait()
        await self._link.aclose()
