"""The catalogue: games, their options and their cards."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter
from fastapi.responses import Response

from games import catalog
from games.game import Card, Game
from services.api.edge import Json
from services.api.schema import spec

router = APIRouter(tags=["catalogue"])


class GameSummary(msgspec.Struct, frozen=True):
    """A game that can be played here; `seats` is the least and the most."""

    id: str
    title: str
    seats: tuple[int, int]
    rules: str
    digest: str
    editions: list[str]


class OptionInfo(msgspec.Struct, frozen=True):
    """What the host may set: its default and its JSON schema."""

    name: str
    default: Any
    schema: dict[str, Any]


class GameDetail(msgspec.Struct, frozen=True):
    """A game with its options and its printed things; `art` is a key for a client's pictures."""

    id: str
    title: str
    seats: tuple[int, int]
    rules: str
    digest: str
    edition: str
    editions: list[str]
    options: list[OptionInfo]
    options_schema: dict[str, Any]
    cards: list[Card]


class Catalogue(msgspec.Struct, frozen=True):
    games: list[GameSummary]


def _editions(game: Game) -> list[str]:
    return sorted(edition for id, edition in catalog.EDITIONS if id == game.id)


def _summary(game: Game) -> GameSummary:
    seats = (game.least, game.most)
    return GameSummary(game.id, game.title, seats, game.version, game.digest, _editions(game))


def _schema(game: Game) -> dict[str, Any]:
    """The options' JSON schema in one piece."""
    schema = msgspec.json.schema(game.options)
    (own,) = [schema["$defs"].pop(game.options.__name__)]
    return {**own, **({"$defs": schema["$defs"]} if schema["$defs"] else {})}


def _detail(game: Game) -> GameDetail:
    schema = _schema(game)
    options = [
        OptionInfo(name, field.get("default"), field)
        for name, field in schema.get("properties", {}).items()
    ]
    return GameDetail(
        game.id,
        game.title,
        (game.least, game.most),
        game.version,
        game.digest,
        game.edition,
        _editions(game),
        options,
        schema,
        list(game.cards),
    )


@router.get("/v1/games", **spec(summary="All games", reply=Catalogue, open_to_all=True))
async def list_games() -> Response:
    return Json(Catalogue([_summary(game) for game in catalog.GAMES.values()]))


@router.get(
    "/v1/games/{game}",
    **spec(
        summary="One game: players, options, cards",
        reply=GameDetail,
        problems=("unknown_game", "unknown_edition"),
        open_to_all=True,
    ),
)
async def show_game(game: str, edition: str = "") -> Response:
    return Json(_detail(catalog.find(game, edition)))
