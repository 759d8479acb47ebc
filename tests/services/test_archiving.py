"""The worker of group `archive`."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from events.store import Unavailable
from projections.heart import Heart, Superseded
from services import archiving
from services.archiving import Archiving
from services.worker import JOBS, Idle
from tests.services.shelving import Shelved, gone, shelved


def job(shelves: Shelved) -> Archiving:
    return Archiving(shelves.store, shelves.archive, shelves.vault, shelves.settings, shelves.clock)


async def until_gone(shelves: Shelved, matches: Any) -> None:
    for _ in range(1000):
        if await gone(shelves, matches) == list(matches):
            return
        await asyncio.sleep(0.01)
    pytest.fail("nobody archived them")


async def test_it_archives_until_it_is_stopped(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, archive_wait_hours=0, archive_seconds=0.01)
    worker = job(shelves)
    running = asyncio.create_task(worker.run())
    await until_gone(shelves, matches)
    worker.stop()
    await asyncio.wait_for(running, 10)


async def test_it_deletes_what_is_kept_no_longer(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, archive_wait_hours=0, archive_keep_days=10)
    await shelves.archivist.run(now=True)
    shelves.hours(240)
    worker = job(shelves)
    await worker.once()
    assert await shelves.archive.segments() == []
    assert [match async for match in shelves.store.matches()] == []
    await worker.once()
    assert matches


@pytest.mark.parametrize("error", [Unavailable("away"), ZeroDivisionError()])
async def test_no_error_ends_it(tmp_path: Path, error: Exception) -> None:
    shelves, matches = await shelved(tmp_path, archive_wait_hours=0, archive_seconds=0.01)
    worker = job(shelves)
    usual, failed = worker.archivist.run, asyncio.Event()

    async def run(now: bool = False) -> Any:
        if not failed.is_set():
            failed.set()
            raise error
        return await usual(now)

    worker.archivist.run = run  # type: ignore[method-assign]
    running = asyncio.create_task(worker.run())
    await until_gone(shelves, matches)
    worker.stop()
    await asyncio.wait_for(running, 10)
    counted = (await shelves.store.tallied()).get("failures", 0)
    assert counted == isinstance(error, Unavailable), "an alert looks at it"


async def test_one_of_many_works_and_another_when_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "LOOK", 0.01)
    shelves, matches = await shelved(tmp_path, archive_wait_hours=0, archive_seconds=0.01)
    given = shelves.store, shelves.archive, shelves.vault, shelves.settings, shelves.clock
    looked: list[str] = []
    async with AsyncExitStack() as stack:
        workers = {}
        for name in ("a", "b", "c"):
            heart = await stack.enter_async_context(Heart(shelves.store, name, 5))
            worker = workers[name] = Archiving(*given, heart=heart)

            async def once(name: str = name, usual: Any = worker.once) -> None:
                looked.append(name)
                await usual()

            worker.once = once  # type: ignore[method-assign]
        running = {name: asyncio.create_task(each.run()) for name, each in workers.items()}
        await until_gone(shelves, matches)
        assert len(await shelves.archive.segments()) == 1
        first = looked[0]
        assert set(looked) == {first}
        workers[first].stop()
        await asyncio.wait_for(running.pop(first), 10)
        async with asyncio.timeout(10):
            while looked[-1] == first:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        second = looked[-1]
        await asyncio.sleep(0.05)
        assert looked[-1] == second
        for name in running:
            workers[name].stop()
        await asyncio.wait_for(asyncio.gather(*running.values()), 10)


async def test_who_works_under_a_name_that_another_took_ends(tmp_path: Path) -> None:
    shelves, _ = await shelved(tmp_path, archive_seconds=0.01)
    given = shelves.store, shelves.archive, shelves.vault, shelves.settings, shelves.clock
    async with Heart(shelves.store, "a", 1) as older, Heart(shelves.store, "a", 1) as newer:
        running = asyncio.create_task(Archiving(*given, heart=older).run())
        async with asyncio.timeout(10):
            while older.pulse(archiving.GROUP) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            newer.join(archiving.GROUP, lambda: None)
            with pytest.raises(Superseded):
                await running


async def test_without_an_archive_it_has_nothing_to_do() -> None:
    idle = Idle()
    running = asyncio.create_task(idle.run())
    await asyncio.sleep(0)
    assert not running.done()
    idle.stop()
    await asyncio.wait_for(running, 10)
    assert "archive" in JOBS


def test_its_clock_is_the_time() -> None:
    assert archiving.now() > 1_700_000_000_000
