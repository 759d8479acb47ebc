"""A store with an archive and closed matches in it, under a clock that tests set."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from events.archive import Archive
from events.archived import archived
from events.bucket import opened
from events.log import Entry
from events.memory import MemoryStore
from services.archive import derivation
from services.archivist import HOUR, Archivist
from services.cli.offline import START, Played, play
from services.inventory import Inventory
from services.keys import Keys
from services.retention import Retention
from services.settings import Settings
from services.vault import MemoryVault
from tests.toy.pumpkin_patch.game import GAME

LATER = START + 400 * HOUR
"""Long after every match that is played offline has ended."""


@cache
def _kept() -> dict[int, Played]:
    return {}


async def match(number: int) -> Played:
    """A closed match of the toy game; the same number, the same match."""
    if number not in _kept():
        _kept()[number] = await play(GAME, 3, GAME.checked_options({}), str(number))
    return _kept()[number]


class Shelved:
    """All that archives, over one store and one bucket."""

    def __init__(self, bucket: Any, store: Any, keys: Keys, **settings: Any) -> None:
        self.raw = store
        self.bucket = bucket
        self.settings = Settings(**settings)
        self.archive = Archive(bucket, derivation(lambda: keys), keep=0)
        self.store: Any = archived(store, self.archive)
        self.vault = MemoryVault()
        self.now = LATER
        self.archivist = Archivist(self.store, self.archive, self.settings, self.clock)
        self.retention = Retention(self.store, self.archive, self.vault, self.clock)
        self.inventory = Inventory(self.store, self.archive)

    def clock(self) -> int:
        return self.now

    def hours(self, hours: float) -> None:
        self.now += int(hours * HOUR)

    async def restored(self, id: str) -> None:
        """Back in the store, by the tests' clock."""
        (stands,) = await self.store.standings([id])
        entries = await self.store.read(id)
        assert await self.raw.unshelve(id, stands.place, entries, self.now)

    async def sound(self) -> None:
        """Nothing is wrong with anything in the archive."""
        assert (await self.inventory.verify()).flaws == []


async def shelved(
    path: Path, numbers: range = range(3), store: Any = None, **settings: Any
) -> tuple[Shelved, dict[str, list[Entry]]]:
    """With these matches in the store, and their entries."""
    played = [await match(number) for number in numbers]
    raw = store or MemoryStore(2)
    for one in played:
        for entry in one.entries:
            status = "closed" if entry is one.entries[-1] else "playing"
            await raw.append(one.match, entry, status)
    keys = Keys([one.key for one in played])
    bucket = opened(f"file://{path / 'bucket'}")
    return Shelved(bucket, raw, keys, **settings), {one.match: one.entries for one in played}


async def gone(shelves: Shelved, matches: Any) -> list[str]:
    """Those whose log is in the store no more."""
    return [match for match in matches if not await shelves.raw.read(match)]
