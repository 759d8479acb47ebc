"""Whatever list of kids is accepted can be played to the end: lists made up by chance."""

from __future__ import annotations

import ast
import json
import os
import random
from collections.abc import Iterator
from typing import Any

import msgspec.inspect as shapes
import pytest

from games.dice import Dice
from games.game import BadData, Game
from games.ghosts_love_candy_too.game import from_data
from games.ghosts_love_candy_too.kids import EffectRow
from games.ghosts_love_candy_too.sheet import SHEETS
from games.rules import Answer, begin, decide, fold
from tests.play import random_options

MATCHES = int(os.environ.get("HALLOWSTREAM_MATCHES", "25"))
FIRST = int(os.environ.get("HALLOWSTREAM_SEED", "1"))
EFFECT = shapes.type_info(EffectRow)


@pytest.fixture(autouse=True)
def _left_as_found() -> Iterator[None]:
    yield
    SHEETS.pop("made-up", None)


def made_up(shape: Any, rng: random.Random) -> Any:
    """Something of this shape."""
    if isinstance(shape, shapes.StructType):
        entry = {shape.tag_field: shape.tag} if shape.tag_field else {}
        for field in shape.fields:
            if field.required or rng.random() < 0.4:
                entry[field.encode_name] = made_up(field.type, rng)
        return entry
    if isinstance(shape, shapes.UnionType):
        return made_up(rng.choice(shape.types), rng)
    if isinstance(shape, shapes.VarTupleType):
        return [made_up(shape.item_type, rng) for _ in range(rng.choice((1, 1, 2, 3)))]
    if isinstance(shape, shapes.LiteralType):
        return rng.choice(shape.values)
    if isinstance(shape, shapes.BoolType):
        return rng.random() < 0.5
    if isinstance(shape, shapes.NoneType):
        return None
    assert isinstance(shape, shapes.IntType)
    return rng.randint(-3 if shape.ge is None else shape.ge, 4)


def kid(number: int, rng: random.Random) -> dict[str, Any]:
    """A kid that the checks let pass: what they find fault with is mended or made up again."""
    while True:
        effect = {key: part for key, part in made_up(EFFECT, rng).items() if rng.random() < 0.5}
        entry = {"number": number, "name": f"Kid {number}", "courage": rng.randint(4, 16),
                 "points": -2, "text": "", "easy": True, "effect": effect}  # fmt: skip
        if any(mod["mod"] == "worth" for mod in effect.get("worth", ())):
            entry["points"] = None
        for _ in range(2):
            try:
                from_data(listed([entry] + [blank(n) for n in range(900, 908)]))
                return entry
            except BadData as bad:
                icons = [e for e in bad.errors if "but the effect says" in e]
                if len(bad.errors) == len(icons) == 1:
                    entry["icons"] = ast.literal_eval(icons[0].split("effect says ")[1])


def blank(number: int) -> dict[str, Any]:
    return {"number": number, "name": "Plain", "courage": 12, "points": -2, "text": "",
            "effect": {}}  # fmt: skip


def listed(kids: list[dict[str, Any]]) -> bytes:
    return json.dumps({"edition": "made-up", "kids": kids}).encode()


def play(game: Game, rng: random.Random) -> None:
    """One random match; nothing is lost on the way, and every form has an answer."""
    seats = rng.randint(2, 6)
    options = {**random_options(game, seats, rng), "super_kid": False}
    state, setup = game.start(seats, game.checked_options(options))
    state = fold(state, begin(state, setup, Dice(b"seed", "made-up", 0, 1)))
    census = game.census(state)
    for place in range(1, 3000):
        if not state.pending:
            break
        top = state.pending[-1]
        seat = rng.choice(top.item.seats)
        assert top.item.prompt(state)
        option = top.item.form(state, seat).sample(rng.randrange)
        dice = Dice(b"seed", "made-up", place, place + 1)
        state = fold(state, decide(state, seat, Answer(top.id, option), dice))
        assert game.census(state) == census
    assert game.result(state) is not None


@pytest.mark.parametrize("number", range(FIRST, FIRST + MATCHES))
def test_a_made_up_list_of_kids_can_be_played(number: int) -> None:
    rng = random.Random(number)
    game = from_data(listed([kid(n, rng) for n in range(1, 41)]))
    for _ in range(2):
        play(game, rng)
