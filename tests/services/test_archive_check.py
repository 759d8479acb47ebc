"""What `doctor` says of an archive, however much is in it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from events.archive import Archive, new_segment
from events.bucket import Bucket
from events.store import ArchiveAway
from services import archive_check
from services.settings import Settings
from tests.events.archiving import archive, written

NOW = time.time_ns() // 1_000_000
DAY = 86_400_000


def filled(path: Path, begun: list[int]) -> list[str]:
    """Segments begun at these times, a match in each, and what they are called."""
    names = [new_segment(at) for at in begun]

    async def write() -> None:
        for number, name in enumerate(names):
            await written(archive(path), name, f"m{number}")

    asyncio.run(write())
    return names


def told(path: Path) -> Any:
    return archive_check.finding(Settings(archive=f"file://{path}"))


def test_how_many_and_the_newest(tmp_path: Path) -> None:
    filled(tmp_path, [NOW - DAY, NOW - 400 * DAY, NOW - 2 * DAY])
    found = told(tmp_path)
    assert found.state == "ok" and found.says.startswith(f"3 segments in file://{tmp_path}, the ")
    day = time.strftime("%Y-%m-%d", time.gmtime((NOW - DAY) / 1000))
    assert f"newest of {day}" in found.says and found.says.endswith(", with 1 matches")


@pytest.mark.parametrize("days", [0.5, 20, 200, 900])
def test_no_more_are_listed_than_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: float
) -> None:
    first = NOW - int(days * DAY)
    filled(tmp_path, [first - n for n in range(30)])
    monkeypatch.setattr(archive_check, "COUNTED", 10)
    keys, listed = Bucket.keys, []

    async def counted(bucket: Bucket, *given: Any) -> list[str]:
        found = await keys(bucket, *given)
        listed.append(len(found))
        return found

    monkeypatch.setattr(Bucket, "keys", counted)
    found = told(tmp_path)
    assert found.state == "ok" and "more than 10 segments" in found.says
    assert 10 < sum(listed) <= 21 and len(listed) <= 4


def test_the_newest_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path, [NOW - 1000 * DAY + n for n in range(30)] + [NOW - 3 * DAY])
    monkeypatch.setattr(archive_check, "COUNTED", 10)
    day = time.strftime("%Y-%m-%d", time.gmtime((NOW - 3 * DAY) / 1000))
    assert f"the newest of {day}" in told(tmp_path).says


def test_one_that_is_damaged_or_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, name = filled(tmp_path, [NOW - DAY, NOW])
    path = tmp_path / "segments" / name
    path.write_bytes(path.read_bytes()[:-3])
    found = told(tmp_path)
    assert found.state == "failed" and f"it is damaged: {name}" in found.says
    assert "archive verify" in found.fix
    segments = Archive.segments

    async def gone(there: Archive, *given: Any, **more: Any) -> list[str]:
        names = await segments(there, *given, **more)
        path.unlink(missing_ok=True)
        return names

    monkeypatch.setattr(Archive, "segments", gone)
    found = told(tmp_path)
    assert found.state == "ok" and "written anew since" in found.says


def test_what_is_away_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*given: Any) -> Any:
        raise ArchiveAway("the archive cannot be reached: refused")

    monkeypatch.setattr(Bucket, "put", away)
    found = told(tmp_path)
    assert found.state == "failed" and "cannot be reached" in found.says
