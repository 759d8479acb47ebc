"""What leaves the archive for good, what stays, and what is found wrong there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from events.archived import archived
from events.memory import MemoryStore
from events.shelf import DELETED, Place
from events.store import Conflict, Corrupt, Unavailable, Unconfirmed
from projections.lobby import Lobby
from projections.runner import Runner
from projections.summary import Summaries
from projections.views import Views
from services.inventory import Inventory
from services.retention import NotArchived, Retention
from services.vault import Text
from tests.services.shelving import Shelved, gone, match, shelved


async def archived_(tmp_path: Path, **settings: Any) -> tuple[Shelved, dict[str, Any]]:
    shelves, matches = await shelved(tmp_path, **settings)
    for projection in (Views(), Lobby(), Summaries()):
        await Runner(shelves.store, projection, "w").drain()
    await shelves.archivist.run(now=True)
    assert await gone(shelves, matches) == list(matches)
    return shelves, matches


def everything(path: Path) -> bytes:
    """All bytes in the bucket."""
    return b"".join(file.read_bytes() for file in path.rglob("*") if file.is_file())


async def test_a_deleted_match_is_nowhere(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    id, *others = matches
    await shelves.vault.keep_text(id, Text(b"salt", "a claim"))
    await shelves.vault.rotate(id, "seat 0", 2)
    (old,) = await shelves.archive.segments()
    await shelves.retention.delete(id)
    assert await shelves.store.read(id) == [] and await shelves.store.meta(id) is None
    assert id not in [match async for match in shelves.store.matches()]
    for projection in (Views(), Lobby(), Summaries()):
        assert await shelves.store.cursors(projection.name, [id]) == [0]
        assert await shelves.store.shown(projection.name, id) == []
    assert await shelves.vault.texts(id, [Text(b"salt", "a claim").mark]) == [None]
    assert await shelves.vault.rotations(id, "seat 0") == 0
    assert old not in await shelves.archive.segments()
    assert id.encode() not in everything(tmp_path)
    for other in others:
        assert await shelves.store.read(other) == matches[other]
        assert await shelves.store.cursors("views", [other]) == [len(matches[other])]
    await shelves.sound()


async def test_14_nothing_is_appended_under_a_deleted_id(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    id = next(iter(matches))
    await shelves.retention.delete(id)
    for version in (1, len(matches[id]), len(matches[id]) + 1):
        with pytest.raises(Conflict):
            await shelves.store.append(id, matches[id][0]._replace(version=version), "lobby")


async def test_the_last_match_of_a_segment_takes_it_along(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    for id in matches:
        await shelves.retention.delete(id)
    assert await shelves.archive.segments() == []


async def test_only_what_is_archived_is_deleted(tmp_path: Path) -> None:
    shelves, matches = await shelved(tmp_path, range(2))
    for id in (*matches, "nobody"):
        with pytest.raises(NotArchived):
            await shelves.retention.delete(id)
    assert await gone(shelves, matches) == []
    await shelves.archivist.run(now=True)
    await shelves.retention.delete(next(iter(matches)))
    with pytest.raises(NotArchived):
        await shelves.retention.delete(next(iter(matches)))


async def test_what_is_kept_long_enough_goes(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    late = await match(7)
    for entry in late.entries:
        await shelves.raw.append(late.match, entry, "closed")
    restored, *others = matches
    assert await shelves.store.restore(restored)
    shelves.hours(24 * 30)
    assert (await shelves.retention.expire(365)).deleted == 0
    assert (await shelves.retention.expire(30)).deleted == len(others)
    assert await shelves.raw.read(restored) == matches[restored]
    assert await shelves.raw.read(late.match) == late.entries
    assert [stands.status for stands in await shelves.store.standings(others)] == [DELETED] * 2
    assert await shelves.archive.segments() == []


async def test_a_sweep_leaves_what_is_needed_or_new(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    segments = await shelves.archive.segments()
    assert (await shelves.retention.sweep()) == (0, 0, 0)
    shelves.hours(2)
    assert (await shelves.retention.sweep()) == (0, 0, 0)
    for id in matches:
        await shelves.store.restore(id)
    assert (await shelves.retention.sweep()) == (0, 0, 1)
    assert segments and await shelves.archive.segments() == []
    assert await gone(shelves, matches) == []


async def test_what_a_store_has_lost_is_never_swept(tmp_path: Path) -> None:
    """Neither by one that knows nothing, nor by one that was put back to an earlier day."""
    shelves, matches = await archived_(tmp_path)
    (segment,) = await shelves.archive.segments()
    id, other, third = matches
    empty, early = MemoryStore(2), MemoryStore(2)
    for entry in matches[id][:-1]:
        await early.append(id, entry, "over")
    for entry in matches[other]:
        await early.append(other, entry._replace(head=bytes(32)), "closed")
    await early.adopt(third, Place("x", 1, 2, 3, b""), bytes(32), "closed")
    assert await early.bury(third, Place("x", 1, 2, 3, b""))
    shelves.hours(2)
    for store in (empty, early):
        retention = Retention(store, shelves.archive, shelves.vault, shelves.clock)
        await retention.sweep()
        kept = await shelves.archive.segments()
        assert len(kept) == 1 and (kept == [segment]) == (store is empty)
    (record, same) = await shelves.archive.index(kept[0])
    assert {record.match, same.match} == {id, other}
    for one in (record, same):
        found = await shelves.archive.fetch(one.match, one.place(kept[0]), one.head)
        assert found == matches[one.match]


async def test_28_a_damaged_segment_is_left_alone(tmp_path: Path) -> None:
    """Its index or a record: it stays as it is, and the others are looked after all the same."""
    shelves, matches = await shelved(tmp_path, range(6), archive_segment_mb=0.001)
    await shelves.archivist.run(now=True)
    first, second, third = await shelves.archive.segments()
    for segment, at in ((first, -30), (second, 40)):
        path = tmp_path / "bucket" / "segments" / segment
        data = bytearray(path.read_bytes())
        data[at] ^= 1
        path.write_bytes(bytes(data))
    deleted = []
    for segment in (second, third):
        record = (await shelves.archive.index(segment))[-1]
        (stands,) = await shelves.store.standings([record.match])
        assert await shelves.store.bury(record.match, stands.place)
        deleted.append(record.match)
    shelves.hours(2)
    assert await shelves.retention.sweep() == (0, 1, 1)
    kept = await shelves.archive.segments()
    assert kept[:2] == [first, second] and third not in kept and len(kept) == 3
    shelves.hours(24)
    assert (await shelves.retention.expire(1)).deleted == 2
    assert await shelves.archive.segments() == [first]
    assert len(await gone(shelves, matches)) == 6


async def test_a_segment_that_somebody_else_dropped(tmp_path: Path) -> None:
    shelves, _ = await archived_(tmp_path)
    (segment,) = await shelves.archive.segments()
    await shelves.archive.drop(segment)
    assert not await shelves.retention.compact(segment)


async def test_a_match_that_moves_as_it_is_deleted(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    id = next(iter(matches))
    (stands,) = await shelves.store.standings([id])
    await shelves.store.restore(id)
    assert not await shelves.retention._bury(id, stands)

    async def earlier(asked: list[str]) -> list[Any]:
        return [stands]

    shelves.retention.store = archived(shelves.raw, shelves.archive)
    shelves.retention.store.standings = earlier  # type: ignore[method-assign]
    with pytest.raises(NotArchived, match="moved at this moment"):
        await shelves.retention.delete(id)
    assert await shelves.raw.read(id) == matches[id]
    assert await shelves.raw.cursors("views", [id]) == [len(matches[id])]


async def test_28_a_flaw_is_named(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    (segment,) = await shelves.archive.segments()
    damaged = next(
        r for r in await shelves.archive.index(segment) if r.match == next(iter(matches))
    )
    path = tmp_path / "bucket" / "segments" / segment
    data = bytearray(path.read_bytes())
    data[damaged.offset + 40] ^= 4
    path.write_bytes(bytes(data))
    found = await shelves.inventory.verify()
    (flaw,) = found.flaws
    assert flaw.where == segment and damaged.match in flaw.why
    assert found.matches == len(matches) - 1
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    flaws = (await shelves.inventory.verify()).flaws
    assert [flaw.where for flaw in flaws] == [segment, damaged.match], "the others can be read"
    assert (await shelves.inventory.reindex()).flaws[0].where == segment
    path.unlink()
    assert {f.where for f in (await shelves.inventory.verify()).flaws} == set(matches)


async def test_no_segment_goes_before_replicas_know_that_nothing_lies_there(tmp_path: Path) -> None:
    """A failover that lost the move of a match would have it read from what is gone."""
    shelves, matches = await archived_(tmp_path)
    first, *others = matches
    (segment,) = await shelves.archive.segments()
    confirm, asked = shelves.raw.confirm, []

    async def too_few(match: str) -> None:
        (stands,) = await shelves.store.standings([match])
        asked.append((match, stands.place is None or stands.place.segment != segment))
        raise Unconfirmed("0 of 1 replicas have it")

    shelves.raw.confirm = too_few
    with pytest.raises(Unavailable, match="0 of 1"):
        await shelves.retention.delete(first)
    assert all(moved for _, moved in asked) and asked
    assert segment in await shelves.archive.segments()
    assert await shelves.store.read(first) == []
    shelves.raw.confirm = confirm
    shelves.hours(2)
    await shelves.retention.sweep()
    assert segment not in await shelves.archive.segments()
    for id in others:
        assert await shelves.store.read(id) == matches[id]


async def test_a_segment_half_of_which_lies_elsewhere_is_written_anew(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    (segment,) = await shelves.archive.segments()
    first, second, _ = matches
    for id, stays in ((first, True), (second, False)):
        await shelves.restored(id)
        shelves.hours(100)
        assert (await shelves.archivist.run(now=True)).matches == 1
        shelves.hours(2)
        await shelves.retention.sweep()
        assert (segment in await shelves.archive.segments()) is stays
    assert len(await shelves.archive.segments()) == 3
    for id in matches:
        assert await shelves.raw.read(id) == []
        assert await shelves.store.read(id) == matches[id]
    await shelves.sound()


@pytest.mark.parametrize("size", [0, 5, 300])
async def test_28_a_segment_that_is_cut_off_is_named(tmp_path: Path, size: int) -> None:
    shelves, matches = await archived_(tmp_path)
    (segment,) = await shelves.archive.segments()
    path = tmp_path / "bucket" / "segments" / segment
    path.write_bytes(path.read_bytes()[:size])
    flaws = (await shelves.inventory.verify()).flaws
    assert flaws[0].where == segment and {flaw.where for flaw in flaws[1:]} == set(matches)
    for id in matches:
        with pytest.raises(Corrupt, match="have changed"):
            await shelves.store.read(id)
    await shelves.retention.sweep()
    assert path.exists(), "what is damaged is left alone"


async def test_what_goes_while_all_is_looked_at_is_no_flaw(tmp_path: Path) -> None:
    """Whatever is archived, written anew or deleted between the list of segments and the end."""
    shelves, matches = await archived_(tmp_path)
    segments = shelves.archive.segments
    first, *others = matches

    async def slowly() -> list[str]:
        listed = await segments()
        await shelves.retention.delete(first)
        return listed

    shelves.archive.segments = slowly  # type: ignore[method-assign]
    stock = await shelves.inventory.stock()
    assert (stock.segments, stock.records, stock.oldest, stock.archived) == (0, 0, 0, 2)
    first, *_ = others
    found = await shelves.inventory.verify()
    assert (found.matches, found.flaws) == (1, [])


async def test_what_there_is(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    found = await shelves.inventory.stock()
    versions = sum(map(len, matches.values()))
    assert (found.segments, found.records, found.versions) == (1, 3, versions)
    assert (found.archived, found.size > 100, found.oldest > 0) == (3, True, True)


async def test_all_is_known_again_from_the_bucket_alone(tmp_path: Path) -> None:
    """Its tombstones, its read models, and what was archived twice as it was last."""
    shelves, matches = await archived_(tmp_path)
    twice = next(iter(matches))
    await shelves.restored(twice)
    shelves.hours(100)
    await shelves.archivist.run(now=True)
    assert len(await shelves.archive.segments()) == 2
    before = await shelves.store.standings(list(matches))
    lost: Any = archived(MemoryStore(2), shelves.archive)
    await lost.join("summary")
    found = await Inventory(lost, shelves.archive).reindex()
    assert (found.adopted, found.flaws) == (3, [])
    assert await lost.standings(list(matches)) == before
    again = await Inventory(lost, shelves.archive).reindex()
    assert (again.adopted, again.known) == (0, 3)
    await Runner(lost, Summaries(), "w").drain()
    for id in matches:
        assert await lost.get("summary", id) == await shelves.store.get("summary", id)


async def test_what_points_to_a_segment_that_is_gone_is_found_elsewhere(tmp_path: Path) -> None:
    shelves, matches = await archived_(tmp_path)
    id, other, _ = matches
    (segment,) = await shelves.archive.segments()
    records = await shelves.archive.index(segment)
    lost = MemoryStore(2)
    for record in records:
        place = record.place("gone")
        if record.match == other:
            place = place._replace(version=place.version + 1)
        assert await lost.adopt(record.match, place, record.head, record.status)
    found = await Inventory(lost, shelves.archive).reindex()
    assert (found.moved, [flaw.where for flaw in found.flaws]) == (2, [other])
    (stands,) = await lost.standings([id])
    assert stands is not None and stands.place is not None and stands.place.segment == segment
