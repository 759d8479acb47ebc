"""A publisher's own data: brought in with --data, played, replayed and verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import catalog
from tests.services.cli.conftest import Run

GAME = "ghosts-love-candy-too"
PRINTED = Path(catalog.__file__).parent / "ghosts_love_candy_too" / "data" / "kids.json"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The printed kids once more, as the edition `mine`."""
    folder = tmp_path / "editions"
    (folder / GAME).mkdir(parents=True)
    data = msgspec.json.decode(PRINTED.read_bytes())
    data["edition"] = "mine"
    (folder / GAME / "mine.json").write_bytes(msgspec.json.encode(data))
    yield folder
    catalog.EDITIONS.clear()


def test_an_edition_is_listed_played_and_verified(
    run: Run, said: Callable[..., Any], folder: Path
) -> None:
    data = ("--data", str(folder))
    (edition,) = said("games", GAME, *data)["editions"]
    assert edition["edition"] == "mine" and edition["digest"] != catalog.GAMES[GAME].digest
    assert f"{GAME} (mine)" in run("games", *data).stdout
    told = said("play", GAME, "--edition", "mine", "--seed", "1", "--out", "m.jsonl", *data)
    assert told["edition"] == "mine"
    assert said("verify", "m.jsonl", *data)["ok"]
    assert "edition mine" in run("replay", "m.jsonl", *data).stdout
    catalog.EDITIONS.clear()
    told = run("verify", "m.jsonl")
    assert told.exit_code == 0 and "--data DIR: nothing was folded or decided" in told.stdout
    for name in ("lines", "chain", "openings", "seed", "end"):
        assert f"✓ {name}" in told.stdout
    assert run("replay", "m.jsonl").exit_code == 2


def test_data_that_make_no_edition(run: Run, folder: Path) -> None:
    (folder / GAME / "mine.json").write_text("{}")
    told = run("games", "--data", str(folder))
    assert told.exit_code == 2 and "mine.json" in told.stderr
