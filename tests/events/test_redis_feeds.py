"""Feeds as Redis keeps them: entries gone while they were pending, claims in many rounds."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from events.partitions import feed_key, known_key, partition, unordered_key
from events.redis_store import RedisStore
from events.store import Reference
from tests.events.entries import entry, filled
from tests.servers import PARTITIONS

HOME = partition("m", PARTITIONS)


async def test_12_entries_trimmed_while_they_were_pending(redis_store: RedisStore) -> None:
    """They come without their fields; whoever gets them looks at the whole partition."""
    await redis_store.join("g")
    await filled(redis_store, "m", 3)
    taken = await redis_store.take("g", "a", 10)
    await redis_store._link.call("XTRIM", feed_key(HOME), "MAXLEN", 1)
    own = await redis_store.own("g", "a", 10)
    assert [(r.match, r.version) for r in own[HOME]] == [("", 0), ("", 0), ("m", 3)]
    assert [r.id for r in own[HOME]] == [r.id for r in taken[HOME]]
    await redis_store.ack("g", own)
    assert await redis_store.lag("g") == 0


async def test_12_entries_trimmed_before_they_were_claimed(redis_store: RedisStore) -> None:
    await redis_store.join("g")
    await filled(redis_store, "m", 3)
    await redis_store.take("g", "dead", 10)
    await redis_store._link.call("XTRIM", feed_key(HOME), "MAXLEN", 1)
    claimed = await redis_store.claim("g", "b", 0, 10)
    assert [(r.match, r.version) for r in claimed[HOME]] == [("m", 3), ("", 0)]
    await redis_store.ack("g", claimed)
    assert await redis_store.lag("g") == 0
    await redis_store.ack("g", {HOME: [Reference("", "", 0)]})


async def test_a_claim_goes_on_where_nothing_was_found(redis_store: RedisStore) -> None:
    """One call of the server looks at ten times its limit, and may find nothing there."""
    await redis_store.join("g")
    await filled(redis_store, "m", 60)
    taken = (await redis_store.take("g", "old", 100))[HOME]
    left = [reference.id for reference in taken[50:]]
    long = ("IDLE", 120_000)
    await redis_store._link.call("XCLAIM", feed_key(HOME), "g", "old", 0, *left, *long)
    claimed = await redis_store.claim("g", "b", 60_000, 2)
    assert [r.version for r in claimed[HOME]] == [51, 52]


async def test_consumers_long_gone_are_forgotten_when_feeds_are_trimmed(
    redis_store: RedisStore,
) -> None:
    """Not those that hold something."""
    await redis_store.join("g")
    await filled(redis_store, "m", 2)
    await redis_store.take("g", "holds", 1)
    done = await redis_store.take("g", "gone", 1)
    await redis_store.ack("g", done)
    await redis_store.trim()
    assert await _consumers(redis_store) == {b"holds", b"gone"}
    await asyncio.sleep(0.02)
    await redis_store.trim(gone_ms=10)
    assert await _consumers(redis_store) == {b"holds"}


async def _consumers(store: RedisStore) -> set[bytes]:
    found = await store._link.call("XINFO", "CONSUMERS", feed_key(HOME), "g")
    return {consumer[1] for consumer in found}


async def test_feeds_that_were_lost_come_back(redis_store: RedisStore) -> None:
    """A feed is a work list and no more: groups are made again with it."""
    await redis_store.join("g")
    await filled(redis_store, "m", 2)
    await redis_store._link.call("DEL", feed_key(HOME))
    assert await redis_store.trim() == 0
    assert await redis_store.lag("g") == 0
    assert not await redis_store.joined("g")
    assert await redis_store.remove_consumer("g", "a")
    assert await redis_store.take("g", "a", 10) == {HOME: [Reference("", "", 0)]}
    await redis_store.join("g")
    await redis_store.append("m", entry(3), "playing")
    assert [r.version for r in (await redis_store.take("g", "a", 10))[HOME]] == [3]


SCRIPTS = sorted((Path(__file__).parents[2] / "events" / "scripts").glob("*.lua"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_scripts_touch_declared_keys_alone(path: Path) -> None:
    """A key of the same slot that is not declared would pass even in a cluster."""
    source = re.sub(r"--.*", "", path.read_text(encoding="utf-8"))
    calls = re.findall(r"redis\.p?call\(([^)]*)", source)
    assert calls
    for call in calls:
        first, *rest = [part.strip() for part in call.split(",")]
        if first == "'TIME'":
            continue
        if first in ("'XINFO'", "'XGROUP'"):
            rest = rest[1:]
        assert re.match(r"KEYS\[\d\]", rest[0]), call
    assert source.count("redis.") == len(calls) + source.count("redis.error_reply")


async def test_matches_that_an_older_release_knows_are_put_in_order(
    redis_store: RedisStore,
) -> None:
    """It kept their ids in a set, and may do so while it runs beside this one."""
    link = redis_store._link
    old = [f"old{n:04d}" for n in range(1500)]
    await filled(redis_store, "m", 1)
    for number in range(PARTITIONS):
        here = [match for match in old if partition(match, PARTITIONS) == number]
        await link.call("SADD", unordered_key(number), *here)
    for _ in range(2):
        assert sorted([match async for match in redis_store.matches()]) == sorted(["m", *old])
    assert await link.call("EXISTS", *[unordered_key(n) for n in range(PARTITIONS)]) == 0
    assert await link.call("ZCARD", known_key(HOME)) > 1
