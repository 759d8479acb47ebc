"""Pasts of matches: gone on from, cut, forgotten, and never those of a history that was lost."""

from __future__ import annotations

from typing import Any

import pytest

from events.memory import MemoryStore
from events.store import Corrupt
from services.live import Live
from services.matches import Matches
from services.pasts import Pasts
from tests.services.api import KEYS, Client, Made


class Counted(MemoryStore):
    """Counts the entries that are read."""

    def __init__(self, other: MemoryStore) -> None:
        super().__init__()
        self._logs, self._metas = other._logs, other._metas
        self.entries = 0

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> Any:
        found = await super().read(match, after, limit)
        self.entries += len(found)
        return found


async def stood(api: Client, match: Made) -> Live:
    """The match as another process reads it now; it does not move on."""
    return await Matches(api.desk.store, KEYS).load(match.id)


async def test_only_what_is_new_is_read(api: Client) -> None:
    match = await api.playing()
    store = Counted(api.desk.store)
    pasts = Pasts(store)
    old = await stood(api, match)
    assert (await pasts.of(old)).version == 4
    assert store.entries == 4
    await match.move()
    await match.move()
    new = await stood(api, match)
    past = await pasts.of(new)
    assert (past.version, store.entries) == (6, 4 + 3)
    assert past.tables[-1] == new.table
    assert (await pasts.of(new)) is past and store.entries == 7
    cut = await pasts.of(old)
    assert cut.version == 4 and cut.tables[-1] == old.table and store.entries == 7


async def test_a_match_that_was_just_loaded_is_not_read_again(api: Client) -> None:
    match, other = await api.playing(), await api.playing()
    store = Counted(api.desk.store)
    matches = Matches(store, KEYS)
    live = await matches.load(match.id)
    past = await matches.pasts.of(live)
    assert (past.version, store.entries) == (4, 4)
    assert await matches.pasts.of(live) is past and store.entries == 4
    for each in (match, other):
        await matches.load(each.id)
    await matches.pasts.of(await stood(api, match))
    assert store.entries == 8
    matches.pasts.forget(match.id)
    await matches.load(other.id)
    await matches.pasts.of(live)
    assert store.entries == 12, "what was offered was of another match"


async def test_memory_is_bounded(api: Client) -> None:
    one, two = await api.playing(), await api.playing()
    store = Counted(api.desk.store)
    pasts = Pasts(store, size=6)
    for match in (one, two, one):
        assert (await pasts.of(await stood(api, match))).version == 4
    assert store.entries == 12
    await pasts.of(await stood(api, one))
    assert store.entries == 12


async def test_a_history_that_was_lost(api: Client) -> None:
    """The store went back and moved on another way: what was known is not gone on from."""
    match = await api.playing()
    await match.move()
    pasts = Pasts(api.desk.store)
    lost = await stood(api, match)
    await pasts.of(lost)
    log, meta = api.desk.store._logs[match.id], api.desk.store._metas[match.id]
    del log[-1]
    api.desk.store._metas[match.id] = meta._replace(version=4, head=log[-1].head)
    await api.desk.matches.renew(match.id)
    for _ in range(2):
        await match.move()
    new = await stood(api, match)
    past = await pasts.of(new)
    assert past.version == 6 and past.tables[-1] == new.table
    with pytest.raises(Corrupt, match="does not hold"):
        await pasts.of(lost)
    api.desk.store._logs[match.id].clear()
    with pytest.raises(Corrupt, match="is gone"):
        await Pasts(api.desk.store).of(new)
