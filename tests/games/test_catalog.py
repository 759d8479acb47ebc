"""The registry, and what is written beside it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import catalog
from games.game import BadData, Game
from games.rules import Refused
from tests.play import Match
from tests.toy.pumpkin_patch.game import GAME

ROOT = Path(__file__).parents[2]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_data(text: bytes) -> Game:
        data = json.loads(text)
        if "edition" not in data:
            raise BadData("edition is missing")
        return msgspec.structs.replace(GAME, edition=data["edition"], data=text)

    toy = msgspec.structs.replace(GAME, from_data=from_data)
    monkeypatch.setitem(catalog.GAMES, toy.id, toy)
    monkeypatch.setattr(catalog, "EDITIONS", {})


def contract(name: str) -> dict[str, Any]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    return next(c for c in contracts if c["name"] == name)


def test_the_import_contracts_name_every_game_of_the_catalogue() -> None:
    names = [f"games.{folder}" for folder in catalog.FOLDERS]
    assert sorted(contract("games know nothing of each other")["modules"]) == sorted(names)
    bots = contract("bots see views and forms, never a state")
    assert sorted(bots["source_modules"]) == sorted(f"{name}.bots" for name in names)
    assert sorted(bots["forbidden_modules"]) == sorted(f"{name}.state" for name in names)


def test_a_folder_holds_the_game_of_its_name() -> None:
    assert [id.replace("-", "_") for id in catalog.GAMES] == list(catalog.FOLDERS)
    for game in catalog.GAMES.values():
        assert game.version == f"{game.rules}.{game.digest[:8]}"
        assert len({(card.kind, card.id) for card in game.cards}) == len(game.cards)


def test_an_unknown_game_or_edition_is_refused_with_what_there_is() -> None:
    with pytest.raises(Refused, match="no game 'chess'"):
        catalog.find("chess")
    for id in catalog.GAMES:
        assert catalog.find(id).id == id
        with pytest.raises(Refused, match="no edition 'gold'"):
            catalog.find(id, "gold")


@pytest.mark.usefixtures("toy")
def test_a_publishers_data_becomes_an_edition(tmp_path: Path) -> None:
    (tmp_path / "pumpkin-patch").mkdir()
    (tmp_path / "pumpkin-patch" / "gold.json").write_text('{"edition": "gold"}')
    (edition,) = catalog.load(tmp_path)
    assert catalog.find("pumpkin-patch", "gold") is edition
    assert edition.version != GAME.version


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("path", "why"),
    [("pumpkin-patch/bad.json", "edition is missing"), ("chess/gold.json", "no game 'chess'")],
)
def test_data_that_makes_no_edition_is_refused_by_name(tmp_path: Path, path: str, why: str) -> None:
    (tmp_path / path).parent.mkdir()
    (tmp_path / path).write_text("{}")
    with pytest.raises(BadData, match=why) as bad:
        catalog.load(tmp_path)
    assert path in bad.value.errors[0]


def test_a_first_commit_names_its_match_and_game() -> None:
    match = Match(GAME, 2)
    made = catalog.created(match.entries[0].facts)
    assert (made["match"], made["game"], made["seats"]) == ("01J0TEST", "pumpkin-patch", 2)
    assert made["rules"] == GAME.version
    later = match.entries[1].facts
    for bytes_of_no_first_commit in (later, b"\xc1", b"\x01", msgspec.msgpack.encode([1] * 6)):
        with pytest.raises(ValueError, match="does not begin with the creation"):
            catalog.created(bytes_of_no_first_commit)
