"""Each Treat tile alone, T01 to T22, played by A."""

from __future__ import annotations

from typing import Any

from games.masked_mischief.effects import TREATS
from games.masked_mischief.events import DieRolled, RollWithheld
from games.masked_mischief.options import End, Face, Go, Mask, Pick, Swap
from games.masked_mischief.printed import TREATS as PRINTED
from games.masked_mischief.tiles import TreatSpent, TreatStolen
from tests.games.masked_mischief.given import (
    A,
    B,
    C,
    D,
    Given,
    draws,
    facts,
    mischief,
    slots,
    status,
)


def played(code: str, also: str = "", **given: Any) -> Given:
    at = {A: "o10 cw", **given.pop("at", {})}
    hands = {A: f"{code} {also}", **given.pop("hands", {})}
    match = mischief(at=at, hands=hands, **given)
    match.play_treat(code)
    return match


def test_every_printed_treat_has_an_effect() -> None:
    assert set(TREATS) == set(PRINTED) and len(TREATS) == 22


def test_t01_willful_ignorance_adds_up_and_spares_own_tricks() -> None:
    match = played("T01", ignores=status(A=1), tiles={"o12": "K07/A"})
    assert match.state.ignores == status(A=2)
    match.roll(2)
    assert match.state.ignores == status(A=2) and match.state.tiles


def test_t02_hop() -> None:
    match = played("T02", at={B: "o24 cw"}, tiles={"o25": "K07/A"})
    assert match.ask() == ("MoveFigure", A) and match.offered() == ["pick:0", "pick:1"]
    match.say(Pick(B))
    assert match.where(B) == "o25 cw" and match.state.candy == (10, 0, 5, 5)
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["roll"]


def test_t02_moves_oneself_out_of_a_house_and_the_moved_one_picks_the_way() -> None:
    match = mischief(hands={A: "T02"})
    match.done()
    match.play_treat("T02")
    assert match.ask() == ("Direction", A), "nobody else can be moved, so nobody is picked"
    match.say(Face("ccw"))
    assert match.where(A) == "o6 ccw"
    other = played("T02", at={B: "o24 free"})
    other.say(Pick(B))
    assert other.ask() == ("Direction", B) and other.asked.user == A


def test_t03_skip() -> None:
    match = played("T03", at={B: "o20 cw"})
    match.say(Pick(B))
    assert match.where(B) == "o21 free", "a House stops the walk"
    assert match.state.visits == {"esmerelda@H2": 1} and match.state.candy[B] == 5


def test_t04_jump() -> None:
    match = played("T04", at={B: "o24 cw"}, tiles={"o13": "T10"})
    match.say(Pick(A))
    assert match.where(A) == "o13 cw" and match.hand(A) == ["T10"]
    assert match.ask() == ("TreatOrRoll", B)
    into = played("T04", at={A: "o19 cw", B: "o24 cw"})
    into.say(Pick(A))
    assert into.state.candy[A] == 9, "for oneself it counts as the roll"


def test_t04_on_oneself_passes_and_on_another_does_not() -> None:
    match = played("T04", at={B: "o12 ccw"})
    match.say(Pick(A))
    assert match.ask() == ("SwapMasks", A)
    other = played("T04", at={B: "o24 cw", C: "o25 ccw"})
    other.say(Pick(B))
    assert other.ask() == ("TreatOrRoll", B)


def test_t05_leap() -> None:
    match = played("T05")
    assert match.where(A) == "o14 cw" and match.state.haunted == 1
    assert match.ask() == ("Shop", B) and match.state.replaced == status()


def test_t06_long_jump() -> None:
    assert played("T06").where(A) == "o15 cw"


def test_t07_pole_vault() -> None:
    match = played("T07", doubles=status(A=1))
    assert match.where(A) == "o16 cw" and match.state.doubles == status(A=1)


def test_t08_gambling_man_waits_for_a_die() -> None:
    match = played("T08")
    assert match.state.gambles == match.state.doubles == status(A=1)
    match.lay(gambles=status(A=2), doubles=status(A=2))
    match.roll(2)
    assert match.state.candy[A] == 9, "the die pays once for each gamble"
    assert match.where(A) == "o18 cw"


def test_t09_expert_planner() -> None:
    match = played("T09")
    assert match.ask() == ("LayAll", A) and len(match.form(A).items) == 2
    match.say((Go("a1"), Go("o9")))
    assert len(match.state.tricks_of(A)) == 2
    assert match.ask() == ("TreatOrRoll", A)


def test_t09_with_an_empty_bag_or_a_full_board() -> None:
    for fields in ({"bags": ((),) * 4}, {"tiles": None}):
        match = mischief(at={A: "o10 cw"}, hands={A: "T09"}, tiles={"o9": "K07/B"})
        if fields.get("tiles", 0) is None:
            tile = match.state.tiles["o9"]
            fields = {"tiles": dict.fromkeys(match.state.map.plain, tile)}
        match.lay(**fields)
        match.play_treat("T09")
        assert match.ask() == ("TreatOrRoll", A)


def test_t09_what_finds_no_space_goes_back_to_the_bag() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T09"}, tiles={"o9": "K07/B"})
    tile = match.state.tiles["o9"]
    match.lay(tiles={s: tile for s in match.state.map.plain if s != "o30"})
    draws("K01 K02")
    match.play_treat("T09")
    back = next(place for place in match.form(A).places if place != Go("o30"))
    match.say((back, Go("o30")))
    assert match.state.tiles["o30"].code == "K02"
    assert match.state.bags[A].count("K01") == 2 and match.state.placing == ((),) * 4


def test_t10_hidden_candy_bowl() -> None:
    assert played("T10").state.candy == (10, 5, 5, 5)


def test_t11_puppy_eyes() -> None:
    assert played("T11", candy={B: 0}).state.candy == (7, 0, 4, 4)


def test_t12_sticky_fingers_needs_no_opposite_direction() -> None:
    match = played("T12", at={B: "o12 cw"})
    assert match.state.sticky == status(A=1) and match.state.doubles == status(A=1)
    match.roll(2)
    assert match.state.candy[:2] == (8, 2)
    assert match.state.sticky == status()


def test_t12_off_turn_only_doubles() -> None:
    match = mischief(
        at={A: "o10 cw"},
        masks=("esmerelda", "chuckles", "clyde", "moonmoon"),
        tiles={"o13": "K19/B"},
        hands={B: "T12"},
    )
    match.roll(3)
    match.play_treat("T12")
    assert match.state.sticky == status() and match.state.doubles == status(B=1)


def test_t13_forceful_charity() -> None:
    match = played("T13", candy={C: 9})
    match.say(Pick(C))
    assert match.state.candy == (9, 5, 5, 5)
    two = mischief(seats=2, at={A: "o10 cw"}, hands={A: "T13"})
    two.play_treat("T13")
    assert two.state.candy == (9, 1), "there is only one other player"


def test_t14_moonlight_transformation() -> None:
    match = played("T14")
    masks = ("dullahan", "chuckles", "clyde", "esmerelda")
    match.say(tuple(Mask(mask) for mask in masks))
    assert match.state.masks == masks and match.state.spares == ("moonmoon",)


def test_t15_alien_abduction() -> None:
    match = played("T15", at={B: "o24 ccw"}, also="T10")
    assert match.state.at[:2] == ("o24", "o10")
    assert match.ask() == ("TreatOrRoll", B) and match.state.treats.count("T15") == 2
    nobody = played("T15")
    assert nobody.where(A) == "o10 cw" and nobody.ask() == ("Shop", B)


def test_t15_off_turn_ends_no_turn() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o24 cw"},
        masks=("esmerelda", "chuckles", "clyde", "moonmoon"),
        tiles={"o13": "K19/B"},
        hands={B: "T15 T10"},
    )
    match.roll(3)
    match.play_treat("T15")
    assert match.where(B) == "o13 cw" and match.where(A) == "o24 cw"
    assert match.ask() == ("ExtraTreat", B), "the window stays open"


def test_t16_drawing_new_plans() -> None:
    tiles = {"o9": "K07/A", "o11": "K08/A", "o30": "K06/B"}
    match = played("T16", tiles=tiles)
    assert match.ask() == ("MoveTricks", A)
    assert match.form(A).items == (Go("o9"), Go("o11"))
    assert Go("o30") not in match.form(A).places
    match.say((Go("o11"), Go("o9")))
    assert match.state.tiles["o9"].code == "K08" and match.state.tiles["o11"].code == "K07"
    assert match.ask() == ("TreatOrRoll", A)
    stay = played("T16", tiles=tiles)
    stay.say((Go("o9"), Go("o11")))
    assert stay.state.tiles["o9"].code == "K07"
    assert played("T16").ask() == ("TreatOrRoll", A), "without Tricks nothing is asked"
    full = mischief(at={A: "o10 cw"}, hands={A: "T16"}, tiles={"o9": "K07/A", "o11": "K07/B"})
    other = full.state.tiles["o11"]
    full.lay(tiles={**dict.fromkeys(full.state.map.plain, other), "o9": full.state.tiles["o9"]})
    full.play_treat("T16")
    assert full.ask() == ("TreatOrRoll", A), "one Trick and no room leave no choice"


def test_t17_street_cleaning() -> None:
    match = played("T17")
    assert match.state.cleaning == status(A=1)
    match.lay(tiles=mischief(tiles={"o12": "K07/B", "o13": "T10"}).state.tiles)
    match.roll(4)
    assert set(match.state.tiles) == {"o13"}, "Treats stay"


def test_t18_disarm() -> None:
    match = played("T18", tiles={"o9": "K07/B", "o40": "K08/D", "o41": "K09/A"})
    assert set(match.state.tiles) == {"o41"}, "one each: nobody is asked"
    assert match.ask() == ("TreatOrRoll", A)


def test_t19_black_cat_horde() -> None:
    match = played("T19", at={B: "o14 in", C: "b2 in", D: "b3 out"})
    assert [match.where(seat) for seat in range(4)] == [
        "o10 ccw",
        "o14 free",
        "b2 out",
        "b3 in",
    ]
    still = mischief(hands={A: "T19"})
    still.done()
    still.play_treat("T19")
    assert still.state.facing == ("free",) * 4


def test_t20_back_stage_pass() -> None:
    match = played("T20")
    assert match.where(A) == "o14 in" and match.state.haunted == 1
    arm = played("T20", at={A: "b3 out"})
    assert arm.where(A) == "b3 in" and arm.state.haunted == 1
    there = played("T20", at={A: "o14 cw"})
    assert there.where(A) == "o14 in" and there.offered() == ["roll"]


def test_t21_straight_up_thieving() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T21", B: "T10 T11", D: "T05"}, ltgb="o40")
    slots(1, 0)
    events = match.play_treat("T21")
    stolen = facts(events, TreatStolen)
    assert [(e.victim, e.code) for e in stolen] == [(B, "T11"), (D, "T05")]
    assert match.state.candy == (8, 4, 4, 4) and match.where(A) == "o14 cw"
    assert match.hand(B) == ["T10"] and match.hand(A) == []
    assert facts(events, RollWithheld) and not facts(events, DieRolled)
    assert len(facts(events, TreatSpent)) == 3
    assert match.ask() == ("Shop", B)


def test_t21_is_cut_short_by_an_abduction() -> None:
    match = mischief(at={A: "o10 cw", B: "o24 cw"}, hands={A: "T21", B: "T15", C: "T10"})
    match.play_treat("T21")
    assert match.state.at[:2] == ("o24", "o10")
    assert match.hand(C) == ["T10"], "the turn is over before C is robbed"
    assert match.state.played == () and match.ask() == ("TreatOrRoll", B)


def test_t22_evil_cackle() -> None:
    match = played("T22", masks=("clyde", "esmerelda", "chuckles", "moonmoon"))
    assert match.state.doubles == status(A=1)


def test_a_treat_after_an_earlier_replacement_still_asks_to_end() -> None:
    match = played("T10", replaced=status(A=1))
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["end"]
    match.say(End())
    assert match.ask() == ("Shop", B) and match.state.replaced == status()


def test_passing_on_an_arm() -> None:
    match = mischief(at={A: "b1 in", B: "b2 out"})
    match.roll(3)
    assert match.ask() == ("SwapMasks", A)
    match.say(Swap(True))
    assert match.where(A) == "b4 in" and match.state.masks[0] == "esmerelda"
    leaving = mischief(at={A: "b1 out", B: "o14 ccw", C: "o15 ccw", D: "o17 ccw"})
    leaving.roll(3)
    leaving.say(Face("cw"))
    assert leaving.where(A) == "o16 cw"
    asked = []
    while leaving.ask()[0] == "SwapMasks":
        asked.append(leaving.asked.other)
        leaving.say(Swap(False))
    assert asked == [B, C], "on the skull the mover faces the way just picked"
