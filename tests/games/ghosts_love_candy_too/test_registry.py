"""The list of kids is whole, and every kid has a test of its own."""

from __future__ import annotations

import re
from pathlib import Path

from games.ghosts_love_candy_too.ability import PICKS, Picks
from games.ghosts_love_candy_too.game import GAME
from games.ghosts_love_candy_too.kids import OURS, AnyOp, EndOp, NowOp, ScaredOp
from games.ghosts_love_candy_too.mods import OnMod, ScareMod, StashMod, WorthMod
from games.ghosts_love_candy_too.options import Options
from games.ghosts_love_candy_too.tables import CRAVINGS, SEATS, TREATS
from tests.games.ghosts_love_candy_too import test_kids_moves, test_kids_treats

HERE = Path(__file__).parent


def numbers_tested() -> set[int]:
    """The numbers in the cases, and in the names of tests: `kid59`, `kids59_and_60`, `to`."""
    numbers = {case.kid for case in (*test_kids_treats.CASES, *test_kids_moves.CASES)}
    for path in HERE.glob("test_kids_*.py"):
        for first, word, last in re.findall(
            r"def test_kids?(\d+)(?:_(and|to)_(\d+))?", path.read_text()
        ):
            numbers |= {int(first), int(last or first)}
            if word == "to":
                numbers |= set(range(int(first), int(last)))
    return numbers


def test_all_hundred_kids_have_a_test_of_their_own() -> None:
    assert numbers_tested() == set(OURS.kids)


def test_the_hundred_kids_are_those_of_the_box() -> None:
    kids = OURS.kids.values()
    assert [kid.number for kid in kids] == list(range(1, 101))
    assert len({kid.name for kid in kids}) == 100
    assert [kid.number for kid in kids if kid.easy] == list(range(1, 31))
    assert all(kid.source in ("ours", "found") for kid in kids)
    assert sum(kid.points > 0 for kid in kids) == 5
    assert sum(kid.points == -2 for kid in kids) == 91
    icons = [icon for kid in kids for icon in kid.icons]
    counts = {icon: icons.count(icon) for icon in ("ON", "AAK", "WS", "EGN", "EGS", "OS")}
    assert counts == {"ON": 16, "AAK": 9, "WS": 7, "EGN": 8, "EGS": 5, "OS": 5}


def test_every_step_and_modifier_is_on_some_kid() -> None:
    effects = [kid.effect for kid in OURS.kids.values()]
    used = {
        type(part)
        for effect in effects
        for key in effect.__struct_fields__
        for part in getattr(effect, key)
    }
    known = {op for union in (AnyOp, NowOp, ScaredOp, EndOp) for op in union.__args__}
    known |= {m for union in (OnMod, StashMod, ScareMod, WorthMod) for m in union.__args__}
    assert used == known


def test_every_question_of_an_ability_has_its_word() -> None:
    assert {*PICKS.values()} | {Picks.__args__[-1]} == set(Picks.__args__)
    tags = [member.__struct_config__.tag for member in Options.__args__]
    assert len(set(tags)) == len(tags)


def test_the_other_parts_of_the_box() -> None:
    assert sum(TREATS.values()) == 76 and TREATS["BAR"] == 6 and TREATS["JUNK"] == 10
    assert sorted(SEATS) == [2, 3, 4, 5, 6]
    assert all(sorted(values.values()) == [0, 1, 2, 3, 4, 5] for values in CRAVINGS.values())
    kinds = [card.kind for card in GAME.cards]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "kid": 100, "treat": 8, "ghost": 9, "craving": 6,
    }  # fmt: skip
    assert all(card.source for card in GAME.cards)
