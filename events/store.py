"""The ports of the log: what `services`, `projections` and `replay` ask of a store.

`events.memory` and `events.redis_store` keep them; both pass one contract suite.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Protocol

from events.log import Entry
from events.shelf import Shelf
from events.terms import (
    FENCE,
    FENCED_MS,
    MARK,
    TAIL,
    ArchiveAway,
    Backlog,
    Beat,
    Beyond,
    Cell,
    Conflict,
    Corrupt,
    Deferred,
    Fenced,
    Lease,
    Letter,
    Locked,
    Mark,
    Marks,
    Meta,
    Position,
    Reference,
    Row,
    Unavailable,
    Unconfirmed,
    Unfit,
    Versions,
)

__all__ = [
    "FENCE",
    "FENCED_MS",
    "MARK",
    "TAIL",
    "ArchiveAway",
    "Backlog",
    "Beat",
    "Beyond",
    "Cell",
    "Cells",
    "Conflict",
    "Corrupt",
    "DeadLetters",
    "Deferrals",
    "Deferred",
    "Feeds",
    "Fenced",
    "Lease",
    "Leases",
    "Letter",
    "Locked",
    "Log",
    "Mark",
    "Marks",
    "Meta",
    "Position",
    "Readable",
    "Reference",
    "Row",
    "Store",
    "Unavailable",
    "Unconfirmed",
    "Unfit",
    "Versions",
]


class Log(Protocol):
    """The truth: one stream of entries a match."""

    async def append(self, match: str, entry: Entry, status: str, before: bytes = b"") -> None:
        """Add the entry at exactly `entry.version`, the match standing one before it.

        `before` is the head that it follows on: where the match stands at that version with
        another one, history was lost and went on otherwise, which is a Conflict too, its tail
        empty. Not compared where it is empty.
        Appending the very same entry again, already there as the newest, is a Conflict whose tail
        holds it. Raises Conflict, Unconfirmed, Unavailable, Corrupt.
        """

    def begin_append(
        self, match: str, entry: Entry, status: str, before: bytes = b""
    ) -> asyncio.Future[None]:
        """`append`, under way when this returns, without a task for it; the future has the rest.

        A log that is in an archive is not brought back: that is a Conflict, to be met by `append`.
        """

    async def confirm(self, match: str) -> None:
        """All that the log holds by now is as safe as what was appended: on replicas too, where
        those are waited for. Raises Unconfirmed, Unavailable.
        """

    def history(self, match: str) -> str:
        """Names the history of the server that has the match, as far as is known here.

        When it is another, the newest commits may have been lost, and all that is remembered of
        the match has to be compared with its log, by version and head.
        """

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The entries after a version, in order; none for an unknown match.

        Raises Corrupt at the first entry that is not the next one, or is none at all.
        """

    async def meta(self, match: str) -> Meta | None: ...

    async def metas(self, matches: Sequence[str]) -> list[Meta | None]:
        """Of many matches in one go."""

    def matches(self, partition: int | None = None, after: str = "") -> AsyncIterator[str]:
        """The ids of all matches (of one partition) beyond this one, in order within each
        partition; those that are there all the while come once, and few are read ahead."""

    def moved(self) -> AsyncIterator[tuple[str, int]]:
        """Wakes: `(match, version)` of appends by anyone, from now on. Of several to one match
        that come together the newest may stand for all, and some may be lost; ("", 0) is given
        after every (re)connection: look again at all you watch."""


class Feeds(Protocol):
    """The partitions' work lists, read in consumer groups."""

    partitions: int

    async def joined(self, group: str) -> bool:
        """Whether the group is on all feeds. If not, what they no longer hold must come from the
        logs, before `join`: whoever dies in between begins again."""

    async def join(self, group: str, since: Mapping[int, Position] | None = None) -> None:
        """Create the group on all feeds, at their beginning, where it is not there.

        With `since`, on these feeds alone, and not on those that have lost something beyond.
        """

    async def take(
        self, group: str, consumer: str, limit: int, partitions: Iterable[int] | None = None
    ) -> dict[int, list[Reference]]:
        """New references by partition (of these or all), at most `limit` each, without waiting.

        Where the group is not (any more) it gives a reference without a match, until `join`.
        """

    async def beyond(self, positions: Mapping[int, Position], limit: int) -> dict[int, Beyond]:
        """What these feeds hold beyond a position, at most `limit` each, for who is in no group."""

    async def own(self, group: str, consumer: str, limit: int) -> dict[int, list[Reference]]:
        """What this consumer took and never acknowledged."""

    async def claim(
        self,
        group: str,
        consumer: str,
        idle_ms: int,
        limit: int,
        partitions: Iterable[int] | None = None,
    ) -> dict[int, list[Reference]]:
        """Take over what anybody took (of these partitions or all) and left for `idle_ms`."""

    async def ack(self, group: str, done: Mapping[int, Sequence[Reference]]) -> None: ...

    async def touch(self, match: str) -> None:
        """Give all groups a reference to where the match stands, as if it had moved."""

    async def trim(self, gone_ms: int = 3_600_000) -> int:
        """Drop what every group has done with; how many references went.

        With them go consumers that have nothing pending and were silent for `gone_ms`.
        """

    async def lag(self, group: str) -> int:
        """References that the group has not acknowledged yet; counts 1,000 a feed at most."""

    async def backlog(self, group: str) -> Backlog:
        """The same with the age of the oldest of them."""

    async def remove_consumer(self, group: str, consumer: str) -> bool:
        """Forget a consumer that has nothing pending; False where it has."""

    async def groups(self) -> set[str]:
        """All groups that are on any feed."""

    async def disband(self, group: str) -> None:
        """Forget a group with all it has pending, its workers and its leases."""


class Leases(Protocol):
    """Which of a group's workers has which partition to itself.

    A lease is as good as the sign of life of who holds it. Time is the store's own; if its clock
    goes back, what is from the future counts as from now.
    """

    partitions: int

    async def beat(self, worker: str, groups: Mapping[str, int], ms: int) -> dict[str, Beat]:
        """Say to these groups that the worker lives for `ms` more, by the number of its process in
        each; 0 for a new process, which takes the name over. An older one is told a larger number
        than its own, and does not count."""

    async def leave(self, group: str, worker: str, number: int) -> None:
        """Say that this process lives no longer."""

    async def workers(self, group: str) -> tuple[str, ...]:
        """All that live, in order."""

    async def leases(self, group: str) -> dict[int, Lease]:
        """Of every partition, whether its holder lives or not."""

    async def lease(self, group: str, worker: str, seen: Mapping[int, Lease]) -> dict[int, int]:
        """Take partitions whose leases are still as seen; the tokens of those that were got, also
        where this worker has taken them since."""

    async def unlease(self, group: str, worker: str, tokens: Mapping[int, int]) -> None:
        """Give partitions back, where they are still held by these tokens."""

    async def aclose(self) -> None: ...


class Readable(Protocol):
    """Read models, for who only reads."""

    async def get(self, projection: str, match: str) -> Cell | None: ...

    async def rows(
        self, projection: str, listing: str, after: str = "", limit: int = 50, newest: bool = False
    ) -> list[Row]:
        """In order of score and member (backwards: `newest`), beyond a row's `position`."""


class Cells(Readable, Protocol):
    """Read models: values with the version they were made from, changed by compare-and-set.

    A cell belongs to a projection and a match. `put` is refused unless the cursor still stands at
    `base`, so two workers never mix and nothing is applied twice. Where the cell names the head it
    was made from, it is refused too unless the log has that at the cursor, and it goes back only
    from what the log has no more.
    """

    async def cursors(self, projection: str, matches: Sequence[str]) -> list[int]:
        """The cursors of many cells in one go, 0 where there is none."""

    async def marks(self, projection: str, matches: Sequence[str]) -> list[Marks]:
        """What the cells and rows of many matches were made from, in one go."""

    async def put(
        self,
        projection: str,
        match: str,
        base: int,
        cell: Cell,
        rows: Sequence[Row] | None = None,
        fence: int | None = None,
    ) -> bool:
        """Write the cell if its cursor is `base` (0: not there).

        With a `fence`, only while the group of this name leases the match's partition by this
        token. Raises Fenced.

        `rows` are all that the match shows in the projection's listings: what it showed before and
        is not among them goes. They lie in a slot of their own, so they are written first, unless
        they come from a later version that the log still has; a writer that dies in between does
        it all again, and so must one whose cell is refused.
        """

    async def shown(self, projection: str, match: str) -> list[Row]:
        """The rows of one match, in no order."""

    def showing(self, projection: str) -> AsyncIterator[str]:
        """The matches that have rows or had some, in no order, each at least once."""

    async def drop(self, projection: str) -> None:
        """Forget all cells and rows of one projection, and what is parked for it."""

    async def forget(self, projection: str, match: str, deleted: bool = False) -> None:
        """Forget the cell and rows of a match that is not any more. Of one that is `deleted` for
        good none are written for the next ten minutes, whatever a writer has read."""

    async def versions(self, projection: str) -> Versions: ...

    async def build(self, projection: str) -> int:
        """The version that is being built; a new one, larger than all before, if none is."""

    async def swap(self, projection: str, live: int, building: int) -> bool:
        """Have the version that was built read instead, if these two still are what they are."""

    async def give_up(self, projection: str) -> int:
        """Build no longer; the version that was being built, 0 if none was."""


class DeadLetters(Protocol):
    """Commits that a projection cannot fold; the match is parked for that projection."""

    async def park(self, projection: str, match: str, version: int, why: str) -> None:
        """Nothing where the match is deleted."""

    async def parked(self, projection: str, limit: int | None = None) -> dict[str, tuple[int, str]]:
        """match -> (version, why), of some where there are more than `limit`."""

    async def count_parked(self, projection: str) -> int: ...

    async def is_parked(self, projection: str, matches: Sequence[str]) -> list[bool]:
        """Of many matches in one go."""

    async def release(self, projection: str, match: str) -> None:
        """The match may be folded again; `touch` wakes who does."""

    async def letters(self, limit: int = 100) -> list[Letter]:
        """The newest first, of all projections, also where the match was released since."""


class Deferrals(Protocol):
    """Partitions that a projection has to look at again, because the archive was away: it need not
    remember the matches, for looking at what is as it must be costs little."""

    async def defer(self, projection: str, partition: int, deferred: Deferred) -> None:
        """In the place of what was deferred there before."""

    async def deferred(self, projection: str) -> dict[int, Deferred]:
        """By partition."""

    async def settle(self, projection: str, partition: int, seen: Deferred) -> bool:
        """That was made good; False where something else was deferred since."""


class Store(Log, Shelf, Feeds, Leases, Cells, DeadLetters, Deferrals, Protocol):
    """All of them; `aclose` gives connections back."""

    def sibling(self) -> Leases:
        """The leases over a connection of its own, for another thread's loop."""

    async def aclose(self) -> None: ...
