"""Worked cases S77 to S124: powers, the Haunted House, secrecy, the end, further rulings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.masked_mischief.events import (
    CauldronTaken,
    DieRolled,
    GameEnded,
    HouseEnteredUncounted,
    LtgbPlaced,
    LtgbTaken,
    RollWithheld,
    TurnSkipped,
)
from games.masked_mischief.game import from_data
from games.masked_mischief.options import BuyTricks, Cauldron, End, Face, Go, Mask, Pick, Play, Stop
from games.masked_mischief.tiles import HandsShown, TilesLaid, TrickCleared, TrickFlipped
from games.rules import fold
from games.table import tables
from tests.games.masked_mischief.given import (
    A,
    B,
    C,
    D,
    Given,
    draws,
    facts,
    mischief,
    shown,
    status,
)
from tests.play import random_match

FIVE_TREATS = {f"o{30 + i}": f"T0{i + 1}" for i in range(5)}


def howling(laid: dict[str, str], *later: str, **given: Any) -> Given:
    """D, who wears MoonMoon, howls in its own turn and lays these Tricks; later draws follow."""
    match = mischief(active=D, hands={D: "T22"}, **given)
    draws(" ".join(laid.values()))
    match.play_treat("T22")
    draws(*later)
    assert match.ask() == ("LayAll", D)
    match.say(tuple(Go(space) for space in laid))
    return match


def test_s77_juggling() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T22 T02", B: "T10 T13", D: "T01"})
    events = match.play_treat("T22")
    looked = facts(events, HandsShown)[0]
    assert shown(looked, A)["hands"] == [["T02"], ["T10", "T13"], [], ["T01"]]
    hidden = {"hidden": True}
    assert shown(looked, B)["hands"] == [hidden, ["T10", "T13"], hidden, hidden]
    assert match.ask() == ("Juggle", A)
    items = match.form(A).items
    to = {"T02": B, "T10": A, "T13": B, "T01": D}
    match.say(tuple(Pick(to[item.code]) for item in items))
    assert match.hand(A) == ["T10"] and sorted(match.hand(B)) == ["T02", "T13"]
    assert [len(hand) for hand in match.state.hands] == [1, 2, 0, 1]
    assert sorted(held["code"] for held in match.view(B)["hands"][B]) == ["T02", "T13"]
    assert match.view(C)["hands"][B][0]["code"] == hidden
    assert match.view(D)["hands"][A][0]["code"] == hidden
    assert match.ask() == ("ExtraTreat", A) and match.asked.left == 2
    match.play_treat("T10")
    assert match.state.candy[A] == 10
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["roll"]


def test_s79_sweet_tooth() -> None:
    match = mischief(
        at={A: "o10 cw"},
        hands={A: "T22"},
        masks=("clyde", "esmerelda", "chuckles", "moonmoon"),
        tiles=FIVE_TREATS,
        candy={B: 1},
    )
    match.play_treat("T22")
    assert match.state.candy == (10, 0, 3, 3)
    match.roll(3)
    assert match.where(A) == "o16 cw"
    assert match.ask() == ("TreatOrRoll", B), "B has no candy left to shop with"


def test_s80_the_howl() -> None:
    match = howling(
        {"o8": "K07", "o12": "K08", "c1": "K15"},
        at={A: "o10 cw", C: "c3 in", D: "o45 cw"},
    )
    assert match.ask() == ("NearestTrick", A) and match.offered() == ["go:o8", "go:o12"]
    match.say(Go("o8"))
    assert match.state.candy == (2, 6, 0, 12)
    assert match.where(A) == "o8 cw" and match.where(B) == "o21 free"
    assert match.where(C) == "c1 in"
    assert match.state.doubles == status(D=1)
    assert set(match.state.tiles) == {"o12"}
    assert match.ask() == ("TreatOrRoll", D) and match.offered() == ["roll"]


def test_s82_the_howl_does_not_flip_its_own_visage_again() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o13": "K19/D"})
    draws("K08 K06 K16")
    match.roll(3)
    assert match.ask() == ("LayAll", D)
    match.say((Go("o15"), Go("o16"), Go("o17")))
    assert match.where(A) == "o15 cw"
    assert match.state.skips == status(A=1) and match.state.doubles == status(D=1)
    assert match.state.bags[D].count("K19") == 2
    assert match.ask() == ("Shop", B)


def test_s83_the_race_cuts_the_howl() -> None:
    match = howling(
        {"o13": "K13", "o25": "K07", "o30": "K06"},
        at={A: "o12 cw", B: "o24 cw", D: "o45 cw"},
        haunted=3,
    )
    assert match.ask() == ("NearestSkull", C), "C in H3 is as far from o28 as from o42"
    match.say(Go("o28"))
    assert match.state.at[A] == "o14" and match.state.facing == ("in",) * 4
    assert match.state.doubles == status() and match.state.candy[B] == 5
    assert set(match.state.tiles) == {"o25", "o30"}
    assert match.state.played == () and not match.state.flipped
    assert match.ask() == ("TreatOrRoll", A)


def test_s85_headless_perks_takes_the_unused_mask() -> None:
    match = mischief(
        at={A: "o10 cw"},
        hands={A: "T22 T22 T10"},
        masks=("dullahan", "esmerelda", "clyde", "moonmoon"),
        spares=("chuckles",),
    )
    match.play_treat("T22")
    assert match.ask() == ("TakeMask", A)
    assert set(match.offered()) == {
        "mask:esmerelda",
        "mask:clyde",
        "mask:moonmoon",
        "mask:chuckles",
    }
    match.say(Mask("chuckles"))
    assert match.state.masks[A] == "chuckles" and match.state.spares == ("dullahan",)
    assert match.ask() == ("ExtraTreat", A)
    assert set(match.form(A).options) == {Play(1, "T10"), Stop()}


def test_s86_the_start_of_the_race() -> None:
    match = mischief(
        at={A: "o12 cw", C: "c3 in", D: "o45 cw"},
        haunted=3,
        visits={"clyde@H1": 2, "chuckles@H1": 1, "clyde@H2": 1, "moonmoon@H4": 2},
    )
    match.roll(2)
    assert match.ask() == ("NearestSkull", B) and match.offered() == ["go:o14", "go:o28"]
    visits = match.state.visits
    match.say(Go("o28"))
    assert [match.where(s) for s in range(4)] == ["o14 in", "o28 in", "o28 in", "o42 in"]
    assert match.state.haunted == 0 and match.state.cauldrons == (3, 1, 0, 2)
    assert match.state.visits == visits
    assert match.ask() == ("TreatOrRoll", B)


def test_s88_a_later_arrival() -> None:
    match = mischief(active=C, at={C: "c5 in"}, ltgb="o30", cauldrons=(0, 1, 0, 2))
    match.roll(2)
    assert match.ask() == ("PickCauldron", C)
    assert match.offered() == [f"cauldron:{number}" for number in range(4)]
    match.say(Cauldron(3))
    assert match.state.candy[C] == 7 and match.state.cauldrons == (0, 1, 0, 0)
    assert match.state.ltgb == "o30" and match.where(C) == "o35 free"
    assert match.ask() == ("Shop", D)


def test_s89_a_tile_on_an_arm() -> None:
    match = mischief(at={A: "o14 in"}, tiles={"b3": "K13/B"})
    match.roll(3)
    assert match.where(A) == "b4 in"
    assert match.ask() == ("Shop", B)


def test_s91_out_exactly_onto_the_skull() -> None:
    match = mischief(at={A: "b2 out", B: "o22 cw", C: "o36 cw", D: "o50 cw"})
    match.roll(2)
    assert match.where(A) == "o14 free" and match.state.haunted == 1
    for _ in (B, C, D):
        match.roll(1)
    match.roll(2)
    assert match.ask() == ("Direction", A)


def test_s92_pushed_back_out() -> None:
    match = mischief(at={A: "o14 in"}, tiles={"b1": "K01/C"})
    match.roll(1)
    assert match.ask() == ("Direction", A)
    match.say(Face("ccw"))
    assert match.where(A) == "o13 ccw" and match.state.haunted == 0
    assert match.ask() == ("Shop", B)


def test_s94_an_arrival_without_a_race() -> None:
    match = mischief(at={A: "b5 in"}, cauldrons=(0, 4, 0, 0))
    match.roll(6)
    match.say(Cauldron(1))
    assert match.state.candy[A] == 9
    assert match.ask() == ("PickLtgb", A)
    assert "go:b3" not in match.offered() and "go:o7" not in match.offered()
    events = match.say(Go("o30"))
    assert facts(events, LtgbPlaced) == [LtgbPlaced(A, "o30")]
    assert match.where(A) == "o7 free" and not match.state.visits
    assert match.ask() == ("Shop", B)


def test_s95_an_arrival_by_an_own_hop() -> None:
    match = mischief(at={A: "b6 in", B: "o24 cw"}, hands={A: "T02"})
    match.play_treat("T02")
    events = match.say(Pick(A))
    assert match.ask() == ("PickLtgb", A), "all cauldrons are empty"
    events += match.say(Go("o30"))
    assert match.where(A) == "o7 free"
    assert not facts(events, DieRolled) and not facts(events, CauldronTaken)
    assert match.state.treats.count("T02") == 2
    assert match.ask() == ("TreatOrRoll", B)


def test_s97_let_the_games_begin() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o22 cw", C: "o36 cw", D: "o50 cw"},
        ltgb="o12",
        candy={A: 6, B: 9, C: 4, D: 5},
        haunted=3,
    )
    events = match.roll(2)
    assert facts(events, LtgbTaken) == [LtgbTaken(A, "o12")]
    assert match.ask() == ("LtgbPay", A) and match.state.haunted == 0
    match.say((0, 2, 0, 0, 4))
    assert match.ask() == ("PaySplit", B) and match.asked.total == 5
    match.say((5, 0, 0, 0))
    assert match.ask() == ("PaySplit", D) and match.asked.total == 1
    match.say((0, 0, 0, 1))
    assert match.state.candy == (4, 4, 4, 4) and match.state.cauldrons == (5, 2, 0, 1)
    assert match.state.ltgb == "" and match.state.facing == ("in",) * 4
    assert match.state.at == ("o14", "o28", "o42", "o0")
    assert match.ask() == ("TreatOrRoll", B)


def test_s98_let_the_games_begin_without_candy() -> None:
    match = mischief(at={A: "o10 cw"}, ltgb="o12", candy={A: 0})
    match.roll(2)
    for seat in (B, C, D):
        assert match.ask() == ("PaySplit", seat) and match.asked.total == 5
        match.say((5, 0, 0, 0))
    assert match.state.candy == (0, 0, 0, 0)
    assert match.ask() == ("NearestSkull", B)


def test_s100_the_lander_is_not_active() -> None:
    match = mischief(at={A: "o10 cw", B: "o24 cw"}, ltgb="o25", hands={A: "T02"})
    match.play_treat("T02")
    events = match.say(Pick(B))
    assert match.ask() == ("LtgbPay", B)
    match.say((0, 0, 0, 0, 5))
    while match.ask()[0] == "NearestSkull":
        match.say(match.form(match.asked.seat).options[0])
    assert not facts(events, DieRolled) and match.state.facing == ("in",) * 4
    assert match.ask() == ("TreatOrRoll", B) and match.state.active == B


def test_s101_what_is_laid_and_disarmed_stays_unknown() -> None:
    match = mischief(at={B: "o24 cw"}, hands={B: "T18"}, candy={A: 1})
    draws("K07")
    events = match.say(BuyTricks(1))
    events += match.say((1, 0, 0, 0))
    events += match.say((Go("o9"),))
    events += match.roll(1)
    events += match.say(Face("ccw"))
    events += match.play_treat("T18")
    assert facts(events, TilesLaid) and facts(events, TrickCleared)
    for viewer in (C, D, "spectator"):
        told = json.dumps([shown(e, viewer) for e in events])
        assert "K07" not in told
        seen = match.view(viewer)
        assert seen["bags"][A] == {"hidden": 36}
        assert "K07" not in json.dumps({**seen, "bags": None})
    assert "K07" in json.dumps([shown(e, A) for e in events])
    assert "K07" in match.view(A)["bags"][A]
    assert match.ask() == ("TreatOrRoll", B)


def test_s103_the_end_inside_a_howl() -> None:
    match = howling(
        {"o20": "K13", "o31": "K07", "o55": "K08"},
        at={A: "o19 cw", B: "o30 cw", D: "o45 cw"},
        visits={"chuckles@H2": 2},
    )
    assert match.asked is None and match.state.visits == {"chuckles@H2": 3}
    assert match.state.candy[B] == 5 and match.state.at[B] == "o30"


def test_s104_cauldrons_do_not_score() -> None:
    match = mischief(
        at={A: "o17 cw"}, visits={"chuckles@H2": 2}, cauldrons=(20, 0, 0, 0), candy={C: 6}
    )
    match.roll(5)
    result = match.table.result
    assert result and result.scores == (5, 5, 6, 5) and result.winners == (C,)
    assert match.asked is None


def test_s107_an_off_turn_replacement_of_the_roll() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o22 cw", C: "o24 ccw"},
        masks=("esmerelda", "chuckles", "clyde", "moonmoon"),
        tiles={"o13": "K19/B"},
        hands={B: "T05"},
    )
    match.roll(3)
    assert match.ask() == ("ExtraTreat", B)
    match.play_treat("T05")
    assert match.where(B) == "o26 cw" and match.state.replaced == status(B=1)
    assert match.ask() == ("TreatOrRoll", B) and match.offered() == ["end"]
    events = match.say(End())
    assert facts(events, RollWithheld) == [RollWithheld(B)]
    assert match.where(B) == "o26 cw"
    match.roll(1)
    match.done()
    match.roll(1)
    match.say(Face("cw"))
    match.roll(1)
    assert match.ask() == ("TreatOrRoll", B) and match.offered() == ["roll"]


def test_s110_two_players_swap() -> None:
    match = mischief(seats=2, at={A: "o10 cw"}, tiles={"o13": "K17/B"})
    match.roll(3)
    assert match.state.masks == ("esmerelda", "chuckles")
    assert match.ask() == ("Shop", B)


def test_s112_a_skip_in_the_race() -> None:
    match = mischief(
        active=D,
        at={A: "o12 cw", B: "o24 cw", C: "o36 cw", D: "o40 cw"},
        haunted=3,
        skips=status(A=1),
    )
    events = match.roll(2)
    assert facts(events, TurnSkipped) == [TurnSkipped(A, 0)]
    assert match.where(A) == "o14 in"
    assert match.ask() == ("TreatOrRoll", B)


def test_s113_street_cleaning_lasts_for_the_round() -> None:
    match = mischief(
        active=B,
        at={A: "o15 cw", B: "o22 cw"},
        hands={B: "T03"},
        cleaning=status(A=1),
        tiles={"o16": "K08/C"},
    )
    match.play_treat("T03")
    events = match.say(Pick(A))
    assert match.where(A) == "o17 cw"
    assert [e.space for e in facts(events, TrickCleared)] == ["o16"]
    assert not facts(events, TrickFlipped)
    match.roll(1)
    for _ in (C, D):
        match.done()
        match.roll(1)
        match.say(Face("cw"))
    assert match.ask() == ("TreatOrRoll", A) and match.state.cleaning == status()


def test_s115_dice_only() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o20 cw"},
        hands={A: "T02"},
        options={"house_counter": "dice_only"},
    )
    match.play_treat("T02")
    events = match.say(Pick(B))
    assert match.where(B) == "o21 free" and not match.state.visits
    assert facts(events, HouseEnteredUncounted) == [HouseEnteredUncounted(B, "H2")]
    assert match.ask() == ("TreatOrRoll", A)


def test_s116_the_end_of_the_turn() -> None:
    match = howling(
        {"o20": "K13", "o31": "K07", "o55": "K08"},
        at={A: "o19 cw", B: "o30 cw", C: "o34 cw", D: "o45 cw"},
        visits={"chuckles@H2": 2},
        options={"end_timing": "end_of_turn"},
    )
    assert match.state.visits == {"chuckles@H2": 3}
    assert match.state.candy[B] == 0, "B was howled to K07"
    assert match.state.at[C] == "o55", "and C to the last one"
    assert match.state.doubles == status(D=1)
    assert match.ask() == ("TreatOrRoll", D)
    events = match.roll(1)
    assert match.where(D) == "o47 cw"
    assert facts(events, GameEnded) and match.asked is None


@pytest.mark.parametrize("number", range(4))
def test_s118_replay_folds_and_never_decides(number: int) -> None:
    match = random_match(mischief().game, number)
    past = tables(match.game, match.commits)
    assert past[-1].state == match.state
    first = next(t.state for t in past if t.state is not None)
    began = next(i for i, t in enumerate(past) if t.state is not None)
    events = [e for commit in match.commits[began:] for e in commit.events]
    assert fold(first, events) == match.state
    assert past[-1].state.pending == match.state.pending == ()


def test_s119_a_howl_within_a_howl() -> None:
    match = howling(
        {"o11": "K19", "o25": "K08", "o30": "K06"},
        "K07 K16 K15",
        at={A: "o10 cw", B: "o24 cw", D: "o45 cw"},
    )
    assert match.ask() == ("LayAll", D), "A flipped K19"
    match.say((Go("o9"), Go("o50"), Go("o51")))
    assert match.state.candy == (0, 3, 3, 14)
    assert match.state.at[:2] == ("o9", "o30")
    assert match.state.skips == status(B=1) and match.state.doubles == status(D=2)
    assert match.state.bags[D].count("K19") == 2 and not match.state.flipped
    assert match.ask() == ("TreatOrRoll", D)


def test_s121_a_short_bag() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T09"})
    match.lay(bags=(("K08",), *match.state.bags[1:]))
    match.play_treat("T09")
    assert match.ask() == ("LayAll", A) and len(match.form(A).items) == 1
    match.say((Go("o30"),))
    assert match.state.tiles["o30"].code == "K08"
    assert match.ask() == ("TreatOrRoll", A)


SMALL_SUPPLY = json.dumps(
    {
        "id": "short",
        "players": [2, 4],
        "cauldrons": 4,
        "constants": {"candy_supply": 3},
        "compact": {
            "loop": 56,
            "skulls": [0, 14, 28, 42],
            "arm": 6,
            "houses": [{"id": f"H{i + 1}", "at": 7 + 14 * i, "cauldron": i} for i in range(4)],
        },
    }
).encode()


def test_s124_a_limited_supply() -> None:
    match = mischief(game=from_data(SMALL_SUPPLY), at={A: "o17 cw"})
    match.roll(4)
    assert match.state.candy[A] == 8 and match.state.left_in_bowl(9) == 0
    assert match.state.visits == {"chuckles@H2": 1}
    assert match.ask() == ("Shop", B)
