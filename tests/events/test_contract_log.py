"""What every store promises of logs, whatever it is made of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from events.partitions import partition
from events.store import Conflict, Meta
from tests.events.entries import entries, entry, filled, names


async def test_what_was_appended_is_read(store: Any) -> None:
    made = await filled(store, "m", 5)
    assert await store.read("m") == made
    assert await store.read("m", after=2) == made[2:]
    assert await store.read("m", after=1, limit=2) == made[1:3]
    assert await store.read("m", limit=0) == []
    assert await store.read("m", after=5) == await store.read("m", after=9) == []
    assert await store.read("nobody") == []


async def test_long_logs_come_whole(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.redis_store._PAGE", 3)
    made = await filled(store, "m", 7)
    assert await store.read("m") == made
    assert await store.read("m", 1, 5) == made[1:6]


async def test_meta_is_of_the_newest(store: Any) -> None:
    made = await filled(store, "m", 2)
    await store.append("n", entry(1), "lobby")
    assert await store.meta("m") == Meta(2, made[1].head, "playing")
    assert await store.meta("nobody") is None
    metas = await store.metas(["n", "nobody", "m"])
    assert [meta and meta.version for meta in metas] == [1, None, 2]
    assert await store.metas([]) == []


@pytest.mark.parametrize("stands", range(4))
@pytest.mark.parametrize("expected", range(5))
async def test_expected_versions(store: Any, stands: int, expected: int) -> None:
    """04: a version too far is a conflict like one too short, never a gap."""
    made = await filled(store, "m", stands)
    new = entry(expected + 1, "new")
    if expected == stands:
        await store.append("m", new, "playing")
        assert await store.read("m") == [*made, new]
        return
    with pytest.raises(Conflict) as caught:
        await store.append("m", new, "playing")
    assert caught.value.meta.version == stands
    assert list(caught.value.tail) == made[expected:]
    assert await store.read("m") == made
    assert str(stands) in str(caught.value)


async def test_an_append_that_was_begun(store: Any) -> None:
    """The same, without waiting for it at once."""
    made = await filled(store, "m", 1)
    second = entry(2)
    begun = store.begin_append("m", second, "over", made[0].head)
    assert not begun.done()
    assert await begun is None
    assert await store.meta("m") == Meta(2, second.head, "over")
    for late, before in [(entry(2, "late"), made[0].head), (entry(3), entry(2, "else").head)]:
        with pytest.raises(Conflict) as caught:
            await store.begin_append("m", late, "over", before)
        assert caught.value.meta.version == 2
    assert await store.read("m") == [*made, second]


async def test_a_refusal_tells_where_the_match_stands(store: Any) -> None:
    made = await filled(store, "m", 60)
    with pytest.raises(Conflict) as caught:
        await store.append("m", entry(2, "late"), "over")
    assert caught.value.meta == Meta(60, made[-1].head, "playing")
    assert list(caught.value.tail) == made[1:51]


async def test_the_same_entry_again_is_in_the_tail_of_its_refusal(store: Any) -> None:
    made = await filled(store, "m", 2)
    with pytest.raises(Conflict) as caught:
        await store.append("m", made[1], "playing")
    assert caught.value.tail == (made[1],)


async def test_03_two_at_once_have_one_winner(store: Any) -> None:
    async def race(version: int, who: str) -> str | Conflict:
        try:
            await store.append("m", entry(version, who), "playing")
        except Conflict as lost:
            return lost
        return who

    rounds = 100
    for version in range(1, rounds + 1):
        told = await asyncio.gather(race(version, "a"), race(version, "b"))
        (winner,) = [who for who in told if isinstance(who, str)]
        (lost,) = [who for who in told if isinstance(who, Conflict)]
        assert lost.meta.version == version
        assert lost.tail == (entry(version, winner),)
    assert [e.version for e in await store.read("m")] == list(range(1, rounds + 1))


async def test_many_matches_at_once(store: Any) -> None:
    async def play(match: str) -> None:
        for one in entries(5, match):
            await store.append(match, one, "playing")

    matches = list(names(40))
    await asyncio.gather(*[play(match) for match in matches])
    for match in matches:
        assert await store.read(match) == entries(5, match)


async def test_all_matches_are_found(store: Any) -> None:
    wanted = list(names(30))
    for match in wanted:
        await filled(store, match, 2)
    assert sorted([match async for match in store.matches()]) == wanted
    by_partition = [
        match for number in range(store.partitions) async for match in store.matches(number)
    ]
    assert sorted(by_partition) == wanted


async def test_matches_come_in_order_and_beyond_any_of_them(store: Any) -> None:
    wanted = [f"é{match}" for match in names(20)]
    for match in reversed(wanted):
        await filled(store, match, 1)
    for number in range(store.partitions):
        here = [match for match in wanted if partition(match, store.partitions) == number]
        assert [match async for match in store.matches(number)] == here
        for at, match in enumerate(here):
            assert [m async for m in store.matches(number, match)] == here[at + 1 :]
        assert [m async for m in store.matches(number, "z")] == here
        assert [m async for m in store.matches(number, "\uffff")] == []


async def test_moves_are_heard(store: Any) -> None:
    """A cluster may still pass on what was told of other matches before."""
    first, second = store.moved(), store.moved()
    assert await anext(first) == ("", 0)
    await filled(store, "heard", 3)
    assert await _up_to(3, first) in ([3], [1, 3], [2, 3], [1, 2, 3])
    assert await anext(second) == ("", 0)
    await store.touch("heard")
    await store.touch("nobody")
    assert await _of("heard", second) == await _of("heard", first) == 3
    await first.aclose()
    await second.aclose()


async def _up_to(version: int, moves: AsyncIterator[tuple[str, int]]) -> list[int]:
    heard = [await _of("heard", moves)]
    while heard[-1] != version:
        heard.append(await _of("heard", moves))
    return heard


async def _of(wanted: str, moves: AsyncIterator[tuple[str, int]]) -> int:
    """The next version of this match that is heard of."""
    async for match, version in moves:
        if match == wanted:
            return version
    raise AssertionError("the moves have an end")


async def test_an_append_goes_on_from_its_own_head_alone(store: Any) -> None:
    """As after a failover that lost commits, others having been made since: same version, other
    history. Without a head to compare the version alone decides."""
    made = await filled(store, "m", 3)
    other = made[1].head
    with pytest.raises(Conflict) as caught:
        await store.append("m", entry(4), "playing", other)
    assert (caught.value.meta.version, caught.value.meta.head) == (3, made[2].head)
    assert caught.value.tail == ()
    assert await store.read("m") == made
    await store.append("m", entry(4), "playing", made[2].head)
    await store.append("m", entry(5), "playing")
    await store.append("n", entry(1), "lobby", b"the head of no commit")
    with pytest.raises(Conflict) as caught:
        await store.append("m", entry(4), "playing", made[2].head)
    assert caught.value.tail == (entry(4), entry(5))


async def test_a_store_without_replicas_confirms_what_it_has(store: Any) -> None:
    await filled(store, "m", 1)
    await store.confirm("m")


async def test_a_store_knows_which_history_it_has(store: Any) -> None:
    """The same as long as its server runs."""
    await filled(store, "m", 1)
    named = store.history("m")
    assert named
    await filled(store, "n", 3)
    assert store.history("m") == named
