"""The archive is away: workers go on with all that lies in the store, and come back to the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from events.bucket import Bucket
from events.memory import MemoryStore
from events.partitions import partition
from events.store import ArchiveAway, Deferred
from projections import deferring
from projections.heart import Heart
from projections.rebuild import NotSwapped, Rebuild
from projections.runner import Pace, Runner
from projections.summary import Summaries
from projections.views import Views
from services import bots, condition
from services.checkup import _deferred
from services.keys import Keys
from services.vault import MemoryVault
from services.wiring import Parts
from tests.projections.test_shares import until
from tests.services.api import KEYS, in_memory
from tests.services.shelving import Shelved, match, shelved

AWAY = "the archive cannot be reached: connection refused"


class Fickle:
    """A bucket that cannot be reached while it is `away`; counts who tries all the same."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self.away = True
        self.lost: Callable[[str], bool] = lambda key: False
        self.tried = 0

    def __getattr__(self, name: str) -> Any:
        def call(key: str, *words: Any) -> Any:
            self.tried += 1
            if self.away or self.lost(key):
                raise ArchiveAway(AWAY)
            return getattr(self._bucket, name)(key, *words)

        return call


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is deferred is due at once."""
    monkeypatch.setattr(deferring, "FIRST", 0.0)


async def away(tmp_path: Path, archived: int = 40, **more: Any) -> tuple[Shelved, Fickle, str]:
    """So many matches in an archive that is away, and one in the store."""
    shelves, _ = await shelved(tmp_path, range(archived), MemoryStore(2), **more)
    await shelves.archivist.run(now=True)
    live = await match(100)
    for entry in live.entries:
        await shelves.raw.append(live.match, entry, "playing")
    bucket = Fickle(shelves.bucket)
    shelves.archive.bucket = bucket  # type: ignore[assignment]
    return shelves, bucket, live.match


async def behind(shelves: Shelved, name: str = "summary") -> int:
    """Matches whose cells do not stand where their logs do."""
    matches = [match async for match in shelves.raw.matches()]
    metas = await shelves.raw.metas(matches)
    cursors = await shelves.raw.cursors(name, matches)
    return sum(c != meta.version for c, meta in zip(cursors, metas, strict=True))


async def test_a_group_that_is_new_begins_without_what_is_away(tmp_path: Path) -> None:
    shelves, bucket, live = await away(tmp_path)
    await Runner(shelves.store, Summaries(), "w").drain()
    assert await shelves.store.joined("summary") and await shelves.store.lag("summary") == 0
    assert await shelves.store.cursors("summary", [live]) != [0]
    assert await behind(shelves) == 40
    assert bucket.tried <= 16 * 2, "who is known to be away is not asked for each match"
    found = await shelves.store.deferred("summary")
    assert {deferred.why for deferred in found.values()} == {AWAY} and len(found) == 2
    await Runner(shelves.store, Summaries(), "w").drain()
    again = await shelves.store.deferred("summary")
    assert all(again[number].tries > found[number].tries for number in found)
    bucket.away = False
    await Runner(shelves.store, Summaries(), "w").drain()
    assert await behind(shelves) == 0 and await shelves.store.deferred("summary") == {}


async def test_references_of_what_is_away_hold_up_nobody(tmp_path: Path) -> None:
    """They come first, all others after them."""
    shelves, bucket, live = await away(tmp_path)
    archived = [match async for match in shelves.raw.matches() if match != live]
    await shelves.raw.join("summary")
    for name in (*archived, live):
        await shelves.raw.touch(name)
    worker = Runner(shelves.store, Summaries(), "w", pace=Pace(limit=7))
    await worker.drain()
    assert await shelves.store.lag("summary") == 0 and await behind(shelves) == 40
    tried = bucket.tried
    await shelves.raw.touch(archived[0])
    await worker.drain()
    assert bucket.tried - tried <= 32
    bucket.away = False
    await worker.drain()
    assert await behind(shelves) == 0
    await shelves.raw.drop("summary")
    await shelves.raw.touch(archived[0])
    await worker.drain()
    assert await behind(shelves) == 40, "an archive that is back is read from as before"


async def test_a_segment_that_is_away_does_not_keep_the_others(tmp_path: Path) -> None:
    shelves, bucket, _ = await away(tmp_path, archive_segment_mb=0.004)
    first, *others = await shelves.bucket.keys("segments")
    assert others
    bucket.away, bucket.lost = False, lambda key: key == first
    lost = 40 - sum([len(await shelves.archive.index(key.split("/")[1])) for key in others])
    assert 0 < lost < 16
    await Runner(shelves.store, Summaries(), "w").drain()
    await Runner(shelves.store, Summaries(), "w").drain()
    assert await behind(shelves) == lost
    bucket.lost = lambda key: False
    await Runner(shelves.store, Summaries(), "w").drain()
    assert await behind(shelves) == 0


async def test_a_worker_at_work_comes_back_to_it(tmp_path: Path) -> None:
    shelves, bucket, live = await away(tmp_path, archived=3)
    pace = Pace(sweep=0.01, again=0.01, retry=0.01)
    async with Heart(shelves.store, "w", 5.0) as heart:
        worker = Runner(shelves.store, Summaries(), "w", pace=pace, heart=heart)
        running = asyncio.create_task(worker.run())

        async def deferred() -> bool:
            return bool(await shelves.store.deferred("summary"))

        async def through() -> bool:
            return not await shelves.store.lag("summary") and await behind(shelves) == 3

        async def whole() -> bool:
            return not await deferred()

        await until(deferred)
        entries = await shelves.raw.read(live)
        await shelves.raw.append(live, entries[-1]._replace(version=len(entries) + 1), "playing")
        await until(through)
        bucket.away = False
        await until(whole)
        worker.stop()
        await running
    assert await behind(shelves) == 0
    assert worker.keeper.counts.written >= 4


async def test_a_version_is_not_read_that_lacks_what_is_away(tmp_path: Path) -> None:
    shelves, bucket, _ = await away(tmp_path, archived=3)
    with pytest.raises(NotSwapped, match=r"stands behind the log of .*: the archive cannot"):
        await Rebuild(shelves.store, Summaries()).run()
    bucket.away = False
    report = await Rebuild(shelves.store, Summaries()).run()
    assert (report.matches, report.parked) == (4, 0)
    assert await shelves.store.deferred("summary@1") == {}


async def test_who_acts_leaves_closed_matches_alone(tmp_path: Path) -> None:
    shelves, bucket, _ = await away(tmp_path, archived=3)
    keys = Keys([(await match(100)).key])
    worker = bots.runner(shelves.store, keys, "w")
    await worker._store.join("bots")
    async for name in shelves.raw.matches():
        await shelves.raw.touch(name)
    await worker.drain()
    assert await shelves.store.lag("bots") == 0 and bucket.tried == 0
    assert await shelves.store.parked("bots") == {}


async def test_a_look_that_is_to_come_stays_when_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deferring, "FIRST", 5.0)
    store: Any = MemoryStore(2)
    kept = deferring.Deferring(store, "p")
    await kept.defer({"m": "away"})
    await kept.defer({})
    number = partition("m", 2)
    first = (await store.deferred("p"))[number]
    await kept.defer({"m": "still away"})
    again = (await store.deferred("p"))[number]
    assert (again.due, again.tries, again.why) == (first.due, 0, "still away")
    assert again.mark != first.mark
    assert await kept.due() == []
    pauses = []
    for _ in range(6):
        late = (await store.deferred("p"))[number]
        await store.defer("p", number, late._replace(due=1))
        assert await kept.due() == [number]
        await kept.defer({"m": "away"})
        pauses.append((await store.deferred("p"))[number].tries)
    assert pauses == [1, 2, 3, 4, 5, 6]
    dues = [deferring._next(Deferred(0, n, "", "", ""), "m", "", 0).due for n in range(5)]
    assert dues == [10_000, 20_000, 40_000, 60_000, 60_000]
    far = Deferred(2**50, 1, "m", "by a clock that has gone back since", "x")
    await store.defer("p", number, far)
    assert await kept.due() == [number]


async def test_it_is_seen_in_metrics_and_by_the_doctor() -> None:
    store: Any = MemoryStore(2)
    await store.defer("views", 0, Deferred(0, 1, "m", AWAY, "x"))
    await store.defer("views", 1, Deferred(0, 1, "n", AWAY, "x"))
    async with in_memory(Parts(store, MemoryVault(), KEYS)) as api:
        text = (await api.get("/metrics")).text
    assert 'hallowstream_deferred{group="views"} 2.0' in text
    assert 'hallowstream_deferred{group="lobby"} 0.0' in text
    states = await condition.conditions(store, ["views", "lobby"])
    (finding,) = _deferred(states)
    assert finding.state == "failed" and f"views 2; {AWAY}" in finding.says and finding.fix
    assert list(_deferred(states[1:])) == []


async def test_views_of_a_match_that_is_away(tmp_path: Path) -> None:
    """Those that are there already are left as they are."""
    shelves, bucket, _ = await away(tmp_path, archived=3)
    bucket.away = False
    await Runner(shelves.store, Views(), "w").drain()
    bucket.away = True
    before = bucket.tried
    await Runner(shelves.store, Views(), "w").keeper.repair()
    assert await behind(shelves, "views") == 0 and bucket.tried == before


async def test_it_is_logged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelves, _, _ = await away(tmp_path, archived=3)
    said: list[dict[str, Any]] = []
    log = SimpleNamespace(warning=lambda event, **more: said.append({"event": event, **more}))
    monkeypatch.setattr(deferring, "log", log)
    for _ in range(3):
        await Runner(shelves.store, Summaries(), "w").drain()
    numbers = [number for line in said for number in line["partitions"]]
    assert sorted(numbers) == sorted(await shelves.store.deferred("summary"))
    assert {(line["event"], line["why"]) for line in said} == {("deferred", AWAY)}
