"""What every store promises of the versions of projections, and of groups that join late."""

from __future__ import annotations

import asyncio
from typing import Any

from events.store import Cell, Position, Row, Versions
from tests.events.entries import entry, filled


async def test_one_version_is_read_and_one_is_built(store: Any) -> None:
    assert await store.versions("p") == Versions(0, 0, 0)
    assert await store.build("p") == await store.build("p") == 1
    assert (await store.versions("p"))[:2] == (0, 1)
    assert not await store.swap("p", 0, 2) and not await store.swap("p", 1, 1)
    assert (await store.versions("p"))[:2] == (0, 1)
    assert await store.swap("p", 0, 1)
    assert (await store.versions("p"))[:2] == (1, 0)
    assert not await store.swap("p", 1, 2)
    assert await store.build("p") == 2
    assert await store.versions("q") == Versions(0, 0, 0)


async def test_numbers_are_never_used_again(store: Any) -> None:
    assert await store.give_up("p") == 0
    assert await store.build("p") == 1
    assert await store.give_up("p") == 1
    assert await store.build("p") == 2
    assert not await store.swap("p", 0, 1)
    assert await store.swap("p", 0, 2)


async def test_a_swap_whose_reply_was_lost_has_been_done(store: Any) -> None:
    await store.build("p")
    assert await store.swap("p", 0, 1)
    assert await store.swap("p", 0, 1)
    await store.build("p")
    assert not await store.swap("p", 0, 1)


async def test_since_when_a_version_is_read(store: Any) -> None:
    await store.build("p")
    await store.swap("p", 0, 1)
    await asyncio.sleep(0.02)
    assert 15 <= (await store.versions("p")).unchanged_ms < 10_000


async def test_the_rows_of_one_match(store: Any) -> None:
    rows = [Row("all", "m", 3, b"x"), Row("one", "m.1", 2**52, b"y")]
    await store.put("p", "m", 0, Cell(1, b""), rows)
    await store.put("p", "n", 0, Cell(1, b""), [Row("all", "n", 3, b"z")])
    assert sorted(await store.shown("p", "m")) == rows
    assert await store.shown("p", "x") == await store.shown("q", "m") == []


async def test_what_is_dropped_is_parked_no_more(store: Any) -> None:
    await store.park("p", "m", 1, "bad")
    await store.park("q", "m", 1, "bad")
    await store.drop("p")
    assert await store.parked("p") == {} and list(await store.parked("q")) == ["m"]


async def _ends(store: Any) -> dict[int, Position]:
    found = await store.beyond(dict.fromkeys(range(store.partitions), Position()), 1)
    return {number: beyond.end for number, beyond in found.items()}


async def test_11_a_late_group_does_not_join_where_it_missed_something(store: Any) -> None:
    await store.join("g")
    await filled(store, "m", 3)
    ends = await _ends(store)
    for version in (4, 5):
        await store.append("m", entry(version), "playing")
    await store.ack("g", await store.take("g", "a", 100))
    await store.trim()
    await store.join("late", ends)
    assert not await store.joined("late")
    await store.join("late", await _ends(store))
    assert await store.joined("late")
    await store.join("late", ends)
    assert await store.lag("late") == 1


async def test_a_late_group_joins_where_all_is_there(store: Any) -> None:
    await filled(store, "m", 3)
    ends = await _ends(store)
    await store.append("m", entry(4), "playing")
    await store.join("late", ends)
    assert await store.joined("late") and await store.lag("late") == 4


async def test_the_age_of_what_waits(store: Any) -> None:
    await store.join("g")
    assert await store.backlog("g") == (0, 0)
    await filled(store, "m", 1)
    await asyncio.sleep(0.03)
    await filled(store, "n", 1)
    references, oldest = await store.backlog("g")
    assert references == 2 and 25 <= oldest < 10_000
    taken = await store.take("g", "a", 10)
    references, older = await store.backlog("g")
    assert references == 2 and older >= oldest
    await store.ack("g", taken)
    assert await store.backlog("g") == (0, 0)
    assert (await store.backlog("unknown")).references == 2


async def test_claims_of_some_partitions_alone(store: Any) -> None:
    await store.join("g")
    await filled(store, "m", 2)
    ((home, _),) = (await store.take("g", "a", 10)).items()
    rest = [number for number in range(store.partitions) if number != home]
    assert await store.claim("g", "b", 0, 10, rest) == await store.claim("g", "b", 0, 10, []) == {}
    assert list(await store.claim("g", "b", 0, 10, [home])) == [home]
