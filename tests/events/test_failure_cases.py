"""Failure cases of comparable systems, as far as a store is concerned: two processes, one log."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from events.log import Entry
from events.memory import MemoryStore
from events.redis_store import RedisStore
from events.store import Conflict
from tests.events.entries import entry
from tests.servers import PARTITIONS, PATIENT, opened


@pytest_asyncio.fixture
async def two(url: str) -> AsyncIterator[tuple[Any, Any]]:
    """Two processes' stores over one server."""
    async with opened(url) as first:
        if isinstance(first, MemoryStore):
            yield first, first
            return
        second = await RedisStore.open(url, PARTITIONS, **PATIENT)
        yield first, second
        await second.aclose()


class Writer:
    """A process as it decides: folds what it does not know, then tries at the version it knows.

    `text` stands for the command; a command that is in the log already is its own first result.
    """

    def __init__(self, store: Any) -> None:
        self.store = store
        self.known: list[Entry] = []
        self.appends = 0

    async def command(self, text: str) -> int:
        while True:
            for one in self.known:
                if one.facts.endswith(text.encode()):
                    return one.version
            new = entry(len(self.known) + 1, text)
            self.appends += 1
            try:
                await self.store.append("m", new, "playing")
            except Conflict as conflict:
                self.known += conflict.tail[len(self.known) - conflict.tail[0].version + 1 :]
            else:
                self.known += [new][len(self.known) - new.version + 1 :]


async def test_fc06_all_seats_at_the_same_instant(two: tuple[Any, Any]) -> None:
    """Each is accepted once, in some order; no reads besides the refusals' own tails."""
    seats = [Writer(two[n % 2]) for n in range(4)]
    for turn in range(20):
        told = await asyncio.gather(*[w.command(f"t{turn} s{s};") for s, w in enumerate(seats)])
        assert sorted(told) == [turn * 4 + n for n in range(1, 5)]
    log = await two[0].read("m")
    assert [one.version for one in log] == list(range(1, 81))
    assert len({one.facts for one in log}) == 80


async def test_fc07_two_moves_for_the_same_turn(two: tuple[Any, Any]) -> None:
    """One is accepted; the other learns the version that stands, and what happened."""
    for version in range(1, 21):
        told = await asyncio.gather(
            two[0].append("m", entry(version, "a"), "playing"),
            two[1].append("m", entry(version, "b"), "playing"),
            return_exceptions=True,
        )
        (lost,) = [one for one in told if isinstance(one, Conflict)]
        assert lost.meta.version == version
        assert list(lost.tail) == await two[1].read("m", version - 1)
        assert told.count(None) == 1


async def test_fc08_the_same_command_twice(two: tuple[Any, Any]) -> None:
    """At once, later, on the other process, and by one that has just started."""
    a, b = Writer(two[0]), Writer(two[1])
    first = await asyncio.gather(a.command("x;"), b.command("x;"), a.command("x;"))
    assert set(first) == {1}
    await b.command("y;")
    for writer in (a, b, Writer(two[0]), Writer(two[1])):
        assert await writer.command("x;") == 1
        assert await writer.command("y;") == 2
    assert len(await two[0].read("m")) == 2


@pytest.mark.parametrize("seed", range(3))
async def test_every_history_reads_as_one(two: tuple[Any, Any], seed: int) -> None:
    """Few matches, many writers: versions without a gap, one winner each, every read a prefix."""
    rng = random.Random(seed)
    won: dict[tuple[str, int], bytes] = {}
    reads: list[tuple[str, list[Entry]]] = []

    async def write(store: Any, name: str) -> None:
        for n in range(25):
            match = f"m{rng.randrange(3)}"
            meta = await store.meta(match)
            new = entry(
                (meta.version if meta else 0) + rng.choice([1, 1, 1, 0, 2]) or 1, f"{name} {n}"
            )
            try:
                await store.append(match, new, "playing")
            except Conflict:
                pass
            else:
                assert (match, new.version) not in won
                won[match, new.version] = new.facts
            if n % 5 == 0:
                reads.append((match, await store.read(match)))

    await asyncio.gather(*[write(two[n % 2], f"w{n}") for n in range(6)])
    logs = {f"m{n}": await two[0].read(f"m{n}") for n in range(3)}
    for match, log in logs.items():
        assert [one.version for one in log] == list(range(1, len(log) + 1))
        assert {(match, e.version): e.facts for e in log} == {
            at: facts for at, facts in won.items() if at[0] == match
        }
    for match, read in reads:
        assert read == logs[match][: len(read)]
