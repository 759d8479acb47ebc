"""`play`: a match by bots, offline."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any

from games.game import Game
from games.rules import Refused
from replay import files, load
from services.cli import catalogue, output
from services.cli.offline import Bots, Played, play


def run(
    id: str,
    seats: int | None,
    seed: str | None,
    given: list[str],
    out: Path | None,
    bots: Bots,
    edition: str,
    data: Path | None,
    json: bool,
) -> None:
    catalogue.load(data)
    game = catalogue.find(id, edition)
    sitting = catalogue.seats(game, seats)
    options = catalogue.options(game, given)
    seed = secrets.token_hex(4) if seed is None else seed
    try:
        played = asyncio.run(play(game, sitting, options, seed, bots))
    except Refused as refused:
        raise output.usage(refused.why, f"`hallowstream games {id}` shows what it takes") from None
    if out is not None:
        recording = load.stored(played.match, played.entries, played.seal)
        try:
            files.write(out, load.read(recording))
        except OSError as error:
            raise output.usage(f"cannot write {out}: {error.strerror}") from None
    told = _told(game, played, seed, out)
    if json:
        output.as_json(told)
    else:
        _show(game, told)


def _told(game: Game, played: Played, seed: str, out: Path | None) -> dict[str, Any]:
    result = played.table.result
    return {
        "ok": True,
        "match": played.match,
        "game": game.id,
        "edition": game.edition,
        "seats": len(played.table.match.seats),
        "options": played.table.match.options,
        "seed": seed,
        "versions": len(played.entries),
        "head": played.entries[-1].head.hex(),
        "result": result,
        "file": str(out) if out else None,
    }


def _show(game: Game, told: dict[str, Any]) -> None:
    from rich.text import Text

    console = output.console()
    result = told["result"]
    console.print(
        Text.assemble((game.title, "bold"), f", {told['seats']} seats, seed {told['seed']}")
    )
    output.show_scores(result.winners, result.scores)
    console.print(f"{told['versions']} versions, head {told['head']}")
    if told["file"]:
        console.print(f"replay it with: hallowstream replay {told['file']}", style="dim")
    else:
        console.print("nothing is kept; --out FILE writes the log", style="dim")
