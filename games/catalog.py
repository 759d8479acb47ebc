"""The registry: every game this backend knows, by its id."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from games.game import BadData, Game
from games.rules import Refused
from games.sight import read

FOLDERS: tuple[str, ...] = (
    "tricks_and_treats",
    "trickn_treat",
    "trick_or_treat",
    "masked_mischief",
    "ghosts_love_candy_too",
)
"""The folders under `games/` that hold a game: one line each."""

GAMES: dict[str, Game] = {
    game.id: game for game in (import_module(f"games.{folder}.game").GAME for folder in FOLDERS)
}

EDITIONS: dict[tuple[str, str], Game] = {}
"""Publishers' own data, by game and edition id; filled by `load`."""


def find(id: str, edition: str = "") -> Game:
    """The game, or an edition of it. Raises Refused: `unknown_game`, `unknown_edition`."""
    if id not in GAMES:
        raise Refused("unknown_game", f"no game {id!r}; there are: {', '.join(GAMES)}")
    if not edition:
        return GAMES[id]
    if (id, edition) not in EDITIONS:
        raise Refused("unknown_edition", f"{id} has no edition {edition!r} here")
    return EDITIONS[id, edition]


def load(directory: Path) -> list[Game]:
    """Take in every `<game>/<edition>.json` below the directory. Raises BadData."""
    loaded = []
    for path in sorted(directory.glob("*/*.json")):
        game = GAMES.get(path.parent.name)
        if game is None or game.from_data is None:
            raise BadData(f"{path}: no game {path.parent.name!r} that takes data files")
        try:
            edition = game.from_data(path.read_bytes())
        except BadData as bad:
            raise BadData(*(f"{path}: {error}" for error in bad.errors)) from None
        EDITIONS[game.id, edition.edition] = edition
        loaded.append(edition)
    return loaded


def created(facts: bytes) -> dict[str, Any]:
    """The `match`, `game`, `edition`, `options`, `seats` and `rules` that a first commit names.

    Raises ValueError where the bytes are no first commit.
    """
    try:
        first = read(facts)[5][0]
        if first[0] == "created":
            names = ("match", "game", "edition", "options", "seats", "rules")
            return dict(zip(names, first[1:7], strict=True))
    except (IndexError, TypeError, KeyError, ValueError):
        pass
    raise ValueError("the log does not begin with the creation of a match")
