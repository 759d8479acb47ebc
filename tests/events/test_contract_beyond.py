"""The feeds as who belongs to no group reads them, on every store."""

from __future__ import annotations

from typing import Any

from events.store import Beyond, Position
from tests.events.entries import filled


async def look(store: Any, positions: dict[int, Position], limit: int = 100) -> dict[int, Beyond]:
    found: dict[int, Beyond] = await store.beyond(positions, limit)
    return found


def beginning(store: Any) -> dict[int, Position]:
    return dict.fromkeys(range(store.partitions), Position())


async def test_what_lies_beyond_a_position(store: Any) -> None:
    await filled(store, "one", 3)
    found = await look(store, beginning(store))
    (number,) = [n for n, beyond in found.items() if beyond.references]
    beyond = found[number]
    assert [(r.match, r.version) for r in beyond.references] == [("one", v) for v in (1, 2, 3)]
    assert not beyond.lost and beyond.end == Position(beyond.references[-1].id, 3)
    first = Position(beyond.references[0].id, 1)
    (rest,) = (await look(store, {number: first}, 1)).values()
    assert [r.version for r in rest.references] == [2] and not rest.lost
    (none,) = (await look(store, {number: beyond.end})).values()
    assert none == Beyond([], False, beyond.end)


async def test_what_was_trimmed_is_told(store: Any) -> None:
    await store.join("group")
    await filled(store, "one", 5)
    found = await look(store, beginning(store))
    (number,) = [n for n, beyond in found.items() if beyond.references]
    references = found[number].references
    while taken := await store.take("group", "a", 10):
        await store.ack("group", taken)
    assert await store.trim() > 0
    (lost,) = (await look(store, {number: Position(references[0].id, 1)})).values()
    assert lost.lost and lost.end.added == 5
    (end,) = (await look(store, {number: found[number].end})).values()
    assert not end.lost and not end.references


async def test_an_empty_feed(store: Any) -> None:
    (found,) = (await look(store, {0: Position()})).values()
    assert found == Beyond([], False, Position())
