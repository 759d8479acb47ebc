"""All matches in one: every commit of every match, from a cursor with one position a partition.

What the feeds no longer hold comes from the logs, match by match. The order within a match is
kept; a commit may come twice. What cannot be told of one match is said in its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec

from events.store import Beyond, Position, Store
from services.feed_lines import Line, Lines, Untold
from services.keys import Keys

LOOKED = 500
"""Logs that are looked at for one page at most, however little is in them."""


ROUNDS = 8
"""Times that the feeds are asked for one page."""


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A position in a partition's feed; while its logs are read instead, `done` is the last match
    that was read, None when they are not: all of it, or as far as version `told`."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,19}-[0-9]{1,19}\Z")] = "0-0"
    added: int = 0
    done: str | None = None
    told: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] = 0

    @property
    def behind(self) -> bool:
        """Whether the logs are read."""
        return self.done is not None


Places = dict[int, Place]
Items = list[Line | Untold]


class Feed:
    """Reads pages of the feed."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self._store = store
        self._lines = Lines(store, keys)

    async def page(self, places: Places, limit: int) -> tuple[Items, Places, bool]:
        """About `limit` commits, where to go on, and whether there is more already."""
        places = {n: places.get(n, Place()) for n in range(self._store.partitions)}
        items = await self._logs(places, limit)
        more = len(items) >= limit
        if not more:
            found, more = await self._feeds(places, limit - len(items))
            items += found
        return items, places, more or any(place.behind for place in places.values())

    async def _feeds(self, places: Places, limit: int) -> tuple[Items, bool]:
        """From the feeds, a fair share from each, then from those that have more; and whether some
        still may. Those that have lost something are set to be read from the logs."""
        items: Items = []
        asked = {number for number, place in places.items() if not place.behind}
        for _ in range(ROUNDS):
            if not asked or len(items) >= limit:
                break
            share = -(-(limit - len(items)) // len(asked))
            at = {n: Position(places[n].id, places[n].added) for n in sorted(asked)}
            for number, beyond in (await self._store.beyond(at, share)).items():
                if len(items) >= limit and beyond.references:
                    continue
                if beyond.lost:
                    places[number] = Place(beyond.end.id, beyond.end.added, "")
                elif beyond.references:
                    items += await self._referred(beyond)
                    added = at[number].added + len(beyond.references)
                    places[number] = Place(beyond.references[-1].id, added)
                if beyond.lost or len(beyond.references) < share:
                    asked.discard(number)
        return items, bool(asked)

    async def _referred(self, beyond: Beyond) -> Items:
        versions: defaultdict[str, list[int]] = defaultdict(list)
        for reference in beyond.references:
            versions[reference.match].append(reference.version)
        items: Items = []
        for match, numbers in versions.items():
            items += await self._lines.between(match, min(numbers) - 1, max(numbers))
        return items

    async def _logs(self, places: Places, limit: int) -> Items:
        """From the logs of the partitions whose feeds have lost something, in the order of their
        matches."""
        items: Items = []
        looked = 0
        for number, place in places.items():
            if not place.behind:
                continue
            async for match, after in self._from(number, place):
                some, told = await self._lines.some(match, after, limit - len(items))
                items += some
                places[number] = Place(place.id, place.added, match, told)
                looked += 1
                if len(items) >= limit or looked >= LOOKED:
                    return items
            places[number] = Place(place.id, place.added)
        return items

    async def _from(self, number: int, place: Place) -> AsyncIterator[tuple[str, int]]:
        """The matches that are still to be read, and beyond which version."""
        assert place.done is not None
        if place.told:
            yield place.done, place.told
        async for match in self._store.matches(number, place.done):
            yield match, 0
