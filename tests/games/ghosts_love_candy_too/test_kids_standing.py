"""Each kid with a standing effect in the row or in a stash: with it, without it, who sees."""

from __future__ import annotations

from typing import Any

import pytest

from games.ghosts_love_candy_too.order import ChooseGhosts
from games.ghosts_love_candy_too.standing import (
    courage,
    is_scared,
    may_enter,
    total,
    wins_ties,
)
from games.ghosts_love_candy_too.state import Ghost
from tests.games.ghosts_love_candy_too.cases import NEXT, all_see
from tests.games.ghosts_love_candy_too.street import slot, street
from tests.games.ghosts_love_candy_too.test_scenarios_setup import choosing, commit, laid, order
from tests.games.ghosts_love_candy_too.test_scenarios_setup import placing as placing_


def placing(row: dict[int, Any], bag: str, **given: Any) -> Any:
    return placing_(3, bag, row, **given)


def test_kid09_guards_its_neighbours_alone() -> None:
    row = {1: slot(1, "B9 C6"), 2: slot(9), 3: slot(2, "B9 C6"), 4: slot(3, "B9 C6")}
    match = street(row, "A1", deck=[24])
    assert [is_scared(match.state, at) for at in (1, 3, 4)] == [False, False, True]
    told = match.say("s2")
    all_see(match, told)
    assert match.kids("C") == [3] and match.asks == NEXT


def test_kid09_is_scared_itself() -> None:
    assert is_scared(street({2: slot(9, "B9 C6")}, "A1").state, 2)


def test_kid59_gives_neighbours_three_courage() -> None:
    state = street({2: slot(59), 3: slot(1), 4: slot(2)}, "A1").state
    assert [courage(state, at) for at in (2, 3, 4)] == [14, 15, 13]


def test_kid60_takes_three_courage_from_neighbours() -> None:
    state = street({2: slot(60), 3: slot(1), 4: slot(2)}, "A1").state
    assert [courage(state, at) for at in (2, 3, 4)] == [12, 9, 13]


def test_kids59_and_60_add_up() -> None:
    state = street({2: slot(60), 3: slot(1), 4: slot(59)}, "A1").state
    assert courage(state, 3) == 12


def test_kid61_gets_what_is_due_to_its_neighbours() -> None:
    match = placing({1: slot(61), 4: slot(23)}, "MINT CHOC BAR LICO CORN LOLLY")
    assert laid(match) == ["", "MINT CHOC BAR", "", "LICO", "CORN", "LOLLY"]
    all_see(match, match.told)
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_kid61_beside_another_keeps_its_own() -> None:
    match = placing({1: slot(61), 2: slot(61), 4: slot(23)}, "MINT CHOC BAR LICO CORN LOLLY")
    assert laid(match) == ["", "MINT CHOC", "BAR LICO", "", "CORN", "LOLLY"]


def test_kid62_serves_its_neighbours_once_more() -> None:
    match = placing({0: slot(62), 5: slot(23)}, "MINT CHOC BAR LICO CORN LOLLY GUMMY")
    assert laid(match) == ["MINT", "CHOC BAR", "LICO", "CORN", "LOLLY", "GUMMY"]
    all_see(match, match.told)


def test_kid63_makes_the_haunter_leave_one() -> None:
    match = street({1: slot(63), 2: slot(23, "", "MINT CHOC MINT")}, "A1")
    told = match.say("s2")
    for viewer in (1, 2, 3, "spectator"):
        question = match.view(viewer)["question"]  # type: ignore[arg-type]
        assert question["about"] == {"slot": 2} and "form" not in question
    told += match.say("CHOC")
    all_see(match, told)
    assert match.stash("A") == ["MINT", "MINT"] and match.above(2) == ["CHOC"]
    assert match.asks == NEXT


@pytest.mark.parametrize(
    ("at", "above", "left"),
    [(2, "MINT", []), (2, "MINT MINT", ["MINT"]), (3, "MINT CHOC", []), (1, "MINT CHOC", [])],
)
def test_kid63_only_beside_and_with_two_treats_or_more(
    at: int, above: str, left: list[str]
) -> None:
    row = {1: slot(63), at: slot(63 if at == 1 else 23, "", above)}
    match = street(row, "A1")
    match.say(f"s{at}")
    assert match.above(at) == left and match.asks == NEXT


def test_kid67_counts_every_ghost_as_one() -> None:
    assert total(street({2: slot(67, "A9 B8 C1")}, "A1").state, 2) == 3


def test_kid68_is_served_once_more() -> None:
    match = placing({0: slot(68), 5: slot(23)}, "MINT CHOC BAR LICO CORN LOLLY GUMMY")
    assert laid(match)[0] == "MINT CHOC" and laid(match)[1] == "BAR"
    all_see(match, match.told)


def test_kid69_lets_the_lowest_go_first_as_long_as_it_lies_there() -> None:
    match = choosing(row={2: slot(69)})
    commit(match, 4, 3, 9, 1)
    assert order(match) == "D1 B3 A4 C9"
    match = choosing(A_kids=[69])
    commit(match, 4, 3, 9, 1)
    assert order(match) == "C9 A4 B3 D1"


def test_kid70_counts_low_ghosts_as_nothing() -> None:
    assert total(street({2: slot(70, "A1 B2 C3 D4")}, "A1").state, 2) == 4


def test_kid71_counts_high_ghosts_as_five() -> None:
    assert total(street({2: slot(71, "A6 B7 C8 D9")}, "A1").state, 2) == 21


@pytest.mark.parametrize(("kid", "odd"), [(72, True), (73, False)])
def test_kids72_and_73_let_in_odd_or_even_ghosts_alone(kid: int, odd: bool) -> None:
    state = street({2: slot(kid)}, "A1").state
    let_in = [value for value in range(1, 10) if may_enter(state, 2, Ghost(0, value))]
    assert let_in == [value for value in range(1, 10) if (value % 2 == 1) == odd]


@pytest.mark.parametrize(("kid", "ghost"), [(72, "B2"), (73, "B3"), (74, "B2")])
def test_kids72_to_74_let_no_ghost_be_moved_in_either(kid: int, ghost: str) -> None:
    row = {0: slot(19), 2: slot(kid, "B4" if kid == 74 else ""), 3: slot(23, ghost)}
    match = street(row, "A1")
    match.say("s0", "yes", "s3")
    assert match.under(4) == ghost and match.under(3) == ""
    assert match.asks == NEXT


def test_kid74_takes_one_ghost_of_each_player() -> None:
    state = street({2: slot(74, "A1 C2")}, "A1").state
    assert [may_enter(state, 2, Ghost(seat, 5)) for seat in range(4)] == [False, True, False, True]


def test_kid75_locks_its_treats_but_takes_more() -> None:
    match = street({2: slot(75, "", "MINT"), 3: slot(86)}, "A1 B1", A="CHOC")
    match.say("s3", "s2")
    assert match.above(2) == ["MINT", "CHOC"]
    match.say("s2")
    assert match.stash("B") == ["CHOC", "MINT"]
    match = street({2: slot(75, "", "MINT"), 3: slot(12)}, "A1")
    match.say("s3")
    assert match.above(2) == ["MINT"] and match.asks == NEXT


def test_kid76_has_more_courage_with_ghosts_beside_it() -> None:
    row = {1: slot(6, "A1"), 2: slot(76, "B1"), 3: slot(8, "A2 C1"), 4: slot(16, "D1")}
    state = street(row, "A1").state
    assert courage(state, 2) == 13
    assert courage(street({2: slot(76, "B1")}, "A1").state, 2) == 10


# In a stash


def test_kid92_wins_ties_for_its_holder_without_a_card() -> None:
    match = choosing(deck=[10, 20], C_kids=[92])
    commit(match, 5, 1, 5, 2)
    assert order(match) == "C5 A5 D2 B1" and match.state.deck == (10, 20)
    assert [wins_ties(match.state, seat) for seat in range(4)] == [False, False, True, False]


def test_kid93_marks_ghosts_placed_and_they_count_one_less_while_held() -> None:
    match = street({2: slot(23, "B9")}, "A9 C8", A_kids=[93], C_kids=[], deck=[1])
    told = match.say("s2")
    assert match.under(2) == "B9 A9*" and total(match.state, 2) == 17
    assert match.kids("A") == [93] and match.asks == ("Haunt", "C")
    all_see(match, told)
    match.lay(scared=((), (93,), (), ()))
    assert total(match.state, 2) == 18


def test_kid93_never_counts_below_nothing_and_marks_what_is_exchanged_in() -> None:
    state = street({2: slot(70, "A2*")}, "A1", A_kids=[93]).state
    assert total(state, 2) == 0
    match = street({2: slot(31)}, "A1", A_kids=[93])
    match.say("s2", "yes", "h7")
    assert match.under(2) == "A7*" and total(match.state, 2) == 6
    assert 1 in match.state.hands[0][0] and match.asks == NEXT


def test_a_mark_does_not_follow_a_ghost_off_the_row() -> None:
    match = street({2: slot(23, "B9 C9"), 3: slot(52)}, "A9 A2", A_kids=[93], deck=[1])
    match.say("s2", "s3", "yes")
    assert {g.weak for g in match.state.ghost_discard} == {False}
    assert match.asks == NEXT


def test_kid94_draws_one_more_and_throws_one_away() -> None:
    match = street({2: slot(1)}, "A1", A_kids=[94], bag="MINT CHOC BAR")
    told = match.say("s2")
    question = match.view("spectator")["question"]
    assert question["kind"] == "discard_drawn" and "form" not in question
    assert match.view("spectator")["held"][0] == ["MINT", "CHOC"]
    told += match.say("CHOC")
    all_see(match, told)
    assert match.stash("A") == ["MINT"] and match.state.treat_discard == ("CHOC",)
    assert match.state.bag == ("BAR",) and match.asks == NEXT


def test_kid94_does_nothing_where_treats_are_put_or_served() -> None:
    match = street({2: slot(22)}, "A1", A_kids=[94], bag="MINT CHOC BAR")
    match.say("s2")
    assert match.above(2) == ["MINT", "CHOC"] and match.state.bag == ("BAR",)


@pytest.mark.parametrize("kid", [5, 11, 17, 35, 50, 53])
def test_kid95_guards_the_stash_of_its_holder(kid: int) -> None:
    given = {"A": "MINT"} if kid == 11 else {}
    match = street({0: slot(kid)}, "A1", seats=2, B="CHOC BAR", B_kids=[95], **given)
    match.say("s0")
    while match.asks == ("PickTreat", "A"):
        match.say(match.offers[0])
    assert {"CHOC", "BAR"} <= set(match.stash("B"))
    assert match.asks == ("Haunt", "B")


def test_kid95_does_not_stop_its_holder() -> None:
    match = street({2: slot(85)}, "A1", A="MINT", A_kids=[95])
    match.say("s2")
    assert match.state.treat_discard == ("MINT",)


def test_kid96_may_move_a_treat_after_place_treats() -> None:
    row = {0: slot(6, "", "MINT"), 5: slot(23)}
    match = placing(row, "CORN", B_kids=[96])
    assert match.asks == ("UseAbility", "B")
    for viewer in (0, 2, 3, "spectator"):
        assert "form" not in match.view(viewer)["question"]
    told = match.say("yes")
    assert match.asks == ("PickTreat", "B") and match.offers == ["CORN", "MINT"]
    told += match.say("MINT", "s3")
    all_see(match, told)
    assert match.above(3) == ["MINT"]
    assert match.asked == ChooseGhosts((0, 1, 2, 3))


def test_kid96_need_not_and_is_not_asked_without_treats() -> None:
    match = placing({0: slot(6, "", "MINT"), 5: slot(23)}, "", B_kids=[96])
    match.say("no")
    assert match.above(0) == ["MINT"] and match.asked == ChooseGhosts((0, 1, 2, 3))
    match = placing({5: slot(23)}, "", B_kids=[96])
    assert match.asked == ChooseGhosts((0, 1, 2, 3))
