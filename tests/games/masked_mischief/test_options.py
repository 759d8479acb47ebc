"""Every house-rule option: the same deed by the rules and by the option."""

from __future__ import annotations

from typing import Any

import pytest

from games.masked_mischief.events import SpareKept
from games.masked_mischief.game import GAME
from games.masked_mischief.options import Face, Go, Mask, Pick, Swap, TileFace
from games.rules import Refused
from tests.games.masked_mischief.given import (
    MASKS,
    A,
    B,
    C,
    D,
    Given,
    draws,
    facts,
    mischief,
    status,
)


def hop_into_a_house(who: int, **options: Any) -> Given:
    match = mischief(at={A: "o20 cw", B: "o20 cw"}, hands={A: "T02"}, options=options)
    match.play_treat("T02")
    match.say(Pick(who))
    return match


def test_house_counter() -> None:
    for who, by_rules, dice_only, any_tile in ((A, 0, 0, 1), (B, 1, 0, 1)):
        for value, visits in (
            ("dice_or_others_tile", by_rules),
            ("dice_only", dice_only),
            ("any_tile", any_tile),
        ):
            match = hop_into_a_house(who, house_counter=value)
            assert sum(match.state.visits.values()) == visits, (who, value)
            assert match.state.candy == (5, 5, 5, 5)
    leap = mischief(at={A: "o17 cw"}, hands={A: "T05"}, options={"house_counter": "any_tile"})
    leap.play_treat("T05")
    assert leap.state.candy[A] == 9, "a tile in place of the roll stays a roll"


def test_end_timing() -> None:
    given: dict[str, Any] = {"at": {A: "o17 cw"}, "visits": {"chuckles@H2": 2}}
    match = mischief(**given, hands={A: "T02 T05"})
    match.play_treat("T05")
    assert match.asked is None
    match = mischief(**given, options={"end_timing": "end_of_turn"})
    match.roll(5)
    assert match.asked is None and match.state.candy[A] == 5
    match = mischief(
        at={A: "o10 cw", B: "o20 cw"},
        hands={A: "T02"},
        visits={"esmerelda@H2": 2},
        options={"end_timing": "end_of_turn"},
    )
    match.play_treat("T02")
    match.say(Pick(B))
    assert match.ask() == ("TreatOrRoll", A), "play runs on"
    match.roll(1)
    assert match.asked is None and match.state.visits == {"esmerelda@H2": 3}


def dressed(seats: int, **options: Any) -> tuple[Given, list[Any]]:
    match = Given.started(GAME, seats, **options)
    for _ in range(seats):
        match.say(match.form(match.asked.seat).options[0])
    events: list[Any] = []
    for mask in MASKS[:seats]:
        events = match.say(Mask(mask))
    return match, events


def test_spare_masks() -> None:
    match, events = dressed(2)
    assert match.state.spares == ("clyde", "moonmoon", "dullahan")
    assert not facts(events, SpareKept)
    match, events = dressed(2, spare_masks="one")
    kept = facts(events, SpareKept)[0].mask
    assert match.state.spares == (kept,) and len(match.state.unused) == 2
    match, events = dressed(4, spare_masks="one")
    assert match.state.spares == ("dullahan",) and not facts(events, SpareKept)


def test_trick_copies() -> None:
    assert len(Given.started(GAME, 2).state.bags[A]) == 36
    match = Given.started(GAME, 2, trick_copies="all_one")
    assert len(match.state.bags[A]) == len(set(match.state.bags[A])) == 19


def test_trick_draw() -> None:
    given: dict[str, Any] = {"at": {A: "o10 cw"}, "hands": {A: "T09"}}
    match = mischief(**given)
    match.play_treat("T09")
    assert match.ask() == ("LayAll", A)
    match = mischief(**given, options={"trick_draw": "choose"})
    match.play_treat("T09")
    assert match.ask() == ("ChooseTricks", A) and match.asked.secret
    match.say((TileFace("K07"), TileFace("K19")))
    assert match.ask() == ("LayAll", A) and match.state.placing[A] == ("K07", "K19")
    setup, _ = dressed(2, trick_draw="choose")
    assert setup.ask()[0] == "ChooseTricks" and setup.asked.count == 4


def test_place_under_figures() -> None:
    given: dict[str, Any] = {"at": {A: "o10 cw"}, "hands": {A: "T09"}}
    match = mischief(**given)
    match.play_treat("T09")
    assert Go("o10") in match.form(A).places
    match = mischief(**given, options={"place_under_figures": False})
    match.play_treat("T09")
    assert Go("o10") not in match.form(A).places and Go("o11") in match.form(A).places


def test_first_turn_mask_swap() -> None:
    assert "buy_mask:dullahan" in mischief(begun=status()).offered()
    match = mischief(at={B: "o24 cw"}, begun=status(), options={"first_turn_mask_swap": False})
    assert match.offered() == ["done"]
    later = mischief(options={"first_turn_mask_swap": False})
    assert "buy_mask:dullahan" in later.offered()


def test_passing_moves() -> None:
    given: dict[str, Any] = {"at": {A: "o10 cw", C: "o12 ccw"}, "tiles": {"o11": "K02/B"}}
    match = mischief(**given)
    match.roll(1)
    assert match.ask() == ("Shop", B)
    match = mischief(**given, options={"passing_moves": "any_walk"})
    match.roll(1)
    assert match.ask() == ("SwapMasks", A) and match.asked.other == C
    match.say(Swap(True))
    assert match.state.masks[A] == "clyde"


def test_relocation_lands() -> None:
    given: dict[str, Any] = {
        "at": {A: "o10 cw", B: "o16 ccw"},
        "tiles": {"o16": "K07/C", "o10": "T10"},
        "hands": {A: "T15"},
    }
    match = mischief(**given)
    match.play_treat("T15")
    assert match.state.candy == (5, 5, 5, 5) and match.ask() == ("TreatOrRoll", B)
    match = mischief(**given, options={"relocation_lands": True})
    match.play_treat("T15")
    assert match.state.candy == (0, 5, 10, 5), "A lands on K07"
    assert match.hand(B) == ["T10"], "and then B on the Treat"
    assert match.ask() == ("TreatOrRoll", B)
    buddy = mischief(at={A: "o10 cw"}, tiles={"o13": "K09/B"}, options={"relocation_lands": True})
    buddy.roll(3)
    assert buddy.state.visits == {"chuckles@H2": 1} and buddy.ask() == ("SwapMasks", B)


def test_nearest_tie() -> None:
    for value, asked in (("moved_player", B), ("effect_user", A)):
        match = mischief(at={A: "o12 cw"}, haunted=3, options={"nearest_tie": value})
        match.roll(2)
        assert match.ask() == ("NearestSkull", asked) and match.asked.moved == B
    for value, asked in (("moved_player", A), ("effect_user", D)):
        for order in ("one_by_one", "move_all_then_resolve"):
            match = mischief(
                active=D,
                at={A: "o10 cw", D: "o45 cw"},
                hands={D: "T22"},
                options={"nearest_tie": value, "howl_order": order},
            )
            match.play_treat("T22")
            match.say((Go("o8"), Go("o12"), Go("c1")))
            assert match.ask()[1] == asked and match.asked.victim == A


def test_deposit_basis() -> None:
    given: dict[str, Any] = {
        "at": {A: "o12 cw", B: "o24 cw", C: "o36 cw", D: "o45 cw"},
        "haunted": 3,
        "visits": {"clyde@H1": 2},
    }
    for value, pots in (("total", (4, 0, 0, 0)), ("since_last_race", (2, 0, 0, 0))):
        match = mischief(**given, options={"deposit_basis": value})
        match.roll(2)
        assert match.state.cauldrons == (2, 0, 0, 0)
        match.lay(haunted=3, at=("o12", *match.state.at[1:]), facing=("cw",) * 4)
        match.lay(at=("o12", "o26", "o36", "o40"))
        match.roll(2)
        assert match.state.cauldrons == pots, value


def test_ltgb_deposit() -> None:
    for deposit, pots in ((True, (2, 0, 0, 0)), (False, (0, 0, 0, 0))):
        match = mischief(
            at={A: "o10 cw", B: "o24 cw", C: "o36 cw", D: "o45 cw"},
            ltgb="o12",
            visits={"clyde@H1": 2},
            options={"ltgb_deposit": deposit},
        )
        match.roll(2)
        match.say((0, 0, 0, 0, 5))
        assert match.state.cauldrons == pots and match.ask() == ("TreatOrRoll", B)


def test_off_turn_window() -> None:
    for value, codes in (("full", {"T05", "T10"}), ("no_roll_tiles", {"T10"})):
        match = mischief(
            at={A: "o10 cw"},
            masks=("esmerelda", "chuckles", "clyde", "moonmoon"),
            tiles={"o13": "K19/B"},
            hands={B: "T05 T10"},
            options={"off_turn_window": value},
        )
        match.roll(3)
        assert match.ask() == ("ExtraTreat", B)
        plays = match.form(B).options[:-1]
        assert {play.code for play in plays} == codes
    on_turn = mischief(
        at={A: "o10 cw"}, hands={A: "T22 T05"}, options={"off_turn_window": "no_roll_tiles"}
    )
    on_turn.play_treat("T22")
    assert [play.code for play in on_turn.form(A).options[:-1]] == ["T05"]


def test_double_stack() -> None:
    for value, space in (("multiply", "o34 cw"), ("once", "o28 cw")):
        match = mischief(
            at={A: "o22 cw"},
            hands={A: "T08"},
            doubles=status(A=1),
            options={"double_stack": value},
        )
        match.play_treat("T08")
        match.roll(3)
        assert match.where(A) == space and match.state.candy[A] == 8


def howl_at_three(order: str, **given: Any) -> Given:
    match = mischief(active=D, hands={D: "T22"}, options={"howl_order": order}, **given)
    draws("K08 K09 K16")
    match.play_treat("T22")
    return match


def test_howl_order() -> None:
    at = {A: "o10 cw", B: "o13 cw", C: "o36 cw", D: "o45 cw"}
    match = howl_at_three("one_by_one", at=at)
    match.say((Go("o11"), Go("o30"), Go("o50")))
    assert match.state.at[:2] == ("o11", "o45"), "K08 is gone when B is moved, so B goes to K09"
    match = howl_at_three("move_all_then_resolve", at=at)
    match.say((Go("o11"), Go("o30"), Go("o50")))
    assert match.state.at[:2] == ("o11", "o11"), "both were nearest to K08"
    assert match.state.skips == status(A=1), "it flips once"
    safe = howl_at_three("move_all_then_resolve", at={A: "o10 cw", D: "o45 cw"})
    safe.say((Go("o11"), Go("o30"), Go("o50")))
    assert safe.state.at[1:3] == ("o21", "o35"), "in Houses nobody is moved"
    assert safe.state.doubles == status(D=1)


def test_moonlight_pool() -> None:
    for value, masks in (("all", MASKS[:5]), ("worn", MASKS[:4])):
        match = mischief(at={A: "o10 cw"}, hands={A: "T14"}, options={"moonlight_pool": value})
        match.play_treat("T14")
        assert match.form(A).places == tuple(Mask(mask) for mask in masks)


def test_scarecrow() -> None:
    given: dict[str, Any] = {"tiles": {"o13": "K11/B"}}
    match = mischief(**given, at={A: "o10 cw"})
    match.roll(3)
    assert match.where(A) == "o13 ccw" and not match.state.visits
    run = {"scarecrow": "run_to_house"}
    match = mischief(**given, at={A: "o10 cw"}, options=run)
    match.roll(3)
    assert match.where(A) == "o7 free" and match.state.visits == {"chuckles@H1": 1}
    assert match.state.candy[A] == 5
    arm = mischief(at={A: "o14 in"}, tiles={"b3": "K11/B"}, options=run)
    arm.roll(3)
    assert arm.ask() == ("Direction", A)
    assert arm.asked.prompt(arm.state) == "Which way does seat 0 walk to the next House?"
    arm.say(Face("cw"))
    assert arm.where(A) == "o21 free"
    inwards = mischief(at={A: "b4 out"}, tiles={"b3": "K11/B"}, options=run)
    inwards.roll(1)
    assert inwards.ask() == ("PickLtgb", A)


def test_street_cleaning() -> None:
    for value, cleared in (("between", False), ("include_landing", True)):
        match = mischief(
            at={A: "o8 cw"},
            cleaning=status(A=1),
            tiles={"o12": "K08/C"},
            options={"street_cleaning": value},
        )
        match.roll(4)
        assert not match.state.tiles
        assert match.state.skips == (status() if cleared else status(A=1))


def test_board_and_youth_order() -> None:
    assert Given.started(GAME, 5).state.board == "mm-6x12"
    assert Given.started(GAME, 4, board="mm-4x14").state.board == "mm-4x14"
    with pytest.raises(Refused) as refused:
        Given.started(GAME, 4, board="mm-6x12")
    assert refused.value.code == "bad_option" and "5 to 6" in refused.value.why
    given: dict[str, Any] = {"at": {A: "o17 cw"}, "visits": {"chuckles@H2": 2}}
    for order, winner in (("", A), ("2,1,0,3", C)):
        match = mischief(**given, options={"youth_order": order})
        match.roll(5)
        assert match.state.winner == winner
    for wrong in ("0,1", "0,0,1,2", "x"):
        with pytest.raises(Refused) as refused:
            Given.started(GAME, 4, youth_order=wrong)
        assert refused.value.code == "bad_option"
