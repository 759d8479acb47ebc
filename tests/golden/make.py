"""Records the golden matches of `matches.json`: `python -m tests.golden.make [GAME ...]`.

A change that makes this write other bytes for a game changes its decisions, its events or its
players: say why in the commit, and raise the game's `RULES` where the decisions changed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from games import catalog
from games.rules import Result
from replay import files, load
from services.cli.offline import Played, play

HERE = Path(__file__).parent


class Golden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One match to record."""

    name: str
    seats: int
    seed: str
    bots: Literal["heuristic", "random"]
    options: dict[str, msgspec.Raw]

    def play(self, game: str) -> Played:
        chosen = catalog.find(game)
        given = msgspec.json.decode(msgspec.json.encode(self.options))
        options = chosen.checked_options(given)
        return asyncio.run(play(chosen, self.seats, options, self.seed, self.bots))


def matches() -> dict[str, list[Golden]]:
    """What is to be recorded, by game."""
    text = (HERE / "matches.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, list[Golden]])


def path(game: str, golden: Golden) -> Path:
    return HERE / game / f"{golden.name}.jsonl"


def standings() -> dict[str, dict[str, Result]]:
    """How every recorded match ended, by game and name."""
    text = (HERE / "standings.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, Result]])


def record(games: list[str]) -> Iterator[str]:
    """Writes the matches of these games, and how they end; gives a line about each."""
    ends = standings() if (HERE / "standings.json").exists() else {}
    for game in games:
        (HERE / game).mkdir(exist_ok=True)
        ends[game] = {}
        for golden in matches()[game]:
            played = golden.play(game)
            story = load.read(load.stored(played.match, played.entries, played.seal))
            files.write(path(game, golden), story)
            result = played.table.result
            assert result is not None
            ends[game][golden.name] = result
            yield f"{game}/{golden.name}: {len(played.entries)} versions, {result.winners} won"
    text = msgspec.json.format(msgspec.json.encode(ends, order="sorted"), indent=1)
    (HERE / "standings.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    for line in record(sys.argv[1:] or sorted(matches())):
        print(line)
