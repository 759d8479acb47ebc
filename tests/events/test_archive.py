"""The archive: buckets, segments, dictionaries; and what is wrong with them is said."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from events.archive import Archive, new_segment, written_at
from events.bucket import Missing, NoBucket, opened
from events.packing import pack
from events.segments import TAIL, Unsound, built, read_index
from events.store import ArchiveAway, Corrupt, Unavailable
from tests.events.archiving import archive, commits, folder, origin, packed, written


@pytest.mark.parametrize("kind", ["memory", "file"])
async def test_objects_are_never_replaced(kind: str, tmp_path: Path) -> None:
    bucket = opened("memory:///") if kind == "memory" else folder(tmp_path / "not there yet")
    assert await bucket.put("a/b", b"0123456789")
    assert not await bucket.put("a/b", b"other")
    assert await bucket.put("a/a", b"")
    assert await bucket.put("b/a", b"x")
    assert await bucket.get("a/b") == b"0123456789"
    assert await bucket.part("a/b", 2, 3) == b"234"
    assert await bucket.part("a/b", 8, 30) == b"89"
    for start, length in ((10, 5), (12, 5), (3, 0)):
        assert await bucket.part("a/b", start, length) == b""
    assert await bucket.size("a/b") == 10
    assert await bucket.keys("a") == ["a/a", "a/b"]
    assert await bucket.keys("c") == []
    await bucket.delete("a/b")
    await bucket.delete("a/b")
    for reading in (bucket.get("a/b"), bucket.part("a/b", 0, 1), bucket.size("a/b")):
        with pytest.raises(Missing, match="a/b"):
            await reading


async def test_a_part_that_should_be_there_and_is_not_given_is_no_end(tmp_path: Path) -> None:
    bucket = folder(tmp_path)
    await bucket.put("a", b"0123456789")

    async def size(key: str) -> int:
        return 20

    bucket.size = size  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        await bucket.part("a", 15, 5)


@pytest.mark.parametrize("url", ["nonsense", "file://folder/here", "file:", "ftp://x/y", "s3://"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(NoBucket) as caught:
        opened(url)
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoBucket, match="no archive can be at"):
        folder(tmp_path / "file" / "below")


async def test_a_bucket_that_fails_is_unavailable(tmp_path: Path) -> None:
    bucket = folder(tmp_path)
    (tmp_path / "a").write_text("a file, where a folder should be")
    with pytest.raises(ArchiveAway, match="the archive cannot be reached"):
        await bucket.put("a/b", b"x")


async def test_matches_are_read_from_where_they_lie(tmp_path: Path) -> None:
    shelves = archive(tmp_path)
    records = await written(shelves, "s", "m1", "m2", "m3")
    assert await shelves.segments() == ["s"]
    assert await shelves.index("s") == records
    for record in records:
        place = record.place("s")
        assert await shelves.read(record.match, place, record.head) == commits(record.match, 5)
        again = await shelves.read(record.match, place, record.head)
        assert again is await shelves.read(record.match, place, record.head)
    with pytest.raises(Unsound, match="it was there before"):
        await written(shelves, "s", "m4")
    await shelves.drop("s")
    for record in records:
        with pytest.raises(Corrupt, match="no object segments/s"):
            await shelves.read(record.match, record.place("s"), record.head)


async def test_what_was_read_last_is_kept(tmp_path: Path) -> None:
    records = await written(archive(tmp_path), "s", "m1", "m2")
    places = [record.place("s") for record in records]
    small = archive(tmp_path, keep=1)
    first = await small.read("m1", places[0], records[0].head)
    assert await small.read("m1", places[0], records[0].head) is first
    await small.read("m2", places[1], records[1].head)
    assert await small.read("m1", places[0], records[0].head) is not first


async def test_a_long_index_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.archive.GUESS", TAIL.size + 3)
    records = await written(archive(tmp_path), "s", *[f"m{n}" for n in range(20)])
    assert await archive(tmp_path).index("s") == records


@pytest.mark.parametrize("at", [-1, -40, -120])
async def test_28_a_damaged_index_is_seen(tmp_path: Path, at: int) -> None:
    shelves = archive(tmp_path)
    await written(shelves, "s", "m1", "m2")
    path = tmp_path / "segments" / "s"
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(Unsound, match=r"s: it.*(end as|index)"):
        await shelves.index("s")


def test_an_index_that_is_none() -> None:
    with pytest.raises(Unsound, match="does not end as a segment"):
        read_index("s", b"short")
    segment, _ = built([])
    index = segment[8:]
    assert read_index("s", index) == []
    wrong = b"\xc0" + index[1:]
    digest = sha256(b"\xc0").digest()
    with pytest.raises(Unsound, match="cannot be read"):
        read_index("s", wrong[:1] + digest + wrong[33:])


async def test_28_a_damaged_record_is_seen(tmp_path: Path) -> None:
    shelves = archive(tmp_path)
    (record,) = await written(shelves, "s", "m1")
    path = tmp_path / "segments" / "s"
    data = bytearray(path.read_bytes())
    data[record.offset + 30] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(Corrupt, match="its bytes in segment s have changed") as caught:
        await shelves.read("m1", record.place("s"), record.head)
    assert caught.value.match == "m1"


async def test_a_record_of_other_versions_is_refused(tmp_path: Path) -> None:
    shelves = archive(tmp_path)
    (record,) = await written(shelves, "s", "m1")
    with pytest.raises(Corrupt, match="9 versions should be archived"):
        await shelves.read("m1", record.place("s")._replace(version=9), record.head)


async def test_a_kind_has_one_dictionary_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.archive.DICTIONARY", 2048)
    shelves = archive(tmp_path)
    assert await shelves.dictionary("walks") is None
    assert await shelves.learn("walks", [commits("m", 3)]) is None
    first = await shelves.learn("walks", [commits(f"m{n}", 60) for n in range(9)])
    later = await shelves.learn("walks", [commits(f"n{n}", 60) for n in range(9)])
    assert first is not None and later is first
    assert await shelves.dictionary("walks") is first
    made = await archive(tmp_path).dictionary("walks")
    assert made is not None and made.name == first.name


async def test_28_a_dictionary_that_is_gone_or_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.archive.DICTIONARY", 2048)
    shelves = archive(tmp_path)
    dictionary = await shelves.learn("walks", [commits(f"m{n}", 60) for n in range(9)])
    assert dictionary is not None
    entries = commits("m", 5)
    data = pack(entries, dictionary)
    one = msgspec.structs.replace(packed("m", entries), kind="walks", data=data)
    (record,) = await shelves.write("s", [one])
    place = record.place("s")
    assert await archive(tmp_path).read("m", place, record.head) == entries
    (path,) = (tmp_path / "dictionaries").iterdir()
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(Corrupt, match="has changed"):
        await archive(tmp_path).read("m", place, record.head)
    path.unlink()
    with pytest.raises(Corrupt, match="no object dictionaries/"):
        await archive(tmp_path).read("m", place, record.head)


async def test_a_segment_that_reads_otherwise_than_it_was_written(tmp_path: Path) -> None:
    """Storage that keeps something else is found out before anything is removed."""

    class Lying(Archive):
        async def index(self, segment: str) -> list[object]:  # type: ignore[override]
            return []

    with pytest.raises(Unsound, match="not what was written"):
        await written(Lying(folder(tmp_path), origin), "s", "m1")


def test_names_of_segments_tell_when() -> None:
    name = new_segment(1_700_000_000_000)
    assert written_at(name) == 1_700_000_000_000
    assert name != new_segment(1_700_000_000_000)
    assert name < new_segment(1_700_000_000_001)
    assert written_at("somebody's file") == 0


async def test_a_segment_that_is_gone_when_it_is_read_back(tmp_path: Path) -> None:
    class Losing(Archive):
        async def index(self, segment: str) -> list[object]:  # type: ignore[override]
            raise Missing(segment)

    with pytest.raises(Unsound, match="is gone"):
        await written(Losing(folder(tmp_path), origin), "s", "m1")
