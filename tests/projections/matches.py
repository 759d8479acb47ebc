"""Recorded matches of the toy game in a store, and what a fresh fold of them gives."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from events.log import Entry, append, genesis, sealer
from games import sight
from games.history import Commit, Private
from games.match import Created, SeatTaken
from projections.story import Library, Story
from projections.views import Stored
from tests.play import SECRET, Match
from tests.toy.pumpkin_patch.game import GAME

HOST = "host"


class Recording(Match):
    """A match under an id of its own, its players under theirs; time goes by a second a commit."""

    def __init__(self, id: str, players: Sequence[str], listed: bool = True) -> None:
        self.id = id
        self.listed = listed
        self.wanted = players
        super().__init__(GAME, len(players))

    @property
    def genesis(self) -> bytes:
        return genesis(self.id, self.game.id, self.game.version)

    def commit(self, by: Any, *events: Any, draws: int = 0) -> list[Any]:
        made = [self._ours(event) for event in events]
        version = len(self.commits) + 1
        commit: Commit[Any] = Commit(
            version,
            1_790_000_000_000 + version * 1000,
            by,
            self.game.version,
            Private(version.to_bytes(16, "big"), draws),
            tuple(made),
        )
        facts, hidden = sight.encode(commit)
        head = self.entries[-1].head if self.entries else self.genesis
        self.entries.append(append(head, version, facts, hidden, sealer(SECRET, self.id)))
        self.commits.append(commit)
        self.past.append(self.table.after(commit, self.past))
        return made

    def _ours(self, event: Any) -> Any:
        if isinstance(event, Created):
            return msgspec.structs.replace(event, match=self.id, listed=self.listed)
        if isinstance(event, SeatTaken):
            return msgspec.structs.replace(event, player=self.wanted[event.seat])
        return event

    @property
    def story(self) -> Story:
        return Story(tuple(self.past), self.entries[-1].head)

    def begin(self) -> Recording:
        events, draws = self.table.start(self.seed)
        self.commit(HOST, *events, draws=draws)
        return self


@cache
def recorded(number: int, players: tuple[str, ...] = ("ann", "ben", "cat")) -> Recording:
    """Match `number`, played to its end with an undo now and then."""
    match = Recording(f"01J{number:04d}", players).begin()
    match.play(random.Random(number).randrange, undo=0.1)
    return match


async def store_up(store: Any, match: Recording, first: int = 1, last: int | None = None) -> None:
    """The entries of these versions, appended as a server would."""
    for entry in match.entries[first - 1 : last]:
        status = match.past[entry.version].status
        await store.append(match.id, entry, status)


async def wrong(store: Any, projection: Any, matches: Sequence[Recording]) -> list[str]:
    """The matches whose cell is not what a fresh fold of their log gives, and odd listings."""
    bad = []
    for match in matches:
        story = await Library(store).story(match.id)
        assert story is not None
        cell = await store.get(projection.name, match.id)
        if cell is None or cell.cursor != story.version:
            bad.append(f"{match.id} stands at {cell and cell.cursor}, not {story.version}")
        elif _comparable(cell.value) != _comparable(projection.made(story).value):
            bad.append(f"{match.id} holds something else")
    return bad


async def wrong_rows(store: Any, projection: Any, matches: Sequence[Recording]) -> list[str]:
    """The listings that are not the rows of all matches together."""
    wanted: dict[str, list[Any]] = {}
    for match in matches:
        story = await Library(store).story(match.id)
        assert story is not None
        for row in projection.made(story).rows or ():
            wanted.setdefault(row.listing, []).append(row)
    bad = []
    for listing, rows in wanted.items():
        stands = await store.rows(projection.name, listing, limit=1000)
        if stands != sorted(rows, key=lambda row: row.position):
            bad.append(listing)
    return bad


def _comparable(value: bytes) -> Any:
    try:
        return msgspec.msgpack.decode(value, type=Stored)
    except msgspec.DecodeError:
        return value


def entry_of(match: Recording, facts: bytes) -> Entry:
    """The next entry with any bytes for facts."""
    head = match.entries[-1].head if match.entries else match.genesis
    version = len(match.entries) + 1
    return append(head, version, facts, (), sealer(SECRET, match.id))
