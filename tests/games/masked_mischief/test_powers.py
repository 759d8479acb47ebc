"""Each mask power alone, and effects within effects."""

from __future__ import annotations

from typing import Any

from games.masked_mischief.effects import POWERS
from games.masked_mischief.events import DieRolled
from games.masked_mischief.options import Face, Go, Mask, Pick, Play, Stop
from games.masked_mischief.printed import MASKS as PRINTED
from games.masked_mischief.tiles import HandsShown, TreatStolen, TrickReturned
from games.rules import Dropped
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


def cackle(mask: str, also: str = "", **given: Any) -> Given:
    """A plays Evil Cackle under this mask."""
    masks = [mask, *[m for m in PRINTED if m != mask][:3]]
    at = {A: "o10 cw", **given.pop("at", {})}
    hands = {A: f"T22 {also}", **given.pop("hands", {})}
    spares = tuple(m for m in list(PRINTED)[:5] if m not in masks)
    match = mischief(at=at, hands=hands, masks=tuple(masks), spares=spares, **given)
    match.play_treat("T22")
    return match


def test_every_mask_with_a_power_has_its_effect() -> None:
    assert set(POWERS) == {id for id, mask in PRINTED.items() if mask.power}


def test_juggling_keeps_every_hand_its_size() -> None:
    match = cackle("chuckles", "T01", hands={B: "T10", C: "T11 T13"})
    form = match.form(A)
    assert form.places == (Pick(A), Pick(B), Pick(C), Pick(C))
    same = tuple(Pick(item.seat) for item in form.items)
    match.say(same)
    assert match.hand(A) == ["T01"] and sorted(match.hand(C)) == ["T11", "T13"]
    assert match.state.hands[B][0].known == (A, B), "the juggler knows all hands"


def test_juggling_alone_asks_nothing_but_the_window() -> None:
    match = cackle("chuckles", "T10 T11 T13")
    assert match.ask() == ("ExtraTreat", A) and match.asked.left == 2
    match.play_treat("T10")
    assert match.asked.left == 1
    match.play_treat("T11")
    assert match.ask() == ("TreatOrRoll", A), "two and no more"
    assert match.hand(A) == ["T13"]
    nothing = cackle("chuckles", hands={B: "T10"})
    assert nothing.ask() == ("TreatOrRoll", A), "an empty hand opens no window"


def test_a_window_with_a_cackle_alone_offers_stop() -> None:
    match = cackle("chuckles", "T22")
    assert match.form(A).options == (Stop(),)
    match.say(Stop())
    assert match.ask() == ("TreatOrRoll", A) and match.hand(A) == ["T22"]


def test_hex() -> None:
    match = cackle("esmerelda", "T01", hands={B: "T10 T11", D: "T13"})
    slots(0, 0)
    events = match.say((Go("o30"), Go("o31")))
    assert [(e.victim, e.code) for e in facts(events, TreatStolen)] == [(B, "T10"), (D, "T13")]
    assert match.hand(A) == ["T01", "T10", "T13"]
    assert match.state.hands[A][1].known == (A, B), "the robbed player knows what was taken"
    match.play_treat("T10")
    assert match.ask() == ("TreatOrRoll", A), "one and no more"


def test_sweet_tooth_rounds_down() -> None:
    tiles = {"o30": "T01", "a1": "T02", "o32": "T03"}
    match = cackle("clyde", tiles=tiles, candy={C: 0})
    assert match.state.candy == (7, 4, 0, 4) and match.state.doubles == status(A=1)


def test_howl_takes_who_is_on_an_arm_out_to_the_loop() -> None:
    match = cackle(
        "moonmoon",
        bags=(("K08", "K08", "K16"), (), (), ()),
        at={B: "a2 in", C: "o30 cw", D: "o40 cw"},
    )
    match.say((Go("o1"), Go("o31"), Go("o41")))
    assert match.where(B) == "o1 free", "from facing in to the loop is free"
    assert match.where(C) == "o31 cw" and match.where(D) == "o41 cw"


def test_howl_without_a_trick_of_another_moves_nobody() -> None:
    match = cackle("moonmoon", bags=((), (), (), ()), at={B: "o24 cw"})
    assert match.where(B) == "o24 cw" and match.state.doubles == status(A=1)
    mine = cackle("moonmoon", bags=((), (), (), ()), at={B: "o24 cw"}, tiles={"o25": "K08/B"})
    assert mine.where(B) == "o24 cw", "his own Trick does not count"


def test_howl_flips_what_the_victim_stands_on() -> None:
    match = cackle("moonmoon", bags=((), (), (), ()), at={B: "o24 cw"}, tiles={"o24": "K08/C"})
    assert match.state.skips == status(B=1)


def test_howl_and_willful_ignorance() -> None:
    match = cackle(
        "moonmoon",
        bags=((), (), (), ()),
        at={B: "o24 cw"},
        tiles={"o27": "K08/C"},
        ignores=status(B=1),
    )
    assert match.where(B) == "o27 cw" and match.state.skips == status()
    assert match.state.ignores == status() and set(match.state.tiles) == {"o27"}


def test_headless_perks_swaps_with_a_player() -> None:
    match = cackle("dullahan", tiles={"o30": "T01", "o31": "T02"})
    assert set(match.offered()) == {
        "mask:chuckles",
        "mask:esmerelda",
        "mask:clyde",
        "mask:moonmoon",
    }
    match.say(Mask("clyde"))
    assert match.state.masks[A] == "clyde" and match.state.masks[D] == "dullahan"
    assert match.state.candy == (8, 4, 4, 4)


def test_the_sixth_mask_has_no_power() -> None:
    match = mischief(
        seats=6,
        at={A: "o10 cw"},
        hands={A: "T22"},
        masks=("plain", "esmerelda", "clyde", "moonmoon", "dullahan", "chuckles"),
    )
    match.play_treat("T22")
    assert match.ask() == ("TreatOrRoll", A) and match.state.played == ()


def off_turn_jump(**given: Any) -> Given:
    """A's turn: A flips K19 of B, who juggles off turn and jumps A onward."""
    match = mischief(
        at={A: "b3 in", B: "o24 cw", **given.pop("at", {})},
        masks=("esmerelda", "chuckles", "clyde", "moonmoon"),
        tiles={"b4": "K19/B"},
        hands={B: "T04 T10"},
        **given,
    )
    match.roll(1)
    assert match.ask() == ("ExtraTreat", B)
    match.play_treat("T04")
    return match


def test_the_turn_ends_inside_anothers_effect_which_finishes() -> None:
    """Q71: A reaches the Haunted House by B's tile; B's window stays open."""
    match = off_turn_jump(cauldrons=(0, 0, 3, 0))
    events = match.say(Pick(A))
    assert match.ask() == ("PickCauldron", A)
    events += match.say(match.form(A).options[2])
    events += match.say(Go("o30"))
    assert match.where(A) == "o7 free" and match.state.active == A
    assert match.ask() == ("ExtraTreat", B), "what B began goes on"
    match.play_treat("T10")
    assert match.state.bags[B].count("K19") == 2 and match.state.replaced == status(B=1)
    assert match.ask() == ("TreatOrRoll", B) and match.offered() == ["end"]


def test_the_active_players_own_effects_are_dropped_when_his_turn_ends() -> None:
    """A howls; B flips K19 of C, who jumps A into the Haunted House: the Howl is over."""
    match = mischief(
        at={A: "b5 in", B: "o24 cw", C: "o40 cw", D: "o45 cw"},
        masks=("moonmoon", "esmerelda", "chuckles", "clyde"),
        hands={A: "T22", C: "T04"},
        tiles={"o25": "K19/C"},
    )
    draws("K08 K08 K07")
    match.play_treat("T22")
    match.say((Go("o33"), Go("o47"), Go("o55")))
    assert match.ask() == ("ExtraTreat", C)
    match.play_treat("T04")
    match.say(Pick(A))
    events = match.say(Go("o30"))
    dropped = facts(events, Dropped)
    assert [drop.why for drop in dropped] == ["turn_end"] and dropped[0].ids
    assert match.state.skips == status(), "neither C nor D is howled at"
    assert match.state.doubles == status() and match.state.played == ()
    assert not match.state.flipped and match.state.treats.count("T22") == 2
    assert match.state.bags[C].count("K19") == 2
    assert match.ask() == ("TreatOrRoll", B)


def test_the_end_of_the_turn_cuts_a_trick_of_the_active_player() -> None:
    """A's own K19, flipped by B in A's Howl, is resolving when A's turn ends."""
    match = mischief(
        at={A: "b5 in", B: "o24 cw", C: "o40 cw", D: "o45 cw"},
        masks=("chuckles", "esmerelda", "clyde", "moonmoon"),
        hands={A: "T02 T15"},
        tiles={"o25": "K19/A"},
    )
    match.play_treat("T02")
    match.say(Pick(B))
    assert match.ask() == ("ExtraTreat", A)
    assert match.form(A).options == (Play(0, "T15"), Stop())
    match.play_treat("T15")
    events = match.say(Pick(B))
    assert facts(events, TrickReturned) == [TrickReturned("o25", "cut_short")]
    assert match.where(A) == "o25 free" and match.where(B) == "b5 in"
    assert match.ask() == ("TreatOrRoll", B)


def test_own_power_after_the_roll_replaces_the_next_roll() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o24 cw", C: "o40 cw", D: "o45 cw"},
        masks=("chuckles", "moonmoon", "clyde", "esmerelda"),
        hands={A: "T05"},
        tiles={"o13": "K19/B", "o41": "K19/A"},
    )
    match.lay(bags=(match.state.bags[A], (), *match.state.bags[2:]))
    match.roll(3)
    assert match.ask() == ("ExtraTreat", A), "B howls, C flips the K19 of A"
    events = match.play_treat("T05")
    assert not facts(events, DieRolled) and match.state.replaced == status(A=1)
    assert match.ask()[1] == B


def test_hands_are_shown_to_the_juggler_alone() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T22", B: "T10", C: "T11"})
    events = match.play_treat("T22")
    assert [shown.to for shown in facts(events, HandsShown)] == [A]
    other = mischief(at={A: "o10 cw"}, hands={A: "T22", B: "T10"})
    assert not facts(other.play_treat("T22"), HandsShown)


def test_a_howl_walk_may_ask_the_victim_for_the_way() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o24 free"},
        masks=("moonmoon", "esmerelda", "clyde", "chuckles"),
        hands={A: "T22"},
        tiles={"o25": "K13/C"},
        bags=((), (), (), ()),
    )
    match.play_treat("T22")
    assert match.ask() == ("Direction", B)
    match.say(Face("ccw"))
    assert match.where(B) == "o24 ccw"


def test_ties_for_the_nearest_skull_are_settled_in_table_order() -> None:
    """Q59: from the left of the active player, who comes last."""
    match = mischief(at={B: "o13 cw"}, hands={A: "T02"}, haunted=3)
    match.done()
    match.play_treat("T02")
    match.say(Pick(B))
    asked = []
    while match.ask()[0] == "NearestSkull":
        asked.append(match.asked.moved)
        match.say(match.form(match.asked.seat).options[-1])
    assert asked == [C, D, A]
    assert match.state.at == ("o14", "o14", "o42", "o42")
    assert match.ask() == ("TreatOrRoll", B)
