"""The archive: segments of packed matches in a bucket, and the dictionaries they were packed with.

    segments/<when written, UTC ms>-<12 hex digits>
    dictionaries/<digest>
    kinds/<kind>                    the digest of the dictionary that this kind is packed with

Nothing is ever replaced: who comes second takes what is there.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256

from events import packing
from events.bucket import Bucket, Missing
from events.log import Entry
from events.packing import Derive, Dictionary
from events.segments import TAIL, Packed, Record, Unsound, built, index_size, read_index
from events.shelf import Place
from events.store import Corrupt

DICTIONARY = 65_536
"""Bytes of a dictionary."""

KEPT = 64 * 1024 * 1024
"""Bytes of facts of the matches read last, kept unpacked."""

GUESS = 65_536
"""Bytes from the end of a segment in which its index most often lies whole."""


class Archive:
    """Reads matches wherever they lie and writes segments. Every call raises ArchiveAway.

    `derive` gives what a match's heads and seals follow from.
    """

    def __init__(self, bucket: Bucket, derive: Derive, keep: int = KEPT) -> None:
        self.bucket = bucket
        self._derive = derive
        self._keep = keep
        self._held = 0
        self._kept: OrderedDict[Place, list[Entry]] = OrderedDict()
        self._dictionaries: dict[bytes, Dictionary] = {}

    async def read(self, match: str, place: Place, head: bytes) -> list[Entry]:
        """The whole log of a match that lies there, kept for the next. Raises as `fetch`."""
        if place not in self._kept:
            entries = await self.fetch(match, place, head)
            if place not in self._kept:
                self._remember(place, entries)
        self._kept.move_to_end(place)
        return self._kept[place]

    def check(self, match: str, facts: bytes) -> None:
        """Whether a match of this first commit could be read from here. Raises Corrupt, Locked."""
        self._derive(match, facts)

    async def packed(self, match: str, place: Place) -> bytes:
        """The bytes that lie there. Raises Corrupt where they are not those that were written."""
        try:
            data = await self.bucket.part(_segment(place.segment), place.offset, place.length)
        except Missing as missing:
            raise Corrupt(match, 1, f"the archive has no object {missing}") from None
        if sha256(data).digest() != place.digest:
            raise Corrupt(match, 1, f"its bytes in segment {place.segment} have changed")
        return data

    async def fetch(self, match: str, place: Place, head: bytes) -> list[Entry]:
        """The whole log of a match that lies there, read anew. Raises Corrupt where it is not as
        it was sealed, up to its last head."""
        data = await self.packed(match, place)
        name = packing.wanted(match, data)
        dictionary = await self._dictionary(match, name) if name else None
        entries = await asyncio.to_thread(
            packing.unpack, match, data, self._derive, head, dictionary
        )
        if len(entries) != place.version:
            raise Corrupt(match, len(entries), f"{place.version} versions should be archived")
        return entries

    def _remember(self, place: Place, entries: list[Entry]) -> None:
        self._kept[place] = entries
        self._held += _size(entries)
        while self._held > self._keep and len(self._kept) > 1:
            self._held -= _size(self._kept.popitem(last=False)[1])

    async def _dictionary(self, match: str, name: bytes) -> Dictionary:
        known = self._dictionaries.get(name)
        if known is None:
            try:
                data = await self.bucket.get(f"dictionaries/{name.hex()}")
            except Missing as missing:
                raise Corrupt(match, 1, f"the archive has no object {missing}") from None
            if _named(data) != name:
                raise Corrupt(match, 1, f"dictionary {name.hex()} has changed")
            known = self._dictionaries[name] = Dictionary(name, data)
        return known

    async def dictionary(self, kind: str) -> Dictionary | None:
        """What this kind of match is packed with, once that has been learnt."""
        try:
            name = await self.bucket.get(f"kinds/{kind}")
        except Missing:
            return None
        return await self._dictionary(kind, name)

    async def learn(self, kind: str, samples: Sequence[Sequence[Entry]]) -> Dictionary | None:
        """The same, learnt from these matches, if they are enough and nobody else was faster."""
        data = await asyncio.to_thread(packing.train, samples, DICTIONARY)
        if data is None:
            return None
        name = _named(data)
        await self.bucket.put(f"dictionaries/{name.hex()}", data)
        await self.bucket.put(f"kinds/{kind}", name)
        return await self.dictionary(kind)

    async def write(self, segment: str, matches: Sequence[Packed]) -> list[Record]:
        """A new segment; its index, as it was read back. Raises Unsound."""
        data, records = built(matches)
        new = await self.bucket.put(_segment(segment), data)
        try:
            read = await self.index(segment)
        except Missing:
            read = []
        if not new or read != records:
            raise Unsound(f"{segment}: it was there before, is gone, or not what was written")
        return records

    async def segments(self, since: int = 0, limit: int | None = None) -> list[str]:
        """The names of all, the oldest first; with `since` of those begun at that time (UTC, ms) or
        later. No more are looked for than `limit`: some of them."""
        beyond = _segment(f"{since:013d}") if since else ""
        return [key.split("/", 1)[1] for key in await self.bucket.keys("segments", beyond, limit)]

    async def index(self, segment: str) -> list[Record]:
        """What lies in a segment. Raises Missing, Unsound."""
        key = _segment(segment)
        size = await self.bucket.size(key)
        end = await self.bucket.part(key, max(0, size - GUESS), min(size, GUESS))
        whole = index_size(segment, end[-TAIL.size :]) + TAIL.size
        if whole > len(end):
            end = await self.bucket.part(key, max(0, size - whole), whole)
        return read_index(segment, end[-whole:])

    async def drop(self, segment: str) -> None:
        """Delete a segment, of which nothing may be needed any more."""
        await self.bucket.delete(_segment(segment))
        for place in [place for place in self._kept if place.segment == segment]:
            self._held -= _size(self._kept.pop(place))


def new_segment(at: int) -> str:
    """A name that nobody else gives; names sort by time. `at` is now, UTC in ms."""
    return f"{at:013d}-{secrets.token_hex(6)}"


def written_at(segment: str) -> int:
    """When a segment was begun, UTC in ms; 0 where its name does not tell."""
    begun = segment.split("-", 1)[0]
    return int(begun) if begun.isascii() and begun.isdigit() else 0


def _segment(name: str) -> str:
    return f"segments/{name}"


def _named(dictionary: bytes) -> bytes:
    return sha256(dictionary).digest()[: packing.NAME]


def _size(entries: list[Entry]) -> int:
    return sum(len(entry.facts) for entry in entries)
