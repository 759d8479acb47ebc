"""The archivist: what goes, when, and that nothing is ever lost on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from events.segments import Unsound
from projections.runner import Runner
from projections.views import Views
from services.archivist import Done
from services.keys import Keys
from services.vault import Text
from tests.servers import opened, running
from tests.services.shelving import LATER, Shelved, gone, match, shelved


@pytest.fixture(params=("redis", "valkey"))
async def real(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    with running(request.param, tmp_path / "server") as url:
        async with opened(url) as store:
            yield store


async def test_closed_matches_go_and_are_read_from_there(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path)
    done = await shelves.archivist.run(now=True)
    assert (done.matches, done.left) == (3, 0)
    assert done.versions == sum(map(len, matches.values()))
    assert await gone(shelves, matches) == list(matches)
    for id, entries in matches.items():
        assert await shelves.store.read(id) == entries
    assert len(await shelves.archive.segments()) == 1
    assert await shelves.archivist.run(now=True) == Done()
    found = await shelves.inventory.verify()
    assert (found.matches, found.flaws) == (3, [])
    assert (await shelves.store.tallied())["matches"] == 3


async def test_on_a_real_store(real: Any, tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, store=real)
    assert (await shelves.archivist.run(now=True)).matches == 3
    assert await gone(shelves, matches) == list(matches)
    for id, entries in matches.items():
        assert await shelves.store.read(id) == entries
        assert await shelves.store.restore(id)
        assert await shelves.raw.read(id) == entries
    await shelves.sound()


async def test_a_store_that_is_full_gets_room(tmp_path: Path) -> None:
    """What takes no memory for long is not refused: it is the way out."""
    with running("redis", tmp_path / "server") as url:
        async with opened(url) as store:
            shelves, matches = await shelved(tmp_path, store=store)
            with Redis.from_url(url) as client:
                client.config_set("maxmemory", "1mb")
                with pytest.raises(OutOfMemoryError):
                    client.set("key", "value")
                assert (await shelves.archivist.run(now=True)).matches == 3
                assert await gone(shelves, matches) == list(matches)
                await shelves.sound()
                assert (await store.tallied())["matches"] == 3


async def test_a_match_has_its_grace(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, range(1), archive_grace_hours=72)
    (entries,) = matches.values()
    ended = LATER - 400 * 3_600_000 + 3_000 * len(entries)
    shelves.now = ended + 72 * 3_600_000 - 1
    assert await shelves.archivist.run(now=True) == Done()
    shelves.now += 1
    assert (await shelves.archivist.run(now=True)).matches == 1


async def test_matches_wait_to_fill_a_segment(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, archive_grace_hours=0, archive_wait_hours=1000)
    assert await shelves.archivist.run() == Done()
    shelves.hours(601)
    assert (await shelves.archivist.run()).matches == len(matches)
    full, _ = await shelved(tmp_path / "full", archive_wait_hours=1000, archive_segment_mb=0.0005)
    assert (await full.archivist.run()).matches == 3
    assert len(await full.archive.segments()) == 3


async def test_what_cannot_go_has_nobody_go_before_its_time(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, archive_wait_hours=1000)
    bad, one, _ = matches
    facts = shelves.raw._logs[bad][2].facts.replace(b"bot_seated", b"bot_sEated")
    shelves.raw._logs[bad][2] = shelves.raw._logs[bad][2]._replace(facts=facts)
    shelves.hours(1000)
    assert await gone(shelves, matches) == []
    assert (await shelves.archivist.run()).matches == 2
    await shelves.restored(one)
    shelves.hours(100)
    assert await shelves.archivist.run() == Done()
    failures = (await shelves.store.tallied())["failures"]
    shelves.hours(1000)
    assert (await shelves.archivist.run()).matches == 1
    assert (await shelves.store.tallied())["failures"] == failures + 1, "it is tried again"
    assert (await shelves.archivist.run(now=True)).left == 1, "or at once, if one asks for it"


async def test_what_a_worker_has_still_to_fold_stays(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path)
    await shelves.store.join("views")
    await shelves.store.join("keeper")
    assert await shelves.archivist.run(now=True) == Done()
    await Runner(shelves.store, Views(), "w").drain()
    parked, *others = matches
    await shelves.store.park("keeper", parked, 3, "a reason")
    assert (await shelves.archivist.run(now=True)).matches == len(others)
    assert await gone(shelves, matches) == others
    await shelves.store.release("keeper", parked)
    assert (await shelves.archivist.run(now=True)).matches == 1


async def test_what_is_not_closed_stays(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, range(1))
    for entry in (await match(1)).entries[:-1]:
        await shelves.raw.append("under way", entry, "over")
    assert (await shelves.archivist.run(now=True)).matches == 1
    assert await gone(shelves, [*matches, "under way"]) == list(matches)


async def test_a_restored_match_has_its_grace_again(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, range(1))
    (id,) = matches
    await shelves.archivist.run(now=True)
    await shelves.restored(id)
    shelves.hours(71)
    assert await shelves.archivist.run(now=True) == Done()
    shelves.hours(1)
    assert (await shelves.archivist.run(now=True)).matches == 1
    assert len(await shelves.archive.segments()) == 2


async def test_28_a_damaged_log_is_not_archived(tmp_path: Path) -> None:
    """Neither one that folds no more, nor one whose chain is broken, be it in one head."""
    shelves, matches = await shelved(tmp_path, range(5))
    folds, chain, fine, time, head = matches
    log = shelves.raw._logs
    log[folds][3] = log[folds][3]._replace(facts=b"\x96" + log[folds][3].facts[1:7] + b"\xc1")
    facts = log[chain][2].facts.replace(b"bot_seated", b"bot_sEated")
    log[chain][2] = log[chain][2]._replace(facts=facts)
    log[head][3] = log[head][3]._replace(head=bytes(32))
    log[time][-1] = log[time][-1]._replace(facts=b"\xc1")
    done = await shelves.archivist.run(now=True)
    assert done.matches == 1
    assert await gone(shelves, matches) == [fine]
    assert (await shelves.store.tallied())["failures"] >= 4


async def test_a_match_whose_key_is_missing_stays(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, range(2))
    one = await match(0)
    other = Shelved(shelves.bucket, shelves.raw, Keys([one.key]))
    assert (await other.archivist.run(now=True)).matches == 1
    assert await gone(other, matches) == [one.match]
    assert await other.archivist.run(now=True) == Done(left=1)
    assert len(await other.archive.segments()) == 1, "no segment is written for what is locked"


async def test_a_match_that_moves_on_meanwhile_stays(tmp_path: Path) -> None:
    """Whatever is appended after the archivist has looked: the log is not dropped."""
    shelves, matches = await shelved(tmp_path, range(1))
    (id,) = matches
    entries = matches[id]
    more = entries[-1]._replace(version=len(entries) + 1)
    write = shelves.archive.write

    async def slowly(*given: Any) -> Any:
        written = await write(*given)
        await shelves.raw.append(id, more, "closed")
        return written

    shelves.archive.write = slowly  # type: ignore[method-assign]
    assert (await shelves.archivist.run(now=True)).left == 1
    assert await shelves.raw.read(id) == [*entries, more]


async def test_two_archivists_at_once_are_harmless(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, range(6))
    other = Shelved(shelves.bucket, shelves.raw, Keys([(await match(n)).key for n in range(6)]))
    done = await asyncio.gather(*[each.archivist.run(now=True) for each in (shelves, other)])
    assert sum(each.matches for each in done) == 6
    for id, entries in matches.items():
        assert await shelves.store.read(id) == entries
    shelves.hours(2)
    await shelves.retention.sweep()
    await shelves.sound()
    lying = [stands.place.segment for stands in await shelves.store.standings(list(matches))]
    assert set(await shelves.archive.segments()) == set(lying)


class Killed(BaseException):
    """No handler of errors sees it, as none sees SIGKILL."""


class Mortal:
    """Whoever uses it dies at call number `at`, before it is done or after."""

    def __init__(self, of: Any, calls: frozenset[str], count: list[int], after: bool) -> None:
        self._of = of
        self._calls = calls
        self._count = count
        self._after = after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._of, name)
        if name not in self._calls:
            return found

        async def call(*args: Any, **kwargs: Any) -> Any:
            self._count[0] -= 1
            if self._count[0] == 0 and not self._after:
                raise Killed
            done = await found(*args, **kwargs)
            if self._count[0] <= 0:
                raise Killed
            return done

        return call


CLAIM = Text(b"salt", "a claim")

STORE = frozenset({"reserve", "unreserve", "shelve", "move", "bury", "forget", "tally", "adopt"})
BUCKET = frozenset({"put", "get", "part", "size", "delete"})


def mortal(shelves: Shelved, keys: Keys, at: int, after: bool) -> tuple[Shelved, list[int]]:
    """The same store and bucket, for somebody who dies."""
    count = [at]
    bucket: Any = Mortal(shelves.bucket, BUCKET, count, after)
    return Shelved(bucket, Mortal(shelves.raw, STORE, count, after), keys), count


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_an_archivist_killed_at_every_step(tmp_path: Path, after: bool) -> None:
    """Every match is readable after that, and the next one finishes the work."""
    keys = Keys([(await match(number)).key for number in range(3)])
    at, done = 0, False
    while not done:
        at += 1
        shelves, matches = await shelved(tmp_path / str(at))
        victim, _ = mortal(shelves, keys, at, after)
        try:
            done = (await victim.archivist.run(now=True)).left == 0
        except Killed:
            for id, entries in matches.items():
                assert await shelves.store.read(id) == entries, f"killed at {at}"
        await shelves.archivist.run(now=True)
        assert await gone(shelves, matches) == list(matches), f"killed at {at}"
        shelves.hours(2)
        await shelves.retention.sweep()
        await shelves.sound()
        assert len(await shelves.archive.segments()) in (1, 2), f"killed at {at}"
        for id, entries in matches.items():
            assert await shelves.store.read(id) == entries, f"killed at {at}"
    assert at > 12


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_deletion_killed_at_every_step(tmp_path: Path, after: bool) -> None:
    """The others stay readable at every moment; in the end nothing is left of the deleted one."""
    keys = Keys([(await match(number)).key for number in range(3)])
    at, done = 0, False
    while not done:
        at += 1
        shelves, matches = await shelved(tmp_path / str(at))
        await Runner(shelves.store, Views(), "w").drain()
        await shelves.archivist.run(now=True)
        id, *others = matches
        await shelves.vault.keep_text(id, CLAIM)
        victim, _ = mortal(shelves, keys, at, after)
        victim.retention.vault = shelves.vault
        try:
            await victim.retention.delete(id)
            done = True
        except Killed:
            for other in others:
                assert await shelves.store.read(other) == matches[other], f"killed at {at}"
        (stands,) = await shelves.store.standings([id])
        if stands.place is not None:
            await shelves.retention.delete(id)
        shelves.hours(2)
        await shelves.retention.sweep()
        shelves.hours(2)
        await shelves.retention.sweep()
        await _nothing_left(shelves, id)
        await shelves.sound()
        for other in others:
            assert await shelves.store.read(other) == matches[other], f"killed at {at}"
    assert at > 10


async def _nothing_left(shelves: Shelved, id: str) -> None:
    assert await shelves.store.read(id) == []
    assert await shelves.store.cursors("views", [id]) == [0]
    assert await shelves.vault.texts(id, [CLAIM.mark]) == [None]
    for segment in await shelves.archive.segments():
        assert id not in [record.match for record in await shelves.archive.index(segment)]


@pytest.mark.parametrize("call", ["write", "fetch"])
async def test_an_archivist_that_froze_while_others_swept(tmp_path: Path, call: str) -> None:
    """Nothing is needed of its segment yet, so it is gone when it goes on: then no log goes."""
    shelves, matches = await shelved(tmp_path, range(2))
    frozen = Shelved(shelves.bucket, shelves.raw, Keys([(await match(n)).key for n in range(2)]))
    usual = getattr(frozen.archive, call)

    async def freezing(*given: Any) -> Any:
        done = await usual(*given)
        shelves.hours(100)
        await shelves.retention.sweep()
        return done

    setattr(frozen.archive, call, freezing)
    assert (await frozen.archivist.run(now=True)).left == 2
    assert await shelves.archive.segments() == []
    for id, entries in matches.items():
        assert await shelves.raw.read(id) == entries
    assert (await shelves.archivist.run(now=True)).matches == 2
    await shelves.sound()


async def test_a_segment_that_vanishes_as_it_is_written(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, range(2))
    usual = shelves.bucket.put

    async def put(key: str, data: bytes) -> bool:
        done: bool = await usual(key, data)
        if key.startswith("segments/"):
            await shelves.bucket.delete(key)
        return done

    shelves.bucket.put = put
    with pytest.raises(Unsound, match="is gone"):
        await shelves.archivist.run(now=True)
    assert await gone(shelves, matches) == []
