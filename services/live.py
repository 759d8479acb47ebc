"""A match in this process: its table, and what memory holds besides."""

from __future__ import annotations

import asyncio
from collections import deque
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from events import log
from events.log import Entry
from events.store import Corrupt
from games.history import Codec, Commit, is_answer, reverted_to
from games.match import Replaced, SeatTaken
from games.sight import Seat, Viewer
from games.table import Table
from services.keys import Keys

if TYPE_CHECKING:
    from services.telling import Telling

RECENT = 16
"""Commits of a match that are kept decoded for those who watch it."""


class Outcome(NamedTuple):
    """An accepted command: its commit as stored, and the table after it.

    `before` is the table it was decided on; `again` is True where the command had been
    accepted earlier and this is its first result once more, `reverted` where an undo has taken
    it back since.
    """

    live: Live
    entry: Entry
    commit: Commit[Any]
    before: Table
    table: Table
    again: bool
    reverted: bool = False

    @property
    def status(self) -> str:
        """Where the match stands after it, as the store is told."""
        return "closed" if self.table.match.closed else self.table.status


class Moved(NamedTuple):
    """One step of a match: a commit as stored, decoded, and the table after it."""

    entry: Entry
    commit: Commit[Any]
    table: Table


class Turn(asyncio.Lock):
    """One command at a time."""

    def take(self) -> bool:
        """Take it, if nobody has it or waits for it."""
        if self.locked():
            return False
        acquiring = self.acquire()
        try:
            acquiring.send(None)
        except StopIteration:
            return True
        acquiring.close()
        return False


class Live:
    """A match in this process: the table as of the newest commit it has seen confirmed.

    Trusted only as far as the append's version check. `ids` are the commands of all commits,
    `sat` those by which seats were taken, `recent` the newest commits, `told` the newest
    commits as viewers were told them, by version. `history` is that of the store in which all this
    was last found in the log; `epoch` names both, the log and its history. `lineage` is another
    object once something that was told is in the log no more. `begun` is the version that started
    play, `over` the newest one at which it was over.
    """

    def __init__(self, id: str, codec: Codec, table: Table, head: bytes, keys: Keys) -> None:
        self.id = id
        self.codec = codec
        self.table = table
        self.head = head
        self.keys = keys
        self.ids: dict[bytes, int] = {}
        self.sat: dict[Seat, bytes] = {}
        self.created = b""
        self.history = ""
        self.lineage = object()
        self.epoch = ""
        self._first = b""
        self.recent: deque[Moved] = deque(maxlen=RECENT)
        self.told: dict[int, Telling] = {}
        self.reverted = 0
        self.begun = 0
        self.over = 0
        self.lock = Turn()
        self._derived: tuple[str, bytes, log.Seal] | None = None

    @property
    def version(self) -> int:
        return self.table.version

    def reach(self, viewer: Viewer) -> int:
        """The newest version that the viewer may see: until the match is over a spectator lags
        behind by what the host has set. Nobody is ever shown less than before."""
        delay = self.table.match.delay
        if viewer != "spectator" or not delay or not self.begun:
            return self.version
        return max(self.begun - 1, self.over, self.version - delay)

    def shown(self, viewer: Viewer) -> Moved:
        """The newest step that the viewer may see."""
        return self.recent[self.reach(viewer) - self.version - 1]

    @property
    def seed(self) -> bytes:
        return self.secrets()[1]

    @property
    def seal(self) -> log.Seal:
        return self.secrets()[2]

    def secrets(self) -> tuple[str, bytes, log.Seal]:
        """The name of the server's key, the seed and the seal that follow from it."""
        key = self.table.match.key or self.keys.current
        if self._derived is None or self._derived[0] != key:
            seal = log.sealer(self.keys.seal_secret(key, self.id), self.id)
            self._derived = (key, self.keys.seed(key, self.id), seal)
        return self._derived

    def follow(self, entry: Entry, commit: Commit[Any], table: Table) -> None:
        """Stand after one more confirmed commit."""
        self.table = table
        self.head = entry.head
        self.ids[commit.private.command] = commit.version
        self.recent.append(Moved(entry, commit, table))
        if table.match.started and not self.begun:
            self.begun = commit.version
        if table.status == "over":
            self.over = commit.version
        if not is_answer(commit):
            self._follow_match(entry, commit, table)

    def _follow_match(self, entry: Entry, commit: Commit[Any], table: Table) -> None:
        """What only a commit on the match itself can bring."""
        first = commit.events[0]
        if reverted_to(commit) is not None:
            self.reverted = commit.version
        if isinstance(first, SeatTaken | Replaced):
            self.sat[first.seat] = commit.private.command
        if commit.version == 1:
            # Enough for a spectator who lags.
            self.recent = deque(self.recent, max(RECENT, table.match.delay + 1))
            self.created = commit.private.command
            self._first = entry.head
            self._name()

    def stand_in(self, history: str) -> None:
        """The log was looked at in this history of its store, and has what is here."""
        self.history = history
        self._name()

    def _name(self) -> None:
        """Eight hex digits for the log, eight for the history."""
        history = sha256(self.history.encode()).hexdigest()
        self.epoch = self._first.hex()[:8] + history[:8]
        self.told = {}

    def become(self, fresh: Live) -> None:
        """Stand where a fresh reading of the log stands."""
        self.table, self.head, self.ids = fresh.table, fresh.head, fresh.ids
        self.sat, self.created, self._first = fresh.sat, fresh.created, fresh._first
        self.recent, self.reverted = fresh.recent, fresh.reverted
        self.begun, self.over = fresh.begun, fresh.over
        self.stand_in(fresh.history)


def decoded(codec: Codec, match: str, entry: Entry) -> Commit[Any]:
    """Raises Corrupt, naming match and version, where the stored bytes are no commit."""
    try:
        return codec.decode(entry.facts)
    except msgspec.DecodeError as error:
        raise Corrupt(match, entry.version, f"unreadable: {error}") from error
