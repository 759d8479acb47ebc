"""Worked cases S37 to S76: Tricks and Treats."""

from __future__ import annotations

from games.masked_mischief.events import DieRolled, GameEnded, HauntedSet, PlayerPassed
from games.masked_mischief.options import BuyTreats, Face, Go, Lay, Pick, Play, Stop, Swap
from games.masked_mischief.tiles import TrickCleared, TrickFlipped, TrickReturned
from tests.games.masked_mischief.given import (
    A,
    B,
    C,
    D,
    draws,
    facts,
    mischief,
    slots,
    status,
)


def test_s37_the_slight_spook_stops_at_a_house() -> None:
    match = mischief(tiles={"o8": "K01/B"})
    match.done()
    match.roll(1)
    match.say(Face("cw"))
    assert match.where(A) == "o7 free"
    assert match.state.visits == {"chuckles@H1": 1} and match.state.candy[A] == 5
    assert match.ask() == ("Shop", B)


def test_s38_no_chain_is_endless() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o11": "K02/B", "o13": "K01/C"})
    events = match.roll(1)
    assert [flip.space for flip in facts(events, TrickFlipped)] == ["o11", "o13"]
    assert match.where(A) == "o11 cw"
    assert not match.state.tiles and not match.state.flipped
    assert [len(bag) for bag in match.state.bags] == [36] * 4
    assert match.ask() == ("Shop", B)


def test_s40_witchcraft_leaves_out_who_is_in_a_house() -> None:
    match = mischief(at={A: "o10 cw", B: "o24 cw", C: "o30 ccw"}, tiles={"o13": "K03/B"})
    match.roll(3)
    assert match.ask() == ("SwapVictim", B)
    assert sorted(match.offered()) == ["pick:1", "pick:2"]
    match.say(Pick(C))
    assert match.where(A) == "o30 cw" and match.where(C) == "o13 ccw"
    assert match.state.bags[B].count("K03") == 2
    assert match.ask() == ("TreatOrRoll", B)


def test_s41_witchcraft_with_the_owner_in_his_house() -> None:
    match = mischief(at={A: "o10 cw", C: "o30 ccw"}, tiles={"o13": "K03/B"})
    match.roll(3)
    match.say(Pick(B))
    assert match.where(B) == "o13 free" and match.where(A) == "o21 free"
    assert match.state.visits == {"chuckles@H2": 1} and match.state.candy[A] == 5
    assert match.ask() == ("TreatOrRoll", B)


def test_s43_doppelgangers_with_the_owner_in_a_house() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o13": "K05/B"})
    match.roll(3)
    assert match.where(A) == "o21 free" and match.where(B) == "o13 free"
    assert match.state.visits == {"chuckles@H2": 1} and match.state.candy[A] == 5
    assert match.state.masks[:2] == ("esmerelda", "chuckles")
    assert match.ask() == ("TreatOrRoll", B)


def test_s44_charity_case() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o13": "K06/B"}, candy={C: 1})
    match.roll(3)
    assert match.state.candy == (3, 10, 0, 3)
    assert match.ask() == ("Shop", B)


def test_s46_hi_buddy() -> None:
    match = mischief(at={A: "o10 cw", B: "o24 ccw"}, tiles={"o13": "K09/B"})
    match.roll(3)
    assert match.where(A) == "o24 cw"
    assert match.ask() == ("SwapMasks", B)
    match.say(Swap(False))
    assert match.state.masks[:2] == ("chuckles", "esmerelda")
    assert match.ask() == ("TreatOrRoll", B)


def test_s47_hi_buddy_ends_the_game() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o13": "K09/B"}, visits={"chuckles@H2": 2})
    assert facts(match.roll(3), GameEnded)
    assert match.state.visits == {"chuckles@H2": 3}
    assert match.asked is None


def test_s49_spooky_scarecrow() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o22 cw", C: "o36 cw", D: "o50 cw"}, tiles={"o13": "K11/B"}
    )
    match.roll(3)
    assert match.where(A) == "o13 ccw"
    assert match.ask() == ("TreatOrRoll", B)
    for _ in (B, C, D):
        match.roll(1)
    match.roll(2)
    assert match.where(A) == "o11 ccw"


def test_s50_boo_onto_a_skull() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o15": "K12/B"})
    match.roll(5)
    assert match.where(A) == "o14 cw" and match.state.haunted == 1
    assert match.ask() == ("Shop", B)


def test_s52_forgetful_charity() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T02 T10"}, tiles={"o13": "K14/B"})
    match.roll(3)
    assert match.ask() == ("LayAll", A)
    assert Go("o13") not in match.form(A).places
    match.say((Go("o30"), Go("o31")))
    assert match.hand(A) == []
    assert {s: t.code for s, t in match.state.tiles.items()} == {"o30": "T02", "o31": "T10"}
    assert match.view(A)["tiles"]["o30"]["code"] == "T02"
    assert match.view(B)["tiles"]["o30"]["code"] == {"hidden": True}
    assert match.state.bags[B].count("K14") == 2
    assert match.ask() == ("Shop", B)


def test_s53_angelic_charity_runs_dry() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o13": "K15/C"})
    match.roll(3)
    assert match.state.candy == (0, 7, 7, 6)
    assert match.ask() == ("Shop", B)


def test_s55_its_my_treat() -> None:
    match = mischief(at={A: "o10 cw"}, candy={A: 1}, tiles={"o13": "K18/B"})
    match.roll(3)
    assert match.ask() == ("BuyFor", B)
    assert match.offered() == ["buy_treats:0", "buy_treats:1"]
    match.say(BuyTreats(1))
    assert match.ask() == ("PaySplit", B)
    draws("T01 T10")
    match.say((0, 1, 0, 0))
    assert match.state.candy[:2] == (0, 5) and match.state.cauldrons == (0, 1, 0, 0)
    match.say(Lay("T01", "o30"))
    assert match.hand(B) == ["T10"] and match.state.tiles["o30"].by == B
    assert match.ask() == ("Shop", B)


def test_s56_horrific_visage_off_turn() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T10", C: "T13 T22"}, tiles={"o13": "K19/B"})
    match.roll(3)
    assert match.ask() == ("LayAll", B)
    slots(1, 0)
    match.say((Go("o30"), Go("o31")))
    assert sorted(match.hand(B)) == ["T10", "T22"]
    assert match.hand(C) == ["T13"] and match.hand(A) == []
    assert match.ask() == ("ExtraTreat", B)
    at = match.hand(B).index("T10")
    assert set(match.form(B).options) == {Play(at, "T10"), Stop()}
    match.play_treat("T10")
    assert match.state.candy[B] == 10
    assert match.state.bags[B].count("K19") == 2
    assert match.ask() == ("Shop", B) and match.state.active == B


def test_s58_jump_on_another() -> None:
    match = mischief(at={A: "o10 cw", B: "o24 cw"}, hands={A: "T04"})
    match.play_treat("T04")
    assert match.ask() == ("JumpFigure", A)
    events = match.say(Pick(B))
    assert match.where(B) == "o27 cw" and match.where(A) == "o10 cw"
    assert not facts(events, DieRolled)
    assert match.ask() == ("TreatOrRoll", B)
    assert match.state.replaced == status()


def test_s59_long_jump_passes() -> None:
    match = mischief(at={A: "o10 cw", B: "o12 ccw"}, hands={A: "T06"})
    match.play_treat("T06")
    assert match.where(A) == "o15 cw"
    assert match.ask() == ("SwapMasks", A) and match.asked.other == B
    match.say(Swap(False))
    assert match.ask() == ("TreatOrRoll", B)


def test_s61_gambling_man() -> None:
    match = mischief(at={A: "o9 cw"}, hands={A: "T08"})
    match.play_treat("T08")
    match.roll(3)
    assert match.state.candy[A] == 8 and match.where(A) == "o15 cw"
    assert match.state.gambles == match.state.doubles == status()
    assert match.ask() == ("Shop", B)


def test_s62_gambling_man_with_a_waiting_doubling() -> None:
    match = mischief(at={A: "o22 cw"}, hands={A: "T08"}, doubles=status(A=1))
    match.play_treat("T08")
    match.roll(3)
    assert match.state.candy[A] == 8 and match.where(A) == "o34 cw"
    assert match.ask() == ("Shop", B)


def test_s64_plain_gains() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T10"})
    match.play_treat("T10")
    assert match.state.candy == (10, 5, 5, 5)
    match = mischief(at={A: "o10 cw"}, hands={A: "T11"}, candy={C: 0})
    match.play_treat("T11")
    assert match.state.candy == (7, 4, 0, 4)
    match = mischief(at={A: "o10 cw"}, hands={A: "T13"}, candy={D: 3})
    match.play_treat("T13")
    assert match.ask() == ("TakeCandy", A)
    match.say(Pick(D))
    assert match.state.candy == (8, 5, 5, 0)
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["roll"]


def test_s65_sticky_fingers() -> None:
    match = mischief(
        at={A: "o8 cw", B: "o10 cw", C: "o12 ccw", D: "o16 ccw"}, hands={A: "T12"}, candy={B: 2}
    )
    match.play_treat("T12")
    events = match.roll(4)
    assert match.where(A) == "o16 cw"
    assert match.ask() == ("SwapMasks", A) and match.asked.other == C
    events += match.say(Swap(False))
    assert match.state.candy == (10, 0, 2, 5)
    assert [passed.passed for passed in facts(events, PlayerPassed)] == [B, C]
    assert match.state.sticky == status()
    assert match.ask() == ("TreatOrRoll", B)


def test_s67_alien_abduction_out_of_a_house() -> None:
    match = mischief(at={B: "o24 cw"}, hands={A: "T15"})
    match.done()
    match.play_treat("T15")
    assert match.where(A) == "o24 free" and match.where(B) == "o7 free"
    assert match.state.visits == {"esmerelda@H1": 1} and match.state.candy[B] == 5
    assert match.ask() == ("Shop", B), "A's turn is over without a roll"
    for seat in (B, C, D):
        assert match.ask() == ("Shop", seat)
        match.done()
        match.roll(1)
        match.say(Face("cw"))
    match.roll(1)
    assert match.ask() == ("Direction", A)


def test_s68_alien_abduction_onto_an_arm() -> None:
    match = mischief(at={A: "o10 cw", B: "c3 in"}, hands={A: "T15"})
    match.play_treat("T15")
    assert match.where(A) == "c3 in" and match.where(B) == "o10 free"
    assert match.ask() == ("TreatOrRoll", B)


def test_s70_street_cleaning() -> None:
    match = mischief(
        at={A: "o8 cw"},
        hands={A: "T17"},
        tiles={"o9": "K07/B", "o10": "K08/A", "o12": "K06/C"},
    )
    match.play_treat("T17")
    events = match.roll(4)
    cleared = facts(events, TrickCleared)
    assert [(e.space, e.owner) for e in cleared] == [("o9", B), ("o10", A)]
    assert [flip.space for flip in facts(events, TrickFlipped)] == ["o12"]
    assert not match.state.tiles
    assert match.ask() == ("Shop", B)


def test_s71_disarm() -> None:
    match = mischief(
        at={A: "o20 cw"},
        hands={A: "T18"},
        tiles={"o9": "K07/B", "o10": "K08/B", "o12": "K06/C"},
        ltgb="o13",
    )
    events = match.play_treat("T18")
    assert match.ask() == ("DisarmOne", A) and match.offered() == ["go:o9", "go:o10"]
    events += match.say(Go("o10"))
    assert [e.space for e in facts(events, TrickCleared)] == ["o10", "o12"]
    assert not facts(events, TrickFlipped)
    assert set(match.state.tiles) == {"o9"} and match.state.ltgb == "o13"
    assert match.state.bags[B].count("K08") == 2 and match.state.bags[C].count("K06") == 2
    assert match.ask() == ("TreatOrRoll", A)


def test_s73_back_stage_pass() -> None:
    match = mischief(hands={A: "T20"})
    match.done()
    match.play_treat("T20")
    assert match.ask() == ("PickArm", A) and match.offered() == ["go:o0", "go:o14"]
    match.say(Go("o14"))
    assert match.where(A) == "o14 in" and match.state.haunted == 1
    match.roll(3)
    assert match.where(A) == "b3 in"
    assert match.ask() == ("Shop", B)


def test_s74_back_stage_pass_starts_the_race() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o22 cw", C: "o36 cw", D: "o50 cw"}, hands={A: "T20"}, haunted=3
    )
    events = match.play_treat("T20")
    assert [e.value for e in facts(events, HauntedSet)] == [4, 0]
    assert match.state.at == ("o14", "o28", "o42", "o0")
    assert match.state.facing == ("in",) * 4
    assert not facts(events, DieRolled)
    assert match.state.haunted == 0 and match.state.played == ()
    assert match.ask() == ("TreatOrRoll", B)


def test_s76_straight_up_thieving_steals_evil_cackle() -> None:
    match = mischief(
        at={A: "o10 cw"},
        hands={A: "T21", B: "T22"},
        masks=("clyde", "esmerelda", "chuckles", "moonmoon"),
        tiles={f"o{30 + i}": code for i, code in enumerate(("T01", "T02", "T03", "T04", "T05"))},
    )
    match.play_treat("T21")
    assert match.state.candy == (11, 3, 3, 3)
    assert match.state.doubles == status(A=1)
    assert match.state.hands == ((),) * 4 and match.state.played == ()
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["roll"]


def test_the_return_of_a_walking_trick_comes_before_the_next_flip() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o11": "K13/B", "o12": "K08/C"})
    events = match.roll(1)
    spaces = [
        (type(e).__name__, e.space) for e in events if isinstance(e, TrickFlipped | TrickReturned)
    ]
    assert spaces == [
        ("TrickFlipped", "o11"),
        ("TrickReturned", "o11"),
        ("TrickFlipped", "o12"),
        ("TrickReturned", "o12"),
    ]
