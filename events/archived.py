"""A store whose logs may lie in an archive: who reads or appends need not know."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from events.log import Entry
from events.shelf import Standing
from events.store import ArchiveAway, Conflict, Store

if TYPE_CHECKING:
    from events.archive import Archive

PAGE = 2000
"""Entries that a store reads at once: between two such pages a log may leave for the archive."""

TRIES = 3
"""Reads of a log that seems to come back from the archive each time it is looked for there."""

UNSET = "in the archive, and this process was not told where that is: set HALLOWSTREAM_ARCHIVE"


class Archived:
    """Reads a log that is not in the store any more from the archive, and brings it back when
    somebody who has read it appends; the rest is the store's own."""

    def __init__(self, store: Store, archive: Archive | None) -> None:
        self._store = store
        self._archive = archive
        # Every answer calls these: finding them through `__getattr__` costs more than they do.
        self.begin_append = store.begin_append
        self.history = store.history

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """As every log is read; Corrupt may be the archive's too. Raises ArchiveAway."""
        entries: list[Entry] = []
        for _ in range(TRIES):
            entries = await self._store.read(match, after, limit)
            if len(entries) == limit or 0 < len(entries) < PAGE:
                return entries
            if self._archive is None and after:
                return entries
            (stands,) = await self._store.standings([match])
            if stands is None or stands.version <= after + len(entries):
                return entries
            if stands.place is not None:
                whole = await self._whole(match, stands)
                return whole[after:] if limit is None else whole[after : after + limit]
        return entries

    async def _whole(self, match: str, stands: Standing) -> list[Entry]:
        if self._archive is None:
            raise ArchiveAway(f"match {match} is {UNSET}")
        assert stands.place is not None
        return await self._archive.read(match, stands.place, stands.head)

    async def append(self, match: str, entry: Entry, status: str, before: bytes = b"") -> None:
        """As every log is appended to. Who appends to an archived match at exactly the version it
        stands at has read it: then it comes back first."""
        try:
            await self._store.append(match, entry, status, before)
        except Conflict as conflict:
            meta = conflict.meta
            follows = meta.version == entry.version - 1 and before in (b"", meta.head)
            if not follows or not await self.restore(match):
                raise
            await self._store.append(match, entry, status, before)

    async def restore(self, match: str) -> bool:
        """Bring the log back into the store; whether it had been in the archive."""
        (stands,) = await self._store.standings([match])
        if stands is None or stands.place is None:
            return False
        entries = await self._whole(match, stands)
        now = time.time_ns() // 1_000_000
        if await self._store.unshelve(match, stands.place, entries, now):
            await self._store.tally({"restored": 1})
        return True


def archived(store: Store, archive: Archive | None) -> Store:
    """The store with all that lies in its archive; without one it can only tell what is amiss."""
    return cast(Store, Archived(store, archive))
