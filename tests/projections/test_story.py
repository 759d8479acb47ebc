"""Stories: folded once, kept, and dropped where the log no longer follows."""

from __future__ import annotations

from typing import Any

import pytest

from events.memory import MemoryStore
from events.store import Corrupt
from projections.story import Library, Poison
from tests.projections.matches import Recording, entry_of, recorded, store_up


class Counting(MemoryStore):
    """How many entries were read."""

    read_entries = 0

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> Any:
        entries = await super().read(match, after, limit)
        self.read_entries += len(entries)
        return entries


async def test_what_is_known_is_not_read_again() -> None:
    store, match = Counting(2), recorded(51)
    library = Library(store)
    assert await library.story(match.id) is None
    for version in range(1, len(match.entries) + 1):
        await store_up(store, match, version, version)
        story = await library.story(match.id)
        assert story is not None and story.version == version
        assert story.head == match.entries[version - 1].head
        assert story.now == match.past[version]
    assert store.read_entries <= 2 * len(match.entries)


async def test_a_story_does_not_change_under_its_reader() -> None:
    store, match = MemoryStore(2), recorded(52)
    library = Library(store)
    await store_up(store, match, 1, 5)
    early = await library.story(match.id)
    await store_up(store, match, 6)
    await library.story(match.id)
    assert early is not None and early.version == 5 and early.now == match.past[5]


async def test_those_that_moved_longest_ago_are_forgotten() -> None:
    store, library_size = Counting(2), 45
    library = Library(store, library_size)
    matches = [recorded(n) for n in (53, 54, 55)]
    for match in matches:
        await store_up(store, match)
        await library.story(match.id)
    store.read_entries = 0
    await library.story(matches[-1].id)
    assert store.read_entries == 1
    await library.story(matches[0].id)
    assert store.read_entries == 1 + len(matches[0].entries)


@pytest.mark.parametrize("begun", [False, True], ids=["shorter", "as-long"])
async def test_a_log_with_another_history_is_folded_anew(begun: bool) -> None:
    """As after a failover that lost what was acknowledged."""
    first = Recording("01JL", ("ann", "ben")).begin()
    second = Recording("01JL", ("ann", "cat"))
    if begun:
        second.begin()
    store = MemoryStore(2)
    await store_up(store, first)
    library = Library(store)
    await library.story("01JL")
    store._logs.clear()
    store._metas.clear()
    await store_up(store, second)
    story = await library.story("01JL")
    assert story is not None and story.now == second.table


async def test_what_is_forgotten_while_a_log_is_read_is_no_poison() -> None:
    """Several projections share a library: one finds the history lost, or needs the room, while
    another waits for the log."""
    store, match = MemoryStore(2), recorded(57)
    library = Library(store)
    await store_up(store, match, 1, 5)
    await library.story(match.id)
    read = store.read

    async def late(*words: Any) -> Any:
        entries = await read(*words)
        store.read = read  # type: ignore[method-assign]
        library._folded.clear()
        return entries

    store.read = late  # type: ignore[method-assign]
    story = await library.story(match.id)
    assert story is not None and story.version == 5 and story.now == match.past[5]


async def test_a_log_that_has_gone_is_no_story() -> None:
    store, match = MemoryStore(2), Recording("01JL", ("ann", "ben"))
    await store_up(store, match)
    library = Library(store)
    await library.story("01JL")
    store._logs.clear()
    assert await library.story("01JL") is None


async def test_16_what_is_ahead_of_the_log_is_left_alone() -> None:
    store, match = MemoryStore(2), Recording("01JL", ("ann", "ben")).begin()
    await store_up(store, match)
    library = Library(store)
    await library.story(match.id)
    store._logs[match.id] = store._logs[match.id][:2]
    story = await library.story(match.id)
    assert story is not None and story.version == 2


async def test_poison_tells_what_came_before_it() -> None:
    store, match = MemoryStore(2), Recording("01JP", ("ann", "ben"))
    await store_up(store, match)
    await store.append(match.id, entry_of(match, b"bad"), "lobby")
    library = Library(store)
    for _ in range(2):
        with pytest.raises(Poison) as caught:
            await library.story(match.id)
        assert caught.value.version == len(match.entries) + 1
        assert caught.value.story is not None
        assert caught.value.story.now == match.table


class Rotten(MemoryStore):
    """Cannot read past one version."""

    def __init__(self, bad: int) -> None:
        super().__init__(2)
        self.bad = bad

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> Any:
        entries = await super().read(match, after, limit)
        if any(entry.version == self.bad for entry in entries):
            raise Corrupt(match, self.bad, "a flipped bit")
        return entries


@pytest.mark.parametrize("bad", [1, 4])
async def test_28_a_corrupt_entry_is_poison_too(bad: int) -> None:
    match = recorded(56)
    store = Rotten(bad)
    await store_up(store, match)
    with pytest.raises(Poison, match="flipped bit") as caught:
        await Library(store).story(match.id)
    assert caught.value.version == bad
    story = caught.value.story
    assert (story.version if story else 0) == bad - 1


async def test_the_first_bad_commit_counts() -> None:
    store, match = Rotten(6), Recording("01JP", ("ann", "ben"))
    await store_up(store, match)
    bad = entry_of(match, b"bad")
    await store.append(match.id, bad, "lobby")
    for version in (5, 6):
        await store.append(match.id, bad._replace(version=version), "lobby")
    with pytest.raises(Poison) as caught:
        await Library(store).story(match.id)
    assert caught.value.version == len(match.entries) + 1 == 4
