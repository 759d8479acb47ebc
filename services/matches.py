"""The way of a command: load, decide, append at the expected version, retry on conflict, reply."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import structlog

from events import log
from events.log import Entry
from events.store import Conflict, Log
from games.history import reverted_to
from games.rules import Refused
from games.table import Table
from services.commands import Command
from services.deciding import decided
from services.keys import Keys
from services.live import Live, Outcome, decoded
from services.pasts import Past, Pasts, first, more
from services.stored import reaches, still_none

_logger = structlog.get_logger()

QUEUE = 5.0
"""Seconds in which a command waits for those before it in its match."""

PATIENCE = 2.0
"""Seconds in which a command that loses races is decided again."""


class UnknownMatch(Exception):
    """No log under this id."""


class Busy(Exception):
    """Others kept winning the race for the next version; try again shortly."""


Deliver = Callable[[Live], None]
Done = Callable[[Outcome, BaseException | None], None]


async def _wait_turn(live: Live) -> None:
    """Hold the match's lock: one command at a time. None waits for ever on a frozen store.

    Raises Busy.
    """
    try:
        await asyncio.wait_for(live.lock.acquire(), QUEUE)
    except TimeoutError:
        raise Busy from None


class Matches:
    """The matches of one process, in front of a store.

    `deliver` is told of every match that has moved on in this process, by a commit that the
    store confirmed or by what it has read. `clock` gives UTC milliseconds.
    """

    def __init__(
        self,
        store: Log,
        keys: Keys,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        keep: int = 10_000,
    ) -> None:
        self.store = store
        self.keys = keys
        self.clock = clock
        self.deliver: Deliver = lambda live: None
        self.pasts = Pasts(store)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._keep = keep
        self._loading: dict[str, asyncio.Lock] = {}
        self._trying: set[asyncio.Task[Outcome]] = set()

    async def load(self, match: str) -> Live:
        """The match as this process last saw it; read from the log if it is not here.

        Raises UnknownMatch, Unavailable, Corrupt, UnknownKey.
        """
        live = self._live.get(match)
        if live is not None:
            self._live.move_to_end(match)
            if live.history != self.store.history(match):
                await self._compare(live)
            return live
        lock = self._loading.setdefault(match, asyncio.Lock())
        try:
            async with lock:
                return self._live.get(match) or self._remember(await self._read(match))
        finally:
            self._loading.pop(match, None)

    async def refresh(self, match: str, version: int = 0) -> Live:
        """The match at its newest version, or at least at `version`."""
        live = await self.load(match)
        if version and live.version >= version:
            return live
        async with live.lock:
            await self._behind(live)
        return live

    def known(self, match: str) -> Live | None:
        """The match, if it is in this process's memory."""
        return self._live.get(match)

    def forget(self, match: str) -> None:
        """Keep nothing of it in memory."""
        self._live.pop(match, None)
        self.pasts.forget(match)

    async def renew(self, match: str) -> Live:
        """The match read anew: what memory holds is not to be trusted."""
        live = await self.load(match)
        async with live.lock:
            await self._anew(live)
        return live

    async def _compare(self, live: Live) -> None:
        """The server of the match has another history: does that have what memory has?"""
        async with live.lock:
            history = self.store.history(live.id)
            if live.history != history:
                await self._behind(live)
                live.stand_in(history)
                self.deliver(live)

    async def create(self, match: str, command: Command, game: Any) -> Outcome:
        """The first commit of a match. Raises as `submit` does."""
        head = log.genesis(match, game.id, game.version)
        live = self._live.get(match) or Live(match, game.codec, Table(game), head, self.keys)
        async with live.lock:
            outcome = await self._accept(live, command)
        self._remember(live)
        return outcome

    async def submit(self, match: str, command: Command) -> Outcome:
        """Get the command into the log, or say why not.

        Raises Refused (nothing was written), Busy, Unconfirmed (it may be written: send it again
        under its id), Unavailable, UnknownMatch, Corrupt.
        """
        live = await self.load(match)
        if not live.lock.take():
            await _wait_turn(live)
        try:
            return await self._accept(live, command)
        finally:
            live.lock.release()

    def offer(self, match: str, command: Command, done: Done) -> asyncio.Future[None] | None:
        """`submit` without a task, where nothing stands in its way: the append, under way.

        None where it has to wait or to look at the log first: nothing was done then. `done` is
        given the outcome and what went wrong, None if nothing did, once; where another won the
        race, the command is decided again before it is the next one's turn.
        """
        live = self._live.get(match)
        if live is None or not self._ready(live, command) or not live.lock.take():
            return None
        try:
            outcome = self._decided(live, command)
            entry, status = outcome.entry, outcome.status
            pending = self.store.begin_append(live.id, entry, status, live.head)
        except Refused:
            live.lock.release()
            return None
        except BaseException:
            live.lock.release()
            raise
        self._live.move_to_end(match)
        pending.add_done_callback(partial(self._offered, command, outcome, done))
        return pending

    def _ready(self, live: Live, command: Command) -> bool:
        """Whether the command can be decided on what memory holds, as far as that can be told."""
        return (
            command.prepare is None
            and command.review is None
            and command.id not in live.ids
            and not command.before(live.reverted)
            and live.history == self.store.history(live.id)
        )

    def _offered(
        self, command: Command, outcome: Outcome, done: Done, pending: asyncio.Future[None]
    ) -> None:
        live = outcome.live
        error = _error(pending)
        if isinstance(error, Conflict):
            again = asyncio.create_task(self._once_more(live, command, error))
            self._trying.add(again)
            again.add_done_callback(partial(self._tried, outcome, done))
            return
        try:
            if error is None:
                live.follow(outcome.entry, outcome.commit, outcome.table)
                self.deliver(live)
        except Exception as failed:
            error = failed
        finally:
            live.lock.release()
        done(outcome, error)

    async def _once_more(self, live: Live, command: Command, conflict: Conflict) -> Outcome:
        await self._lost(live, conflict)
        return await self._accept(live, command)

    def _tried(self, first: Outcome, done: Done, again: asyncio.Task[Outcome]) -> None:
        """However the task ended, and were it before its first step, the turn is over."""
        first.live.lock.release()
        self._trying.discard(again)
        error = _error(again)
        done(again.result() if error is None else first, error)

    async def _accept(self, live: Live, command: Command) -> Outcome:
        tries = 2 * max(1, len(live.table.match.seats)) + 4
        until = time.monotonic() + PATIENCE
        while tries > 0 and time.monotonic() < until:
            tries -= 1
            if command.id in live.ids:
                return await self._again(live, command)
            if command.before(live.reverted):
                raise _undone(live)
            past = await self.pasts.of(live) if command.review is not None else None
            try:
                outcome = self._decided(live, command, past)
            except Refused:
                # The refusal must be judged on the newest state, not on this process's memory.
                if not await self._behind(live):
                    raise
                continue
            if command.prepare is not None:
                await command.prepare(outcome.commit.events)
            try:
                await self.store.append(live.id, outcome.entry, outcome.status, live.head)
            except Conflict as conflict:
                await self._lost(live, conflict)
                continue
            live.follow(outcome.entry, outcome.commit, outcome.table)
            self.deliver(live)
            return outcome
        raise Busy

    def _decided(self, live: Live, command: Command, past: Past | None = None) -> Outcome:
        return decided(live, command, self.clock(), past)

    async def _again(self, live: Live, command: Command) -> Outcome:
        """It is in the log; who did not hear so then may have to wait for replicas yet."""
        version = live.ids[command.id]
        await self._behind(live)
        await self.store.confirm(live.id)
        outcome = await self._first_result(live, version)
        if not command.same(outcome.commit, outcome.before):
            raise Refused(
                "key_reused", "this Idempotency-Key was used for another command; take a new one"
            )
        return outcome

    async def _first_result(self, live: Live, version: int) -> Outcome:
        past = await self.pasts.of(live)
        if past.version < version:
            raise UnknownMatch(live.id)
        entry, commit = past.entries[version - 1], past.commits[version - 1]
        before, table = past.tables[version - 1 : version + 1]
        return Outcome(live, entry, commit, before, table, True, past.undone(version))

    async def _behind(self, live: Live) -> bool:
        """Catch up with the log; whether memory was not what the log is.

        The newest commit known is read again: if another stands there, history was lost.
        """
        entries = await self.store.read(live.id, max(live.version - 1, 0))
        if not live.version:
            await self._catch_up(live, entries)
            return bool(entries)
        if not entries or entries[0].head != live.head:
            await self._anew(live)
            return True
        await self._catch_up(live, entries[1:])
        return len(entries) > 1

    async def _anew(self, live: Live) -> None:
        """What memory has of the match is not in its log: read that, and let all who were told
        look where they stand."""
        _logger.error("history_lost", match=live.id, version=live.version)
        live.lineage = object()
        try:
            live.become(await self._read(live.id))
        except UnknownMatch:
            self.forget(live.id)
            raise
        finally:
            self.deliver(live)

    async def _lost(self, live: Live, conflict: Conflict) -> None:
        _logger.debug("append_conflict", match=live.id, version=conflict.meta.version)
        if not conflict.tail or not _follows(live, conflict.tail[0]):
            await self._behind(live)
            return
        await self._catch_up(live, conflict.tail)
        if live.version < conflict.meta.version:
            await self._behind(live)

    async def _catch_up(self, live: Live, entries: Sequence[Entry]) -> None:
        before = live.version
        for entry in entries:
            if entry.version != live.version + 1:
                continue
            commit = decoded(live.codec, live.id, entry)
            if reverted_to(commit) is not None:
                live.become(await self._read(live.id))
                break
            live.follow(entry, commit, live.table.after(commit))
        if live.version != before:
            self.deliver(live)

    async def _read(self, match: str) -> Live:
        history = self.store.history(match)
        meta = await self.store.meta(match)
        entries = await self.store.read(match)
        if not entries:
            await still_none(self.store, match, meta)
            raise UnknownMatch(match)
        if history == self.store.history(match):
            reaches(match, meta, entries[-1].version, entries[-1].head)
        past = more(match, first(match, entries[0]), entries)
        self.pasts.offer(match, past)
        live = Live(match, past.game.codec, past.tables[0], entries[0].head, self.keys)
        for entry, commit, table in zip(entries, past.commits, past.tables[1:], strict=True):
            live.follow(entry, commit, table)
        live.stand_in(history)
        return live

    def _remember(self, live: Live) -> Live:
        self._live[live.id] = live
        self._live.move_to_end(live.id)
        while len(self._live) > self._keep:
            id, oldest = next(iter(self._live.items()))
            if oldest.lock.locked():
                break
            del self._live[id]
        return live


def _undone(live: Live) -> Refused:
    why = f"the match went back in version {live.reverted}, and `seen` does not say that you know"
    return Refused("undone_since", f"{why}: look at it again, and send the version seen as `seen`")


def _error(ended: asyncio.Future[Any]) -> BaseException | None:
    return asyncio.CancelledError() if ended.cancelled() else ended.exception()


def _follows(live: Live, entry: Entry) -> bool:
    """Whether it goes on from where this process stands, and in the same history."""
    return entry.version == live.version + 1 and follows(live.head, entry, live.seal)


def follows(head: bytes, entry: Entry, seal: log.Seal) -> bool:
    """Whether the entry was made after this head."""
    made = log.append(head, entry.version, entry.facts, entry.hidden, seal)
    return made.head == entry.head
