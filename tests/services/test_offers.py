"""Commands that are offered: decided at once, or not at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from events.memory import MemoryStore
from events.store import Unconfirmed
from games.rules import Refused
from services.live import Outcome, Turn
from services.matches import Matches
from tests.services.test_matches import M, answer, started

Told = list[tuple[Outcome, BaseException | None]]


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(4)


def noting(told: Told) -> Any:
    def done(outcome: Outcome, error: BaseException | None) -> None:
        told.append((outcome, error))

    return done


async def _over(pending: asyncio.Future[None] | None) -> None:
    assert pending is not None, "it was not taken"
    await asyncio.wait([pending])
    await asyncio.sleep(0)


async def _told(pending: asyncio.Future[None] | None, told: Told) -> None:
    await _over(pending)
    for _ in range(1000):
        if told:
            return
        await asyncio.sleep(0)
    raise AssertionError("nothing was told")


async def test_an_offer_is_stored_followed_and_told(store: MemoryStore) -> None:
    made, told = await started(store), Told()
    live = await made.load(M)
    delivered: list[int] = []
    made.deliver = lambda live: delivered.append(live.version)
    await _over(made.offer(M, answer(live, 0), noting(told)))
    ((outcome, error),) = told
    assert error is None and outcome.commit.version == 5 and not outcome.again
    assert (await store.read(M))[-1] == outcome.entry
    assert live.version == 5 and delivered == [5] and not live.lock.locked()


async def test_what_has_to_wait_or_to_look_is_not_taken(store: MemoryStore) -> None:
    made, told = await started(store), Told()
    live = await made.load(M)
    first = answer(live, 0, "a")
    pending = made.offer(M, first, noting(told))
    assert made.offer(M, answer(live, 1, "b"), noting(told)) is None, "another is on its way"
    await _over(pending)
    assert made.offer(M, first, noting(told)) is None, "it is in the log already"
    assert made.offer(M, answer(live, 1)._replace(id=first.id), noting(told)) is None
    stale = answer(live, 1)._replace(decide=first.decide, id=b"another command.")
    assert made.offer(M, stale, noting(told)) is None, "memory may be behind"
    live.reverted = 5
    assert made.offer(M, answer(live, 1, seen=4), noting(told)) is None
    live.reverted, live.history = 0, "of another server"
    assert made.offer(M, answer(live, 1), noting(told)) is None
    assert Matches(store, made.keys).offer(M, answer(live, 1), noting(told)) is None
    assert live.version == 5 and len(told) == 1 and not live.lock.locked()
    live.history = store.history(M)
    assert made.offer(M, answer(live, 1), noting(told)) is not None


async def test_a_lost_race_is_decided_again_before_others_have_their_turn(
    store: MemoryStore,
) -> None:
    one, told = await started(store), Told()
    other = Matches(store, one.keys)
    live = await one.load(M)
    await other.submit(M, answer(await other.load(M), 1, "b"))
    command = answer(live, 0, "a")
    assert one.offer(M, command, noting(told)) is not None
    next = asyncio.create_task(one.submit(M, command))
    assert (await next).again, "it came first, though it was sent later"
    ((outcome, error),) = told
    assert error is None and (outcome.commit.version, outcome.again) == (6, False)
    assert live.version == 6 and not live.lock.locked()


async def test_an_offer_of_what_another_has_stored_tells_its_first_result(
    store: MemoryStore,
) -> None:
    """As after a lost reply, where it is sent again to two processes."""
    one, told = await started(store), Told()
    other = Matches(store, one.keys)
    live = await one.load(M)
    command = answer(live, 0, "a")
    await other.submit(M, command)
    await _told(one.offer(M, command, noting(told)), told)
    ((outcome, error),) = told
    assert error is None and (outcome.commit.version, outcome.again) == (5, True)
    assert live.version == 5 and not live.lock.locked()


async def test_a_lost_race_that_leads_nowhere_frees_the_match(
    store: MemoryStore, monkeypatch: Any
) -> None:
    one, told = await started(store), Told()
    other = Matches(store, one.keys)
    live = await one.load(M)
    await other.submit(M, answer(await other.load(M), 0, "b"))
    await _told(one.offer(M, answer(live, 0, "a"), noting(told)), told)
    error = told.pop()[1]
    assert isinstance(error, Refused) and not live.lock.locked()
    await other.submit(M, answer(await other.load(M), 1, "c"))

    async def never(*words: Any) -> None:
        await asyncio.Event().wait()

    pending = one.offer(M, answer(live, 1, "d"), noting(told))
    monkeypatch.setattr(one, "_lost", never)
    await _over(pending)
    (trying,) = one._trying
    assert live.lock.locked() and told == []
    trying.cancel()
    await _told(pending, told)
    assert isinstance(told[0][1], asyncio.CancelledError)
    assert not live.lock.locked() and not one._trying


async def test_what_goes_wrong_is_told(store: MemoryStore, monkeypatch: Any) -> None:
    made, told = await started(store), Told()
    live = await made.load(M)

    async def lost(*words: Any) -> None:
        raise Unconfirmed

    def broken(live: Any) -> None:
        raise RuntimeError("a watcher")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", lost)
        await _over(made.offer(M, answer(live, 0), noting(told)))
    assert isinstance(told[0][1], Unconfirmed) and live.version == 4
    made.deliver = broken
    await _over(made.offer(M, answer(live, 0), noting(told)))
    assert isinstance(told[1][1], RuntimeError) and live.version == 5
    assert not live.lock.locked()


async def test_an_offer_that_is_given_up_frees_the_match(
    store: MemoryStore, monkeypatch: Any
) -> None:
    made, told = await started(store), Told()
    live = await made.load(M)

    async def never(*words: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(store, "append", never)
    pending = made.offer(M, answer(live, 0), noting(told))
    assert pending is not None
    await asyncio.sleep(0)
    pending.cancel()
    await _over(pending)
    assert isinstance(told[0][1], asyncio.CancelledError)
    assert live.version == 4 and not live.lock.locked()


async def test_a_fault_of_the_rules_leaves_the_match_free(store: MemoryStore) -> None:
    made, told = await started(store), Told()
    live = await made.load(M)

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        made.offer(M, answer(live, 0)._replace(decide=broken), noting(told))
    assert told == [] and not live.lock.locked()


async def test_a_turn_is_taken_where_nobody_has_it_or_waits() -> None:
    turn = Turn()
    assert turn.take() and not turn.take()
    waiting = asyncio.create_task(turn.acquire())
    await asyncio.sleep(0)
    turn.release()
    assert not turn.take(), "who waited is next"
    assert await waiting and not turn.take()
    turn.release()
    assert turn.take()
