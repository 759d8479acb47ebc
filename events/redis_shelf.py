"""Logs that leave Redis for the archive and come back: each step is one script.

A match's meta says where it stands: `v` with its log here, `w` with `a`, its place, in the archive;
`c` is the segment it is reserved for, `r` when it was restored. Without `v` no append is accepted.
What makes room is done in a store that is full, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.entries import pack
from events.log import Entry
from events.partitions import ARCHIVE_KEY, deleting_key, match_keys, partition, unordered_key
from events.redis_link import OverRedis
from events.scripts import Script
from events.shelf import DELETED, Place, Standing

_RESERVE, _UNRESERVE, _SHELVE = Script("reserve"), Script("unreserve"), Script("shelve")
_MOVE, _UNSHELVE = Script("move"), Script("unshelve")
_ADOPT, _BURY, _TALLY = Script("adopt"), Script("bury"), Script("tally")
_encode = msgspec.msgpack.Encoder().encode
_place = msgspec.msgpack.Decoder(Place).decode


class RedisShelf(OverRedis):
    """The port `Shelf`."""

    async def standings(self, matches: Sequence[str]) -> list[Standing | None]:
        names = ("v", "w", "h", "s", "a", "r")
        metas = [match_keys(match, self.partitions).meta for match in matches]
        found = await self._link.many([("HMGET", meta, *names) for meta in metas])
        return [_standing(*fields) for fields in found]

    async def reserve(self, match: str, version: int, status: str, segment: str) -> bool:
        return await self._done(_RESERVE, match, ("meta",), version, status, segment)

    async def unreserve(self, match: str, segment: str) -> None:
        await self._done(_UNRESERVE, match, ("meta",), segment)

    async def shelve(self, match: str, place: Place, status: str) -> bool:
        words = (place.version, status, place.segment, _encode(place))
        return await self._done(_SHELVE, match, ("log", "meta"), *words)

    async def move(self, match: str, place: Place, to: Place) -> bool:
        return await self._done(_MOVE, match, ("meta",), _encode(place), _encode(to), to.segment)

    async def unshelve(self, match: str, place: Place, entries: Sequence[Entry], at: int) -> bool:
        words = (_encode(place), at, *map(pack, entries))
        return await self._done(_UNSHELVE, match, ("log", "meta"), *words)

    async def adopt(self, match: str, place: Place, head: bytes, status: str) -> bool:
        words = (match, place.version, head, status, _encode(place))
        return await self._done(_ADOPT, match, ("meta", "known"), *words)

    async def bury(self, match: str, place: Place) -> bool:
        number, keys = partition(match, self.partitions), match_keys(match, self.partitions)
        more = (deleting_key(number), unordered_key(number))
        words = (_encode(place), match, DELETED)
        command = _BURY.command([keys.meta, keys.known, keys.feed, *more], *words)
        return bool(await self._link.call(*command))

    async def deleting(self) -> dict[str, Place]:
        keys = [deleting_key(number) for number in range(self.partitions)]
        found = await self._link.many([("HGETALL", key) for key in keys])
        each = [pair for flat in found for pair in zip(flat[::2], flat[1::2], strict=True)]
        return {match.decode(): _place(place) for match, place in each}

    async def erased(self, match: str) -> None:
        await self._link.call("HDEL", deleting_key(partition(match, self.partitions)), match)

    async def tally(self, counts: Mapping[str, int]) -> None:
        """If the reply is lost it may count twice: it is for people to look at."""
        words = [word for name, n in counts.items() if n for word in (name, n)]
        await self._link.call(*_TALLY.command([ARCHIVE_KEY], *words))

    async def tallied(self) -> dict[str, int]:
        found = await self._link.call("HGETALL", ARCHIVE_KEY)
        pairs = zip(found[::2], found[1::2], strict=True)
        return {name.decode(): int(count) for name, count in pairs}

    async def _done(self, script: Script, match: str, names: Sequence[str], *words: Any) -> bool:
        keys = match_keys(match, self.partitions)
        command = script.command([getattr(keys, name) for name in names], *words)
        return bool(await self._link.call(*command))


def _standing(
    v: bytes | None,
    w: bytes | None,
    h: bytes | None,
    s: bytes | None,
    a: bytes | None,
    r: bytes | None,
) -> Standing | None:
    if s is None:
        return None
    place = _place(a) if a else None
    return Standing(int(v or w or 0), h or b"", s.decode(), place, int(r or 0))
