"""The way of a command: races, repeats, lost replies, and what memory is trusted with."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from events.log import append as sealed
from events.memory import MemoryStore
from events.store import Conflict, Corrupt, Unconfirmed
from games.dice import commitment
from games.rules import AnsweredMany, Refused
from services import commands, matches
from services.commands import command_id
from services.keys import Keys, UnknownKey
from services.live import Live
from services.matches import Busy, Matches, UnknownMatch
from tests.services.api import KEYS, any_option
from tests.toy.pumpkin_patch.game import GAME

M = "01J0000000000000000000TEST"


def key(word: object) -> bytes:
    return command_id(f"key {word}")


async def created(store: MemoryStore, seats: int = 2) -> Matches:
    made = Matches(store, KEYS)
    command = commands.create(
        key("create"),
        M,
        GAME,
        seats,
        {},
        KEYS.current,
        commitment(KEYS.seed(KEYS.current, M)),
    )
    await made.create(M, command, GAME)
    return made


async def started(store: MemoryStore, seats: int = 2) -> Matches:
    made = await created(store, seats)
    for seat in range(seats):
        await made.submit(M, commands.join(key(f"join {seat}"), seat, f"p{seat}"))
    await made.submit(M, commands.start(key("start")))
    return made


def answer(live: Live, seat: int, word: object = "answer", **more: Any) -> commands.Command:
    question = live.table.view(seat)["game"]["question"]
    return commands.answer(key(word), seat, question["id"], any_option(question), **more)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(4)


async def test_a_lost_race_is_decided_again(store: MemoryStore) -> None:
    one = await started(store)
    other = Matches(store, KEYS)
    live, theirs = await one.load(M), await other.load(M)
    first = await one.submit(M, answer(live, 0, "a"))
    second = await other.submit(M, answer(theirs, 1, "b"))
    assert (first.commit.version, second.commit.version) == (5, 6)
    assert theirs.version == 6 and live.version == 5


async def test_racing_without_end_is_busy(store: MemoryStore, monkeypatch: Any) -> None:
    made = await started(store)
    live = await made.load(M)

    async def always(*_: Any) -> None:
        meta = await store.meta(M)
        assert meta is not None
        raise Conflict(meta, ())

    monkeypatch.setattr(store, "append", always)
    with pytest.raises(Busy):
        await made.submit(M, answer(live, 0))
    assert live.version == 4


async def test_an_answer_whose_reply_was_lost(store: MemoryStore, monkeypatch: Any) -> None:
    made = await started(store)
    live = await made.load(M)
    append = store.append

    async def lost(*words: Any) -> None:
        await append(*words)
        raise Unconfirmed

    command = answer(live, 0)
    with monkeypatch.context() as patch:
        patch.setattr(store, "append", lost)
        with pytest.raises(Unconfirmed):
            await made.submit(M, command)
    assert live.version == 4
    again = await made.submit(M, command)
    assert again.again and again.commit.version == 5 and live.version == 5
    assert len(await store.read(M)) == 5


async def test_a_refusal_is_judged_on_the_newest_state(store: MemoryStore) -> None:
    one, other = await started(store), Matches(store, KEYS)
    stale = await other.load(M)
    live = await one.load(M)
    await one.submit(M, answer(live, 0, "a"))
    await one.submit(M, answer(live, 1, "b"))
    assert stale.version == 4
    outcome = await other.submit(M, answer(live, 0, "c"))
    assert outcome.commit.version == 7


@pytest.mark.parametrize(("sent", "same"), [(["b", "a"], True), (["a", "b"], True), (["a"], False)])
def test_a_subset_in_another_order_is_the_same_command(sent: list[str], same: bool) -> None:
    class Before:
        def picked(self, seat: int, question: str, option: Any) -> Any:
            if sorted(option) != ["a", "b"]:
                raise Refused("not_an_option", "no")
            return ("a", "b")

    commit: Any = SimpleNamespace(events=(AnsweredMany("1.1", 0, ("a", "b")),))
    before: Any = Before()
    assert commands.answer(key("x"), 0, "1.1", sent).same(commit, before) is same


async def test_not_over_cannot_be_closed(store: MemoryStore) -> None:
    made = await started(store)
    with pytest.raises(Refused) as refused:
        await made.submit(M, commands.close(key("close")))
    assert refused.value.code == "not_over"


async def test_closing_reveals_the_seed(store: MemoryStore) -> None:
    made = await started(store)
    await made.submit(M, commands.abort(key("abort"), "host", "aborted"))
    outcome = await made.submit(M, commands.close(key("close")))
    assert outcome.commit.events[0].seed == KEYS.seed(KEYS.current, M).hex()
    again = await made.submit(M, commands.close(key("close")))
    assert again.again
    with pytest.raises(Refused) as refused:
        await made.submit(M, commands.close(key("another")))
    assert refused.value.code == "match_closed"


async def test_unknown_and_unreadable(store: MemoryStore) -> None:
    made = Matches(store, KEYS)
    with pytest.raises(UnknownMatch):
        await made.load(M)
    await created(store)
    entry = store._logs[M][0]
    store._logs[M][0] = entry._replace(facts=b"\xc1")
    with pytest.raises(Corrupt):
        await made.load(M)
    store._logs[M][0] = entry
    bad = sealed(entry.head, 2, b"\x93\x02", (), lambda *_: (b"", b""))
    store._logs[M].append(bad)
    with pytest.raises(Corrupt, match="version 2"):
        await made.load(M)


async def test_a_log_that_its_store_knows_more_of(store: MemoryStore) -> None:
    await started(store)
    meta = store._metas[M]
    for other in (meta._replace(version=9), meta._replace(head=bytes(32))):
        store._metas[M] = other
        with pytest.raises(Corrupt, match="version 4"):
            await Matches(store, KEYS).load(M)
    store._metas[M] = meta
    log = store._logs.pop(M)
    with pytest.raises(Corrupt, match="all of the log is missing"):
        await Matches(store, KEYS).load(M)
    store._logs[M] = log
    store._metas[M] = meta._replace(version=3, head=bytes(32))
    assert (await Matches(store, KEYS).load(M)).version == 4, "it moved between the two reads"


async def test_a_store_that_lost_its_newest_between_two_reads(
    store: MemoryStore, monkeypatch: Any
) -> None:
    await started(store)
    histories = iter(["one", "another", "another"])
    monkeypatch.setattr(store, "history", lambda match: next(histories))
    store._metas[M] = store._metas[M]._replace(version=9)
    assert (await Matches(store, KEYS).load(M)).version == 4


async def test_what_is_in_memory_is_not_compared_with_the_store(
    store: MemoryStore, monkeypatch: Any
) -> None:
    """One read of the log alone, on the warm path."""
    made = await started(store)

    async def meta(match: str) -> Any:
        raise AssertionError("one more round trip")

    monkeypatch.setattr(store, "meta", meta)
    assert (await made.load(M)).version == (await made.refresh(M)).version == 4
    await made.submit(M, answer(await made.load(M), 0))


async def test_a_match_of_another_server_key(store: MemoryStore) -> None:
    await created(store)
    other = Matches(store, Keys([b"another key of the server ......"]))
    with pytest.raises(UnknownKey):
        await other.submit(M, commands.join(key("join"), None, "p"))


async def test_memory_is_bounded(store: MemoryStore, monkeypatch: Any) -> None:
    await started(store)
    made = Matches(store, KEYS, keep=1)
    await made.load(M)
    other = "01J0000000000000000001TEST"
    store._logs[other] = store._logs[M]
    await made.load(other)
    assert made.known(M) is None and made.known(other) is not None


async def test_loaded_once_by_many(store: MemoryStore, monkeypatch: Any) -> None:
    await started(store)
    made, reads = Matches(store, KEYS), 0
    read = store.read

    async def counted(*words: Any) -> Any:
        nonlocal reads
        reads += 1
        await asyncio.sleep(0)
        return await read(*words)

    monkeypatch.setattr(store, "read", counted)
    lives = await asyncio.gather(*[made.load(M) for _ in range(10)])
    assert len({id(live) for live in lives}) == 1 and reads == 1
    assert (await made.renew(M)).version == 4


async def test_a_log_that_went_back_is_read_anew(store: MemoryStore) -> None:
    made = await started(store)
    live = await made.load(M)
    await made.submit(M, answer(live, 0, "a"))
    store._logs[M].pop()
    store._metas[M] = store._metas[M]._replace(version=4, head=store._logs[M][-1].head)
    outcome = await made.submit(M, answer(live, 1, "b"))
    assert outcome.commit.version == 5 and live.version == 5


async def test_nobody_waits_for_ever_behind_a_frozen_store(
    store: MemoryStore, monkeypatch: Any
) -> None:
    made = await started(store)
    live = await made.load(M)
    frozen = asyncio.Event()

    async def wait(*words: Any) -> None:
        await frozen.wait()

    append = store.append
    monkeypatch.setattr(store, "append", wait)
    monkeypatch.setattr(matches, "QUEUE", 0.05)
    first = asyncio.create_task(made.submit(M, answer(live, 0, "a")))
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await made.submit(M, answer(live, 1, "b"))
    frozen.set()
    await first
    monkeypatch.setattr(store, "append", append)
    assert not live.lock.locked()
