"""A publisher's own kids: loaded, played, told; and refused where an entry is broken."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from games import catalog
from games.game import BadData, Game
from games.ghosts_love_candy_too.game import GAME, from_data
from games.ghosts_love_candy_too.kids import RAW
from games.ghosts_love_candy_too.sheet import SHEETS
from games.rules import Refused
from tests.games.ghosts_love_candy_too.street import Street, slot, street

OURS = json.loads(RAW)["kids"]


def text(kids: list[dict[str, Any]], **changes: Any) -> bytes:
    return json.dumps({"edition": "street-9", "kids": kids, **changes}).encode()


def own(**changes: Any) -> list[dict[str, Any]]:
    """Thirty of our kids under other numbers, the first of them changed."""
    kids = [{**deepcopy(kid), "number": kid["number"] + 500} for kid in OURS[:30]]
    kids[0].update(changes)
    return kids


@pytest.fixture(autouse=True)
def _left_as_found() -> Iterator[None]:
    yield
    SHEETS.pop("street-9", None)
    catalog.EDITIONS.clear()


def edition(**changes: Any) -> Game:
    return from_data(text(own(**changes)))


def test_an_edition_has_its_own_id_digest_title_and_cards() -> None:
    game = from_data(text(own(name="Sprite"), title="Street Nine"))
    assert (game.id, game.edition, game.title) == (GAME.id, "street-9", "Street Nine")
    assert game.digest != GAME.digest and game.version != GAME.version
    assert game.version.startswith("1.")
    kids = [card for card in game.cards if card.kind == "kid"]
    assert len(kids) == 30 and kids[0].id == "501" and kids[0].name == "Sprite"
    other = from_data(text(own(name="Elf")))
    assert other.digest != game.digest and other.title == GAME.title


def test_it_is_found_in_the_catalogue_once_its_file_is_loaded(tmp_path: Path) -> None:
    folder = tmp_path / GAME.id
    folder.mkdir()
    (folder / "street-9.json").write_bytes(text(own()))
    (loaded,) = catalog.load(tmp_path)
    assert catalog.find(GAME.id, "street-9") is loaded
    assert catalog.find(GAME.id) is catalog.GAMES[GAME.id]
    broken = own()
    broken[3]["effect"] = {"now": [{"op": "fly"}]}
    (folder / "street-9.json").write_bytes(text(broken))
    with pytest.raises(BadData) as bad:
        catalog.load(tmp_path)
    assert "street-9.json: kid 504 (Witch): unknown operation 'fly' for this time" in str(bad.value)


def test_a_match_of_an_edition_plays_with_its_kids_and_names() -> None:
    game = edition(name="Sprite", effect={"now": [{"op": "draw", "n": 2}]}, text="Draw 2.")
    match = street({1: slot(501)}, "A3", game=game, bag="MINT CHOC BAR", fill=False)
    match.lay(row=(slot(502), *match.state.row[1:]))
    labels = [option.label() for option in match.form(0).options]
    assert labels == ["Black Cat (place 1)", "Sprite (place 2)"]
    assert match.form(0).options[1].refs() == ("kid:501", "slot:1")
    told = match.say("s1")
    assert match.stash("A") == ["CHOC", "MINT"]
    assert [game.narrate(e, 0) for e in told if type(e).__name__ == "AbilityUsed"] == [
        "Sprite acts."
    ]
    assert match.view(0)["edition"] == "street-9"


def test_whole_matches_of_an_edition_end_and_lose_nothing() -> None:
    game = edition()
    for number in range(6):
        rng = random.Random(number)
        match = Street.started(game, rng.randint(2, 6), easier=number % 2 == 0)
        census = game.census(match.state)
        match.play(rng.randrange)
        assert match.table.result is not None and game.census(match.state) == census


def test_the_bot_plays_an_edition() -> None:
    match = Street.started(edition(), 3)
    while match.state.pending:
        seat = match.asked.seats[0]
        seen = match.view(seat)
        sent = match.game.bot(seen, seen["question"], random.Random(1).randrange)
        match.answer(seat, match.table.picked(seat, seen["question"]["id"], sent))


def test_seven_easy_kids_are_enough_for_four_players_and_too_few_for_five() -> None:
    kids = own()
    for kid in kids[7:]:
        kid["easy"] = False
    game = from_data(text(kids))
    assert len(Street.started(game, 4, easier=True).state.deck) == 1
    with pytest.raises(Refused) as refused:
        game.start(5, game.checked_options({"easier": True}))
    assert refused.value.code == "bad_option" and "7 easy kids" in refused.value.why


DRAW = {"op": "draw", "n": 1}

BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"number": 0}, "kid 0 (Pumpkin): Expected `int` >= 1 - at `$.number`"),
    ({"number": "7"}, "entry 1 (Pumpkin): Expected `int`, got `str` - at `$.number`"),
    ({"name": ""}, "kid 501 (): Expected `str` of length >= 1 - at `$.name`"),
    ({"courage": 0}, "kid 501 (Pumpkin): Expected `int` >= 1 - at `$.courage`"),
    ({"colour": "red"}, "kid 501 (Pumpkin): Object contains unknown field `colour`"),
    ({"icons": ["XX"]}, "kid 501 (Pumpkin): Invalid enum value 'XX' - at `$.icons[0]`"),
    ({"icons": ["ON"]}, "kid 501 (Pumpkin): icons: ['ON'], but the effect says []"),
    ({"points": None}, "kid 501 (Pumpkin): points: null with a `worth` among the modifiers"),
    ({"effect": {"soon": []}}, "Object contains unknown field `soon` - at `$.effect`"),
    (
        {"effect": {"now": [{"op": "fly"}]}},
        "unknown operation 'fly' for this time",
    ),
    ({"effect": {"now": [{"n": 1}]}}, "Object missing required field `op` - at `$.effect.now[0]`"),
    (
        {"effect": {"now": [{"op": "draw"}]}},
        "Object missing required field `n` - at `$.effect.now[0]`",
    ),
    ({"effect": {"now": [{**DRAW, "m": 1}]}}, "unknown field `m` - at `$.effect.now[0]`"),
    ({"effect": {"now": [{**DRAW, "who": "ME"}]}}, "Invalid enum value 'ME'"),
    ({"effect": {"now": [{**DRAW, "n": 0}]}}, "Expected `int` >= 1 - at `$.effect.now[0].n`"),
    (
        {"effect": {"on": [{"mod": "glow"}]}},
        "unknown modifier 'glow' for this time",
    ),
    (
        {"effect": {"on": [{"mod": "winTies"}]}},
        "unknown modifier 'winTies' for this time",
    ),
    (
        {"effect": {"end": [{"op": "copy", "of": "ADJ1"}]}, "icons": ["EGN"]},
        "unknown operation 'copy' for this time - at `$.effect.end[0].op`",
    ),
    (
        {"effect": {"on": [{"mod": "value", "lo": 5, "hi": 3, "counts": 1}]}, "icons": ["ON"]},
        "effect.on: `value` from 5 to 3 is no range",
    ),
    (
        {"effect": {"worth": [{"mod": "worth"}]}, "icons": ["EGS"], "points": None},
        "`worth` needs one of `is`, `per` and `if`",
    ),
    (
        {"effect": {"worth": [{"mod": "worth", "is": 3}]}, "icons": ["EGS"]},
        "points: null with a `worth` among the modifiers, a number without",
    ),
    (
        {"effect": {"now": [{"op": "shift", "from": "ANY_KID", "to": "ANY_KID", "n": "all"}]}},
        "`shift` takes n=all with from=EVERY_KID, and n=1 from one kid",
    ),
    (
        {"effect": {"now": [{**DRAW, "n": "RETURNED"}]}},
        "effect.now[0]: RETURNED needs a `return` before it",
    ),
    (
        {"effect": {"now": [{"op": "serve", "on": "NEW"}]}},
        "effect.now[0]: NEW needs a `kidReplace` before it",
    ),
    (
        {"effect": {"now": [{**DRAW, "ifDone": True}]}},
        "effect.now[0]: `ifDone` needs a step before it",
    ),
    (
        {"effect": {"now": [{**DRAW, "who": "RECEIVER"}]}},
        "effect.now[0]: RECEIVER means nobody and nothing under `now`",
    ),
    (
        {"effect": {"scared": [DRAW]}, "icons": ["WS"]},
        "effect.scared[0]: YOU means nobody and nothing under `scared`",
    ),
    (
        {"effect": {"end": [{**DRAW, "who": "RECEIVER"}]}, "icons": ["EGN"]},
        "effect.end[0]: RECEIVER means nobody and nothing under `end`",
    ),
    (
        {"effect": {"afterPlace": [{"op": "put", "on": "ADJ", "n": 1}]}, "icons": ["OS", "AAK"]},
        "effect.afterPlace[0]: ADJ means nobody and nothing under `afterPlace`",
    ),
    (
        {
            "effect": {"scared": [{"op": "ghostDiscard", "of": "ANY_KID", "which": "top"}]},
            "icons": ["WS"],
        },
        "effect.scared[0]: nobody is there to choose ANY_KID",
    ),
    (
        {
            "effect": {"scared": [{"op": "serve", "on": "EVERY_KID", "may": True}]},
            "icons": ["WS"],
        },
        "effect.scared[0]: nobody is there to say yes or no",
    ),
]


@pytest.mark.parametrize(("changes", "error"), BROKEN, ids=[error for _, error in BROKEN])
def test_a_broken_entry_is_refused_by_name(changes: dict[str, Any], error: str) -> None:
    with pytest.raises(BadData) as bad:
        edition(**changes)
    assert (error in str(bad.value) and "(Pumpkin)" in str(bad.value)) or "kid 501 ()" in error
    assert "street-9" not in SHEETS


def test_a_missing_number_is_told_by_the_place_of_the_entry() -> None:
    kids = own()
    del kids[4]["number"]
    kids[7] = "not a kid"  # type: ignore[call-overload]
    with pytest.raises(BadData) as bad:
        from_data(text(kids))
    assert bad.value.errors == (
        "entry 5 (Vampire): Object missing required field `number`",
        "entry 8: Expected `object`, got `str`",
    )


def test_a_number_given_twice_is_told_with_both_names() -> None:
    kids = own()
    kids[4]["number"] = 501
    with pytest.raises(BadData) as bad:
        from_data(text(kids))
    assert bad.value.errors == ("kid 501: 2 entries have this number: Pumpkin, Vampire",)


def test_all_errors_are_told_at_once() -> None:
    kids = own(courage=-1)
    kids[3]["effect"] = {"now": [{"op": "fly"}]}
    with pytest.raises(BadData) as bad:
        from_data(text(kids[:5]))
    assert len(bad.value.errors) == 3
    assert bad.value.errors[-1] == "the file: 5 kids; at least 9 are needed"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"{", "the file: Input data was truncated"),
        (b"[]", "the file: Expected `object`, got `array`"),
        (b'{"kids": []}', "the file: Object missing required field `edition`"),
        (b'{"edition": "", "kids": []}', "the file: edition '' is no id"),
        (b'{"edition": "A/b", "kids": []}', "the file: edition 'A/b' is no id"),
        (b'{"edition": "x", "kids": [], "cards": 1}', "unknown field `cards`"),
        (b"\xff\xfe", "the file: "),
    ],
)
def test_a_file_that_is_no_list_of_kids_is_refused(data: bytes, error: str) -> None:
    with pytest.raises(BadData) as bad:
        from_data(data)
    assert error in str(bad.value)
