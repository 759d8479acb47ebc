"""Scenarios 29 to 38, 50 to 52 and 59 to 74: what the Special Baskets do when Time's Up shows."""

from __future__ import annotations

from typing import Any

import pytest

from games.tricks_and_treats.events import GameEnded, Scored, SecretLettersRevealed
from games.tricks_and_treats.line_events import (
    CandyDoubled,
    CandyMoved,
    CandyRemoved,
    LineChanged,
    Lying,
    Moved,
    ResolutionOrdered,
    SpecialResolved,
)
from tests.games.tricks_and_treats.laid import candy, ended, lined, order, under
from tests.play import Match


def resolution(match: Match) -> list[Any]:
    """What happened between Time's Up and the letters; nobody is asked after it."""
    events = ended(match)
    assert match.asked is None
    kinds = [type(event) for event in events]
    return events[: kinds.index(SecretLettersRevealed)]


def changed(cause: str, op: Any, line: str) -> LineChanged:
    return LineChanged(cause, op, tuple(line.split()))


def test_s29_electric_slide_odd() -> None:
    match = lined("A B04 B C D B07", "PEP2", "CHO2")
    assert resolution(match) == [
        ResolutionOrdered(("B04",)),
        SpecialResolved("B04", 1, 1, "odd"),
        changed("B04", "shift", "B07 A B04 B C D"),
    ]
    assert under(match, 1) == "CHO2"
    assert candy(match)["A"] == 2


def test_electric_slide_even() -> None:
    match = lined("A B04 B C D B07", "", "CHO2 CHO1")
    assert resolution(match)[1:] == [
        SpecialResolved("B04", 1, 2, "even"),
        changed("B04", "shift", "B04 B C D B07 A"),
    ]


def test_s31_electric_slide_zero() -> None:
    match = lined("A B04 B C D B07", "PEP2")
    assert resolution(match)[1:] == [SpecialResolved("B04", 1, 0, "zero")]
    assert order(match) == "A B04 B C D B07"


def test_s32_the_second_is_counted_where_it_lies_then() -> None:
    given = ("PEP3", "GUM2", "COR4 CHO1", "PEP4", "GUM1 CHO1", "CHO4")
    match = lined("A B04 B C B05 D", *given)
    assert resolution(match) == [
        ResolutionOrdered(("B04", "B05")),
        SpecialResolved("B04", 1, 1, "odd"),
        changed("B04", "shift", "D A B04 B C B05"),
        SpecialResolved("B05", 5, 1, "odd"),
        changed("B05", "swap", "D A B04 B B05 C"),
    ]
    assert candy(match) == {"A": 2, "B": 4, "C": 4, "D": 3}


def test_see_saw_even_goes_right_round_the_ring() -> None:
    match = lined("A B C D B04 B05", "PEP3", "", "", "", "", "GUM1 GUM2")
    events = resolution(match)
    assert events[-2:] == [
        SpecialResolved("B05", 5, 2, "even"),
        changed("B05", "swap", "B05 B C D B04 A"),
    ]
    assert candy(match)["A"] == 3


def test_see_saw_zero() -> None:
    match = lined("A B C D B03 B05")
    assert resolution(match)[1:] == [SpecialResolved("B05", 5, 0, "zero")]


def test_s34_monte_moves_the_other_special() -> None:
    given = ("PEP3 GUM1", "GUM2", "CHO2", "COR2 CHO3", "PEP4", "CHO4 PEP1")
    match = lined("A B02 B04 B C D", *given)
    assert resolution(match) == [
        ResolutionOrdered(("B02", "B04")),
        SpecialResolved("B02", 1, 1, "done"),
        changed("B02", "swap", "B04 B02 A B C D"),
        SpecialResolved("B04", 0, 2, "even"),
        changed("B04", "shift", "B02 A B C D B04"),
    ]
    assert candy(match) == {"A": 2, "B": 2, "C": 5, "D": 4}


def test_s35_corn_maze() -> None:
    match = lined("A B10 B C D B03", "COR4 GUM2", "COR1", "PEP3 COR2 COR3", "", "CHO2", "COR1")
    _, resolved, moved = resolution(match)
    assert resolved == SpecialResolved("B10", 1, 1, "done")
    assert moved == CandyMoved(
        "B10",
        (
            Moved("COR4", 0, 0, 1),
            Moved("COR1", 1, 0, 2),
            Moved("COR2", 2, 1, 3),
            Moved("COR3", 2, 2, 3),
            Moved("COR1", 5, 0, 0),
        ),
    )
    after = ["GUM2 COR1", "COR4", "PEP3 COR1", "COR2 COR3", "CHO2", ""]
    assert [under(match, slot) for slot in range(6)] == after
    assert candy(match) == {"A": 3, "B": 4, "C": 5, "D": 2}


def test_corn_maze_without_corn() -> None:
    match = lined("A B10 B C D B03", "GUM2")
    assert resolution(match)[1:] == [SpecialResolved("B10", 1, 0, "done")]


def test_s38_goody_bag_starts_no_chain() -> None:
    match = lined("A B14 B06 B C D", "PEP2", "GUM1 CHO3", "COR1")
    moved = CandyMoved("B14", (Moved("GUM1", 1, 0, 2), Moved("CHO3", 1, 1, 2)))
    assert resolution(match)[2:] == [moved]
    assert under(match, 2) == "COR1 GUM1 CHO3"
    assert order(match) == "A B14 B06 B C D"
    assert (candy(match)["A"], candy(match)["B"]) == (2, 0)


def test_s50_bomb() -> None:
    match = lined("A B01 B13 B C D", "PEP3 GUM4", "CHO2", "COR1 PEP1 GUM1", "COR4", "CHO4")
    assert resolution(match) == [
        ResolutionOrdered(("B01", "B13")),
        SpecialResolved("B01", 1, 1, "done"),
        CandyRemoved("B01", (Lying("PEP3", 0, 0), Lying("GUM4", 0, 1))),
        CandyRemoved("B01", (Lying("COR1", 2, 0), Lying("PEP1", 2, 1), Lying("GUM1", 2, 2))),
        SpecialResolved("B13", 2, 0, "zero"),
    ]
    assert under(match, 1) == "CHO2"
    assert candy(match) == {"A": 0, "B": 4, "C": 4, "D": 0}
    assert len(match.state.removed) == 5


@pytest.mark.parametrize("own", ["PEP1", "", "PEP1 GUM1"])
def test_s52_monte_round_the_ring(own: str) -> None:
    match = lined("B02 A B C D B07", own, "GUM3", "CHO2", "", "COR4", "PEP2")
    assert resolution(match)[2:] == [changed("B02", "swap", "B02 B07 B C D A")]
    assert candy(match) == {"A": 2, "B": 2, "C": 0, "D": 4}


def test_s59_dentist() -> None:
    match = lined("A B11 B C D B09", "CHO3 PEP2 CHO1", "CHO2", "GUM3 CHO4", "CHO3")
    assert resolution(match)[2:] == [
        CandyRemoved("B11", (Lying("CHO3", 0, 0), Lying("CHO1", 0, 2))),
        CandyRemoved("B11", (Lying("CHO4", 2, 1),)),
    ]
    assert under(match, 1) == "CHO2"
    assert candy(match) == {"A": 2, "B": 3, "C": 3, "D": 0}


def test_s61_the_mark_is_no_value() -> None:
    match = lined("A B12 B B14 C D", "", "", "GUM2", "COR1", "PEP3")
    assert resolution(match) == [
        ResolutionOrdered(("B12", "B14")),
        SpecialResolved("B12", 1, 0, "done"),
        CandyDoubled("B12", (Lying("GUM2", 2, 0),)),
        SpecialResolved("B14", 3, 1, "done"),
        CandyMoved("B14", (Moved("COR1", 3, 0, 2),)),
    ]
    assert under(match, 2) == "GUM2* COR1"
    assert (candy(match)["B"], candy(match)["C"]) == (5, 3)


def test_s62_the_mark_travels() -> None:
    match = lined("A B12 B14 B C D", "", "CHO2", "GUM3 COR1")
    resolution(match)
    assert under(match, 3) == "GUM3* COR1"
    assert candy(match)["B"] == 7


def test_s64_order_counts() -> None:
    match = lined("A B15 B B12 C D", "PEP2", "", "PEP1 GUM4", "COR1", "GUM3", "CHO2")
    assert resolution(match) == [
        ResolutionOrdered(("B15", "B12")),
        SpecialResolved("B15", 1, 0, "done"),
        CandyMoved("B15", (Moved("PEP2", 0, 0, 1),)),
        CandyMoved("B15", (Moved("GUM4", 2, 1, 1),)),
        SpecialResolved("B12", 3, 1, "done"),
        CandyDoubled("B12", (Lying("GUM3", 4, 0),)),
    ]
    assert candy(match) == {"A": 0, "B": 1, "C": 6, "D": 2}


@pytest.mark.parametrize(
    ("own", "left", "outcome", "gone", "a", "b"),
    [
        ("COR1", "PEP3 GUM1 CHO3", "odd", Lying("CHO3", 0, 2), 4, 6),
        ("COR1 COR2", "PEP3 GUM1 CHO3", "even", Lying("COR4", 2, 0), 7, 2),
        ("", "PEP3 GUM1 CHO3", "zero", None, 7, 6),
        ("COR1", "", "odd", None, 0, 6),
    ],
)
def test_s65_cavity(own: str, left: str, outcome: Any, gone: Any, a: int, b: int) -> None:
    match = lined("A B13 B C D B08", left, own, "COR4 PEP2")
    removed = [CandyRemoved("B13", (gone,))] if gone else []
    resolved = SpecialResolved("B13", 1, len(own.split()), outcome)
    assert resolution(match)[1:] == [resolved, *removed]
    assert (candy(match)["A"], candy(match)["B"]) == (a, b)


def test_s67_goody_bag_in_a_tie() -> None:
    match = lined("A B14 B C D B03", "PEP3", "COR1 CHO4", "GUM1 CHO2")
    resolution(match)
    assert under(match, 0) == "PEP3 COR1 CHO4"
    assert (candy(match)["A"], candy(match)["B"]) == (8, 3)
    other = lined("A B14 B C D B03", "PEP3", "", "GUM1 CHO2")
    assert resolution(other)[1:] == [SpecialResolved("B14", 1, 0, "done")]
    assert (candy(other)["A"], candy(other)["B"]) == (3, 3)


def test_s68_trapdoor() -> None:
    match = lined("A B15 B C D B03", "PEP3 GUM1", "COR2", "CHO4")
    resolution(match)
    assert under(match, 1) == "COR2 GUM1 CHO4"
    assert (candy(match)["A"], candy(match)["B"]) == (3, 0)
    other = lined("A B15 B C D B03", "", "COR2", "CHO4 PEP2")
    assert len(resolution(other)) == 3
    assert under(other, 1) == "COR2 PEP2"
    assert candy(other)["B"] == 4


def test_s71_no_special_with_an_end_part() -> None:
    match = lined("A B03 B C D B07", "PEP2", "GUM2")
    events = ended(match)
    assert events[0] == ResolutionOrdered(())
    assert [type(e) for e in events[1:]] == [SecretLettersRevealed, Scored, GameEnded]
    assert match.asked is None


def test_s74_bomb_then_cavity_at_the_end_of_the_line() -> None:
    match = lined("A B B01 C D B13", "PEP3", "GUM4 CHO1", "COR2", "CHO4", "PEP2 GUM2", "COR1")
    events = resolution(match)
    assert events[-2:] == [
        SpecialResolved("B13", 5, 1, "odd"),
        CandyRemoved("B13", (Lying("GUM2", 4, 1),)),
    ]
    assert candy(match) == {"A": 3, "B": 0, "C": 0, "D": 2}
