"""All matches in one: every commit of every match, from a cursor with one position a partition.

What the feeds no longer hold comes from the logs, match by match. The order within a match is
kept; a commit may come twice.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from events import log
from events.log import Entry
from events.store import Beyond, Position, Store
from games import catalog
from games.game import Game
from replay import load
from services.keys import Keys


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A position in a partition's feed; while its logs are read instead, `done` is the last match
    that was read, None when they are not."""

    id: str = "0-0"
    added: int = 0
    done: str | None = None


Places = dict[int, Place]


class Line(msgspec.Struct, frozen=True):
    """A commit of some match, as an auditor may see it."""

    match: str
    game: str
    version: int
    head: str
    at: int
    by: int | str
    rules: str
    events: list[Any]


class Feed:
    """Reads pages of the feed; remembers the games of matches."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self._store = store
        self._keys = keys
        self._games: OrderedDict[str, tuple[Game, str]] = OrderedDict()

    async def page(self, places: Places, limit: int) -> tuple[list[Line], Places, bool]:
        """About `limit` commits, where to go on, and whether there is more already."""
        places = {n: places.get(n, Place()) for n in range(self._store.partitions)}
        lines: list[Line] = []
        for number, place in places.items():
            if len(lines) < limit and place.done is not None:
                found, places[number] = await self._logs(number, place, limit - len(lines))
                lines += found
        if len(lines) < limit:
            lines += await self._feeds(places, limit - len(lines))
        return (
            lines,
            places,
            len(lines) >= limit or any(p.done is not None for p in places.values()),
        )

    async def _feeds(self, places: Places, limit: int) -> list[Line]:
        """From the feeds; those that have lost something are set to be read from the logs."""
        asked = {n: Position(p.id, p.added) for n, p in places.items() if p.done is None}
        lines: list[Line] = []
        for number, beyond in (await self._store.beyond(asked, limit)).items():
            if beyond.lost:
                places[number] = Place(beyond.end.id, beyond.end.added, "")
            elif beyond.references and len(lines) < limit:
                lines += await self._referred(beyond)
                last = beyond.references[-1].id
                places[number] = Place(last, asked[number].added + len(beyond.references))
        return lines

    async def _referred(self, beyond: Beyond) -> list[Line]:
        versions: defaultdict[str, list[int]] = defaultdict(list)
        for reference in beyond.references:
            versions[reference.match].append(reference.version)
        lines: list[Line] = []
        for match, numbers in versions.items():
            after, last = min(numbers) - 1, max(numbers)
            lines += await self._told(match, await self._store.read(match, after, last - after))
        return lines

    async def _logs(self, number: int, place: Place, limit: int) -> tuple[list[Line], Place]:
        """Whole matches in the order of their ids, until there are enough lines."""
        lines: list[Line] = []
        matches = sorted([match async for match in self._store.matches(number)])
        for match in matches:
            if place.done is not None and match <= place.done:
                continue
            if len(lines) >= limit:
                return lines, place
            lines += await self._told(match, await self._store.read(match))
            place = Place(place.id, place.added, match)
        return lines, Place(place.id, place.added)

    async def _told(self, match: str, entries: Sequence[Entry]) -> Iterable[Line]:
        if not entries:
            return []
        found = await self._game(match, entries[0])
        if found is None:
            return []
        game, key = found
        seal = log.sealer(self._keys.seal_secret(key, match), match)
        return [_line(match, game, entry, seal) for entry in entries]

    async def _game(self, match: str, entry: Entry) -> tuple[Game, str] | None:
        """Its game and server key; None where it was deleted since the entry was read."""
        known = self._games.get(match)
        if known is None:
            first = [entry] if entry.version == 1 else await self._store.read(match, 0, 1)
            if not first:
                return None
            made = catalog.created(first[0].facts)
            game = catalog.find(made["game"], made["edition"])
            commit = game.codec.decode(first[0].facts)
            known = self._games[match] = game, commit.events[0].key
            while len(self._games) > 10_000:
                self._games.popitem(last=False)
        return known


def _line(match: str, game: Game, entry: Entry, seal: log.Seal) -> Line:
    told = load.telling(game, "auditor", log.page(entry, "auditor", seal)).named
    return Line(
        match,
        game.id,
        entry.version,
        entry.head.hex(),
        told["at"],
        told["by"],
        told["rules"],
        told["events"],
    )
