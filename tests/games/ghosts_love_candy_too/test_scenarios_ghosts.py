"""Scenarios: abilities that move ghosts and kids, standing effects, scares, the end."""

from __future__ import annotations

from typing import Any

import pytest

from games.dice import Dice
from games.ghosts_love_candy_too.order import ChooseGhosts
from games.ghosts_love_candy_too.scoring import Count, Finish
from games.ghosts_love_candy_too.standing import courage, is_scared, total, wins_ties
from games.rules import Draft
from tests.games.ghosts_love_candy_too.street import Street, slot, street

NEXT = ("Haunt", "D")


# Abilities: ghosts and kids


def test_s70_ninja_slides_under_and_another_scares() -> None:
    match = street({0: slot(10, "B6")}, "A6", deck=[24])
    match.say("s0")
    assert match.asks == ("UseAbility", "A")
    match.say("yes")
    reordered = [e for e in match.told if type(e).__name__ == "PileReordered"]
    assert [g.seat for g in reordered[0].order] == [0, 1]
    assert match.kids("B") == [10] and match.kids("A") == []
    assert match.asks == NEXT
    match = street({0: slot(10)}, "A6")
    match.say("s0")
    assert match.asks == NEXT


def test_s71_superhero_discards_the_lowest_nearest_the_top() -> None:
    match = street({1: slot(16), 2: slot(8, "B4 C2 D2")}, "A3")
    match.say("s1")
    assert match.under(2) == "B4 C2"
    assert match.asks == NEXT


def test_s73_werewolf_moves_a_top_ghost_to_a_neighbour() -> None:
    row = {0: slot(19), 3: slot(23, "C5 B3"), 4: slot(8, "D6", "MINT")}
    match = street(row, "A2")
    match.say("s0", "yes", "s3", "s4")
    assert match.under(4) == "D6 B3" and match.above(4) == ["MINT"]
    assert match.stash("B") == [] and match.asks == NEXT


def test_s74_time_traveler_scares_a_kid_from_afar() -> None:
    match = street({1: slot(51), 4: slot(12, "C9", "CHOC")}, "A5", deck=[2])
    match.say("s1", "s1", "s4")
    assert match.kids("A") == [12] and match.row()[4] == 2
    assert match.state.treat_discard == ("CHOC",)
    assert match.asks == NEXT


def test_s76_lumberjack_keeps_the_ghost_just_placed() -> None:
    match = street({2: slot(58, "B4 C1")}, "A3")
    match.say("s2", "yes")
    assert match.asks == ("PickGhost", "A") and match.offers == ["B4", "C1"]
    match.say("B4", "s1")
    assert match.under(2) == "C1 A3" and match.under(1) == "B4"
    assert match.asks == NEXT


def test_s77_nurse_takes_the_ghost_back_off() -> None:
    match = street({2: slot(52, "B7"), 4: slot(8, "A4")}, "A6")
    match.say("s2", "yes")
    assert match.offers == ["s2", "s4"]
    match.say("s2")
    assert match.under(2) == "B7" and match.kids("A") == match.kids("B") == []
    assert [(g.seat, g.value) for g in match.state.ghost_discard] == [(0, 6)]
    assert match.asks == NEXT


def test_s79_mermaid_swaps_places_and_courages_follow() -> None:
    match = street({1: slot(20, "B2"), 2: slot(60), 3: slot(3, "C9 D1")}, "A3")
    assert courage(match.state, 3) == 11
    match.say("s1", "yes", "s2")
    assert match.row()[1:3] == [60, 20] and match.under(2) == "B2 A3"
    assert courage(match.state, 3) == 14 and courage(match.state, 2) == 10
    assert match.asks == NEXT


def test_s80_acrobat_goes_to_the_end_and_the_others_close_up() -> None:
    row = {0: slot(1), 1: slot(9), 2: slot(38, "B3"), 3: slot(4, "C9 D2"), 4: slot(5), 5: slot(60)}
    match = street(row, "A4")
    match.say("s2", "yes")
    assert match.asks == ("PickEnd", "A") and match.offers == ["s0", "s5"]
    match.say("s5")
    assert match.row() == [1, 9, 4, 5, 60, 38]
    assert match.under(5) == "B3 A4" and match.under(2) == "C9 D2"
    assert not is_scared(match.state, 2)
    assert match.asks == NEXT


def test_s82_chef_moves_a_scared_kid_and_its_power() -> None:
    match = street({0: slot(8)}, "A3", A_kids=[1], C_kids=[92])
    match.say("s0", "yes")
    assert match.asks == ("PickStashKid", "A") and match.offers == ["#1", "#92"]
    match.say("#92", "A")
    assert match.kids("A") == [1, 92] and match.kids("C") == []
    assert wins_ties(match.state, 0) and not wins_ties(match.state, 2)
    assert match.asks == NEXT


def test_s83_doctor_and_sheriff_get_rid_of_scared_kids() -> None:
    row = {0: slot(27), 1: slot(56)}
    match = street(row, "A3 A2", deck=[2], A="JUNK MINT CHOC", A_kids=[3, 4])
    match.say("s0", "yes", "#3")
    assert match.state.kid_discard == (3,) and match.asks == ("Haunt", "A")
    match.say("s1", "yes", "JUNK", "MINT")
    assert match.kids("A") == [] and match.state.deck == (2,) and match.state.under == (4,)
    assert match.stash("A") == ["CHOC"] and match.state.treat_discard == ("JUNK", "MINT")
    assert match.asks == NEXT
    for given in ({"A": "JUNK", "A_kids": [4]}, {"A": "JUNK MINT"}):
        match = street(row, "A3", **given)  # type: ignore[arg-type]
        match.say("s1")
        assert match.asks == NEXT


def test_s85_wizard_finds_nothing_to_copy() -> None:
    match = street({1: slot(23), 2: slot(43), 3: slot(63)}, "A3")
    match.say("s2")
    assert "AbilityUsed" not in match.kinds()
    assert match.asks == NEXT


def test_s86_wizard_copies_with_neighbours_of_its_own() -> None:
    match = street({1: slot(3, "", "CHOC"), 2: slot(43), 3: slot(23, "", "MINT")}, "A6")
    match.say("s2")
    assert match.asks == ("PickKid", "A") and match.offers == ["s1", "s3"]
    match.say("s3")
    assert match.stash("A") == ["MINT"] and match.above(1) == ["CHOC"]
    assert match.asks == NEXT
    match = street({1: slot(20, "B1"), 2: slot(43, "C2"), 3: slot(9)}, "A6")
    match.say("s2")
    assert match.asks == ("UseAbility", "A")
    match.say("yes", "s3")
    assert match.row()[1:4] == [20, 9, 43] and match.under(3) == "C2 A6"
    assert match.asks == NEXT


# Ongoing and adjacent


def test_s88_spider_leaves_one_for_the_cowboy_to_move() -> None:
    match = street({1: slot(63), 2: slot(12, "", "JUNK CHOC")}, "A3")
    match.say("s2")
    assert match.asks == ("LeaveTreat", "A")
    match.say("JUNK")
    assert match.stash("A") == ["CHOC"]
    assert match.asks == ("PickTarget", "A")
    match.say("s5")
    assert match.above(5) == ["JUNK"] and match.above(2) == []
    assert match.asks == NEXT


def test_s89_baby_counts_each_ghost_as_one() -> None:
    match = street({0: slot(67, "A9 B8 C3")}, "D1", deck=[24])
    assert total(match.state, 0) == 3
    match.say("s0")
    assert match.kids("D") == [67] and match.asks == NEXT
    match = street({0: slot(67), 1: slot(60)}, "A1", deck=[24])
    assert courage(match.state, 0) == 1
    match.say("s0")
    assert match.kids("A") == [67] and match.asks == NEXT


def test_s91_bans_are_not_offered() -> None:
    row = {0: slot(72), 1: slot(73), 2: slot(74, "A1")}
    match = street(row, "A5 B6")
    assert match.offers == ["s0", "s3", "s4", "s5"]
    match.say("s3")
    assert match.asks == ("Haunt", "B")
    assert match.offers == ["s1", "s2", "s3", "s4", "s5"]


@pytest.mark.parametrize(("value", "scared"), [(3, []), (4, [76])])
def test_s92_chameleon_counts_ghosts_beside_it(value: int, scared: list[int]) -> None:
    row = {1: slot(76, "B9"), 0: slot(8, "A2 C3"), 2: slot(6, "D1")}
    match = street(row, f"A{value}", deck=[24])
    assert courage(match.state, 1) == 13
    match.say("s1")
    assert match.kids("A") == scared
    assert match.asks == NEXT


def test_s94_piggy_bank_guards_treats_but_not_itself() -> None:
    row = {0: slot(4), 1: slot(75, "", "BAR CHOC"), 2: slot(3)}
    match = street(row, "A3 B2 C1")
    match.say("s0")
    assert match.stash("A") == [] and match.asks == ("Haunt", "B")
    match.say("s2")
    assert match.stash("B") == [] and match.asks == ("Haunt", "C")
    match.say("s1")
    assert match.stash("C") == ["CHOC", "BAR"]
    assert match.asks == NEXT


# When scared


def test_s95_zombie_is_replaced_before_its_receiver_draws() -> None:
    match = street({0: slot(25, "B9")}, "D4", deck=[24], bag="JUNK MINT")
    match.say("s0")
    assert match.kids("D") == [25] and match.stash("D") == ["MINT", "JUNK"]
    kinds = match.kinds()
    assert kinds.index("KidScared") < kinds.index("KidRevealed") < kinds.index("Drawn")
    assert match.asks == NEXT


def test_s97_thundercloud_strikes_before_the_re_check() -> None:
    row = {0: slot(12, "C9 D3"), 1: slot(65, "B9"), 2: slot(8, "A1")}
    match = street(row, "A5", deck=[60])
    match.say("s1")
    assert match.kids("A") == [65] and match.row()[1] == 60
    assert match.under(0) == "C9" and match.under(2) == ""
    assert courage(match.state, 0) == 10 and match.kids("C") == []
    assert match.asks == NEXT


def test_s98_popcorn_leaves_treats_for_the_next_kid() -> None:
    row = {0: slot(63), 1: slot(97, "B8", "JUNK MINT")}
    match = street(row, "A4", deck=[75])
    match.say("s1", "JUNK")
    assert match.kids("A") == [97] and match.row()[1] == 75
    assert match.above(1) == ["JUNK"] and match.state.treat_discard == ()
    assert match.asks == NEXT
    match = street(row, "A4")
    match.say("s1", "JUNK")
    assert match.row()[1] == 0 and match.above(1) == []
    assert match.state.treat_discard == ("JUNK",)
    assert match.asks == NEXT


def test_s100_firework_has_all_present_draw() -> None:
    match = street({0: slot(99, "C2 B4")}, "D6", deck=[24], bag="CORN MINT JUNK")
    match.say("s0")
    assert match.kids("D") == [99]
    assert [match.stash(s) for s in "ABCD"] == [[], ["MINT"], ["JUNK"], ["CORN"]]
    assert match.asks == NEXT


def test_s101_snowman_is_discarded_and_costs_two_treats() -> None:
    match = street({0: slot(100, "B9")}, "A6", deck=[24], A="JUNK BAR CHOC", A_kids=[95])
    match.say("s0")
    assert match.asks == ("TossTreat", "A") and match.offers == ["CHOC", "BAR", "JUNK"]
    match.say("JUNK", "CHOC")
    assert match.state.kid_discard == (100,) and match.row()[0] == 24
    assert match.stash("A") == ["BAR"] and match.kids("A") == [95]
    assert match.asks == NEXT


# Ongoing stash


def test_s103_lucky_clover_draws_one_more_and_discards_first() -> None:
    match = street({0: slot(2)}, "A3", A_kids=[94], bag="JUNK CHOC BAR CORN")
    match.say("s0")
    assert match.asks == ("DiscardDrawn", "A") and match.offers == ["CHOC", "BAR", "JUNK"]
    match.say("JUNK")
    assert match.asks == ("KeepDrawn", "A")
    match.say("BAR")
    assert match.stash("A") == ["BAR"] and match.state.treat_discard == ("JUNK", "CHOC")
    assert match.asks == NEXT
    match = street({0: slot(1)}, "A3", A_kids=[94], bag="JUNK")
    match.say("s0")
    assert match.stash("A") == ["JUNK"] and match.asks == NEXT
    match = street({0: slot(44)}, "A3", A_kids=[94], bag="JUNK CHOC BAR CORN")
    match.say("s0", "CORN")
    assert match.state.bag == ("CORN",) and match.asks == NEXT


def test_s104_lucky_clover_counts_when_others_have_you_draw() -> None:
    match = street({0: slot(84)}, "A3", C_kids=[94], bag="MINT JUNK CHOC BAR")
    match.say("s0")
    assert match.asks == ("DiscardDrawn", "C")
    match.say("JUNK")
    assert [match.stash(s) for s in "ABCD"] == [[], ["MINT"], ["CHOC"], ["BAR"]]
    assert match.asks == NEXT


# End and scoring


def test_s106_after_round_nine_the_cravings_are_shown() -> None:
    match = street({}, "", number=9, bag="MINT MINT")
    match.say("s0")
    assert match.asked is None and match.table.status == "over"
    assert "Placed" not in match.kinds()
    assert len(match.state.shown) == 4
    assert match.table.result is not None


def test_s107_five_players_play_six_rounds() -> None:
    match = Street.started(street({}, "").game, 5, random_ghosts=True)
    while match.state.pending:
        seat = match.asked.seats[0]
        match.answer(seat, match.form(seat).sample(lambda n: 0))
    assert match.state.round == 6
    assert {len(own) for hand in match.state.hands for own in hand} == {3}


def finish(match: Street, step: Any = Finish) -> None:
    """The end comes, with the row as it lies."""
    draft = Draft(match.state.but(pending=()), Dice(b"", "m", 0, 99))
    match.told = draft.settle(lambda: draft.ask(step()))
    assert draft.state.pending == (), "nobody is asked after the end"
    match.lay(**{name: getattr(draft.state, name) for name in draft.state.__struct_fields__})


def test_s109_kids_in_the_row_score_at_the_end() -> None:
    row = {
        0: slot(78, "A2 B5"),
        1: slot(79, "A1 A3 C2"),
        2: slot(80, "D4 A1"),
        3: slot(82, "A2 C3 C1 A4"),
        4: slot(83, "B2 A1"),
        5: slot(81, "C2"),
    }
    match = street(row, "", number=9, C="JUNK JUNK", D="JUNK")
    finish(match)
    assert match.state.bonus == (6, 4, -2, 3)
    assert [score.junk for score in match.state.scores] == [0, 0, 0, -1]


@pytest.mark.parametrize(
    ("row", "a", "b"),
    [
        (
            {0: slot(23, "", "BAR"), 1: slot(66, "C1 A3", "MINT"), 2: slot(77, "B6", "LOLLY JUNK")},
            ["LOLLY", "BAR", "JUNK"],
            [],
        ),
        (
            {
                1: slot(77, "B6", "LOLLY JUNK"),
                2: slot(66, "C1 A3", "MINT"),
                3: slot(75, "", "BAR"),
            },
            [],
            ["LOLLY", "JUNK"],
        ),
    ],
)
def test_s110_treats_are_taken_left_to_right_at_the_end(
    row: dict[int, Any], a: list[str], b: list[str]
) -> None:
    match = street(row, "", number=9)
    finish(match)
    assert match.stash("A") == a and match.stash("B") == b
    assert ["MINT"] in [match.above(at) for at in range(6)]


def counted(cravings: str, **given: Any) -> Street:
    """The count alone, with these craving cards shown."""
    match = street({}, "", number=9, **given)
    match.lay(secrets=(), shown=tuple(cravings.split()), pending=())
    return match


def test_s112_banker_collector_and_trash_can() -> None:
    match = counted(
        "CRA CRB CRC CRD",
        A="CORN CHOC GUMMY LICO LOLLY MINT MINT BAR JUNK",
        A_kids=[88, 89],
        B="CORN CHOC GUMMY LOLLY MINT BAR JUNK JUNK",
        B_kids=[87],
    )
    finish(match, Count)
    a, b = match.state.scores[:2]
    assert (a.candy, a.junk, a.kids, a.total) == (23, -1, 8, 30)
    assert (b.candy, b.junk, b.kids, b.total) == (18, 2, 0, 20)
    assert match.state.winners == (0,)


def test_s113_candy_apple_wolf_pack_and_toothbrush() -> None:
    match = counted(
        "CRA CRB CRC CRD",
        A="LICO LICO LICO BAR CORN GUMMY LOLLY MINT",
        A_kids=[91, 89, 90],
        B="JUNK JUNK",
        B_kids=[87],
    )
    match.lay(junk_worth=(None, 0, None, None))
    finish(match, Count)
    a, b = match.state.scores[:2]
    assert (a.candy, a.kids, a.total) == (19, -2, 17)
    assert b.total == 0
    assert match.state.winners == (0,)


def test_s115_own_five_point_candy_breaks_ties_then_four() -> None:
    match = counted(
        "CRA CRB CRC CRD",
        A="CORN CORN CORN CHOC",
        B="CHOC CHOC CHOC GUMMY GUMMY GUMMY GUMMY",
        C="GUMMY GUMMY" + " LICO" * 9,
    )
    match.lay(bonus=(81 - 19, 81 - 31, 81 - 46, 0))
    finish(match, Count)
    compared = [e for e in match.told if type(e).__name__ == "TieCompared"]
    assert [(e.value, e.counts, e.left) for e in compared] == [
        (5, {0: 3, 1: 3, 2: 2}, (0, 1)),
        (4, {0: 1, 1: 4}, (1,)),
    ]
    assert match.state.winners == (1,)
    result = match.game.result(match.state)
    assert result is not None and result.scores[:3] == (81, 81, 81)
    assert "ties" in result.why


def test_s116_still_tied_they_share_the_victory() -> None:
    match = counted("CRA CRB CRC CRD", A="CORN CHOC", B="CHOC GUMMY")
    finish(match, Count)
    assert [e.value for e in match.told if type(e).__name__ == "TieCompared"] == [5, 4, 3, 2, 1, 0]
    assert match.state.winners == (0, 1)
    result = match.game.result(match.state)
    assert result is not None and result.winners == (0, 1)


def test_the_round_goes_on_when_the_turns_are_over() -> None:
    match = street({}, "", bag="MINT " * 6)
    match.lay(hands=(((3, 4),),) * 4)
    match.say("s0")
    assert match.asked == ChooseGhosts((0, 1, 2, 3))
