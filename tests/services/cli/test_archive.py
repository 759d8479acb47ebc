"""hallowstream archive: moved, shown, read, brought back, deleted, verified, made known again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.redis_store import RedisStore
from events.server import Server, candidates
from replay import files
from services import archive_check
from services.settings import Settings
from tests.servers import emptied
from tests.services.cli.conftest import Run
from tests.services.cli.running import ROOT, hallowstream
from tests.services.cli.test_documents import told_of
from tests.services.shelving import match

pytestmark = pytest.mark.skipif(
    next(candidates(), None) is None, reason="no Redis or Valkey is here"
)

Said = Callable[..., Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("d")) as server:
        yield server


async def _stored(url: str) -> dict[str, list[Any]]:
    await emptied(url)
    store = await RedisStore.open(url)
    played = [await match(number) for number in range(3)]
    for one in played:
        for entry in one.entries:
            status = "closed" if entry is one.entries[-1] else "playing"
            await store.append(one.match, entry, status)
    await store.aclose()
    return {one.match: [one.key, one.entries] for one in played}


@pytest.fixture
def matches(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[Any]]:
    """Three closed matches in a store, and an archive that is set up."""
    found = asyncio.run(_stored(server.url))
    monkeypatch.setenv("REDIS_URL", server.url)
    monkeypatch.setenv("HALLOWSTREAM_ARCHIVE", f"file://{tmp_path / 'archive'}")
    keys = ",".join(key.hex() for key, _ in found.values())
    monkeypatch.setenv("HALLOWSTREAM_SERVER_KEYS", keys)
    return found


def test_a_match_on_its_way(run: Run, said: Said, matches: dict[str, Any], tmp_path: Path) -> None:
    id, other, deleted = matches
    assert said("archive", "show", id)["kept"] == "store"
    done = said("archive", "run")
    assert (done["matches"], done["left"], done["deleted"]) == (3, 0, 0)
    shown = said("archive", "show", id)
    assert (shown["kept"], shown["version"]) == ("archive", len(matches[id][1]))
    assert "segment" in run("archive", "show", id).stdout
    status = said("archive", "status")
    assert (status["segments"], status["records"], status["archived"]) == (1, 3, 3)
    assert status["done"]["matches"] == 3
    assert "read from here: 3 matches" in run("archive", "status").stdout
    assert said("archive", "verify")["matches"] == 3

    assert said("verify", id)["ok"]
    assert "step 5 of" in run("replay", id, "--step", "5").stdout
    log, bundle = tmp_path / "m.jsonl", tmp_path / "m.zip"
    said("export", id, "--out", str(log))
    assert len(files.read(log.read_bytes()).pages) == len(matches[id][1])
    said("bundle", id, "--out", str(bundle))
    assert said("verify", "--all")["matches"] == 3

    assert said("archive", "restore", id)["restored"]
    assert not said("archive", "restore", id)["restored"]
    assert "nothing to do" in run("archive", "restore", id).stdout
    assert said("archive", "show", id)["kept"] == "store"
    assert run("archive", "delete", id, "--yes").exit_code == 2, "it is in the store again"

    assert said("archive", "delete", deleted, "--yes")["deleted"]
    assert said("archive", "show", deleted)["kept"] == "deleted"
    assert run("verify", deleted).exit_code == 2
    assert said("archive", "verify")["matches"] == 1
    assert said("verify", other)["ok"]


def test_the_page_names_what_json_has(said: Said, matches: dict[str, Any]) -> None:
    for word in ("run", "status", "verify", "reindex"):
        assert set(said("archive", word)) == told_of(f"archive {word}"), word
    assert set(said("archive", "show", next(iter(matches)))) == told_of("archive show")


def test_all_is_known_again(run: Run, said: Said, server: Server, matches: dict[str, Any]) -> None:
    said("archive", "run")
    asyncio.run(emptied(server.url))
    assert said("archive", "reindex")["adopted"] == 3
    assert "known before: 3" in run("archive", "reindex").stdout
    assert said("verify", next(iter(matches)))["ok"]


def test_damage_is_told(run: Run, said: Said, matches: dict[str, Any], tmp_path: Path) -> None:
    said("archive", "run")
    (segment,) = (tmp_path / "archive" / "segments").iterdir()
    data = bytearray(segment.read_bytes())
    data[60] ^= 1
    segment.write_bytes(bytes(data))
    told = run("archive", "verify")
    assert told.exit_code == 1 and f"bad  {segment.name}: match 0" in told.stdout
    assert msgspec.json.decode(run("archive", "verify", "--json").stdout)["ok"] is False
    damaged = next(id for id in matches if run("verify", id).exit_code == 1)
    assert "have changed" in run("verify", damaged).stdout


def test_a_missing_key_is_named(
    run: Run, said: Said, matches: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    said("archive", "run")
    monkeypatch.setenv("HALLOWSTREAM_SERVER_KEYS", "ab" * 32)
    told = run("verify", next(iter(matches)))
    assert told.exit_code == 1 and "is not here; add it to the keys" in told.stderr


def test_used_wrongly(
    run: Run, matches: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for words in (("show", "nonsense"), ("restore", "x"), ("delete", "x", "--yes")):
        told = run("archive", *words)
        assert told.exit_code == 2 and "not the id of a match" in told.stderr
    assert run("archive", "show", "01M8NGTX16X24XR1R71YD74DF1").exit_code == 2
    assert run("archive", "restore", "01M8NGTX16X24XR1R71YD74DF1").exit_code == 2
    told = run("archive", "delete", next(iter(matches)), "--json")
    assert told.exit_code == 2 and "--yes" in msgspec.json.decode(told.stdout)["hint"]
    assert "for good?" in told.stderr, "nobody was there to ask"
    for value, why in (
        ("", "no archive is set"),
        ("memory:///", "memory keeps nothing"),
        ("ftp://x/y", "no archive can be at"),
        ("file://x/y", "three slashes"),
    ):
        monkeypatch.setenv("HALLOWSTREAM_ARCHIVE", value)
        told = run("archive", "status")
        assert told.exit_code == 2 and why in told.stderr, told.stderr
    (tmp_path / "segments").write_text("a file where a folder should be")
    monkeypatch.setenv("HALLOWSTREAM_ARCHIVE", f"file://{tmp_path}")
    assert run("archive", "run").exit_code == 3


def test_json_is_all_that_comes_on_stdout(matches: dict[str, Any], tmp_path: Path) -> None:
    """Whatever is logged meanwhile: here, that nobody knows the game."""
    names = ("REDIS_URL", "HALLOWSTREAM_ARCHIVE", "HALLOWSTREAM_SERVER_KEYS")
    given = {name: os.environ[name] for name in names}
    told = hallowstream("archive", "run", "--json", cwd=tmp_path, **given)
    assert msgspec.json.decode(told.stdout)["left"] == len(matches)
    assert "cannot_archive" in told.stderr


def test_what_is_archived_is_named_where_no_archive_is_set(
    run: Run, said: Said, matches: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    said("archive", "run")
    monkeypatch.delenv("HALLOWSTREAM_ARCHIVE")
    told = run("verify", next(iter(matches)))
    assert told.exit_code == 3 and "set HALLOWSTREAM_ARCHIVE" in told.stderr
    # It says that doctor tells more: so it does.
    told = run("doctor", "--port", "0")
    assert told.exit_code == 1 and "fix" in told.stdout
    assert f"matches in an archive: about {len(matches)};" in told.stdout


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "obstore.py").write_text("raise ImportError('it is not here')")
    paths = f"{tmp_path}:{ROOT}"
    url = f"file://{tmp_path}/a"
    told = hallowstream(
        "archive", "status", cwd=tmp_path, PYTHONPATH=paths, HALLOWSTREAM_ARCHIVE=url
    )
    assert told.returncode == 2 and "pip install 'hallowstream[archive]'" in told.stderr
    told = hallowstream("archive", "status", cwd=tmp_path, PYTHONPATH=paths)
    assert told.returncode == 2 and "no archive is set" in told.stderr


def test_doctor_looks_at_the_archive(tmp_path: Path) -> None:
    assert "is not set" in archive_check.finding(Settings()).says
    fine = archive_check.finding(Settings(archive=f"file://{tmp_path}/a"))
    assert (fine.state, list((tmp_path / "a").iterdir())) == ("ok", [])
    assert "no segments" in fine.says
    for url in ("memory:///", "ftp://x/y"):
        assert archive_check.finding(Settings(archive=url)).state == "failed"
