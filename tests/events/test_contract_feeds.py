"""What every store promises of feeds: groups, acknowledging, claiming, trimming, lag."""

from __future__ import annotations

from typing import Any

from events.store import Reference
from tests.events.entries import filled, names


def moves(taken: dict[int, list[Reference]]) -> list[tuple[str, int]]:
    return sorted((r.match, r.version) for references in taken.values() for r in references)


async def test_a_group_sees_every_append_once(store: Any) -> None:
    await filled(store, "m", 2)
    assert not await store.joined("g")
    await store.join("g")
    assert await store.joined("g")
    await store.join("g")
    assert not await store.joined("h")
    await filled(store, "n", 1)
    taken = await store.take("g", "a", 10)
    assert moves(taken) == [("m", 1), ("m", 2), ("n", 1)]
    assert await store.take("g", "b", 10) == {}
    assert moves(await store.own("g", "a", 10)) == moves(taken)
    assert await store.own("g", "b", 10) == {}
    await store.ack("g", taken)
    await store.ack("g", {})
    assert await store.own("g", "a", 10) == {}


async def test_groups_do_not_disturb_each_other(store: Any) -> None:
    await store.join("g")
    await store.join("h")
    await filled(store, "m", 3)
    await store.ack("g", await store.take("g", "a", 10))
    assert len(moves(await store.take("h", "a", 10))) == 3


async def test_taking_is_limited_by_feed(store: Any) -> None:
    await store.join("g")
    await filled(store, "m", 5)
    assert moves(await store.take("g", "a", 2)) == [("m", 1), ("m", 2)]
    assert moves(await store.take("g", "b", 2)) == [("m", 3), ("m", 4)]
    assert moves(await store.own("g", "a", 1)) == [("m", 1)]


async def test_some_partitions_alone(store: Any) -> None:
    await store.join("g")
    for match in names(20):
        await filled(store, match, 1)
    everything = range(store.partitions)
    first = await store.take("g", "a", 50, [0, 1])
    rest = await store.take("g", "a", 50, everything[2:])
    assert set(first) <= {0, 1} and set(rest) <= set(everything[2:])
    assert [match for match, _ in moves({**first, **rest})] == list(names(20))


async def test_31_a_group_that_was_lost_says_so_until_it_joins(store: Any) -> None:
    """It begins again at the beginning."""
    await filled(store, "m", 1)
    for _ in range(2):
        taken = await store.take("g", "a", 10)
        assert set(moves(taken)) == {("", 0)} and set(taken) == set(range(store.partitions))
    await store.ack("g", taken)
    await store.join("g")
    assert moves(await store.take("g", "a", 10)) == [("m", 1)]
    assert await store.own("unknown", "a", 10) == {}
    assert await store.claim("unknown", "a", 0, 10) == {}
    assert await store.lag("unknown") == 1


async def test_stalled_work_is_claimed(store: Any) -> None:
    await store.join("g")
    await filled(store, "m", 30)
    await store.take("g", "dead", 100)
    assert await store.claim("g", "b", 60_000, 100) == {}
    claimed = await store.claim("g", "b", 0, 100)
    assert len(moves(claimed)) == 30
    assert moves(await store.own("g", "dead", 100)) == []
    assert len(moves(await store.own("g", "b", 100))) == 30
    await store.ack("g", claimed)
    assert await store.claim("g", "c", 0, 100) == {}


async def test_claiming_is_limited(store: Any) -> None:
    await store.join("g")
    await filled(store, "m", 30)
    await store.take("g", "dead", 100)
    assert len(moves(await store.claim("g", "b", 0, 7))) == 7


async def test_11_a_consumer_with_work_is_not_forgotten(store: Any) -> None:
    await store.join("g")
    await filled(store, "m", 1)
    taken = await store.take("g", "a", 10)
    assert not await store.remove_consumer("g", "a")
    assert await store.trim() == 0
    assert moves(await store.claim("g", "b", 0, 10)) == [("m", 1)]
    assert await store.remove_consumer("g", "a")
    await store.ack("g", taken)
    assert await store.remove_consumer("g", "b")
    assert await store.remove_consumer("unknown", "b")


async def test_trim_stops_at_the_slowest_group(store: Any) -> None:
    await store.join("g")
    await store.join("h")
    await filled(store, "m", 10)
    fast = await store.take("g", "a", 100)
    await store.ack("g", fast)
    assert await store.trim() == 0
    slow = await store.take("h", "a", 100)
    ((number, references),) = slow.items()
    await store.ack("h", {number: references[:6] + references[7:]})
    assert await store.trim() == 6
    assert moves(await store.own("h", "a", 100)) == [("m", 7)]
    await store.ack("h", slow)
    await store.trim()
    await filled(store, "n", 1)
    assert moves(await store.take("g", "a", 100)) == [("n", 1)]


async def test_without_groups_nothing_is_trimmed(store: Any) -> None:
    await filled(store, "m", 3)
    assert await store.trim() == 0
    await store.join("g")
    assert len(moves(await store.take("g", "a", 100))) == 3


async def test_lag_counts_what_is_not_acknowledged(store: Any) -> None:
    await store.join("g")
    assert await store.lag("g") == 0
    await filled(store, "m", 4)
    assert await store.lag("g") == 4
    taken = await store.take("g", "a", 3)
    assert await store.lag("g") == 4
    await store.ack("g", taken)
    assert await store.lag("g") == 1
    await store.trim()
    assert await store.lag("g") == 1


async def test_a_touch_is_a_reference(store: Any) -> None:
    await filled(store, "m", 3)
    await store.join("g")
    await store.ack("g", await store.take("g", "a", 10))
    await store.touch("m")
    assert moves(await store.take("g", "a", 10)) == [("m", 3)]
