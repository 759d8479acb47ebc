"""The page on the game shows what is really asked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from games.rules import asked
from games.trick_or_treat.game import GAME
from games.trick_or_treat.haunted import CalmWith, HauntedHouse, ScareWith
from games.trick_or_treat.home import Home, TurnIn
from games.trick_or_treat.locations import Alley, Carnival, CarnivalExtra, House, Mansion
from games.trick_or_treat.turns import ChooseKid, EndTurn, HandLimit, Move
from tests.games.trick_or_treat.board import board, give, hands, slots

PAGE = Path(__file__).parents[3] / "docs" / "games" / "trick-or-treat.md"
SHOWN = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)

ROW = slots("Caramel, Sneak, -, -, -")
BARE = slots("-, -, -")
BOARDS: list[tuple[Any, str, dict[str, Any]]] = [
    (ChooseKid(2), "", {"kids": ("pirate", "robot", "", "witch", "bat", "ninja"), "players": 6}),
    (
        Move(0),
        "Sneak, Change Costume",
        {"at": ("house1", "mansion", "carnival"), "bully": "house2"},
    ),
    (House(0), "Move Bully", {"at": ("house1", "house2", None), "bully": "mansion"}),
    (Mansion(0), "", {"at": ("mansion", None, None)}),
    (Carnival(0), "", {"at": ("carnival", None, None), "row": ROW}),
    (CarnivalExtra(0), "Brave", {"at": ("carnival", None, None), "row": ROW}),
    (
        Alley(0),
        "",
        {"at": ("alley", "house1", "house1"), "bully": "mansion", "houses": slots("Caramel")},
    ),
    (HauntedHouse(0), "Brave, Caramel", {"at": ("haunted", None, None), "fear": (2, 0, 0)}),
    (ScareWith(0), "Brave, Sneak, Caramel", {"at": ("haunted", None, None)}),
    (CalmWith(0), "Caramel, Caramel", {"at": ("haunted", None, None), "fear": (2, 0, 0)}),
    (
        Home(0),
        "Caramel, Gum Drops, Egging Houses, Lemon Drops",
        {"at": ("home", None, None), "sets": ("S15", "S20", "S04"), "row": ROW, "houses": BARE},
    ),
    (
        TurnIn(0, "S15"),
        "Caramel, Gum Drops, Egging Houses, Lemon Drops",
        {"at": ("home", None, None), "row": ROW, "houses": BARE},
    ),
    (
        TurnIn(0, "S15", (give("Caramel", "Caramel"),)),
        "Caramel, Gum Drops, Egging Houses, Lemon Drops",
        {"at": ("home", None, None), "row": ROW, "houses": BARE},
    ),
    (EndTurn(0), "Move Bully", {"at": ("home", None, None), "houses": slots("Caramel")}),
]


def real(item: Any, hand: str, fields: dict[str, Any]) -> dict[str, Any]:
    players = fields.get("players", 3)
    rest = ["Sneak"] * (players - 1)
    match = board(item, **{"hands": hands(hand, *rest), **fields})
    return dict(json.loads(json.dumps(asked(match.state, item.seat))))


@pytest.mark.parametrize("number", range(len(BOARDS)))
def test_an_example_is_what_is_asked(number: int) -> None:
    assert json.loads(SHOWN[number]) == real(*BOARDS[number])


def test_every_question_and_option_of_the_match_is_on_the_page() -> None:
    text = PAGE.read_text()
    assert len(SHOWN) == len(BOARDS)
    kinds = {json.loads(shown)["kind"] for shown in SHOWN}
    assert kinds | {type(HandLimit(0)).__struct_config__.tag} == {
        kind.__struct_config__.tag for kind in GAME.pending.__args__ if hasattr(kind, "form")
    }
    for option in GAME.options.__struct_fields__:
        assert f"`{option}`" in text
    for field in GAME.state.__struct_fields__:
        assert field == "pending" or f"`{field}`" in text
