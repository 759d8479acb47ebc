"""What projections defer, on every store."""

from __future__ import annotations

from typing import Any

from events.store import Cell, Deferred

FIRST = Deferred(2_000_000_000_000, 0, "m", "the archive is away", "a")
SECOND = FIRST._replace(tries=1, mark="b")


async def test_what_is_deferred_by_partition(store: Any) -> None:
    assert await store.deferred("p") == {}
    await store.defer("p", 1, FIRST)
    await store.defer("p", 7, FIRST)
    await store.defer("q", 1, SECOND)
    await store.defer("p", 7, SECOND)
    assert await store.deferred("p") == {1: FIRST, 7: SECOND}
    assert await store.deferred("q") == {1: SECOND}


async def test_what_was_deferred_since_is_not_made_good(store: Any) -> None:
    await store.defer("p", 1, FIRST)
    assert not await store.settle("p", 1, SECOND)
    assert not await store.settle("p", 2, FIRST)
    assert not await store.settle("q", 1, FIRST)
    await store.defer("p", 1, SECOND)
    assert not await store.settle("p", 1, FIRST)
    assert await store.deferred("p") == {1: SECOND}
    assert await store.settle("p", 1, SECOND)
    assert await store.deferred("p") == {}
    assert not await store.settle("p", 1, SECOND)


async def test_a_projection_that_is_dropped_defers_nothing(store: Any) -> None:
    await store.put("p", "m", 0, Cell(1, b""))
    await store.defer("p", 1, FIRST)
    await store.defer("q", 1, FIRST)
    await store.drop("p")
    assert (await store.deferred("p"), await store.deferred("q")) == ({}, {1: FIRST})
