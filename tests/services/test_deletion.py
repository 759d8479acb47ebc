"""A match is deleted for good while others work, where the store is full, and half way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from events.memory import MemoryStore
from events.shelf import DELETED, Standing
from events.store import ArchiveAway, Cell, Row, Unavailable
from projections.disputes import Disputes
from projections.inbox import Inbox
from projections.keeper import Keeper
from projections.lobby import Lobby
from projections.runner import Runner
from projections.story import Library
from projections.summary import Summaries
from projections.views import Views
from services.checkup import _deleting
from services.retention import NotArchived
from services.vault import RedisVault, Text
from tests.servers import opened, running
from tests.services.shelving import Shelved, shelved

SHOWN = (Views(), Lobby(), Inbox(), Summaries(), Disputes())


@pytest.fixture(scope="module", params=["memory", "redis", "valkey", "sentinel", "cluster"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running(request.param, tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.fixture
async def store(url: str) -> AsyncIterator[Any]:
    async with opened(url) as store:
        yield store


async def archived(tmp_path: Path, store: Any) -> tuple[Shelved, str, list[Any]]:
    """Three matches in one segment, folded by all; one of them and its log."""
    shelves, matches = await shelved(tmp_path, store=store)
    for projection in SHOWN:
        await Runner(shelves.store, projection, "w").drain()
    assert (await shelves.archivist.run(now=True)).matches == 3
    id = next(iter(matches))
    await shelves.vault.keep_text(id, Text(b"salt", "a claim"))
    return shelves, id, matches[id]


def keeper(shelves: Shelved) -> Keeper:
    return Keeper(shelves.store, Lobby(), Library(shelves.store))


async def listed(shelves: Shelved) -> set[str]:
    rows = await shelves.raw.rows("lobby", "all", limit=100)
    return {row.member for row in rows} | {
        match async for match in shelves.raw.showing("lobby") if await left(shelves, match)
    }


async def left(shelves: Shelved, id: str) -> list[str]:
    """Where something is left of a match."""
    found = [p.name for p in SHOWN if await shelves.raw.shown(p.name, id)]
    found += [f"{p.name} cell" for p in SHOWN if await shelves.raw.cursors(p.name, [id]) != [0]]
    if await shelves.vault.texts(id, [Text(b"salt", "a claim").mark]) != [None]:
        found.append("words")
    for segment in await shelves.archive.segments():
        found += [segment for r in await shelves.archive.index(segment) if r.match == id]
    return found


async def test_whoever_folds_it_at_this_moment_writes_nothing(store: Any, tmp_path: Path) -> None:
    """The log was read before; the rows, which lie elsewhere, come before the cell."""
    shelves, id, entries = await archived(tmp_path, store)
    await shelves.raw.forget("lobby", id)
    put = shelves.raw.put
    done: list[bool] = []

    async def later(*given: Any) -> Any:
        if not done:
            await shelves.retention.delete(id)
        done.append(await put(*given))
        return done[-1]

    shelves.raw.put = later
    await keeper(shelves).catch_up({id: len(entries)})
    assert done == [False]
    assert await left(shelves, id) == [] and id not in await listed(shelves)
    assert await shelves.store.deleting() == {}
    await shelves.sound()


async def test_rows_that_somebody_has_left_go_with_the_next_reference(tmp_path: Path) -> None:
    """It had stood still for longer than rows are fenced, wrote them, and died."""
    shelves, id, entries = await archived(tmp_path, MemoryStore(2))
    await shelves.retention.delete(id)
    shelves.raw._fences.clear()
    shelves.raw._shown["lobby"].pop(id)
    cell = Cell(len(entries), b"", entries[-1].head)
    assert not await shelves.raw.put("lobby", id, 0, cell, [Row("all", id, 1, b"")])
    assert await left(shelves, id) == ["lobby"]
    await keeper(shelves).catch_up({id: len(entries)})
    assert await left(shelves, id) == []


async def test_what_the_store_does_not_know_is_left_alone(tmp_path: Path) -> None:
    """It may have lost a log that comes again."""
    shelves, _, entries = await archived(tmp_path, MemoryStore(2))
    assert await shelves.raw.put("lobby", "lost", 0, Cell(1, b""), [Row("all", "lost", 1, b"")])
    await keeper(shelves).catch_up({"lost": 2})
    assert await left(shelves, "lost") == ["lobby", "lobby cell"] and entries


STEPS = [
    ("raw", "groups", Unavailable),
    ("raw", "forget", Unavailable),
    ("vault", "forget", Unavailable),
    ("raw", "unreserve", Unavailable),
    ("raw", "reserve", Unavailable),
    ("archive", "packed", ArchiveAway),
    ("archive", "write", ArchiveAway),
    ("raw", "move", Unavailable),
    ("raw", "confirm", Unavailable),
    ("archive", "drop", ArchiveAway),
    ("raw", "erased", Unavailable),
]


@pytest.mark.parametrize("again", ["delete", "sweep"])
@pytest.mark.parametrize(("where", "step", "error"), STEPS, ids=[f"{w}-{s}" for w, s, _ in STEPS])
async def test_a_deletion_that_stopped_half_way_is_finished(
    tmp_path: Path, where: str, step: str, error: type[Exception], again: str
) -> None:
    shelves, id, _ = await archived(tmp_path, MemoryStore(2))
    part = getattr(shelves, where)

    async def failing(*given: Any, **more: Any) -> Any:
        raise error("at this moment")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part, step, failing)
        for _ in range(2):
            with pytest.raises(error):
                await shelves.retention.delete(id)
    assert await shelves.store.standings([id]) == [Standing(0, b"", DELETED)]
    (finding,) = _deleting(sorted(await shelves.store.deleting()))
    assert finding.state == "failed" and id in finding.says and "again" in finding.fix
    if again == "delete":
        await shelves.retention.delete(id)
    else:
        await shelves.retention.sweep()
    assert await left(shelves, id) == []
    assert list(_deleting(sorted(await shelves.store.deleting()))) == []
    with pytest.raises(NotArchived, match="there is no match"):
        await shelves.retention.delete(id)
    await shelves.sound()


async def test_one_that_finds_its_segment_gone_finishes_the_rest(tmp_path: Path) -> None:
    """Another has written it anew, and died before it had taken the read models away."""
    shelves, id, _ = await archived(tmp_path, MemoryStore(2))
    (stands,) = await shelves.store.standings([id])
    assert await shelves.raw.bury(id, stands.place)
    await shelves.archive.drop(stands.place.segment)
    await shelves.retention.sweep()
    assert await left(shelves, id) == [] and await shelves.store.deleting() == {}


@pytest.mark.parametrize("kind", ["redis", "valkey"])
async def test_in_a_store_that_is_full(tmp_path: Path, kind: str) -> None:
    """It is how one gets room."""
    with running(kind, tmp_path / "server") as url:
        async with opened(url) as store:
            shelves, id, _ = await archived(tmp_path, store)
            vault = RedisVault(url)
            await vault.keep_text(id, Text(b"salt", "a claim"))
            shelves.vault = shelves.retention.vault = vault  # type: ignore[assignment]
            with Redis.from_url(url) as client:
                client.config_set("maxmemory", 1)
                await shelves.retention.delete(id)
                assert await left(shelves, id) == [] and await store.deleting() == {}
                names = [key for key in client.scan_iter() if id.encode() in key]
                assert len(names) == 1 and client.hgetall(names[0]) == {b"s": DELETED.encode()}
            await vault.aclose()
            await shelves.sound()


def test_nothing_half_way() -> None:
    assert list(_deleting([])) == []
    (finding,) = _deleting([f"m{n}" for n in range(5)])
    assert "5 deleted" in finding.says and "m2 ..." in finding.says and "m3" not in finding.says
