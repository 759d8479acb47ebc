"""What every store promises of logs that leave for the archive, whatever it is made of."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from events.memory import MemoryStore
from events.partitions import known_key, match_keys, partition, unordered_key
from events.shelf import DELETED, Place, Standing
from events.store import FENCE, FENCED_MS, Cell, Conflict, Meta, Row
from tests.events.entries import entry, filled

PLACE = Place("s1", 8, 99, 3, b"digest")
OTHER = Place("s2", 70, 99, 3, b"digest")


async def shelved(store: Any, match: str = "m") -> list[Any]:
    made = await filled(store, match, 3)
    assert await store.reserve(match, 3, "playing", "s1")
    assert await store.shelve(match, PLACE, "playing")
    return made


async def standing(store: Any, match: str = "m") -> Standing | None:
    found: list[Standing | None] = await store.standings([match])
    return found[0]


async def test_14_an_archived_match_refuses_every_append(store: Any) -> None:
    made = await shelved(store)
    assert await store.read("m") == []
    assert await store.meta("m") == Meta(3, made[2].head, "playing")
    assert await standing(store) == Standing(3, made[2].head, "playing", PLACE)
    assert [match async for match in store.matches()] == ["m"]
    for version in (1, 2, 3, 4, 5):
        with pytest.raises(Conflict) as caught:
            await store.append("m", entry(version), "playing")
        assert (caught.value.meta.version, caught.value.tail) == (3, ())
    assert await store.read("m") == []


async def test_14_deleting_the_key_of_an_archived_match_opens_nothing(redis_store: Any) -> None:
    await shelved(redis_store)
    for key in await redis_store._link.call("KEYS", "*:match:m:log"):
        await redis_store._link.call("DEL", key)
    with pytest.raises(Conflict):
        await redis_store.append("m", entry(1), "lobby")
    assert await redis_store._link.call("KEYS", "*:match:m:log") == []


async def test_only_what_stands_as_it_was_seen_is_shelved(store: Any) -> None:
    made = await filled(store, "m", 3)
    assert not await store.reserve("m", 2, "playing", "s1")
    assert not await store.reserve("m", 3, "closed", "s1")
    assert not await store.reserve("nobody", 3, "playing", "s1")
    assert not await store.shelve("m", PLACE, "playing")
    assert await store.reserve("m", 3, "playing", "s1")
    assert not await store.shelve("m", OTHER, "playing")
    assert not await store.shelve("m", PLACE, "closed")
    assert not await store.shelve("m", PLACE._replace(version=2), "playing")
    assert await store.read("m") == made
    await store.append("m", entry(4), "playing")
    assert not await store.shelve("m", PLACE, "playing")
    assert await store.read("m") == [*made, entry(4)]


async def test_what_is_reserved_no_more_is_not_shelved(store: Any) -> None:
    made = await filled(store, "m", 3)
    assert await store.reserve("m", 3, "playing", "s2")
    assert await store.reserve("m", 3, "playing", "s1")
    await store.unreserve("m", "s2")
    await store.unreserve("m", "s1")
    assert not await store.shelve("m", PLACE, "playing")
    assert await store.read("m") == made


async def test_shelving_twice_is_shelving_once(store: Any) -> None:
    await shelved(store)
    assert await store.shelve("m", PLACE, "playing")
    assert not await store.shelve("m", OTHER, "playing")
    assert (await standing(store)).place == PLACE  # type: ignore[union-attr]


async def test_a_restored_match_goes_on_at_the_next_version(store: Any) -> None:
    made = await shelved(store)
    assert not await store.unshelve("m", OTHER, made, 7)
    assert not await store.unshelve("m", PLACE, made[:2], 7)
    assert await store.unshelve("m", PLACE, made, 7)
    assert not await store.unshelve("m", PLACE, made, 7)
    assert await store.read("m") == made
    assert await standing(store) == Standing(3, made[2].head, "playing", None, 7)
    for version in (1, 3, 5):
        with pytest.raises(Conflict):
            await store.append("m", entry(version, "other"), "playing")
    await store.append("m", entry(4), "over")
    assert await store.read("m") == [*made, entry(4)]
    assert await store.reserve("m", 4, "over", "s3")
    last = Place("s3", 8, 120, 4, b"other")
    assert await store.shelve("m", last, "over")
    assert await standing(store) == Standing(4, entry(4).head, "over", last)


async def test_an_archived_match_moves_to_where_it_is_reserved_for(store: Any) -> None:
    await shelved(store)
    assert not await store.move("m", PLACE, OTHER)
    assert await store.reserve("m", 3, "playing", "s2")
    assert not await store.move("m", OTHER, OTHER)
    assert await store.move("m", PLACE, OTHER)
    assert not await store.move("m", OTHER, OTHER)
    assert (await standing(store)).place == OTHER  # type: ignore[union-attr]


async def test_a_match_is_adopted_where_nobody_knows_it(store: Any) -> None:
    assert await store.adopt("m", PLACE, b"h" * 32, "closed")
    assert not await store.adopt("m", OTHER, b"h" * 32, "closed")
    assert await standing(store) == Standing(3, b"h" * 32, "closed", PLACE)
    assert await store.meta("m") == Meta(3, b"h" * 32, "closed")
    assert [match async for match in store.matches()] == ["m"]
    with pytest.raises(Conflict):
        await store.append("m", entry(1), "lobby")
    await filled(store, "n", 1)
    assert not await store.adopt("n", PLACE, b"h" * 32, "closed")


async def test_a_deleted_match_leaves_the_fence_alone(store: Any) -> None:
    await filled(store, "here", 1)
    assert not await store.bury("here", PLACE)
    await shelved(store)
    news = store.moved()
    assert await anext(news) == ("", 0)
    assert not await store.bury("m", OTHER)
    assert await store.bury("m", PLACE)
    async with asyncio.timeout(5):
        while await anext(news) != ("m", 0):
            continue
    await news.aclose()
    assert await store.meta("m") is None
    assert await store.read("m") == []
    assert await standing(store) == Standing(0, b"", DELETED)
    assert [match async for match in store.matches()] == ["here"]
    for version in (1, 3, 4):
        with pytest.raises(Conflict) as caught:
            await store.append("m", entry(version), "lobby")
        assert caught.value.meta.version == 0
    assert not await store.adopt("m", PLACE, b"h" * 32, "closed")
    assert not await store.reserve("m", 3, "playing", "s1")
    assert not await store.bury("m", PLACE)


async def test_a_deletion_is_remembered_until_nothing_is_left(store: Any) -> None:
    for match in ("m", "n"):
        await shelved(store, match)
    assert await store.deleting() == {}
    assert not await store.bury("m", OTHER) and await store.deleting() == {}
    for match in ("m", "n"):
        assert await store.bury(match, PLACE)
    assert await store.deleting() == {"m": PLACE, "n": PLACE}
    await store.erased("m")
    await store.erased("nobody")
    assert await store.deleting() == {"n": PLACE}
    assert await standing(store) == Standing(0, b"", DELETED)


async def test_many_standings_in_one_go(store: Any) -> None:
    await shelved(store)
    await filled(store, "n", 1)
    found = await store.standings(["n", "nobody", "m"])
    assert [stands and (stands.version, stands.place) for stands in found] == [
        (1, None),
        None,
        (3, PLACE),
    ]
    assert await store.standings([]) == []


async def test_what_was_done_is_counted(store: Any) -> None:
    assert await store.tallied() == {}
    await store.tally({"matches": 2, "failures": 0, "bytes": 10})
    await store.tally({"matches": 1})
    told = await store.tallied()
    assert (told["matches"], told["bytes"], told.get("failures", 0)) == (3, 10, 0)


async def test_what_a_projection_has_of_a_match_is_forgotten(store: Any) -> None:
    for match in ("m", "n"):
        rows = [Row("all", match, 1, b"row"), Row("some", match, 2, b"row")]
        assert await store.put("lobby", match, 0, Cell(1, b"cell"), rows)
        await store.park("lobby", match, 1, "a reason")
    await store.forget("lobby", "m")
    await store.forget("lobby", "nobody")
    assert await store.get("lobby", "m") is None
    assert await store.shown("lobby", "m") == []
    assert [row.member for row in await store.rows("lobby", "all")] == ["n"]
    assert await store.cursors("lobby", ["m", "n"]) == [0, 1]
    assert list(await store.parked("lobby")) == ["n"]
    assert await store.put("lobby", "m", 0, Cell(1, b"anew"), [Row("all", "m", 1, b"anew")])
    assert len(await store.rows("lobby", "all")) == 2


async def lobby(store: Any, match: str) -> list[str]:
    """Who stands in the list when a writer that had read this match's log long ago goes on."""
    entries = [entry(version, match) for version in (1, 2, 3)]
    cell = Cell(3, b"cell", entries[-1].head)
    assert not await store.put("lobby", match, 0, cell, [Row("all", match, 3, b"row")])
    return [row.member for row in await store.rows("lobby", "all")]


async def test_no_rows_are_written_of_a_deleted_match(store: Any) -> None:
    """A row comes before its cell, which the log no longer vouches for."""
    other = await filled(store, "other", 1)
    cell = Cell(1, b"", other[0].head)
    assert await store.put("lobby", "other", 0, cell, [Row("all", "other", 1, b"row")])
    made = await shelved(store)
    cell = Cell(3, b"", made[-1].head)
    assert await store.put("lobby", "m", 0, cell, [Row("all", "m", 3, b"row")])
    assert await store.bury("m", PLACE)
    await store.forget("lobby", "m", deleted=True)
    assert await lobby(store, "m") == ["other"]
    await store.forget("lobby", "m")
    assert await lobby(store, "m") == ["other"], "whoever repairs leaves the fence where it is"
    assert await store.shown("lobby", "m") == []
    await store.drop("lobby")
    assert [match async for match in store.showing("lobby")] == []


async def test_a_deleted_match_is_not_parked(store: Any) -> None:
    await shelved(store)
    assert await store.bury("m", PLACE)
    await store.park("lobby", "m", 3, "it is gone")
    assert await store.parked("lobby") == {} and await store.letters() == []


async def test_a_projection_without_rows_needs_no_fences(store: Any) -> None:
    await shelved(store)
    assert await store.bury("m", PLACE)
    await store.forget("views", "m", deleted=True)
    assert [match async for match in store.showing("views")] == []


async def fenced(store: Any, *matches: str) -> None:
    for match in ("first", *matches):
        rows = [Row("all", match, 1, b"")]
        assert await store.put("lobby", match, 0, Cell(1, b""), rows)
    for match in matches:
        await store.forget("lobby", match, deleted=True)


async def test_fences_go_after_a_time(redis_store: Any) -> None:
    await fenced(redis_store, "a", "b", "c")
    key = "{lobby}:gone"
    now = await redis_store._link.call("ZSCORE", key, "b")
    for match in ("a", "b"):
        await redis_store._link.call("ZADD", key, int(now) - FENCED_MS - 1000, match)
    await redis_store.put("lobby", "b", 0, Cell(2**53 + 1, b""), [Row("all", "b", 1, b"")])
    await redis_store.forget("lobby", "nobody")
    assert await redis_store._link.call("ZRANGE", key, 0, -1) == [b"c"]
    marks = await redis_store.marks("lobby", ["a", "b", "c"])
    assert [mark.rows.version for mark in marks] == [0, 2**53 + 1, FENCE]


async def test_a_deletion_that_a_failover_has_lost_fences_nothing(redis_store: Any) -> None:
    """The lists lie in another slot, on a server that has not lost the fence."""
    made = await shelved(redis_store)
    cell, row = Cell(3, b"", made[-1].head), Row("all", "m", 3, b"row")
    assert await redis_store.put("lobby", "m", 0, cell, [row])
    meta = match_keys("m", redis_store.partitions).meta
    before = await redis_store._link.call("HGETALL", meta)
    assert await redis_store.bury("m", PLACE)
    await redis_store.forget("lobby", "m", deleted=True)
    await redis_store._link.many([("DEL", meta), ("HSET", meta, *before)])
    assert await redis_store.put("lobby", "m", 0, cell, [row])
    assert await redis_store.rows("lobby", "all") == [row]


async def test_what_an_older_release_lists_is_deleted_from_there(redis_store: Any) -> None:
    await shelved(redis_store)
    number = partition("m", redis_store.partitions)
    moves = [("ZREM", known_key(number), "m"), ("SADD", unordered_key(number), "m")]
    await redis_store._link.many(moves)
    assert await redis_store.bury("m", PLACE)
    assert [match async for match in redis_store.matches()] == []


async def test_fences_in_memory_go_after_a_time() -> None:
    now = 0.0
    store = MemoryStore(2, lambda: now)
    await fenced(store, "a")
    now = FENCED_MS / 1000 - 1
    await store.forget("lobby", "nobody")
    assert {match async for match in store.showing("lobby")} == {"first", "a"}
    now += 2
    await store.forget("lobby", "nobody")
    assert {match async for match in store.showing("lobby")} == {"first"}
