"""What the ports of `events.store` give and take, and how they refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from events.log import Entry

TAIL = 50
"""How many entries a Conflict brings at most."""


class Meta(NamedTuple):
    """What a store knows of a match without reading its log.

    `status` is the writer's word for the match as of `version` (`lobby`, `playing`, `over`,
    `closed`).
    """

    version: int
    head: bytes
    status: str


class Conflict(Exception):
    """The match stands elsewhere than expected: `tail` is what it has beyond the expected version.

    The tail may be cut at `TAIL` entries; `meta.version` tells.
    """

    def __init__(self, meta: Meta, tail: Sequence[Entry]) -> None:
        super().__init__(f"the match stands at version {meta.version}")
        self.meta = meta
        self.tail = tuple(tail)


class Unconfirmed(Exception):
    """No answer in time: the entry may be in the log or not. Send the same append again."""


class Unavailable(Exception):
    """The store cannot be reached, or refuses for now (loading, out of memory)."""


class ArchiveAway(Unavailable):
    """The store answers, but the archive that a log lies in does not, or is not known here."""


class Unfit(Exception):
    """The server behind the store is not one to build on: another layout, or too old."""


class Corrupt(Exception):
    """Log and meta disagree, or an entry cannot be read. Carries match and version."""

    def __init__(self, match: str, version: int, why: str) -> None:
        super().__init__(f"match {match}, version {version}: {why}")
        self.match = match
        self.version = version
        self.why = why


class Locked(Corrupt):
    """Nothing is wrong with the match, but the key of its seals is missing here."""


class Fenced(Exception):
    """The lease that a write was made under is held no longer: nothing was written."""


class Reference(NamedTuple):
    """A feed entry: this match has reached this version. `id` is for `ack`.

    A reference without a match stands for lost ones: look at every match of its partition again.
    """

    id: str
    match: str
    version: int


class Position(NamedTuple):
    """A place in a feed: the id of a reference, and how many there had been up to it."""

    id: str = "0-0"
    added: int = 0


class Beyond(NamedTuple):
    """What a feed holds beyond a position, in order; `lost` says that some of it is gone.

    `end` is where the feed stood when it was looked at.
    """

    references: list[Reference]
    lost: bool
    end: Position


class Backlog(NamedTuple):
    """What a group has not acknowledged: how many references, and the age of the oldest in ms."""

    references: int
    oldest_ms: int


class Lease(NamedTuple):
    """Which worker has a partition of a group to itself, '' for none.

    Each grant has a larger token than all before it.
    """

    token: int = 0
    worker: str = ""


class Beat(NamedTuple):
    """What a worker is told when it says that it lives.

    `number` is that of the newest process of its name. `lapsed`: it is new, or was silent for so
    long that others may have its leases. `workers` are all that live, itself among them, in order.
    """

    number: int
    lapsed: bool
    workers: tuple[str, ...]


class Versions(NamedTuple):
    """Which version of a projection is read, which one is being built (0: none), and for how many
    ms neither has changed."""

    live: int = 0
    building: int = 0
    unchanged_ms: int = 0

    @property
    def kept(self) -> set[int]:
        """Those that workers keep: the one that is read and, if there is one, the next."""
        return {self.live, self.building or self.live}


class Cell(NamedTuple):
    """A gated value of a projection: `cursor` is the version of the log that it was made from.

    `head` is that of the log there, for `put` to compare; what is read comes without.
    """

    cursor: int
    value: bytes
    head: bytes = b""


MARK = 8
"""Bytes of a head that are kept beside a cursor."""


class Mark(NamedTuple):
    """What a cell or rows were made from; `head` are the first bytes of it, none where unknown."""

    version: int = 0
    head: bytes = b""


FENCE = 2**53
"""In the place of rows' version: later than all of them, so that none are written."""

FENCED_MS = 600_000
"""For how long the rows of a deleted match are fenced: whoever has read its log before has long
tried to write its cell by then, and learnt that it is deleted."""


class Marks(NamedTuple):
    """Of a match's cell and of its rows, which lie apart: a failover may lose either alone."""

    cell: Mark = Mark()
    rows: Mark = Mark()


class Row(NamedTuple):
    """What a match shows in a listing of many matches, in order of score and member.

    Listing and member hold no zero byte; 0 <= score < 2**53.
    """

    listing: str
    member: str
    score: int
    value: bytes

    @property
    def position(self) -> str:
        """Where the row stands in its listing, for `Cells.rows`."""
        return f"{self.score:016x}\0{self.member}"


class Deferred(NamedTuple):
    """What a projection could not look at in a partition, because the archive was away.

    `due` is when it looks again (UTC, ms), after so many `tries`; `match` is one of those, `why`
    what was amiss there. `mark` is another each time.
    """

    due: int
    tries: int
    match: str
    why: str
    mark: str


class Letter(NamedTuple):
    """A commit that a projection could not fold, when (UTC, ms) and why."""

    at: int
    projection: str
    match: str
    version: int
    why: str
