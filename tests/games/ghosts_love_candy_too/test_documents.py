"""The pages on this game are true: what they show is what the game asks, reads and refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.game import BadData
from games.ghosts_love_candy_too.ability import PICKS
from games.ghosts_love_candy_too.game import GAME, from_data
from games.ghosts_love_candy_too.kids import EffectRow
from games.ghosts_love_candy_too.options import Play
from games.ghosts_love_candy_too.sheet import SHEETS
from games.rules import asked
from tests.games.ghosts_love_candy_too.street import Street, slot, street
from tests.games.ghosts_love_candy_too.test_scenarios_setup import choosing

DOCS = Path(__file__).parents[3] / "docs" / "games"
PAGE = (DOCS / "ghosts-love-candy-too.md").read_text()
KIDS = (DOCS / "ghosts-love-candy-too-kids.md").read_text()
SHOWN = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
EDITION = json.loads(re.findall(r"```json\n(.*?)```", KIDS, re.DOTALL)[0])


def tied() -> Street:
    match = choosing(2)
    match.answer(0, Play((5, 5)))
    match.answer(1, Play((5, 1)))
    return match


def said(match: Street, *answers: str) -> Street:
    match.say(*answers)
    return match


def with_spider() -> Street:
    return street({1: slot(63), 2: slot(12, "", "JUNK CHOC")}, "A3")


def with_treats() -> Street:
    return street({2: slot(4), 0: slot(8, "", "MINT"), 5: slot(18, "", "CHOC")}, "A5")


def dealt() -> Street:
    match = Street.started(GAME, 4)
    assert isinstance(match, Street)
    return match


SUPER: dict[str, Any] = {"options": {"super_kid": True}, "deck": [24], "A": "LOLLY CHOC"}
CLOWN: dict[str, Any] = {"A": "CHOC LICO", "C": "MINT CORN"}
PIRATE = {2: slot(3), 1: slot(8, "", "MINT CHOC")}

SCENES: dict[str, Any] = {
    "keep_treats": dealt,
    "choose_ghosts": lambda: choosing(2),
    "order_own_tie": tied,
    "haunt": lambda: street({2: slot(23, "B4", "MINT")}, "A5"),
    "leave_treat": lambda: said(with_spider(), "s2"),
    "use_ability": lambda: said(street({2: slot(6)}, "A5", A="JUNK MINT"), "s2"),
    "pick_kid": lambda: said(with_treats(), "s2"),
    "pick_treat": lambda: said(street(PIRATE, "A5"), "s2"),
    "pick_own_treat": lambda: said(street({2: slot(11)}, "A5", A="JUNK MINT", B="BAR"), "s2"),
    "toss_treat": lambda: said(street({2: slot(85)}, "A5", A="JUNK MINT"), "s2"),
    "pick_player": lambda: said(street({2: slot(5)}, "A5", B="JUNK MINT", C="BAR"), "s2"),
    "pick_ghost": lambda: said(street({2: slot(58, "B4 C1")}, "A3"), "s2", "yes"),
    "order_pile": lambda: said(street({2: slot(42, "B4")}, "A3"), "s2", "yes"),
    "keep_drawn": lambda: said(street({2: slot(2)}, "A3", bag="MINT CHOC"), "s2"),
    "discard_drawn": lambda: said(street({2: slot(1)}, "A3", bag="MINT CHOC", A_kids=[94]), "s2"),
    "name_candy": lambda: said(street({2: slot(44)}, "A3", bag="MINT CHOC"), "s2"),
    "pick_stash_kid": lambda: said(
        street({2: slot(8)}, "A3", A_kids=[1], B_kids=[92]), "s2", "yes"
    ),
    "pick_hand_ghost": lambda: said(street({2: slot(31)}, "A3"), "s2", "yes"),
    "return_treats": lambda: said(street({2: slot(34)}, "A3", A="MINT JUNK", bag="BAR"), "s2"),
    "pick_end": lambda: said(street({2: slot(38)}, "A3"), "s2", "yes"),
    "pass_treat": lambda: said(street({2: slot(14)}, "A3", **CLOWN), "s2"),
    "give_back": lambda: said(street({1: slot(1, "B5")}, "A7", **SUPER), "s1"),
}


@pytest.mark.parametrize("shown", SHOWN, ids=[shown["kind"] for shown in SHOWN])
def test_the_page_shows_what_is_asked(shown: dict[str, Any]) -> None:
    match = SCENES[shown["kind"]]()
    real = json.loads(msgspec.json.encode(asked(match.state, match.asked.seats[0])))
    for name in ("options", "items", "places"):
        printed = shown["form"].get(name)
        if printed is not None and shown["kind"] != "keep_treats":
            assert real["form"][name][: len(printed)] == printed
        real["form"].pop(name, None)
        shown["form"].pop(name, None)
    assert real == shown


def test_the_page_shows_every_kind_of_question_and_every_option() -> None:
    assert [shown["kind"] for shown in SHOWN] == list(SCENES)
    kinds = {cls.__struct_config__.tag for cls in PICKS.values()}
    assert all(f"`{kind}`" in PAGE for kind in kinds)
    assert all(f"`{name}`" in PAGE for name in GAME.options.__struct_fields__)


def test_the_page_names_every_member_of_the_view() -> None:
    names = set(street({}, "A1").view(0)) - {"question"}
    assert {name for name in names if f"`{name}`" not in PAGE} == set()


@pytest.fixture(autouse=True)
def _left_as_found() -> Iterator[None]:
    yield
    SHEETS.pop("school-yard", None)


def test_the_edition_on_the_page_can_be_played() -> None:
    game = from_data(json.dumps(EDITION).encode())
    match = Street.started(game, 5).play(lambda n: n - 1)
    assert match.table.result is not None


BROKEN: list[tuple[int, dict[str, Any]]] = [
    (3, {"effect": {"now": [{"op": "tos"}]}}),
    (4, {"number": None}),
    (5, {"number": 7}),
    (1, {"icons": ["ON"]}),
    (4, {"effect": {"scared": [{"op": "draw", "n": 1}]}}),
    (2, {"points": 1}),
]


@pytest.mark.parametrize(("at", "change"), BROKEN)
def test_the_faults_on_the_page_are_told_like_that(at: int, change: dict[str, Any]) -> None:
    edition = deepcopy(EDITION)
    edition["kids"][at].update(change)
    if change.get("number", 0) is None:
        del edition["kids"][at]["number"]
    if change.get("number") == 7:
        edition["kids"][5:7] = edition["kids"][6:4:-1]
    with pytest.raises(BadData) as bad:
        from_data(json.dumps(edition).encode())
    assert bad.value.errors[0] in KIDS


def words(schema: Any) -> Iterator[str]:
    """Every tag, member and word that the schema of an effect knows."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        yield from (word for word in schema.get("enum", ()) if isinstance(word, str))
        for part in schema.values():
            yield from words(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from words(part)


def test_the_page_on_kids_has_every_word_of_the_vocabulary() -> None:
    known = set(words(msgspec.json.schema(EffectRow)))
    missing = {word for word in known if not re.search(rf"\b{word}\b", KIDS)}
    assert missing == set()
    steps = known & set(re.findall(r"^\| `(\w+)` \|", KIDS, re.MULTILINE))
    assert len(steps) >= 27
