"""A failover takes commits away: what was made from them is made anew, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from events.log import Entry, append, sealer
from events.memory import MemoryStore
from events.store import Cell, Corrupt, Meta
from projections.keeper import Keeper
from projections.lobby import Lobby
from projections.story import Library
from projections.summary import Summaries
from tests.play import SECRET
from tests.projections.matches import Recording, recorded, store_up


def keeper(store: Any, projection: Any = None) -> Keeper:
    return Keeper(store, projection or Lobby(), Library(store))


def rewound(store: MemoryStore, match: Recording, entries: list[Entry]) -> None:
    """The log stands there now, cells and rows do where they stood."""
    store._logs[match.id] = list(entries)
    store._metas[match.id] = Meta(entries[-1].version, entries[-1].head, "playing")


async def fresh(match: Recording, entries: list[Entry]) -> tuple[Cell | None, Any]:
    """What a keeper makes of this log alone."""
    store = MemoryStore(4)
    for entry in entries:
        await store.append(match.id, entry, "playing")
    made = keeper(store)
    await made.repair()
    return await store.get("lobby", match.id), await store.shown("lobby", match.id)


async def as_made(store: Any, match: Recording) -> tuple[Cell | None, Any]:
    return await store.get("lobby", match.id), await store.shown("lobby", match.id)


def forked(match: Recording) -> list[Entry]:
    """The same facts under another seal: another history, as long as the first."""
    head, made = b"\0" * 32, []
    for entry in match.entries:
        one = append(head, entry.version, entry.facts, entry.hidden, sealer(SECRET, "other"))
        made.append(one)
        head = one.head
    return made


@pytest.fixture
async def made(memory: MemoryStore) -> tuple[MemoryStore, Recording]:
    """A match and what the lobby shows of it."""
    match = recorded(1)
    await store_up(memory, match)
    await keeper(memory).repair()
    return memory, match


@pytest.mark.parametrize("stays", [1, 3])
async def test_16_a_cell_ahead_of_its_log_is_made_anew(
    made: tuple[MemoryStore, Recording], stays: int
) -> None:
    store, match = made
    rewound(store, match, match.entries[:stays])
    again = keeper(store)
    await again.repair()
    assert await as_made(store, match) == await fresh(match, match.entries[:stays])
    assert again.counts.written == 1


async def test_16_a_cell_of_another_history_is_made_anew(
    made: tuple[MemoryStore, Recording],
) -> None:
    """At the same version, and at a later one that the log has otherwise."""
    store, match = made
    other = forked(match)
    for entries in (other, other[:-1]):
        rewound(store, match, entries)
        again = keeper(store)
        await again.repair()
        marks = (await store.marks("lobby", [match.id]))[0]
        assert marks.cell == marks.rows == (entries[-1].version, entries[-1].head[:8])
        assert again.counts.written == 1


async def test_16_rows_alone_that_were_lost_or_stayed_are_made_good(
    made: tuple[MemoryStore, Recording],
) -> None:
    """They lie on another server than cell and log."""
    store, match = made
    whole, newest = await as_made(store, match), match.entries[-1]
    await store.put("lobby", match.id, 999, Cell(newest.version + 3, b"", b"x" * 32), [])
    assert await store.shown("lobby", match.id) == []
    await keeper(store).repair()
    assert await as_made(store, match) == whole
    del store._shown["lobby"][match.id]
    old = Cell(1, b"", match.entries[0].head)
    await store.put("lobby", match.id, 999, old, [])
    await keeper(store).repair()
    assert await as_made(store, match) == whole


async def test_16_rows_that_are_gone_whole_are_made_again(
    made: tuple[MemoryStore, Recording],
) -> None:
    """Where a keeper knows by others that there should be some."""
    store, match = made
    whole = await as_made(store, match)
    await store_up(store, recorded(2))
    again = keeper(store)
    del store._shown["lobby"][match.id]
    await again.repair()
    await again.repair()
    assert await as_made(store, match) == whole


async def test_16_rows_of_a_match_that_is_gone_whole_go_too(
    made: tuple[MemoryStore, Recording],
) -> None:
    store, match = made
    del store._logs[match.id], store._metas[match.id]
    await keeper(store).repair([0, 1])
    assert await store.shown("lobby", match.id) != []
    await keeper(store).repair()
    assert await as_made(store, match) == (None, [])


async def test_what_is_right_is_left_alone(made: tuple[MemoryStore, Recording]) -> None:
    store, _ = made
    again = keeper(store)
    await again.repair()
    assert again.counts == (0, 0, 0, 0)


async def test_a_cell_beyond_what_can_be_read_is_left_alone(memory: MemoryStore) -> None:
    """Its head says that the log has it, or nothing does."""
    match = recorded(1)
    await store_up(memory, match)
    made = keeper(memory, Summaries())
    await made.repair()
    story = await Library(memory).story(match.id)
    assert story is not None
    shorter = story._replace(tables=story.tables[:3], head=match.entries[1].head)
    mark = (await memory.marks("summary", [match.id]))[0].cell
    assert await made._write(match.id, mark, shorter, False)
    assert await made._write(match.id, mark._replace(head=b""), shorter, True)

    async def damaged(*_: Any) -> Any:
        raise Corrupt(match.id, mark.version, "damaged")

    memory.read = damaged  # type: ignore[method-assign]
    assert await made._write(match.id, mark, shorter, False)
    assert made.counts.written == 1
