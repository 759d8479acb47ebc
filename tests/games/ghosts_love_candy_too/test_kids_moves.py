"""Each kid that moves ghosts or kids, passes, peeks or copies when haunted."""

from __future__ import annotations

from typing import Any

import pytest

from games import sight
from games.ghosts_love_candy_too.ability_events import CravingPeeked
from tests.games.ghosts_love_candy_too.cases import NEXT, Case, all_see, cannot, does, laid
from tests.games.ghosts_love_candy_too.street import slot, street

HANDS: Any = (((1, 2),), ((5, 6),), ((5, 6),), ((5, 6),))
EMPTY: Any = (((),),) * 4

CASES = [
    Case(8, {"B_kids": [1]}, ["yes", "D"], {"B_kids": [], "D_kids": [1]}, [{}]),
    Case(10, {"here": ("B4 C1", "")}, ["yes"], {"g2": "A3 B4 C1"}, [{}]),
    Case(
        16,
        {"row": {1: slot(6, "C4 B2 D2"), 3: slot(8, "C1")}},
        ["s1"],
        {"g1": "C4 B2", "g3": "C1"},
        [{"row": {4: slot(6, "C4")}}],
    ),
    Case(
        19,
        {"row": {4: slot(6, "C4 B2")}},
        ["yes", "s4", "s5"],
        {"g4": "C4", "g5": "B2", "g2": "A3"},
        [{"row": {1: slot(72), 3: slot(72)}, "turns": "A2"}],
    ),
    Case(20, {"here": ("", "")}, ["yes", "s1"], {"row": [24, 20, 23, 6, 18, 27], "g1": "A3"}),
    Case(26, {"row": {4: slot(6, "C4 B3")}}, ["s4"], {"g4": "C4", "g2": "A3"}),
    Case(27, {"A_kids": [3, 4]}, ["yes", "#4"], {"A_kids": [3], "kid_discard": (4,)}, [{}]),
    Case(
        31,
        {"hands": HANDS, "here": ("B4", "")},
        ["yes", "h2"],
        {"g2": "B4 A2", "hands": (((1, 3),), *HANDS[1:])},
        [{"hands": EMPTY}],
    ),
    Case(37, {}, ["yes", "s0", "s5"], {"row": [27, 23, 37, 6, 18, 24]}),
    Case(38, {"here": ("B4", "")}, ["yes", "s0"], {"row": [38, 24, 23, 6, 18, 27], "g0": "B4 A3"}),
    Case(45, {}, [], {"wins": (2, 0, 0, 0)}),
    Case(46, {"row": {4: slot(6, "C4 B4 D2")}}, [], {"g4": "C4 D2"}, [{"here": ("B4", "")}]),
    Case(
        51,
        {"row": {4: slot(6, "C4 B2")}},
        ["s4", "C4", "s0"],
        {"g4": "B2", "g0": "C4"},
        [{"row": {at: slot(72) for at in (0, 1, 3, 4, 5)}, "turns": "A2"}],
    ),
    Case(52, {"row": {4: slot(6, "C4 A2")}}, ["yes", "s4"], {"g4": "C4", "g2": "A3"}),
    Case(
        56,
        {"A": "CHOC CHOC", "A_kids": [3]},
        ["yes"],
        {"A": "", "A_kids": [], "under": (3,), "discard": "CHOC CHOC"},
        [{"A": "CHOC", "A_kids": [3]}, {"A": "CHOC CHOC"}],
    ),
    Case(
        57,
        {"row": {1: slot(6, "", "CHOC"), 4: slot(8, "B1")}, "deck": [9], "bag": "JUNK MINT"},
        ["yes", "s1"],
        {"row": [24, 9, 57, 23, 8, 18], "s1": "JUNK MINT", "discard": "CHOC", "kid_discard": (6,)},
        [{"row": {at: slot(at + 80, "B1") for at in (0, 1, 3, 4, 5)}}],
    ),
    Case(
        58,
        {"here": ("B4 C1", "")},
        ["yes", "C1", "s3"],
        {"g2": "B4 A3", "g3": "C1"},
        [{}, {"here": ("B2", ""), "row": {1: slot(72), 3: slot(72)}}],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[f"kid{case.kid}" for case in CASES])
def test_what_the_kid_does(case: Case) -> None:
    does(case)


@pytest.mark.parametrize("case", CASES, ids=[f"kid{case.kid}" for case in CASES])
def test_when_the_kid_can_do_nothing_it_is_skipped(case: Case) -> None:
    for given in case.cant:
        cannot(case, given)


MAY = [case for case in CASES if case.say[:1] == ["yes"]]


@pytest.mark.parametrize("case", MAY, ids=[f"kid{case.kid}" for case in MAY])
def test_who_may_need_not(case: Case) -> None:
    match = laid(case, case.given)
    match.say("s2")
    before = match.state
    assert match.offers == ["no", "yes"]
    match.say("no")
    assert match.state.row == before.row and match.state.scared == before.scared
    assert match.state.hands == before.hands and match.asks == NEXT


def test_kid14_all_pass_to_the_left_and_nobody_sees_what_before() -> None:
    match = street({2: slot(14)}, "A3", A="CHOC MINT", B="CHOC", C="CORN BAR")
    match.say("s2")
    assert match.asks == ("PassTreat", "AC")
    told = match.say("BAR", seat="C")
    assert sight.cut(told[0], 0)["option"] == {"hidden": True}
    assert sight.cut(told[0], 2)["option"]["token"] == "BAR"
    told = match.say("CHOC", seat="A")
    all_see(match, told)
    assert [match.stash(s) for s in "ABCD"] == [["MINT"], ["CHOC"], ["CORN", "CHOC"], ["BAR"]]
    assert match.asks == NEXT
    match = street({2: slot(14)}, "A3")
    match.say("s2")
    assert "AbilityUsed" not in match.kinds() and match.asks == NEXT


def test_kid39_draw_one_then_all_pass_to_the_right() -> None:
    match = street({2: slot(39)}, "A3", B="CHOC", bag="MINT")
    match.say("s2")
    assert [match.stash(s) for s in "ABCD"] == [["CHOC"], [], [], ["MINT"]]
    assert match.asks == NEXT
    match = street({2: slot(39)}, "A3")
    match.say("s2")
    assert "AbilityUsed" not in match.kinds() and match.asks == NEXT


def test_kid33_looks_at_one_craving_and_draws() -> None:
    match = street({2: slot(33)}, "A3", bag="MINT")
    card = match.state.secrets[3].card
    told = match.say("s2", "D")
    peeked = next(event for event in told if isinstance(event, CravingPeeked))
    assert [sight.cut(peeked, viewer)["card"] for viewer in (0, 3)] == [card, card]
    for viewer in (1, 2, "spectator"):
        assert sight.cut(peeked, viewer)["card"] == {"hidden": True}  # type: ignore[arg-type]
    all_see(match, told)
    assert match.stash("A") == ["MINT"] and match.asks == NEXT
    match = street({0: slot(33)}, "A3", seats=2)
    match.say("s0")
    assert match.state.secrets[1].knowers == (0, 1) and match.asks == ("Haunt", "B")


@pytest.mark.parametrize(
    ("picks", "left", "bag"),
    [((), ["MINT", "JUNK"], 2), (("JUNK",), ["MINT"], 2), (("MINT", "JUNK"), [], 2)],
)
def test_kid34_returns_up_to_two_and_draws_as_many(
    picks: tuple[str, ...], left: list[str], bag: int
) -> None:
    match = street({2: slot(34)}, "A3", A="MINT JUNK", bag="BAR BAR", A_kids=[94])
    match.say("s2")
    assert match.asks == ("ReturnTreats", "A")
    form = match.form(0)
    assert (form.least, form.most) == (0, 2)
    told = match.answer(0, tuple(o for o in form.options if o.token in picks))
    while match.asks[0] == "DiscardDrawn":
        told += match.say(match.offers[0])
    all_see(match, told)
    drawn = [event for event in told if type(event).__name__ == "Drawn"]
    assert [len(event.treats) for event in drawn] == ([len(picks) + 1] if picks else [])
    assert len(match.state.stashes[0]) == 2
    assert match.asks == NEXT


def test_kid34_with_nothing_to_return_is_skipped() -> None:
    match = street({2: slot(34)}, "A3", bag="BAR")
    match.say("s2")
    assert "AbilityUsed" not in match.kinds() and match.asks == NEXT


def test_kid42_puts_a_pile_in_any_order() -> None:
    match = street({2: slot(42, "B4"), 4: slot(6, "C4 D1 B2"), 5: slot(8, "C1")}, "A3")
    match.say("s2", "yes")
    assert match.offers == ["s2", "s4"]
    match.say("s4")
    assert match.asks == ("OrderPile", "A")
    form = match.form(0)
    assert form.items[0].label() == "Ghost 4 of seat 2, 1 from the bottom"
    assert [place.label() for place in form.places] == [
        "1 from the bottom", "2 from the bottom", "3 from the bottom",
    ]  # fmt: skip
    first, second, third = form.places
    told = match.answer(0, (third, first, second))
    all_see(match, told)
    assert match.under(4) == "D1 B2 C4"
    assert match.asks == NEXT
    match = street({2: slot(42)}, "A3")
    match.say("s2")
    assert match.asks == NEXT


def test_kid43_copies_a_neighbour_without_icon() -> None:
    match = street({1: slot(1), 2: slot(43), 3: slot(59)}, "A3", bag="MINT")
    told = match.say("s2")
    used = [(e.kid, e.of) for e in told if type(e).__name__ == "AbilityUsed"]
    assert used == [(43, 43), (43, 1)]
    all_see(match, told)
    assert match.stash("A") == ["MINT"] and match.asks == NEXT
    match = street({1: slot(24), 2: slot(43), 3: slot(59)}, "A3", bag="MINT")
    match.say("s2")
    assert match.stash("A") == [] and match.asks == NEXT


@pytest.mark.parametrize("kid", [23, 24])
def test_kids23_and_24_do_nothing(kid: int) -> None:
    match = street({2: slot(kid, "", "MINT")}, "A3", bag="CHOC")
    match.say("s2")
    assert match.kinds() == ["Answered", "Haunted", "TreatsTaken", "Asked", "Stepped", "Stepped",
                             "Asked"]  # fmt: skip
    assert match.stash("A") == ["MINT"] and match.asks == NEXT
