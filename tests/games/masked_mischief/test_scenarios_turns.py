"""Worked cases S01 to S35: set-up, walking, Houses, passing, buying, landing."""

from __future__ import annotations

import pytest

from games.masked_mischief.events import DieRolled, GameEnded, PlayerPassed
from games.masked_mischief.game import GAME
from games.masked_mischief.options import (
    BuyMask,
    BuyTreats,
    BuyTricks,
    Character,
    Done,
    Face,
    Go,
    Lay,
    Mask,
    Pick,
    Play,
    Roll,
    Swap,
)
from games.masked_mischief.tiles import TrickFlipped, TrickReturned
from games.rules import Refused
from tests.games.masked_mischief.given import (
    MASKS,
    A,
    B,
    C,
    D,
    Given,
    Loaded,
    draws,
    facts,
    mischief,
    status,
)

HOMES = {"Pip": "o7", "Wren": "o21", "Otto": "o35", "Juniper": "o49"}


def chosen(seats: int = 4, rolls: tuple[int, ...] = (1, 2, 3, 4)) -> Given:
    """Set up to the first tile to be laid."""
    match = Given.started(GAME, seats)
    for name in list(HOMES)[:seats]:
        match.say(Character(name, HOMES[name]))
    for mask in MASKS[: seats - 1]:
        match.say(Mask(mask))
    Loaded.rolls = list(rolls)
    match.say(Mask(MASKS[seats - 1]))
    return match


def test_s01_a_tie_for_the_lowest_rolls_again() -> None:
    match = chosen(rolls=(3, 1, 1, 6, 5, 2))
    assert match.state.active == C
    asked = []
    for _ in range(4):
        asked.append(match.ask())
        match.say(match.form(match.asked.seat).options[0])
    assert asked == [("LayOne", C), ("LayOne", D), ("LayOne", A), ("LayOne", B)]


def test_s02_tricks_are_laid_in_turn_then_treats() -> None:
    match = chosen()
    for kind in ("trick", "treat"):
        for number in range(16):
            assert match.ask() == ("LayOne", number % 4) and match.asked.kind == kind
            assert len(match.state.treats) == (44 if kind == "trick" else 28)
            seat = match.asked.seat
            option = match.form(seat).options[0]
            match.say(option)
            for viewer in (A, B, C, D):
                laid = match.view(viewer)["tiles"][option.space]
                assert laid["by"] == seat and laid["kind"] == kind
                face = option.code if viewer == seat else {"hidden": True}
                assert laid["code"] == face
    assert len(match.state.tiles) == 32
    assert match.state.hands == ((),) * 4 and match.state.placing == ((),) * 4
    assert [len(bag) for bag in match.state.bags] == [32] * 4
    assert len(match.state.treats) == 28
    assert match.ask() == ("Shop", A)


def test_s04_the_first_turn_buys_no_tiles() -> None:
    match = mischief(begun=status())
    assert match.offered() == ["buy_mask:dullahan", "done"]
    for option in (BuyTricks(1), BuyTreats(1)):
        with pytest.raises(Refused, match="does not offer") as refused:
            match.answer(A, option)
        assert refused.value.code == "not_an_option"
    match.done()
    match.roll(6)
    assert match.ask() == ("Direction", A)
    match.say(Face("cw"))
    assert match.where(A) == "o13 cw"
    assert match.ask() == ("Shop", B)


def test_s05_a_house_stops_the_walk_and_pays() -> None:
    match = mischief(at={A: "o17 cw"})
    match.roll(8)
    assert match.where(A) == "o21 free"
    assert match.state.visits == {"chuckles@H2": 1}
    assert match.state.candy[A] == 9
    assert match.ask() == ("Shop", B)


def test_s07_the_third_visit_ends_the_game_at_once() -> None:
    match = mischief(
        at={A: "o17 cw"},
        visits={"chuckles@H2": 2},
        candy={A: 12, B: 12, C: 3, D: 1},
        youth=(D, C, B, A),
    )
    ended = facts(match.roll(5), GameEnded)[0]
    assert ended == GameEnded("chuckles", "H2", (12, 12, 3, 1), B, True)
    assert match.state.visits == {"chuckles@H2": 3}
    assert match.asked is None
    result = match.table.result
    assert result and result.winners == (B,) and result.scores == (12, 12, 3, 1)
    with pytest.raises(Refused) as refused:
        match.answer(A, Roll())
    assert refused.value.code == "match_over"


def test_s08_the_mask_counts_and_not_the_player() -> None:
    match = mischief(
        at={A: "o17 cw"},
        masks=("clyde", "esmerelda", "chuckles", "moonmoon"),
        visits={"clyde@H2": 1, "chuckles@H2": 2},
    )
    match.roll(4)
    assert match.state.visits == {"clyde@H2": 2, "chuckles@H2": 2}
    assert match.state.candy[A] == 7
    assert match.ask() == ("Shop", B)


def test_s10_leaving_a_house_over_a_skull() -> None:
    match = mischief()
    match.done()
    match.roll(8)
    match.say(Face("ccw"))
    assert match.where(A) == "o55 ccw"
    assert match.state.haunted == 0
    assert match.ask() == ("Shop", B)


def test_s11_a_skull_passed_and_a_skull_landed_on() -> None:
    match = mischief(at={A: "o12 cw"})
    match.roll(4)
    assert match.where(A) == "o16 cw" and match.state.haunted == 0
    assert match.ask() == ("Shop", B)
    match = mischief(at={A: "o12 cw", B: "o22 cw", C: "o36 cw", D: "o50 cw"})
    match.roll(2)
    assert match.where(A) == "o14 cw" and match.state.haunted == 1
    for _ in (B, C, D):
        match.roll(1)
    match.roll(3)
    assert match.where(A) == "o17 cw"


def test_s13_an_own_tile_into_a_house_counts_nothing() -> None:
    match = mischief(at={A: "o20 cw"}, hands={A: "T02"})
    match.play_treat("T02")
    assert match.where(A) == "o21 free"
    assert not match.state.visits and match.state.candy[A] == 5
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["roll"]
    match.roll(3)
    assert match.ask() == ("Direction", A)


def test_s14_a_tile_instead_of_the_roll_pays() -> None:
    match = mischief(at={A: "o17 cw"}, hands={A: "T05"})
    events = match.play_treat("T05")
    assert match.where(A) == "o21 free"
    assert match.state.visits == {"chuckles@H2": 1} and match.state.candy[A] == 9
    assert not facts(events, DieRolled)
    assert match.ask() == ("Shop", B)


def test_s16_a_pass_may_swap_masks_before_the_landing() -> None:
    match = mischief(at={A: "o10 cw", B: "o12 ccw"}, tiles={"o15": "T10"})
    match.roll(5)
    assert match.ask() == ("SwapMasks", A) and match.asked.other == B
    assert match.where(A) == "o15 cw" and match.state.tiles
    match.say(Swap(True))
    assert match.state.masks[:2] == ("esmerelda", "chuckles")
    assert match.hand(A) == ["T10"]
    assert match.ask() == ("TreatOrRoll", B)


def test_s17_the_same_direction_is_no_choice() -> None:
    match = mischief(at={A: "o10 cw", B: "o12 cw"})
    events = match.roll(5)
    assert facts(events, PlayerPassed) == [PlayerPassed(A, B, False)]
    assert match.ask() == ("TreatOrRoll", B)


def test_s19_who_shares_the_start_space_is_not_passed() -> None:
    match = mischief(at={A: "o10 cw", B: "o10 ccw"})
    assert not facts(match.roll(3), PlayerPassed)
    assert match.ask() == ("TreatOrRoll", B)


def test_s20_the_swapped_mask_enters_the_house() -> None:
    match = mischief(at={A: "o17 cw", B: "o19 ccw"}, visits={"esmerelda@H2": 1})
    match.roll(6)
    match.say(Swap(True))
    assert match.state.visits == {"esmerelda@H2": 2}
    assert match.state.candy[A] == 7
    assert match.ask() == ("TreatOrRoll", B)


def test_s22_another_track_and_a_free_facing() -> None:
    match = mischief(at={A: "o12 cw", C: "o14 in", D: "o15 free"})
    match.roll(4)
    assert match.where(A) == "o16 cw"
    assert match.ask() == ("Shop", B)


def test_s23_a_walk_by_a_tile_is_no_pass() -> None:
    match = mischief(at={A: "o10 cw", C: "o12 ccw"}, tiles={"o11": "K02/B"})
    match.roll(1)
    assert match.where(A) == "o13 cw"
    assert match.ask() == ("Shop", B)


def test_s25_tricks_are_bought_and_laid() -> None:
    match = mischief()
    match.say(BuyTricks(2))
    assert match.ask() == ("PaySplit", A)
    draws("K08 K15")
    match.say((1, 0, 1, 0))
    assert match.state.candy[A] == 3 and match.state.cauldrons == (1, 0, 1, 0)
    assert match.ask() == ("LayAll", A)
    assert match.view(A)["placing"][A] == ["K08", "K15"]
    assert match.view(B)["placing"][A] == {"hidden": 2}
    match.say((Go("o9"), Go("a2")))
    tiles = match.state.tiles
    assert (tiles["o9"].code, tiles["a2"].code) == ("K08", "K15")
    assert match.ask() == ("Shop", A)
    with pytest.raises(Refused):
        match.answer(A, BuyTricks(1))


def test_s26_treats_are_bought_one_of_them_is_laid() -> None:
    match = mischief()
    match.say(BuyTreats(2))
    draws("T01 T10 T13")
    match.say((0, 0, 0, 2))
    assert match.ask() == ("LayOne", A)
    match.say(Lay("T13", "o30"))
    assert match.hand(A) == ["T01", "T10"]
    assert match.state.tiles["o30"].code == "T13"
    assert match.state.candy[A] == 3 and match.state.cauldrons == (0, 0, 0, 2)
    assert len(match.state.treats) == 41
    seen = match.view(B)
    assert seen["tiles"]["o30"] == {"kind": "treat", "by": A, "code": {"hidden": True}}
    assert [held["code"] for held in seen["hands"][A]] == [{"hidden": True}] * 2
    assert match.ask() == ("Shop", A)


def test_s28_what_can_be_bought() -> None:
    few = mischief(candy={A: 1}, treats=("T01", "T02"))
    assert few.ask() == ("Shop", A)
    assert few.offered() == ["buy_tricks:1", "buy_treats:1", "done"]
    one = mischief(candy={A: 1}, treats=("T01",))
    assert one.ask() == ("Shop", A)
    assert one.offered() == ["buy_tricks:1", "done"]


def test_s29_buying_comes_before_the_treat() -> None:
    match = mischief(hands={A: "T10"})
    match.done()
    match.play_treat("T10")
    assert match.state.candy[A] == 10
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["roll"]
    with pytest.raises(Refused):
        match.answer(A, BuyTricks(1))


def test_s31_an_own_trick_stays_face_down() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o12": "K07/A"})
    match.roll(2)
    assert match.state.tiles["o12"].code == "K07"
    assert match.ask() == ("Shop", B)


def test_s32_a_foreign_trick_and_too_little_candy() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o12": "K07/B"}, candy={A: 3})
    events = match.roll(2)
    assert facts(events, TrickFlipped) == [TrickFlipped("o12", B, A, "K07")]
    assert facts(events, TrickReturned) == [TrickReturned("o12", "resolved")]
    assert match.state.candy == (0, 8, 5, 5)
    assert match.state.bags[B].count("K07") == 2 and not match.state.tiles
    assert "o12" in match.state.blanks()
    assert match.ask() == ("Shop", B)


def test_s34_being_put_on_a_skull_is_no_landing() -> None:
    match = mischief(at={A: "o10 cw", B: "o14 cw"}, hands={A: "T15"}, haunted=2)
    match.play_treat("T15")
    assert match.where(A) == "o14 cw" and match.where(B) == "o10 cw"
    assert match.state.haunted == 2
    assert match.ask() == ("TreatOrRoll", B)


def test_s35_being_put_on_a_trick_does_not_flip_it() -> None:
    match = mischief(
        at={A: "o10 cw", B: "o16 ccw", C: "o40 cw"}, tiles={"o16": "K07/C"}, hands={A: "T15"}
    )
    match.play_treat("T15")
    assert match.ask() == ("Abduct", A) and match.offered() == ["pick:1", "pick:2"]
    match.say(Pick(B))
    assert match.state.at[A] == "o16"
    assert match.state.tiles["o16"].code == "K07" and match.state.candy[A] == 5
    assert match.ask() == ("TreatOrRoll", B)


def test_s106_every_roll_is_a_human_act() -> None:
    match = mischief(at={A: "o10 cw"})
    assert match.ask() == ("TreatOrRoll", A) and match.offered() == ["roll"]


def test_s109_three_players_have_two_spare_masks() -> None:
    match = mischief(seats=3)
    assert {"buy_mask:moonmoon", "buy_mask:dullahan"} <= set(match.offered())
    match.say(BuyMask("dullahan"))
    match.say((2, 0, 0, 0))
    assert match.state.masks[A] == "dullahan"
    assert set(match.state.spares) == {"chuckles", "moonmoon"}
    assert "buy_mask:moonmoon" not in match.offered()
    match = mischief(seats=3, at={A: "o48 cw"})
    match.roll(5)
    assert match.where(A) == "o49 free" and match.state.candy[A] == 9


def test_s122_creation() -> None:
    match = Given.started(GAME, 4)
    assert [len(bag) for bag in match.state.bags] == [36] * 4
    assert len(match.state.treats) == 44 and match.state.ltgb == ""
    asked = []
    while match.ask()[0] in ("ChooseCharacter", "ChooseMask"):
        asked.append(match.ask())
        match.say(match.form(match.asked.seat).options[0])
    kinds = ("ChooseCharacter", "ChooseMask")
    assert asked == [(kind, seat) for kind in kinds for seat in (A, B, C, D)]
    assert match.state.spares == ("dullahan",)
    with pytest.raises(Refused) as refused:
        Given.started(GAME, 5, board="mm-4x14")
    assert refused.value.code == "bad_option"
    two = chosen(2, rolls=(1, 2))
    assert len(two.state.map.houses) == 4 and len(two.state.spares) == 3
    race = mischief(
        seats=2,
        at={A: "o12 cw", B: "o17 cw"},
        haunted=3,
        visits={"chuckles@H1": 2, "esmerelda@H3": 1},
    )
    race.roll(2)
    assert race.state.cauldrons == (2, 0, 0, 0)


def test_the_options_of_a_roll_and_of_shopping_are_what_they_say() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T10 T10"})
    assert match.form(A).options == (Play(0, "T10"), Play(1, "T10"), Roll())
    assert Done() in mischief().form(A).options
