"""Each kid that acts when scared or at the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from games.ghosts_love_candy_too.scoring import Count
from tests.games.ghosts_love_candy_too.cases import NEXT, all_see
from tests.games.ghosts_love_candy_too.street import Street, slot, street
from tests.games.ghosts_love_candy_too.test_scenarios_ghosts import counted, finish


def scared(kid: int, ghosts: str, **given: Any) -> Street:
    """A scares the kid in s2 with a 9."""
    row = {2: slot(kid, ghosts, given.pop("above", "")), **given.pop("row", {})}
    match = street(row, "A9", deck=given.pop("deck", [24]), **given)
    told = match.say("s2")
    all_see(match, told)
    return match


def test_kid25_gives_its_receiver_two_treats() -> None:
    match = scared(25, "B9", bag="MINT JUNK BAR")
    assert match.kids("A") == [25] and match.stash("A") == ["MINT", "JUNK"]
    assert match.asks == NEXT
    assert scared(25, "B9").asks == NEXT


def test_kid64_serves_the_neighbours_with_junk_chains() -> None:
    match = scared(64, "B9", bag="JUNK MINT BAR LICO")
    assert [match.above(at) for at in (1, 2, 3)] == [["JUNK", "MINT"], [], ["BAR"]]
    assert match.state.bag == ("LICO",) and match.asks == NEXT
    match = scared(64, "B9", bag="JUNK")
    assert [match.above(at) for at in (1, 3)] == [["JUNK"], []]
    assert match.kinds().count("PlacementStopped") == 2 and match.asks == NEXT


def test_kid65_strikes_the_top_ghost_of_each_neighbour() -> None:
    match = scared(65, "B9", row={1: slot(6, "C1 D2"), 3: slot(8, "B1"), 4: slot(16, "B2")})
    assert [match.under(at) for at in (1, 3, 4)] == ["C1", "", "B2"]
    assert match.asks == NEXT
    assert scared(65, "B9").asks == NEXT


def test_kid97_leaves_its_treats_to_the_next_kid() -> None:
    match = scared(97, "B8", above="MINT CHOC", row={1: slot(63)})
    assert match.asks == ("LeaveTreat", "A")
    match.say("MINT")
    assert match.row()[2] == 24 and match.above(2) == ["MINT"] and match.kids("A") == [97]
    assert match.asks == NEXT


def test_kid98_goes_to_the_owner_of_the_bottom_ghost() -> None:
    match = scared(98, "C2 B3")
    assert match.kids("C") == [98] and match.kids("A") == []
    assert match.asks == NEXT


def test_kid99_lets_all_who_were_there_draw() -> None:
    match = scared(99, "D2 B3", bag="MINT CHOC BAR LICO")
    assert [match.stash(s) for s in "ABCD"] == [["MINT"], ["CHOC"], [], ["BAR"]]
    assert match.asks == NEXT
    assert scared(99, "B3").asks == NEXT


def test_kid100_is_discarded_and_costs_its_scarer_two_treats() -> None:
    match = scared(100, "B9", A="MINT CHOC BAR")
    assert match.asks == ("TossTreat", "A")
    told = match.say("MINT", "BAR")
    all_see(match, told)
    assert match.stash("A") == ["CHOC"] and match.state.kid_discard == (100,)
    assert match.kids("A") == [] and match.asks == NEXT
    match = scared(100, "B9", A="MINT")
    assert match.stash("A") == [] and match.asks == NEXT
    assert scared(100, "B9").asks == NEXT


# At the end, in the row


def end(kid: int, ghosts: str, above: str = "", **given: Any) -> Street:
    match = street({2: slot(kid, ghosts, above), **given.pop("row", {})}, "", number=9, **given)
    finish(match)
    all_see(match, match.told)
    return match


def test_kid66_takes_the_treats_of_its_neighbours_for_the_top_ghost() -> None:
    row = {1: slot(6, "", "MINT"), 3: slot(8, "", "BAR JUNK"), 4: slot(16, "", "CHOC")}
    match = end(66, "A1 C2", "LICO", row=row)
    assert match.stash("C") == ["MINT", "BAR", "JUNK"] and match.above(2) == ["LICO"]
    assert end(66, "", row=row).above(1) == ["MINT"]


def test_kid77_gives_its_own_treats_to_the_top_ghost() -> None:
    assert end(77, "A1 C2", "MINT JUNK").stash("C") == ["MINT", "JUNK"]
    assert end(77, "", "MINT").above(2) == ["MINT"]


END = [
    (78, "A1 C2", (0, 0, 4, 0)),
    (79, "A1 C2 A3", (-2, 0, -2, 0)),
    (80, "D1 C2", (0, 0, 0, 3)),
    (82, "D1 C2 D3 C4 B1", (0, 0, 3, 0)),
    (82, "D1 C2 D3", (0, 0, 0, 3)),
    (83, "D1 C2", (0, 0, 2, 0)),
]


@pytest.mark.parametrize(("kid", "ghosts", "bonus"), END)
def test_kids78_to_83_score(kid: int, ghosts: str, bonus: tuple[int, ...]) -> None:
    match = end(kid, ghosts, row={5: slot(6, "C3")})
    assert match.state.bonus == bonus
    assert tuple(score.bonus for score in match.state.scores) == bonus


@pytest.mark.parametrize("kid", [66, 77, 78, 79, 80, 81, 82, 83])
def test_a_kid_without_ghosts_does_nothing_at_the_end(kid: int) -> None:
    match = end(kid, "")
    assert match.state.bonus == (0, 0, 0, 0) and match.state.junk_worth == (None,) * 4
    assert "AbilityUsed" not in [type(event).__name__ for event in match.told]


def test_kid81_lets_junk_count_nothing_for_all_who_are_there() -> None:
    match = end(81, "A1 C2", A="JUNK", B="JUNK", C="JUNK JUNK")
    assert match.state.junk_worth == (0, None, 0, None)
    assert [score.junk for score in match.state.scores] == [0, -1, 0, 0]


# At the end, in a stash


def points(kid: int, stash: str, *others: int) -> tuple[int, int, int]:
    """Candy, junk and kids of A, who holds the kid."""
    match = counted("CRA CRB CRC CRD", A=stash, A_kids=[kid, *others])
    finish(match, Count)
    all_see(match, match.told)
    score = match.state.scores[0]
    return score.candy, score.junk, score.kids


@pytest.mark.parametrize(
    ("kid", "stash", "others", "expected"),
    [
        (87, "JUNK JUNK CORN", (), (5, 2, 0)),
        (87, "", (), (0, 0, 0)),
        (88, "CORN LICO LICO", (), (5, 0, 0)),
        (88, "CORN LICO LICO JUNK", (), (5, -1, 1)),
        (88, "LICO " * 30, (), (0, 0, 5)),
        (89, "CORN CHOC GUMMY LICO LOLLY MINT", (), (15, 0, 6)),
        (89, "CORN CHOC GUMMY LICO LOLLY BAR", (), (17, 0, -2)),
        (90, "", (), (0, 0, 0)),
        (90, "", (1, 84), (0, 0, -2 + 4 + 2)),
        (91, "LICO LICO CORN", (), (7, 0, -2)),
        (91, "CORN JUNK", (), (5, -1, -2)),
    ],
)
def test_kids87_to_91_at_the_count(
    kid: int, stash: str, others: tuple[int, ...], expected: tuple[int, int, int]
) -> None:
    assert points(kid, stash, *others) == expected


@pytest.mark.parametrize(("kid", "worth"), [(1, -2), (23, 2), (24, 1), (84, 4), (85, 3), (86, 2)])
def test_printed_points_of_a_kid_in_a_stash(kid: int, worth: int) -> None:
    assert points(kid, "") == (0, 0, worth)
