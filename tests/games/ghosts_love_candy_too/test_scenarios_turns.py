"""Scenarios: turns, scares, abilities that move treats."""

from __future__ import annotations

import pytest

from games.ghosts_love_candy_too.ability import PassTreat
from games.ghosts_love_candy_too.order import ChooseGhosts
from games.ghosts_love_candy_too.standing import courage, is_scared, total
from games.rules import Refused
from tests.games.ghosts_love_candy_too.street import slot, street

NEXT = ("Haunt", "D")
"""Who is asked after the turns of a scenario."""


# Turn and scare


def test_s28_all_treats_are_taken_junk_too_then_the_ability_acts() -> None:
    match = street({1: slot(6, "", "JUNK JUNK MINT")}, "A4")
    match.say("s1")
    assert match.asks == ("UseAbility", "A")
    assert match.stash("A") == ["MINT", "JUNK", "JUNK"]
    match.say("yes")
    assert match.stash("A") == ["MINT", "JUNK"] and match.state.treat_discard == ("JUNK",)
    assert match.asks == NEXT


def test_s29_a_total_that_equals_the_courage_scares() -> None:
    match = street({0: slot(23, "B9")}, "A8 C1", deck=[2])
    match.say("s0")
    assert total(match.state, 0) == 17 and match.under(0) == "B9 A8"
    match.say("s0")
    assert match.kids("C") == [23] and match.row()[0] == 2 and match.under(0) == ""
    assert [(g.seat, g.value) for g in match.state.ghost_discard] == [(1, 9), (0, 8), (2, 1)]
    assert match.asks == NEXT


def test_s31_a_new_kid_waits_for_place_treats() -> None:
    match = street({2: slot(23, "B9 A8")}, "C1", deck=[2], bag="MINT CHOC CORN LICO LOLLY GUMMY")
    match.lay(hands=(((3, 4),),) * 4)
    match.say("s2")
    assert match.row()[2] == 2 and match.above(2) == []
    match.say("s0")
    assert match.above(2) == ["CORN"]
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_s32_one_scare_sets_off_the_next() -> None:
    row = {1: slot(59, "A8"), 2: slot(6, "B9 C8", "JUNK CHOC")}
    match = street(row, "D6", deck=[12, 20])
    match.say("s1")
    assert match.kids("D") == [59] and match.kids("C") == [6]
    assert match.row()[1:3] == [12, 20]
    assert match.state.treat_discard == ("JUNK", "CHOC")
    assert match.asks == NEXT


def test_s34_the_kid_haunted_goes_first_and_its_successor_counts_at_once() -> None:
    row = {2: slot(37, "B6"), 3: slot(12, "C6 D5"), 4: slot(1), 5: slot(60)}
    match = street(row, "A7", deck=[59])
    match.say("s2", "yes", "s4", "s5")
    assert match.kids("A") == [37] and match.row()[2] == 59
    assert courage(match.state, 3) == 13 and total(match.state, 3) == 11
    assert match.kids("C") == match.kids("D") == []
    assert match.asks == NEXT


def test_s35_a_kid_beside_the_skeleton_is_not_scared_until_it_is_gone() -> None:
    match = street({2: slot(9, "A9"), 3: slot(1, "B9 C6")}, "D6", deck=[24, 23])
    assert not is_scared(match.state, 3)
    match.say("s2")
    assert match.kids("D") == [9] and match.kids("C") == [1]
    assert match.row()[2:4] == [24, 23]
    assert match.asks == NEXT


def test_s37_without_a_kid_to_come_the_slot_stays_empty() -> None:
    match = street({4: slot(24, "B9"), 3: slot(59)}, "A8", bag="MINT " * 6)
    match.lay(hands=(((3, 4),),) * 4)
    match.say("s4")
    assert match.kids("A") == [24] and match.row()[4] == 0
    assert "SlotLeftEmpty" in match.kinds()
    assert match.state.beside(3) == (2,) and match.state.beside(5) == ()
    assert match.asks == NEXT and "s4" not in match.offers
    match.say("s0")
    assert match.above(4) == [] and match.above(5) == ["MINT"]
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_s38_a_ghost_that_fits_nowhere_is_lost() -> None:
    row = {0: slot(72, "", "CHOC"), 1: slot(23, "C9 B7")}
    match = street(row, "D2 A6 B4", fill=False, number=9)
    match.say("s1")
    assert match.row() == [72, 0, 0, 0, 0, 0]
    assert match.kinds().count("HauntSkipped") == 2
    lost = [(g.seat, g.value) for g in match.state.ghost_discard]
    assert (0, 6) in lost and (1, 4) in lost
    # The turn after that has one kid to haunt, and nobody is asked.
    assert match.under(0) == "D1" and match.stash("D") == ["CHOC"]
    assert match.asked is None


# Abilities: treats


def test_s40_fairy_keeps_one_of_three() -> None:
    match = street({0: slot(15)}, "A3", bag="JUNK MINT CHOC CORN")
    match.say("s0")
    assert match.asks == ("KeepDrawn", "A") and match.offers == ["CHOC", "MINT", "JUNK"]
    match.say("CHOC")
    assert match.stash("A") == ["CHOC"]
    assert sorted(match.state.treat_discard) == ["JUNK", "MINT"] and match.state.bag == ("CORN",)
    assert match.asks == NEXT


def test_s41_fisher_gets_what_there_is_and_mixes_the_rest_in() -> None:
    match = street({0: slot(47)}, "A3", bag="JUNK MINT")
    match.say("s0", "MINT")
    assert match.stash("A") == ["MINT"] and match.state.bag == ("JUNK",)
    assert "BagMixed" in match.kinds()
    assert match.asks == NEXT


def test_s43_pirate_takes_from_the_only_neighbour_with_treats() -> None:
    match = street({3: slot(3), 2: slot(4, "", "CHOC CORN"), 4: slot(8)}, "A3")
    match.say("s3")
    assert match.asks == ("PickTreat", "A")
    match.say("CORN")
    assert match.stash("A") == ["CORN"] and match.above(2) == ["CHOC"]
    assert match.asks == NEXT


def test_s44_dragon_gets_nothing_off_the_piggy_bank() -> None:
    row = {0: slot(8, "", "CHOC MINT"), 1: slot(30), 2: slot(75, "", "BAR")}
    match = street(row, "A3")
    match.say("s1", "MINT")
    assert match.stash("A") == ["MINT"] and match.above(2) == ["BAR"]
    assert match.asks == NEXT


def test_s46_cyclops_takes_where_two_or_more_lie() -> None:
    row = {0: slot(48), 1: slot(8, "", "CHOC"), 2: slot(6, "", "CHOC MINT")}
    match = street({**row, 3: slot(16, "", "JUNK JUNK")}, "A3")
    match.say("s0")
    assert match.offers == ["s2", "s3"]
    match.say("s2", "CHOC")
    assert match.stash("A") == ["CHOC"]
    assert match.asks == NEXT


def test_s47_rock_star_takes_from_kids_whose_top_ghost_is_his() -> None:
    row = {2: slot(55), 0: slot(8, "B3 A4", "CORN"), 4: slot(6, "A5 C2", "MINT")}
    match = street({**row, 5: slot(16, "A1", "LICO LOLLY")}, "A2")
    match.say("s2", "LOLLY")
    assert match.stash("A") == ["CORN", "LOLLY"] and match.above(4) == ["MINT"]
    assert match.asks == NEXT


def test_s49_princess_swaps_with_who_has_treats_and_no_guard() -> None:
    match = street({0: slot(11)}, "A3", A="JUNK CORN", C="MINT", C_kids=[95], D="BAR CHOC")
    match.say("s0")
    assert match.asks == ("PickOwnTreat", "A")
    match.say("JUNK", "BAR")
    assert match.stash("A") == ["CORN", "BAR"] and match.stash("D") == ["CHOC", "JUNK"]
    assert match.asks == NEXT


def test_s50_vampire_and_dinosaur_have_others_choose() -> None:
    row = {0: slot(5), 1: slot(17)}
    match = street(row, "A3 B2", B="CHOC", C="LOLLY MINT", D="BAR")
    match.say("s0")
    assert match.asks == ("PickPlayer", "A") and match.offers == ["B", "C", "D"]
    match.say("C")
    assert match.asks == ("PickOwnTreat", "C")
    match.say("LOLLY")
    assert match.stash("A") == ["LOLLY"] and match.asks == ("Haunt", "B")
    match.say("s1", "C")
    assert match.stash("C") == [] and match.state.treat_discard == ("MINT",)
    assert match.asks == NEXT


def test_s52_burglar_finds_the_richest_protected() -> None:
    match = street({0: slot(35)}, "A3", B="MINT CHOC", B_kids=[95], C="BAR")
    match.say("s0")
    assert match.stash("A") == [] and "AbilityUsed" not in match.kinds()
    assert match.asks == NEXT


def test_s53_archer_takes_from_the_richest_for_the_poorest() -> None:
    match = street(
        {0: slot(36)}, "A3", A="JUNK JUNK MINT CHOC BAR", B="MINT MINT MINT", C="BAR", D="LICO"
    )
    match.say("s0")
    assert match.asks == ("PickReceiver", "A") and match.offers == ["C", "D"]
    match.say("D", "JUNK")
    assert match.stash("D") == ["LICO", "JUNK"]
    assert match.stash("A") == ["CHOC", "MINT", "BAR", "JUNK"]
    assert match.asks == NEXT


def test_s55_clown_has_all_pass_to_the_left_in_secret() -> None:
    match = street({0: slot(14)}, "A3", A="CHOC LICO", C="MINT CORN", D="JUNK")
    match.say("s0")
    assert isinstance(match.asked, PassTreat) and match.asked.seats == (0, 2)
    match.say("CHOC", seat="A")
    for viewer in (1, 2, 3, "spectator"):
        about = match.view(viewer)["question"]["about"]  # type: ignore[arg-type]
        assert about["chosen"] == {"0": {"hidden": True}}
    match.say("MINT", seat="C")
    assert [match.stash(s) for s in "ABCD"] == [["LICO", "JUNK"], ["CHOC"], ["CORN"], ["MINT"]]
    assert match.asks == NEXT


def test_s56_mail_carrier_draws_first_and_the_guard_passes_too() -> None:
    match = street({0: slot(39)}, "A3", A="CHOC", C="MINT LICO", C_kids=[95], bag="GUMMY")
    match.say("s0")
    assert match.asked.seats == (0, 2)
    match.say("GUMMY", seat="A")
    match.say("MINT", seat="C")
    assert match.stash("D") == ["GUMMY"] and match.stash("B") == ["MINT"]
    assert match.stash("A") == ["CHOC"] and match.stash("C") == ["LICO"]
    assert match.asks == NEXT


def test_s58_mummy_lays_junk_onto_another_kid() -> None:
    match = street({0: slot(18), 5: slot(23)}, "A3 B2", A="JUNK")
    match.say("s0", "yes", "s5")
    assert match.above(5) == ["JUNK"] and match.asks == ("Haunt", "B")
    match.say("s5")
    assert match.stash("B") == ["JUNK"]
    assert match.asks == NEXT


def test_s59_cowboy_must_move_the_only_treat() -> None:
    match = street({0: slot(12), 1: slot(8, "", "BAR")}, "A3")
    match.say("s0")
    assert match.asks == ("PickTarget", "A") and "s1" not in match.offers
    match.say("s2")
    assert match.above(2) == ["BAR"] and match.above(1) == []
    assert match.asks == NEXT


def test_s61_astronaut_and_scarecrow_put_tokens_without_chain() -> None:
    match = street({1: slot(13), 4: slot(22, "", "MINT")}, "A3 B2", bag="JUNK CHOC LICO JUNK")
    match.say("s1")
    assert match.above(0) == ["JUNK"] and match.above(2) == ["CHOC"]
    assert match.asks == ("Haunt", "B")
    match.say("s4")
    assert match.stash("B") == ["MINT"] and match.above(4) == ["LICO", "JUNK"]
    assert match.asks == NEXT


def test_s62_gardener_serves_kids_without_treats_as_far_as_the_bag_goes() -> None:
    match = street({1: slot(41, "", "BAR"), 0: slot(8, "", "CORN")}, "A3", bag="MINT JUNK CHOC")
    match.say("s1")
    assert match.stash("A") == ["BAR"]
    assert [match.above(at) for at in range(6)] == [
        ["CORN"], ["MINT"], ["JUNK"], ["CHOC"], [], [],
    ]  # fmt: skip
    assert match.asks == NEXT


@pytest.mark.parametrize(
    ("name", "kept", "gone"),
    [("MINT", ["MINT"], ["CHOC", "JUNK"]), ("LICO", [], ["CHOC", "JUNK", "MINT"])],
)
def test_s64_genie_draws_until_the_named_candy(name: str, kept: list[str], gone: list[str]) -> None:
    match = street({0: slot(44)}, "A3", bag="CHOC JUNK MINT LICO")
    match.say("s0")
    assert match.asks == ("NameCandy", "A")
    assert match.offers == ["CORN", "CHOC", "GUMMY", "LICO", "LOLLY", "MINT"]
    with pytest.raises(Refused) as refused:
        match.table.picked(0, match.state.pending[-1].id, "treat:BAR")
    assert refused.value.code == "not_an_option"
    match.say(name)
    assert match.stash("A") == kept and sorted(match.state.treat_discard) == gone
    assert match.state.bag == ("LICO",)
    assert match.asks == NEXT


def test_s65_painter_pays_with_junk_and_draws_to_a_candy() -> None:
    match = street({0: slot(49)}, "A3", A="JUNK", bag="JUNK JUNK BAR CORN")
    match.say("s0", "yes")
    assert match.stash("A") == ["BAR"] and match.state.treat_discard == ("JUNK",)
    assert sorted(match.state.bag) == ["CORN", "JUNK", "JUNK"]
    assert match.kinds().count("BagMixed") == 1
    assert match.asks == NEXT


def test_s67_detective_alone_learns_the_craving() -> None:
    match = street({0: slot(33)}, "A3", bag="LICO")
    card = match.state.secrets[2].card
    match.say("s0", "C")
    assert match.stash("A") == ["LICO"]
    for viewer in (0, 2):
        assert match.view(viewer)["secrets"][2]["card"] == card
    for viewer in (1, 3):
        assert match.view(viewer)["secrets"][2] == {"card": {"hidden": True}, "knowers": [0, 2]}
    assert match.asks == NEXT


def test_s68_flower_child_and_angel_have_others_draw_clockwise() -> None:
    bag = "MINT JUNK CHOC BAR CORN LICO LOLLY GUMMY"
    match = street({0: slot(54), 1: slot(84)}, "B3 C2", bag=bag)
    match.say("s0")
    assert [match.stash(s) for s in "BCDA"] == [["CORN", "MINT"], ["JUNK"], ["CHOC"], ["BAR"]]
    assert match.asks == ("Haunt", "C")
    match.say("s1")
    assert [match.stash(s) for s in "DAB"] == [
        ["CHOC", "LICO"], ["LOLLY", "BAR"], ["CORN", "GUMMY", "MINT"],
    ]  # fmt: skip
    assert match.asks == NEXT
