"""A match as it came about: the table after every version, folded once and kept for the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from events.log import Entry
from events.store import Corrupt, Log
from games.catalog import created, find
from games.table import Table


class Story(NamedTuple):
    """`tables[v]` is the table after version v, `head` the chain's head after the last."""

    tables: Sequence[Table]
    head: bytes

    @property
    def now(self) -> Table:
        return self.tables[-1]

    @property
    def version(self) -> int:
        return len(self.tables) - 1


class Poison(Exception):
    """A commit that does not fold; `story` is the match up to the one before, None for none."""

    def __init__(self, version: int, why: str, story: Story | None) -> None:
        super().__init__(f"version {version}: {why}")
        self.version = version
        self.why = why
        self.story = story


class Stories(Protocol):
    async def story(self, match: str) -> Story | None:
        """The match as far as its log goes; None for an unknown one. Raises Poison, Unavailable."""


class Folded:
    """One match in memory."""

    def __init__(self, first: Entry) -> None:
        names = created(first.facts)
        game = find(names["game"], names["edition"])
        self._decode = game.codec.decode
        self._tables = [Table(game)]
        self.head = b""

    @property
    def version(self) -> int:
        return len(self._tables) - 1

    @property
    def story(self) -> Story | None:
        return Story(tuple(self._tables), self.head) if self.version else None

    def fold(self, entry: Entry) -> None:
        commit: Any = self._decode(entry.facts)
        self._tables.append(self._tables[-1].after(commit, self._tables))
        self.head = entry.head


class Library:
    """The stories of the matches that moved last, `size` commits in all; projections of one
    process share it."""

    def __init__(self, log: Log, size: int = 20_000) -> None:
        self._log = log
        self._size = size
        self._folded: OrderedDict[str, Folded] = OrderedDict()

    async def story(self, match: str) -> Story | None:
        """The newest entry known is read again: if it is another by now, history was lost, and
        the match is folded anew."""
        known = self._folded.get(match)
        after = known.version - 1 if known else 0
        try:
            entries = await self._log.read(match, max(after, 0))
        except Corrupt as corrupt:
            raise await self._corrupt(match, corrupt) from None
        # While it was read, others may have folded the match further, or forgotten it.
        if not _follows(self._folded.get(match), entries, after):
            self._folded.pop(match, None)
            return await self.story(match)
        return self._told(match, entries)

    def _told(self, match: str, entries: Sequence[Entry]) -> Story | None:
        if not entries:
            return None
        for entry in entries:
            folded = self._folded.get(match)
            if folded is not None and entry.version <= folded.version:
                continue
            try:
                folded = folded or Folded(entry)
                folded.fold(entry)
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
                story = folded.story if folded else None
                raise Poison(entry.version, why, story) from error
            self._folded[match] = folded
        self._folded.move_to_end(match)
        told = self._folded[match].story
        self._forget()
        return told

    def _forget(self) -> None:
        """Those that moved longest ago go, until the rest fits."""
        held = sum(folded.version for folded in self._folded.values())
        while held > self._size:
            held -= self._folded.popitem(last=False)[1].version

    async def _corrupt(self, match: str, corrupt: Corrupt) -> Exception:
        """What stands before the bad entry can still be told."""
        story = None
        if corrupt.version > 1:
            entries = await self._log.read(match, 0, corrupt.version - 1)
            self._folded.pop(match, None)
            try:
                story = self._told(match, entries)
            except Poison as earlier:
                return earlier
        return Poison(corrupt.version, f"Corrupt: {corrupt.why}", story)


def _follows(known: Folded | None, entries: Sequence[Entry], after: int) -> bool:
    """Whether what was read after that version goes on from what is known, or overlaps with it."""
    if known is None:
        return after <= 0
    for entry in entries:
        if entry.version == known.version:
            return entry.head == known.head
    return bool(entries) and entries[0].version < known.version
