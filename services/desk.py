"""Everything one API process works with, put together in one place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import structlog

from events.store import Corrupt, Store, Unavailable, Unconfirmed
from games.rules import Refused
from games.sight import Viewer
from games.table import Table
from projections.served import Served
from services import logs, tokens
from services.commands import Command
from services.feed import Feed
from services.gauges import Gauges
from services.hub import Hub
from services.keys import Keys, UnknownKey
from services.limits import Held, Limit
from services.live import Live, Outcome
from services.matches import Busy, Done, Matches, UnknownMatch
from services.metrics import Metrics
from services.pasts import Past
from services.settings import Settings, rate
from services.stored import reaches
from services.tokens import Bearer, Tokens
from services.vault import Vault
from services.worker import GROUPS

logger = structlog.get_logger()

DEEP = 2
"""Looks back, which compute for long, at once."""


class Desk:
    """The parts of an API process; `open` before use, `close` after."""

    def __init__(self, settings: Settings, store: Store, vault: Vault, keys: Keys) -> None:
        self.settings = settings
        self.store = store
        self.cells = Served(store)
        self.vault = vault
        self.keys = keys
        self.metrics = Metrics()
        self.gauges = Gauges(self.metrics.registry, store, list(GROUPS))
        self.matches = Matches(store, keys, keep=settings.matches_in_memory)
        self.tokens = Tokens(
            vault, keys, settings.admin_key.get_secret_value(), settings.token_cache_seconds
        )
        self.feed = Feed(store, keys)
        self.hub = Hub(store, self.matches, self.metrics, settings.watch_seconds)
        self.limits = {
            "token": Limit("token", rate(settings.rate_token)),
            "address": Limit("address", rate(settings.rate_address)),
            "create": Limit("create", rate(settings.rate_create)),
            "bad_token": Limit("bad_token", rate(settings.rate_bad_token)),
            "verify": Limit("verify", rate(settings.rate_verify)),
        }
        self.sockets = {
            "address": Held(settings.sockets_address),
            "token": Held(settings.sockets_token),
        }
        self.deep = asyncio.Semaphore(DEEP)
        self.verifying = asyncio.Semaphore(1)  # apart: it takes a minute in the longest of matches
        self.fed: dict[tuple[str, str], int] = {}
        self._listening: asyncio.Task[None] | None = None

    def open(self) -> None:
        self.hub.start()
        self._listening = asyncio.create_task(self._hear_of_revocations())

    def drain(self) -> None:
        """Let go of all that waits: the process is about to stop."""
        self.hub.stopping.set()

    @property
    def draining(self) -> bool:
        return self.hub.stopping.is_set()

    async def close(self) -> None:
        await self.hub.stop()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def submit(self, match: str, command: Command) -> Outcome:
        """Get a command into the log and count it. Raises Refused, whatever went wrong."""
        structlog.contextvars.bind_contextvars(command=command.shown)
        live = self.matches.known(match)
        if live is not None and live.version >= self.settings.match_commits and not command.ends:
            command = command.checked(_refuse_more)
        with translated():
            outcome = await self.matches.submit(match, command)
        self.count(outcome)
        return outcome

    def offer(self, match: str, command: Command, done: Done) -> asyncio.Future[None] | None:
        """`submit` without a task, where nothing stands in its way: the append, under way.

        Else None, and nothing was done. `done` is told the outcome, or why there is none: a
        Refused, whatever went wrong with the match. Raises Refused, too.
        """
        live = self.matches.known(match)
        if live is None or live.version >= self.settings.match_commits:
            return None

        def counted(outcome: Outcome, error: BaseException | None) -> None:
            if error is None:
                self.count(outcome, command)
            done(outcome, error and (translation(error) or error))

        with translated():
            return self.matches.offer(match, command, counted)

    def count(self, outcome: Outcome, command: Command | None = None) -> None:
        """`command` where the lines of this context do not name it."""
        if outcome.again:
            self.metrics.repeated.inc()
            return
        self.metrics.accept(outcome.table.game.id)
        if not logs.heard(logging.INFO):
            return
        by = outcome.commit.by
        more: dict[str, Any] = {"seat": by} if isinstance(by, int) else {"by": by}
        if command is not None:
            more["command"] = command.shown
        version = outcome.commit.version
        logger.info("accepted", match=outcome.live.id, version=version, **more)

    async def load(self, match: str, version: int = 0) -> Live:
        """The match at `version` or later, as this process knows it. Raises Refused."""
        with translated():
            live = await self.matches.load(match)
            return live if live.version >= version else await self.matches.refresh(match, version)

    async def newest(self, match: str) -> Live:
        """The match as its log stands now. Raises Refused."""
        with translated():
            return await self.matches.refresh(match)

    async def certain(self, match: str) -> Live:
        """`newest`, its log being compared with the head that its store keeps. Raises Refused."""
        with translated():
            history, meta = self.store.history(match), await self.store.meta(match)
            live = await self.matches.refresh(match)
            if history == self.store.history(match):
                reaches(match, meta, live.version, live.head)
            return live

    async def past(self, live: Live) -> Past:
        """All that led to where the match stands. Raises Refused."""
        with translated():
            return await self.matches.pasts.of(live)

    def viewer(self, bearer: Bearer, table: Table) -> Viewer:
        """Whose eyes the bearer has. Raises Refused."""
        return tokens.viewer(bearer, table)

    async def _hear_of_revocations(self) -> None:
        while True:
            with suppress(Unavailable):
                async for digest in self._revoked():
                    self.tokens.forget(digest)
                    if digest:
                        self.hub.dismiss(digest)
            await asyncio.sleep(self.settings.watch_seconds)

    def _revoked(self) -> AsyncIterator[str]:
        return self.vault.revoked()


class translated:
    """Turns what can go wrong with a match into refusals with a stable code."""

    def __enter__(self) -> None:
        """Nothing to set up."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        refused = None if error is None else translation(error)
        if refused is not None:
            raise refused from None


def translation(error: BaseException) -> Refused | None:
    """What a client is told of it; None where it is no such thing."""
    if isinstance(error, UnknownMatch):
        return unknown_match()
    if isinstance(error, Busy):
        why = "others kept winning the race for the next version; send it again"
        return Refused("busy", why, retry_after=1)
    if isinstance(error, Unconfirmed):
        why = "the store did not answer in time; send it again under the same key to find out"
        return Refused("unconfirmed", why, retry_after=1)
    if isinstance(error, Unavailable):
        logger.warning("store_unavailable", why=str(error))
        return Refused(
            "unavailable", "the store cannot be reached; nothing was written", retry_after=2
        )
    if isinstance(error, Corrupt | UnknownKey):
        logger.error("corrupt_log", why=str(error))
        return Refused("corrupt_log", "the log of this match cannot be read here")
    return None


def _refuse_more(table: Table) -> None:
    why = f"the match has {table.version} commits; it can only be ended, or disputed"
    raise Refused("match_too_long", why)


def unknown_match() -> Refused:
    return Refused("unknown_match", "there is no match with this id")
