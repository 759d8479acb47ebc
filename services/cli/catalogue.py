"""`games`: what can be played here. Also: editions and options for other commands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from games import catalog
from games.game import BadData, Game
from games.rules import Refused
from services.cli import output

SOME = 4
"""How many options of a game the list names."""


def run(id: str | None, data: Path | None, json: bool) -> None:
    load(data)
    if id is not None:
        chosen = [find(id), *(g for (game, _), g in catalog.EDITIONS.items() if game == id)]
    else:
        chosen = [*catalog.GAMES.values(), *catalog.EDITIONS.values()]
    if json:
        told = [described(game) for game in chosen]
        output.as_json({"games": told} if id is None else {**told[0], "editions": told[1:]})
    elif id is None:
        _list(chosen)
    else:
        for game in chosen:
            _show(game)


def load(data: Path | None) -> None:
    """Take in publishers' editions; what is wrong with one is a wrong use."""
    if data is None:
        return
    if not data.is_dir():
        raise output.usage(f"{data} is no folder", "give the folder that holds <game>/*.json")
    try:
        catalog.load(data)
    except BadData as bad:
        raise output.usage("\n".join(bad.errors), "correct the data file") from None


def find(id: str, edition: str = "") -> Game:
    try:
        return catalog.find(id, edition)
    except Refused as refused:
        hint = "`hallowstream games` lists them; --data DIR brings in editions"
        raise output.usage(refused.why, hint) from None


def seats(game: Game, given: int | None) -> int:
    """As few as may be, if none are given."""
    try:
        return game.checked_seats(game.least if given is None else given)
    except Refused as refused:
        raise output.usage(refused.why, f"`hallowstream games {game.id}` tells more") from None


def options(game: Game, given: Iterable[str]) -> Any:
    """The options of `NAME=VALUE` words."""
    named = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise output.usage(f"--option {word!r} is not NAME=VALUE")
        named[name] = value
    for name, value in named.items():
        _check_option(game, name, value)
    return game.checked_options(named, strict=False)


def _check_option(game: Game, name: str, value: str) -> None:
    hint = f"`hallowstream games {game.id}` lists the options"
    takes = described(game)["options"].get(name)
    if takes is None:
        raise output.usage(f"{game.title} has no option {name!r}", hint)
    try:
        game.checked_options({name: value}, strict=False)
    except Refused:
        why = f"option {name} takes {values(takes)}, not {value!r}"
        raise output.usage(why, hint) from None


def described(game: Game) -> dict[str, Any]:
    """A game for machines."""
    schema = msgspec.json.schema(game.options)
    return {
        "id": game.id,
        "edition": game.edition,
        "title": game.title,
        "seats": {"least": game.least, "most": game.most},
        "rules": game.version,
        "digest": game.digest,
        "options": schema["$defs"][game.options.__name__]["properties"],
        "cards": len(game.cards),
    }


def _list(games: list[Game]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game", no_wrap=True)
    for column in ("title", "seats", "options", "rules"):
        table.add_column(column)
    for game in games:
        name = f"{game.id} ({game.edition})" if game.edition else game.id
        named = list(described(game)["options"])
        more = f" and {len(named) - SOME} more" if len(named) > SOME else ""
        names = ", ".join(named[:SOME]) + more or "none"
        table.add_row(name, game.title, f"{game.least}-{game.most}", names, game.version)
    console = output.console()
    console.print(table)
    console.print("\n`hallowstream games GAME` shows its options.", style="dim")


def _show(game: Game) -> None:
    from rich.table import Table
    from rich.text import Text

    console = output.console()
    edition = f", edition {game.edition}" if game.edition else ""
    console.print(Text.assemble((game.title, "bold"), f" ({game.id}{edition})"))
    console.print(f"{game.least} to {game.most} seats, {len(game.cards)} kinds of cards and spaces")
    console.print(f"rules {game.version}, data SHA-256 {game.digest}")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("option", "values", "default"):
        table.add_column(column)
    for name, schema in described(game)["options"].items():
        table.add_row(name, values(schema), _plain(schema.get("default")))
    if table.row_count:
        console.print(table)
    else:
        console.print("It has no options.")


def values(schema: dict[str, Any]) -> str:
    """What an option takes, in a few words."""
    if "anyOf" in schema:
        return " | ".join(map(values, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(map(_plain, schema["enum"]))
    if schema.get("type") == "boolean":
        return "true | false"
    if schema.get("type") == "integer":
        least = schema.get("minimum", "")
        below = schema.get("exclusiveMaximum")
        return f"{least}..{schema.get('maximum', '') if below is None else below - 1}"
    return str(schema.get("type", "any"))


def _plain(value: Any) -> str:
    return value if isinstance(value, str) and value else msgspec.json.encode(value).decode()
