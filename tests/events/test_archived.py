"""A store with an archive: reading and appending find every log wherever it lies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from events.archive import Archive
from events.archived import archived
from events.log import Entry
from events.memory import MemoryStore
from events.shelf import Place
from events.store import ArchiveAway, Conflict, Corrupt, Store
from tests.events.archiving import archive, commits, packed


async def shelved(
    store: Store, shelves: Archive, match: str = "m", last: int = 5, segment: str = "s"
) -> list[Entry]:
    """A match that is in the archive."""
    entries = commits(match, last)
    for entry in entries:
        await store.append(match, entry, "closed")
    await store.reserve(match, last, "closed", segment)
    (record,) = await shelves.write(segment, [packed(match, entries)])
    assert await store.shelve(match, record.place(segment), "closed")
    return entries


async def test_a_log_is_read_wherever_it_lies(store: Any, tmp_path: Path) -> None:
    shelves = archive(tmp_path)
    whole = archived(store, shelves)
    entries = await shelved(store, shelves)
    assert await store.read("m") == []
    assert await whole.read("m") == entries
    assert await whole.read("m", 2) == entries[2:]
    assert await whole.read("m", 1, 2) == entries[1:3]
    assert await whole.read("m", limit=0) == []
    assert await whole.read("m", 5) == await whole.read("m", 9) == []
    assert await whole.read("nobody") == []
    assert await whole.meta("m") == await store.meta("m")
    assert whole.partitions == store.partitions
    here = commits("here", 3)
    for entry in here:
        await whole.append("here", entry, "playing")
    assert await whole.read("here") == here
    assert await whole.read("here", 3) == []


async def test_who_has_read_it_brings_it_back_by_appending(store: Any, tmp_path: Path) -> None:
    shelves = archive(tmp_path)
    whole = archived(store, shelves)
    entries = await shelved(store, shelves)
    more = commits("m", 6)
    for version in (1, 3, 7):
        with pytest.raises(Conflict):
            await whole.append("m", more[0]._replace(version=version), "closed")
        assert await store.read("m") == []
    with pytest.raises(Conflict):
        await whole.append("m", more[5], "closed", b"another head, of another history")
    assert await store.read("m") == []
    await whole.append("m", more[5], "closed", entries[-1].head)
    assert await store.read("m") == [*entries, more[5]]
    assert (await store.standings(["m"]))[0].restored > 0
    assert await store.tallied() == {"restored": 1}
    with pytest.raises(Conflict):
        await whole.append("m", more[5], "closed")


async def test_restoring_what_is_here_is_nothing_to_do(tmp_path: Path) -> None:
    store, shelves = MemoryStore(2), archive(tmp_path)
    whole: Any = archived(store, shelves)
    entries = await shelved(store, shelves)
    assert await whole.restore("m")
    assert not await whole.restore("m")
    assert not await whole.restore("nobody")
    assert await store.read("m") == entries


async def test_two_that_restore_at_once(tmp_path: Path) -> None:
    """The second finds it done: it counts as brought back, and its append goes on."""
    shelves = archive(tmp_path)

    class Late(MemoryStore):
        async def unshelve(self, *given: Any) -> bool:
            await super().unshelve(*given)
            return await super().unshelve(*given)

    store = Late(2)
    entries = await shelved(store, shelves)
    whole = archived(store, shelves)
    await whole.append("m", commits("m", 6)[5], "closed")
    assert await store.read("m", 0, 5) == entries
    assert await store.tallied() == {}


async def test_a_match_that_comes_back_between_two_looks(tmp_path: Path) -> None:
    shelves = archive(tmp_path)

    class Restoring(MemoryStore):
        looks = 0

        async def standings(self, matches: Any) -> Any:
            self.looks += 1
            (stands,) = await super().standings(matches)
            if self.looks == 1:
                await self.unshelve("m", stands.place, entries, 1)  # type: ignore[union-attr, arg-type]
            return await super().standings(matches)

    store = Restoring(2)
    entries = await shelved(store, shelves)
    assert await archived(store, shelves).read("m") == entries


async def test_a_log_that_is_lost_is_not_looked_for_for_ever(tmp_path: Path) -> None:
    store = MemoryStore(2)
    for entry in commits("m", 3):
        await store.append("m", entry, "playing")
    store._logs.clear()
    assert await archived(store, archive(tmp_path)).read("m") == []


async def test_a_log_that_goes_between_two_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.archived.PAGE", 3)
    shelves = archive(tmp_path)

    class Going(MemoryStore):
        async def read(self, match: str, after: int = 0, limit: int | None = None) -> Any:
            return entries[:3] if after == 0 and limit is None else []

    store = Going(2)
    entries = await shelved(store, shelves)
    assert await archived(store, shelves).read("m") == entries
    assert await archived(store, shelves).read("m", 1, 3) == entries[1:4]


async def test_without_an_archive_it_says_what_to_set(tmp_path: Path) -> None:
    store = MemoryStore(2)
    entries = await shelved(store, archive(tmp_path))
    alone = archived(store, None)
    with pytest.raises(ArchiveAway, match="HALLOWSTREAM_ARCHIVE"):
        await alone.read("m")
    with pytest.raises(ArchiveAway, match="HALLOWSTREAM_ARCHIVE"):
        await alone.append("m", commits("m", 6)[5], "closed")
    assert await alone.read("m", 5) == []
    assert await alone.read("nobody") == []
    await alone.append("n", entries[0], "lobby")
    assert await alone.read("n") == entries[:1]


async def test_28_what_the_archive_lost_is_corrupt(tmp_path: Path) -> None:
    store = MemoryStore(2)
    place = Place("gone", 0, 5, 3, b"")
    await store.adopt("m", place, bytes(32), "closed")
    with pytest.raises(Corrupt, match="no object segments/gone"):
        await archived(store, archive(tmp_path)).read("m")
