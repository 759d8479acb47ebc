"""The port through which logs leave a store for the archive, and come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from events.log import Entry

DELETED = "deleted"
"""The status of a match of which nothing is left but the fence."""


class Place(NamedTuple):
    """Where a match lies in the archive: bytes of a segment, their SHA-256, the last version."""

    segment: str
    offset: int
    length: int
    version: int
    digest: bytes


class Standing(NamedTuple):
    """How a store keeps a match: its log is here, or at a `place` in the archive, or not any more.

    `restored` is when it last came back from the archive (UTC, ms), 0 for never.
    """

    version: int
    head: bytes
    status: str
    place: Place | None = None
    restored: int = 0


class Shelf(Protocol):
    """Logs that leave for the archive and come back; each step is done whole or not at all.

    Who archives reserves a match for a segment that is not written yet, writes it, and shelves or
    moves the match; without the reservation that is refused. So a segment may be deleted once
    nothing is reserved for it and nothing lies in it: nothing can come to lie there any more.
    """

    async def standings(self, matches: Sequence[str]) -> list[Standing | None]:
        """Of many matches in one go; None for an unknown one."""

    async def reserve(self, match: str, version: int, status: str, segment: str) -> bool:
        """The match, standing at this version and status, is to go into this segment."""

    async def unreserve(self, match: str, segment: str) -> None:
        """It is not to go into this segment any more."""

    async def shelve(self, match: str, place: Place, status: str) -> bool:
        """Drop the log of a match that is reserved for the segment and still stands at
        `place.version` and this status, but keep the fence: every append is refused from now on.
        True as well where that was done already."""

    async def move(self, match: str, place: Place, to: Place) -> bool:
        """It lies elsewhere from now on; False where it does not lie at `place`, or is not
        reserved for the other segment."""

    async def unshelve(self, match: str, place: Place, entries: Sequence[Entry], at: int) -> bool:
        """Bring the log back whole: appends go on at the next version. False where the match does
        not lie at `place`. `at` is the time, UTC in ms."""

    async def adopt(self, match: str, place: Place, head: bytes, status: str) -> bool:
        """A match that only the archive knows; False where the store knows it, deleted or not."""

    async def bury(self, match: str, place: Place) -> bool:
        """Forget it for good, but keep the fence; False where it does not lie at `place`. Until
        `erased` it is remembered where it lay."""

    async def deleting(self) -> dict[str, Place]:
        """The matches that are buried and not erased, with where they lay."""

    async def erased(self, match: str) -> None:
        """Nothing is left of it anywhere but the fence."""

    async def tally(self, counts: Mapping[str, int]) -> None:
        """Count what was done, by its name."""

    async def tallied(self) -> dict[str, int]:
        """All that was counted so far, by anybody."""
