"""Each Trick tile alone, K01 to K19, flipped by A on o13; the owner is B."""

from __future__ import annotations

from typing import Any

import pytest

from games.masked_mischief.effects import TRICKS
from games.masked_mischief.options import BuyTreats, Face, Go, Lay, Pick, Swap
from games.masked_mischief.printed import TRICKS as PRINTED
from games.masked_mischief.tiles import TilesLaid, TreatsKept, TrickIgnored
from tests.games.masked_mischief.given import A, B, C, D, Given, draws, facts, mischief, status


def flipped(code: str, **given: Any) -> Given:
    tiles = {"o13": f"{code}/B", **given.pop("tiles", {})}
    at = {A: "o10 cw", **given.pop("at", {})}
    match = mischief(at=at, tiles=tiles, **given)
    match.roll(3)
    return match


def test_every_printed_trick_has_an_effect() -> None:
    assert set(TRICKS) == set(PRINTED) and len(TRICKS) == 19


def test_k01_the_slight_spook() -> None:
    match = flipped("K01", tiles={"o11": "K07/C"})
    assert match.where(A) == "o11 cw" and match.state.candy == (0, 5, 10, 5)
    out = mischief(at={A: "b2 in"}, tiles={"b3": "K01/B"})
    out.roll(1)
    assert out.where(A) == "b1 in", "back on an arm is towards the skull"
    free = flipped("K01", at={A: "o12 free"})
    free.say(Face("cw"))
    assert free.where(A) == "o15 cw"


def test_k01_back_while_facing_out_is_inwards() -> None:
    match = mischief(at={A: "b6 out"}, tiles={"b5": "K01/B"}, cauldrons=(0, 2, 0, 0))
    match.roll(1)
    assert match.ask() == ("PickCauldron", A)


def test_k02_a_hop_and_a_skip() -> None:
    match = flipped("K02", tiles={"o15": "T10"})
    assert match.where(A) == "o15 cw" and match.hand(A) == ["T10"]


def test_k03_witchcraft() -> None:
    match = flipped("K03", at={B: "o24 cw", C: "o30 cw"})
    assert match.ask() == ("SwapVictim", B)
    match.say(Pick(B))
    assert match.state.at[:2] == ("o24", "o13")
    alone = flipped("K03")
    assert alone.where(B) == "o13 free", "all others are in Houses: the owner must swap"


def test_k03_on_the_same_space_nobody_moves() -> None:
    match = flipped("K03", at={B: "o13 ccw"})
    assert match.where(A) == "o13 cw" and match.where(B) == "o13 ccw"


def test_k04_wardrobe_malfunction() -> None:
    match = flipped("K04")
    assert match.ask() == ("SwapVictimsMask", B) and match.offered() == [
        "pick:1",
        "pick:2",
        "pick:3",
    ]
    match.say(Pick(D))
    assert match.state.masks == ("moonmoon", "esmerelda", "clyde", "chuckles")
    two = mischief(seats=2, at={A: "o10 cw"}, tiles={"o13": "K04/B"})
    two.roll(3)
    assert two.state.masks == ("esmerelda", "chuckles"), "with two players nobody is asked"


def test_k05_doppelgangers() -> None:
    match = flipped("K05", at={B: "c3 out"})
    assert match.where(A) == "c3 in" and match.where(B) == "o13 free"
    assert match.state.masks[:2] == ("esmerelda", "chuckles")


def test_k06_charity_case() -> None:
    assert flipped("K06").state.candy == (3, 11, 3, 3)


def test_k07_sugar_rush() -> None:
    assert flipped("K07", candy={A: 7}).state.candy == (2, 10, 5, 5)


def test_k08_muddy_puddle_adds_up() -> None:
    assert flipped("K08", skips=status(A=1)).state.skips == status(A=2)


def test_k09_hi_buddy() -> None:
    match = flipped("K09", at={B: "o24 cw"}, tiles={"o24": "K07/C"})
    assert match.where(A) == "o24 cw" and match.state.candy[A] == 5
    match.say(Swap(True))
    assert match.state.masks[:2] == ("esmerelda", "chuckles")


def test_k10_mask_hysteria_goes_left() -> None:
    match = flipped("K10")
    assert match.state.masks == ("moonmoon", "chuckles", "esmerelda", "clyde")


def test_k11_spooky_scarecrow() -> None:
    assert flipped("K11").where(A) == "o13 ccw"
    arm = mischief(at={A: "b2 in"}, tiles={"b3": "K11/B"})
    arm.roll(1)
    assert arm.where(A) == "b3 out"


def test_k12_boo() -> None:
    assert flipped("K12").where(A) == "o12 cw"


def test_k12_back_out_of_the_arm_ends_on_the_skull() -> None:
    match = mischief(at={A: "o14 in"}, tiles={"b1": "K12/C"})
    match.roll(1)
    assert match.where(A) == "o14 free" and match.state.haunted == 1


def test_k13_pushed() -> None:
    match = flipped("K13")
    assert match.where(A) == "o14 cw" and match.state.haunted == 1


def test_k14_forgetful_charity() -> None:
    assert flipped("K14").ask() == ("Shop", B), "an empty hand lays nothing"
    match = mischief(
        at={A: "o10 cw"},
        hands={A: "T01 T02 T03"},
        tiles={"o13": "K14/B"},
        options={"place_under_figures": False},
    )
    full = {s: match.state.tiles["o13"] for s in match.state.map.plain if s not in ("o9", "o50")}
    match.lay(tiles=full)
    match.roll(3)
    assert match.ask() == ("LayAll", A)
    events = match.say((Go("o9"), match.form(A).places[-1], Go("o50")))
    assert facts(events, TreatsKept) == [TreatsKept(A, ("T02",))]
    assert match.hand(A) == ["T02"], "what finds no space stays in hand (Q14)"


def test_k15_angelic_charity() -> None:
    assert flipped("K15", candy={A: 9}).state.candy == (3, 7, 7, 7)


def test_k16_trip_wire() -> None:
    match = flipped("K16", candy={B: 0})
    assert match.ask() == ("LayAll", B) and len(match.form(B).items) == 3
    events = match.say((Go("o30"), Go("o31"), Go("c2")))
    assert facts(events, TilesLaid)[0].spaces == ("o30", "o31", "c2")
    assert match.state.candy[B] == 0


def test_k17_mask_mysteria_goes_right() -> None:
    match = flipped("K17")
    assert match.state.masks == ("esmerelda", "clyde", "moonmoon", "chuckles")


def test_k18_its_my_treat() -> None:
    match = flipped("K18")
    match.say(BuyTreats(2))
    draws("T01 T02 T03")
    match.say((1, 1, 0, 0))
    match.say(Lay("T02", "o30"))
    assert match.hand(B) == ["T01", "T03"] and match.state.candy[:2] == (3, 5)
    declined = flipped("K18")
    declined.say(BuyTreats(0))
    assert declined.state.candy[A] == 5 and declined.ask() == ("Shop", B)
    assert flipped("K18", candy={A: 0}).ask() == ("Shop", B), "nothing can be bought"


def test_k19_horrific_visage() -> None:
    match = flipped("K19", masks=("chuckles", "clyde", "esmerelda", "moonmoon"))
    assert match.state.doubles == status(B=1)
    six = mischief(
        seats=6,
        at={A: "o10 cw"},
        tiles={"o13": "K19/B"},
        masks=("chuckles", "plain", "esmerelda", "moonmoon", "clyde", "dullahan"),
    )
    six.roll(3)
    assert six.ask() == ("Shop", B) and six.state.bags[B].count("K19") == 2


@pytest.mark.parametrize("code", sorted(PRINTED))
def test_willful_ignorance_stops_any_trick(code: str) -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o13": f"{code}/B"}, ignores=status(A=1))
    events = match.roll(3)
    assert facts(events, TrickIgnored) == [TrickIgnored(A, "o13", 0)]
    assert match.state.tiles["o13"].code == code and match.where(A) == "o13 cw"
    assert match.ask() == ("Shop", B)
