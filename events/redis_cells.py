"""Read models in Redis: gated cells beside each match, listings in a slot of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from events.entries import unpack
from events.partitions import deferred_key, leases_key, log_key, meta_key, partition
from events.redis_link import OverRedis
from events.scripts import Script
from events.shelf import DELETED
from events.store import FENCE, FENCED_MS, MARK, Cell, Fenced, Letter, Mark, Marks, Row

_CELL, _ROWS, _LISTING, _PARK = Script("cell"), Script("rows"), Script("listing"), Script("park")
_SHOWN, _FORGET = Script("shown"), Script("forget")
_FENCED = -1
_SCANNED = 500


class RedisCells(OverRedis):
    """The ports `Cells` and `DeadLetters`.

    The cells of a partition are two hashes by match: cursors, and values with their cursor in
    front, so that one read never mixes two versions.
    """

    def _keys(self, projection: str, match: str) -> tuple[str, str, str]:
        return _keys(partition(match, self.partitions), projection)

    async def get(self, projection: str, match: str) -> Cell | None:
        found = await self._link.call("HGET", self._keys(projection, match)[1], match)
        if found is None:
            return None
        cursor, value = found.split(b" ", 1)
        return Cell(int(cursor), value)

    async def cursors(self, projection: str, matches: Sequence[str]) -> list[int]:
        return [marks.cell.version for marks in await self.marks(projection, matches)]

    async def marks(self, projection: str, matches: Sequence[str]) -> list[Marks]:
        if not matches:
            return []
        cells = [("HGET", self._keys(projection, match)[0], match) for match in matches]
        rows = ("HMGET", _listing_keys(projection)[0], *matches)
        *found, shown = await self._link.many([*cells, rows])
        return [Marks(_mark(cell), _mark(row)) for cell, row in zip(found, shown, strict=True)]

    async def put(
        self,
        projection: str,
        match: str,
        base: int,
        cell: Cell,
        rows: Sequence[Row] | None = None,
        fence: int | None = None,
    ) -> bool:
        if rows is not None:
            await self._show(projection, match, cell, rows)
        at, values, _ = self._keys(projection, match)
        number = partition(match, self.partitions)
        keys = [at, values, leases_key(number), meta_key(number, match), log_key(number, match)]
        value = b"%d %b" % (cell.cursor, cell.value)
        fenced = () if fence is None else (projection, fence)
        command = _CELL.command(keys, match, base, cell.cursor, value, cell.head[:MARK], *fenced)
        done = await self._link.call(*command)
        if done == _FENCED:
            raise Fenced(f"{projection}: token {fence} is outdated")
        return bool(done)

    async def _show(self, projection: str, match: str, cell: Cell, rows: Sequence[Row]) -> None:
        """A later version that stands in the way goes if the log has lost it."""
        shown: list[Any] = []
        for row in rows:
            shown += (f"{row.listing}\0{row.position}", row.value)
        keys, lost = _listing_keys(projection), b""
        while True:
            words = (match, cell.cursor, cell.head[:MARK], lost, *shown)
            stands = await self._link.call(*_ROWS.command(keys, *words))
            if stands == 1 or await self._holds(match, _mark(stands)):
                return
            lost = stands

    async def _holds(self, match: str, mark: Mark) -> bool:
        """Whether the log has what this was made from, as far as can be seen."""
        number = partition(match, self.partitions)
        id = f"{mark.version}-0"
        (v, w, head), entries = await self._link.many(
            [
                ("HMGET", meta_key(number, match), "v", "w", "h"),
                ("XRANGE", log_key(number, match), id, id),
            ]
        )
        stands = int(v or w or 0)
        if mark.version == FENCE:
            # A failover may have lost that the match was deleted: it lives then.
            return stands == 0
        if not mark.head or (mark.version < stands and v is None):
            return True
        if mark.version == stands:
            return bool(head[:MARK] == mark.head)
        return (
            bool(entries) and unpack(match, mark.version, entries[0][1][1]).head[:MARK] == mark.head
        )

    async def rows(
        self, projection: str, listing: str, after: str = "", limit: int = 50, newest: bool = False
    ) -> list[Row]:
        first, last = f"[{listing}\0", f"({listing}\x01"
        if after and newest:
            last = f"({listing}\0{after}"
        elif after:
            first = f"({listing}\0{after}"
        ends = (last, first) if newest else (first, last)
        way = "ZREVRANGEBYLEX" if newest else "ZRANGEBYLEX"
        keys = _listing_keys(projection)[2:]
        return _rows(await self._link.call(*_LISTING.command(keys, way, *ends, limit)))

    async def shown(self, projection: str, match: str) -> list[Row]:
        _, own, _, values = _listing_keys(projection)
        return _rows(await self._link.call(*_SHOWN.command((own, values), match)))

    async def showing(self, projection: str) -> AsyncIterator[str]:
        cursor, key = b"0", _listing_keys(projection)[0]
        while True:
            cursor, found = await self._link.call("HSCAN", key, cursor, "COUNT", 500)
            for match in found[::2]:
                yield match.decode()
            if cursor == b"0":
                break

    async def drop(self, projection: str) -> None:
        keys = [*_listing_keys(projection), _fences_key(projection)]
        for number in range(self.partitions):
            keys += _keys(number, projection)
        deferred = [("HDEL", deferred_key(n), projection) for n in range(self.partitions)]
        await self._link.many([*[("UNLINK", key) for key in keys], *deferred])

    async def forget(self, projection: str, match: str, deleted: bool = False) -> None:
        """In a store that is full, too: it makes room."""
        keys = (*_listing_keys(projection), _fences_key(projection))
        words = (match, int(deleted), FENCE, FENCED_MS)
        gone = [("HDEL", key, match) for key in self._keys(projection, match)]
        await self._link.many([_FORGET.command(keys, *words), *gone])

    async def park(self, projection: str, match: str, version: int, why: str) -> None:
        number = partition(match, self.partitions)
        keys = (_keys(number, projection)[2], _dead_key(number), meta_key(number, match))
        await self._link.call(*_PARK.command(keys, projection, match, version, why, DELETED))

    async def parked(self, projection: str, limit: int | None = None) -> dict[str, tuple[int, str]]:
        """One partition after the other, a part of each at a time."""
        parked: dict[str, tuple[int, str]] = {}
        for number, count in enumerate(await self._parked_each(projection)):
            cursor = b"0" if count else None
            while cursor is not None and len(parked) < (limit or 2**63):
                key = _keys(number, projection)[2]
                cursor, found = await self._link.call("HSCAN", key, cursor, "COUNT", _SCANNED)
                for match, letter in zip(found[::2], found[1::2], strict=True):
                    version, why = letter.decode().split(" ", 1)
                    parked[match.decode()] = (int(version), why)
                cursor = None if cursor == b"0" else cursor
        return dict(list(parked.items())[:limit])

    async def count_parked(self, projection: str) -> int:
        return sum(await self._parked_each(projection))

    async def _parked_each(self, projection: str) -> list[int]:
        numbers = range(self.partitions)
        return await self._link.many([("HLEN", _keys(n, projection)[2]) for n in numbers])

    async def is_parked(self, projection: str, matches: Sequence[str]) -> list[bool]:
        commands = [("HEXISTS", self._keys(projection, match)[2], match) for match in matches]
        return [bool(found) for found in await self._link.many(commands)]

    async def release(self, projection: str, match: str) -> None:
        await self._link.call("HDEL", self._keys(projection, match)[2], match)

    async def letters(self, limit: int = 100) -> list[Letter]:
        keys = [_dead_key(number) for number in range(self.partitions)]
        newest = [("XREVRANGE", key, "+", "-", "COUNT", limit) for key in keys]
        letters = []
        for found in await self._link.many(newest):
            for id, fields in found:
                projection, match, version, why = (part.decode() for part in fields[1::2])
                at = int(id.split(b"-")[0])
                letters.append(Letter(at, projection, match, int(version), why))
        return sorted(letters, reverse=True)[:limit]


def _mark(found: bytes | None) -> Mark:
    version, _, head = (found or b"0").partition(b" ")
    return Mark(int(version), head)


def _rows(found: Sequence[Any]) -> list[Row]:
    rows = []
    for entry, value in zip(found[::2], found[1::2], strict=True):
        listing, score, member = entry.decode().split("\0")
        rows.append(Row(listing, member, int(score, 16), value))
    return rows


def _keys(number: int, projection: str) -> tuple[str, str, str]:
    """Cursors, values and parked matches of a projection in one partition."""
    return (
        f"{{{number}}}:at:{projection}",
        f"{{{number}}}:cells:{projection}",
        f"{{{number}}}:parked:{projection}",
    )


def _listing_keys(projection: str) -> tuple[str, str, str, str]:
    """Versions and own rows of each match; all rows in order, and their values."""
    tag = f"{{{projection}}}"
    return f"{tag}:at", f"{tag}:of", f"{tag}:rows", f"{tag}:values"


def _fences_key(projection: str) -> str:
    """Deleted matches whose rows are fenced, by when they were."""
    return f"{{{projection}}}:gone"


def _dead_key(number: int) -> str:
    return f"{{{number}}}:dead"
