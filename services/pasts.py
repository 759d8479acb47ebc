"""The whole past of matches that somebody looks back into, folded once and kept for the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

from events.log import Entry
from events.store import Corrupt, Log, Unavailable
from games import catalog
from games.game import Game
from games.history import Commit, is_answer, standing
from games.table import Table
from services.live import Live, decoded


class Past(NamedTuple):
    """A match up to some version: `tables[v]` is the table after version v."""

    game: Game
    entries: tuple[Entry, ...]
    commits: tuple[Commit[Any], ...]
    tables: tuple[Table, ...]

    @property
    def version(self) -> int:
        return len(self.commits)

    def until(self, version: int) -> Past:
        """The same, as it was at that version."""
        if version == self.version:
            return self
        cut = self.entries[:version], self.commits[:version], self.tables[: version + 1]
        return Past(self.game, *cut)

    def undone(self, version: int) -> bool:
        """Whether it is an answer that was taken back."""
        if not is_answer(self.commits[version - 1]):
            return False
        return all(commit.version != version for commit in standing(self.commits))


def first(match: str, entry: Entry) -> Past:
    """The past before the first commit, which names the game. Raises Corrupt, Refused."""
    try:
        made = catalog.created(entry.facts)
    except ValueError as error:
        raise Corrupt(match, 1, str(error)) from error
    game = catalog.find(made["game"], made["edition"])
    return Past(game, (), (), (Table(game),))


def more(match: str, past: Past, entries: Sequence[Entry]) -> Past:
    """The past with these entries after it. Raises Corrupt where one does not fold."""
    commits, tables = list(past.commits), list(past.tables)
    for entry in entries:
        commit = decoded(past.game.codec, match, entry)
        try:
            tables.append(tables[-1].after(commit, tables))
        except Exception as error:  # damaged bytes may ask for anything at all
            why = f"it does not follow from the version before it: {error!r}"
            raise Corrupt(match, entry.version, why) from error
        commits.append(commit)
    return Past(past.game, (*past.entries, *entries), tuple(commits), tuple(tables))


class Pasts:
    """The pasts that were looked into last, `size` commits in all."""

    def __init__(self, store: Log, size: int = 50_000) -> None:
        self._store = store
        self._size = size
        self._kept: OrderedDict[str, Past] = OrderedDict()
        self._offered: tuple[str, Past] | None = None

    def offer(self, match: str, past: Past) -> None:
        """What was just read whole, in case that the next who looks back looks into that match."""
        self._offered = (match, past)

    async def of(self, live: Live) -> Past:
        """All that led to where the match stands now. Raises Corrupt, Unavailable."""
        match, version, head = live.id, live.version, live.head
        known = self._kept.get(match) or self._taken(match)
        if known is None or known.version < version or not _holds(known, version, head):
            known = await self._read(match, known, version)
            if not _holds(known, version, head):
                known = await self._read(match, None, version)
            if not _holds(known, version, head):
                if live.history != self._store.history(match):
                    raise Unavailable("the store has another history by now; ask again")
                raise Corrupt(match, version, "the log does not hold what was read from it before")
            self._keep(match, known)
        self._kept.move_to_end(match)
        return known.until(version)

    def forget(self, match: str) -> None:
        self._kept.pop(match, None)
        self._offered = None

    def _taken(self, match: str) -> Past | None:
        """What was offered, if it is of that match: kept from now on."""
        offered, self._offered = self._offered, None
        if offered is None or offered[0] != match:
            return None
        self._keep(match, offered[1])
        return offered[1]

    async def _read(self, match: str, known: Past | None, version: int) -> Past:
        """What is known is gone on from, if the log still holds its last entry."""
        begun = known.version if known is not None and known.version < version else 0
        entries = await self._store.read(match, max(begun - 1, 0), version - max(begun - 1, 0))
        if known is not None and begun:
            if entries and entries[0].head == known.entries[-1].head:
                return more(match, known, entries[1:])
            entries = await self._store.read(match, 0, version)
        if not entries:
            raise Corrupt(match, version, "the log is gone")
        return more(match, first(match, entries[0]), entries)

    def _keep(self, match: str, past: Past) -> None:
        self._kept[match] = past
        self._kept.move_to_end(match)
        held = sum(each.version for each in self._kept.values())
        while held > self._size and len(self._kept) > 1:
            held -= self._kept.popitem(last=False)[1].version


def _holds(past: Past, version: int, head: bytes) -> bool:
    return past.version >= version and past.entries[version - 1].head == head
