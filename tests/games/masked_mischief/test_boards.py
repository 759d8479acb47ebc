"""Boards: the printed ones, publishers' own, and everything that can be wrong with one."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from games import catalog
from games.game import BadData
from games.masked_mischief import atlas, printed
from games.masked_mischief.game import GAME, from_data
from games.masked_mischief.options import Go
from games.rules import Refused
from tests.games.masked_mischief.given import A, B, C, mischief
from tests.play import Match, random_match

THREE: dict[str, Any] = {
    "id": "three-skulls",
    "players": [2, 3],
    "cauldrons": 2,
    "compact": {
        "loop": 30,
        "skulls": [0, 11, 20],
        "arm": [2, 5, 3],
        "houses": [
            {"id": "N", "at": 5, "cauldron": 0, "character": "Nell"},
            {"id": "S", "at": 15, "cauldron": 1},
            {"id": "W", "at": 25, "cauldron": 1},
        ],
    },
}

RING = ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"]
EXPLICIT: dict[str, Any] = {
    "id": "ring",
    "players": [2, 2],
    "cauldrons": 2,
    "centre": "crypt",
    "loop": RING,
    "kinds": {"n0": "skull", "n5": "skull", "n2": "house", "n7": "house", "n1": "plain"},
    "houses": [
        {"id": "H1", "space": "n2", "cauldron": 0},
        {"id": "H2", "space": "n7", "cauldron": 1},
    ],
    "arms": [
        {"id": "x", "skull": "n0", "spaces": ["x1"]},
        {"id": "y", "skull": "n5", "spaces": ["y1", "y2", "y3"]},
    ],
}
SQUARE = {
    **{name: [100 * i, 0] for i, name in enumerate(RING[:6])},
    **{name: [400 - 100 * i, 300] for i, name in enumerate(RING[6:])},
    **{"x1": [50, 100], "y1": [450, 100], "y2": [400, 150], "y3": [300, 150], "crypt": [200, 150]},
}


def but(board: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps({**board, **changes}).encode()


def compact(**changes: Any) -> bytes:
    return but(THREE, compact={**THREE["compact"], **changes})


def test_the_printed_boards() -> None:
    small, large = printed.PRINTED
    assert (len(small.loop), len(small.loop_plain), len(small.plain)) == (56, 48, 72)
    assert (len(large.loop), len(large.loop_plain), len(large.plain)) == (72, 62, 86)
    assert [house.space for house in small.houses] == ["o7", "o21", "o35", "o49"]
    assert [house.cauldron for house in large.houses] == [0, 1, 2, 3, 0, 2]
    assert small.skulls == ("o0", "o14", "o28", "o42")
    assert small.arms[1].spaces == ("b1", "b2", "b3", "b4", "b5", "b6")
    assert small.notes == large.notes == ()


def test_steps_and_distances() -> None:
    board = printed.PRINTED[0]
    assert board.step("o55", "cw") == "o0" and board.step("o0", "ccw") == "o55"
    assert board.step("o14", "in") == "b1" and board.step("b1", "out") == "o14"
    assert board.step("b6", "in") == "hh"
    assert board.distances("b6")["o14"] == 6 and board.distances("b6")["a6"] == 26
    assert "hh" not in board.distances("b6"), "never through the Haunted House"
    assert board.nearest("o7", board.skulls) == ("o0", "o14")


def test_every_space_has_a_place_to_be_drawn() -> None:
    for board in printed.PRINTED:
        listed = board.listed()
        assert len(listed) == len({row[0] for row in listed}) == len(board.loop) + 25
        assert all(0 <= x <= 1000 and 0 <= y <= 1000 for _, _, x, y in listed)
        assert len({row[2:] for row in listed}) == len(listed), "no two on one point"
    kinds = {row[0]: row[1] for row in printed.PRINTED[0].listed()}
    assert (kinds["o7"], kinds["o0"], kinds["b2"], kinds["hh"], kinds["o1"]) == (
        "house:H1",
        "skull",
        "arm:o14",
        "centre",
        "plain",
    )


def test_compact_and_explicit_are_the_same_board() -> None:
    given = atlas.read(but(THREE))
    again = atlas.read(
        json.dumps(
            {
                "id": given.id,
                "players": given.players,
                "cauldrons": given.cauldrons,
                "loop": given.loop,
                "kinds": given.kinds,
                "houses": [
                    {"id": h.id, "space": h.space, "cauldron": h.cauldron, "character": h.character}
                    for h in given.houses
                ],
                "arms": [{"id": a.id, "skull": a.skull, "spaces": a.spaces} for a in given.arms],
            }
        ).encode()
    )
    assert again == given
    assert atlas.board(again, ()).listed() == atlas.board(given, ()).listed()


def test_an_edition_is_loaded_from_its_directory_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "EDITIONS", {})
    folder = tmp_path / "masked-mischief"
    folder.mkdir()
    (folder / "three-skulls.json").write_bytes(but(THREE))
    (game,) = catalog.load(tmp_path)
    assert catalog.find("masked-mischief", "three-skulls") is game
    assert (game.least, game.most) == (2, 3) and game.digest != GAME.digest
    match = random_match(game, 1)
    assert match.table.result and match.state.map.id == "three-skulls"
    assert {match.state.characters[seat] for seat in range(match.seats)} <= {"Nell", "Pip", "Wren"}
    (folder / "three-skulls.json").write_bytes(compact(skulls=[0, 99, 20]))
    with pytest.raises(BadData, match=r"three-skulls\.json: compact\.skulls: 99 is not on a loop"):
        catalog.load(tmp_path)


@pytest.mark.parametrize("number", range(6))
def test_random_matches_on_boards_of_all_shapes(number: int) -> None:
    for data in (but(THREE), but(EXPLICIT), but(EXPLICIT, xy=SQUARE)):
        game = from_data(data)
        rng = random.Random(number)
        match = Match.started(game, rng.randint(game.least, game.most))
        counts = game.census(match.state)
        match.play(rng.randrange)
        assert match.table.result and game.census(match.state) == counts


def test_unequal_arms_and_three_skulls() -> None:
    match = mischief(
        seats=3,
        game=from_data(but(THREE)),
        at={A: "o10 cw", B: "b4 in", C: "o24 cw"},
        haunted=3,
        visits={"chuckles@S": 2, "clyde@W": 1},
    )
    match.roll(1)
    assert match.state.at == ("o11", "o11", "o20") and match.state.cauldrons == (0, 3)
    assert match.ask() == ("TreatOrRoll", B)
    match.roll(6)
    assert match.ask() == ("PickCauldron", B), "five spaces and the sixth step is in"


def test_one_cauldron_leaves_nothing_to_split() -> None:
    one = {**THREE["compact"], "houses": [{**h, "cauldron": 0} for h in THREE["compact"]["houses"]]}
    game = from_data(but(THREE, cauldrons=1, compact=one))
    match = mischief(seats=2, game=game)
    match.say(match.form(A).options[1])
    assert match.ask() == ("LayAll", A) and match.state.cauldrons == (2,)


def test_a_small_board_is_played_and_noted() -> None:
    game = from_data(but(EXPLICIT))
    (text,) = [card.text for card in game.cards if card.kind == "board"]
    assert "10 plain spaces: not all 16 tiles of the setup will fit" in text
    match = Match.started(game, 2)
    rng = random.Random(1)
    while type(match.asked).__name__ != "TreatOrRoll" and type(match.asked).__name__ != "Shop":
        seat = match.asked.seat
        match.answer(seat, match.form(seat).sample(rng.randrange))
    assert len(match.state.tiles) == 10 and not match.state.blanks()
    assert len(match.state.bags[A]) == 32 and match.state.placing == ((), ())
    assert len(match.state.treats) == 44 - 2


def test_tricks_of_the_setup_that_find_no_space_go_back() -> None:
    tiny = {
        **EXPLICIT,
        "loop": ["n0", "n2", "n3", "n5", "n7"],
        "kinds": {"n0": "skull", "n5": "skull", "n2": "house", "n7": "house"},
        "arms": [
            {"id": "x", "skull": "n0", "spaces": ["x1"]},
            {"id": "y", "skull": "n5", "spaces": ["y1"]},
        ],
    }
    match = Match.started(from_data(but(tiny)), 2)
    rng = random.Random(2)
    while type(match.asked).__name__ not in ("TreatOrRoll", "Shop"):
        seat = match.asked.seat
        match.answer(seat, match.form(seat).sample(rng.randrange))
    assert len(match.state.tiles) == 3 and sum(map(len, match.state.bags)) == 69


def test_more_houses_than_names_and_a_board_without_corners() -> None:
    houses = [{"id": f"H{i}", "at": 2 * i + 1, "cauldron": 0} for i in range(8)]
    data = but(
        THREE, compact={"loop": 20, "skulls": [0, 18], "arm": 1, "houses": houses}, cauldrons=1
    )
    board = from_data(data).cards and printed.setting(data).board
    assert board.houses[-1].character == "H7" and board.houses[0].character == "Pip"
    assert len({row[2:] for row in board.listed()}) == len(board.listed())


def test_the_numbers_of_the_rules_can_be_replaced() -> None:
    game = from_data(but(THREE, constants={"die": 4, "race_at": 2, "start_candy": 9}))
    match = mischief(seats=2, game=game, at={A: "o10 cw"}, haunted=1)
    assert Match.started(game, 2).state.candy == (9, 9)
    match.roll(1)
    assert match.state.facing == ("in", "in")
    for constants, wrong in (
        ({"die": 0}, "die"),
        ({"dice": 2}, "dice"),
        ({"price": {"trick": 1}}, "price"),
        ({"candy_supply": -1}, "candy_supply"),
    ):
        with pytest.raises(BadData, match=f"constants: .*{wrong}"):
            from_data(but(THREE, constants=constants))


def test_free_tiles_and_more_to_lay() -> None:
    prices = {"trick": 0, "treat": 0, "mask": 0}
    game = from_data(but(THREE, constants={"price": prices, "treat_extra": 2}))
    match = mischief(seats=2, game=game, candy={A: 0})
    assert match.offered()[:4] == ["buy_tricks:1", "buy_tricks:2", "buy_treats:1", "buy_treats:2"]
    match.say(match.form(A).options[2])
    for _ in range(2):
        assert match.ask() == ("LayOne", A)
        match.say(match.form(A).options[0])
    assert len(match.hand(A)) == 1
    crowded = mischief(seats=2, game=game, candy={A: 0}, tiles={"o1": "K07/B"})
    tile = crowded.state.tiles["o1"]
    crowded.lay(tiles=dict.fromkeys(crowded.state.map.plain[1:], tile))
    assert crowded.offered()[:1] == ["buy_tricks:1"], "two Treats need two spaces"
    assert "buy_treats:1" not in crowded.offered()


WRONG: dict[str, tuple[bytes, str]] = {
    "no json": (b"{", "truncated"),
    "field missing": (but({"id": "x"}), "players"),
    "field unknown": (but(THREE, colour="red"), "colour"),
    "odd id": (but(THREE, id="a b"), r"\$\.id"),
    "players": (but(THREE, players=[1, 3]), r"players: 1 to 3 is not a range within 2 to 6"),
    "players turned": (but(THREE, players=[3, 2]), "players: 3 to 2"),
    "too few houses": (but(THREE, players=[2, 4]), "houses: 3 are too few for 4 players"),
    "two forms": (but(THREE, loop=["o0"]), "written in one form"),
    "skull off": (compact(skulls=[0, 30, 20]), "30 is not on a loop of 30 spaces"),
    "skull twice": (compact(skulls=[0, 0, 20]), "compact.skulls: 0 stands there 2 times"),
    "arm lengths": (compact(arm=[2, 3]), "compact.arm: 2 lengths for 3 skulls"),
    "house off": (
        compact(houses=[{"id": "N", "at": 31, "cauldron": 0}]),
        "house N: 31 is not on a loop",
    ),
    "house on a skull": (
        compact(houses=[{"id": "N", "at": 11, "cauldron": 0}]),
        "house N: o11 is a skull",
    ),
    "short loop": (but(EXPLICIT, loop=["n0", "n2"]), "loop: 2 spaces make no loop"),
    "space twice": (but(EXPLICIT, loop=[*RING, "n3"]), "spaces: n3 stands there 2 times"),
    "arm space twice": (
        but(EXPLICIT, arms=[{"id": "x", "skull": "n0", "spaces": ["n3"]}, EXPLICIT["arms"][1]]),
        "spaces: n3 stands there 2 times",
    ),
    "kind off the loop": (
        but(EXPLICIT, kinds={**EXPLICIT["kinds"], "x1": "plain"}),
        "kinds: x1 is not on the loop",
    ),
    "kind unknown": (but(EXPLICIT, kinds={"n0": "pit"}), "pit"),
    "house id twice": (
        but(EXPLICIT, houses=[EXPLICIT["houses"][0], {**EXPLICIT["houses"][1], "id": "H1"}]),
        "houses: H1 stands there 2 times",
    ),
    "house nowhere": (
        but(EXPLICIT, houses=[EXPLICIT["houses"][0], {"id": "H2", "space": "q", "cauldron": 0}]),
        "house H2: q is not on the loop",
    ),
    "house on plain": (
        but(EXPLICIT, houses=[EXPLICIT["houses"][0], {"id": "H2", "space": "n8", "cauldron": 0}]),
        "house H2: kinds says that n8 is plain",
    ),
    "house unnamed": (
        but(EXPLICIT, kinds={**EXPLICIT["kinds"], "n8": "house"}),
        "kinds: n8 is a house, but no house names it",
    ),
    "cauldron": (but(EXPLICIT, cauldrons=1), "house H2: cauldron 1 of 1"),
    "character twice": (
        but(EXPLICIT, houses=[{**h, "character": "Pip"} for h in EXPLICIT["houses"]]),
        "characters: Pip stands there 2 times",
    ),
    "no skull": (
        but(EXPLICIT, kinds={"n2": "house", "n7": "house"}, arms=[]),
        "there is no skull",
    ),
    "arm to nowhere": (
        but(EXPLICIT, arms=[{**EXPLICIT["arms"][0], "skull": "n3"}, EXPLICIT["arms"][1]]),
        "arm x: n3 is not a skull",
    ),
    "skull without arm": (but(EXPLICIT, arms=EXPLICIT["arms"][:1]), "skull n5: no arm begins"),
    "skull with two arms": (
        but(EXPLICIT, arms=[*EXPLICIT["arms"], {"id": "z", "skull": "n0", "spaces": ["z1"]}]),
        "arm skulls: n0 stands there 2 times",
    ),
    "empty arm": (
        but(EXPLICIT, arms=[{"id": "x", "skull": "n0", "spaces": []}, EXPLICIT["arms"][1]]),
        "arm x: it has no spaces",
    ),
    "xy missing": (but(EXPLICIT, xy={"n0": [0, 0]}), "xy: none for n1, n2"),
    "xy unknown": (but(EXPLICIT, xy={**SQUARE, "q": [1, 1]}), "xy: there is no space q"),
    "anticlockwise": (
        but(EXPLICIT, xy={space: [x, -y] for space, (x, y) in SQUARE.items()}),
        "list it clockwise",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_board_is_named(case: str) -> None:
    data, told = WRONG[case]
    with pytest.raises(BadData, match=told):
        from_data(data)


def test_all_errors_are_told_at_once() -> None:
    with pytest.raises(BadData) as bad:
        from_data(but(EXPLICIT, cauldrons=1, players=[2, 7]))
    assert len(bad.value.errors) == 3


def test_an_edition_has_its_own_seats_and_board() -> None:
    game = from_data(but(THREE))
    options = game.checked_options({"board": "mm-4x14"})
    with pytest.raises(Refused) as refused:
        game.start(2, options)
    assert refused.value.code == "bad_option"
    with pytest.raises(Refused) as refused:
        game.start(4, game.checked_options({}))
    assert refused.value.code == "bad_seats"


def test_two_files_of_one_id_are_two_boards() -> None:
    first = Match.started(from_data(but(THREE)), 2)
    second = Match.started(from_data(compact(arm=1)), 2)
    assert first.state.board != second.state.board
    assert len(first.state.map.plain) > len(second.state.map.plain)
    assert Go("b5").space in first.state.map.plain
