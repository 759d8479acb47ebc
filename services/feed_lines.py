"""Commits of any match as an auditor may see them; those that cannot be told say why."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from events import log
from events.log import Entry, Seal
from events.store import Corrupt, Locked, Store
from games import catalog
from games.game import Game
from games.rules import Refused
from replay import load
from services.keys import Keys, UnknownKey
from services.problems import Problem, problem

REMEMBERED = 10_000
"""Matches whose games are remembered."""


class Line(msgspec.Struct, frozen=True):
    """A commit of some match, as an auditor may see it."""

    match: str
    game: str
    version: int
    head: str
    at: int
    by: int | str
    rules: str
    events: list[Any]


class Untold(msgspec.Struct, frozen=True):
    """Commits of a match, from version `first` to `last`, that cannot be told now, and why."""

    match: str
    first: int
    last: int
    problem: Problem


class _Known(NamedTuple):
    game: Game
    seal: Seal


class Lines:
    """Reads logs line by line. What is wrong with one match is told in a line of its own."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self._store = store
        self._keys = keys
        self._known: OrderedDict[str, _Known] = OrderedDict()

    async def between(self, match: str, after: int, last: int) -> list[Line | Untold]:
        """The versions beyond `after` up to `last`, as far as the log has them. Raises
        Unavailable."""
        try:
            entries = await self._store.read(match, after, last - after)
        except Corrupt as corrupt:
            return await self._before(match, after, last, corrupt)
        return await self._told(match, entries, last)

    async def some(self, match: str, after: int, limit: int) -> tuple[list[Line | Untold], int]:
        """At most so many lines beyond `after`, and the version that the next ones are beyond; 0
        where that was all. Raises Unavailable."""
        meta = await self._store.meta(match)
        if meta is None or meta.version <= after:
            return [], 0
        last = min(after + limit, meta.version)
        lines = await self.between(match, after, last)
        return lines, last if last < meta.version else 0

    async def _before(
        self, match: str, after: int, last: int, corrupt: Corrupt
    ) -> list[Line | Untold]:
        """What stands before the bad entry can still be told, unless the log is bad as a whole."""
        entries: Sequence[Entry] = ()
        if after + 1 < corrupt.version <= last:
            try:
                entries = await self._store.read(match, after, corrupt.version - 1 - after)
            except Corrupt as whole:
                corrupt = whole
        told = await self._told(match, entries, after + len(entries))
        return [*told, _untold(match, after + len(entries) + 1, last, corrupt)]

    async def _told(self, match: str, entries: Sequence[Entry], last: int) -> list[Line | Untold]:
        if not entries:
            return []
        lines: list[Line | Untold] = []
        try:
            known = await self._game(match, entries[0])
            if known is not None:
                for entry in entries:
                    lines.append(_line(match, known, entry))
        except _AMISS as error:
            lines.append(_untold(match, entries[0].version + len(lines), last, error))
        return lines

    async def _game(self, match: str, entry: Entry) -> _Known | None:
        """None where it was deleted since the entry was read. Raises what is amiss."""
        known = self._known.get(match)
        if known is None:
            first = [entry] if entry.version == 1 else await self._store.read(match, 0, 1)
            if not first:
                return None
            made = catalog.created(first[0].facts)
            game = catalog.find(made["game"], made["edition"])
            commit = game.codec.decode(first[0].facts)
            secret = self._keys.seal_secret(commit.events[0].key, match)
            known = self._known[match] = _Known(game, log.sealer(secret, match))
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return known


_AMISS = (Corrupt, UnknownKey, Refused, ValueError, msgspec.MsgspecError, load.Unreadable)
"""What can be wrong with one match alone."""


def _line(match: str, known: _Known, entry: Entry) -> Line:
    page = log.page(entry, "auditor", known.seal)
    told = load.telling(known.game, "auditor", page).named
    about = (told["at"], told["by"], told["rules"], told["events"])
    return Line(match, known.game.id, entry.version, entry.head.hex(), *about)


def _untold(match: str, first: int, last: int, error: Exception) -> Untold:
    code = _code(error)
    why = problem(code, _DETAILS.get(code) or str(error), f"/v1/matches/{match}/log")
    return Untold(match, first, last, msgspec.convert(why, Problem))


_DETAILS = {
    "corrupt_log": "these commits cannot be read; once the log is mended it is in `.../log`",
    "locked_log": "the server key that the match was made with is not among those of this server",
}


def _code(error: Exception) -> str:
    if isinstance(error, Refused):
        return error.code
    return "locked_log" if isinstance(error, UnknownKey | Locked) else "corrupt_log"
