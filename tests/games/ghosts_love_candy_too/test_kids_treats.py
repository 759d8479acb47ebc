"""Each kid that moves treats when haunted: what it does, when it can't, what others see."""

from __future__ import annotations

import pytest

from tests.games.ghosts_love_candy_too.cases import Case, cannot, does, laid
from tests.games.ghosts_love_candy_too.street import slot

MINT = slot(6, "", "MINT")
NO_BAG: dict[str, object] = {"bag": ""}

CASES = [
    Case(1, {"bag": "CHOC MINT"}, [], {"A": "CHOC", "bag": "MINT"}, [NO_BAG]),
    Case(2, {"bag": "CHOC MINT"}, ["MINT"], {"A": "MINT", "discard": "CHOC"}, [NO_BAG]),
    Case(
        3,
        {"row": {1: slot(6, "", "CHOC"), 3: slot(8, "", "MINT LICO")}},
        ["s3", "LICO"],
        {"A": "LICO", "s3": "MINT", "s1": "CHOC"},
        [{}, {"row": {1: slot(75, "", "CHOC"), 4: MINT}}],
    ),
    Case(
        4,
        {"row": {0: slot(6, "", "CHOC"), 5: slot(8, "", "MINT")}},
        ["s5"],
        {"A": "MINT", "s0": "CHOC"},
        [{}, {"row": {5: slot(75, "", "MINT")}}],
    ),
    Case(
        5,
        {"B": "CHOC MINT", "C": "BAR"},
        ["B", "CHOC"],
        {"A": "CHOC", "B": "MINT"},
        [{}, {"B": "CHOC", "B_kids": [95]}],
    ),
    Case(6, {"A": "JUNK MINT"}, ["yes"], {"A": "MINT", "discard": "JUNK"}, [{"A": "MINT"}]),
    Case(
        7,
        {"A": "CHOC JUNK", "row": {0: slot(6, "", "MINT JUNK"), 4: slot(8, "", "BAR")}},
        ["yes", "s4"],
        {"A": "BAR JUNK", "s4": "CHOC"},
        [
            {"A": "JUNK", "row": {0: MINT}},
            {"A": "CHOC", "row": {0: slot(6, "", "JUNK")}},
            {"A": "CHOC", "row": {0: slot(75, "", "MINT")}},
        ],
    ),
    Case(
        11,
        {"A": "JUNK MINT", "B": "CHOC BAR", "D": "LICO"},
        ["B", "JUNK", "BAR"],
        {"A": "MINT BAR", "B": "CHOC JUNK", "D": "LICO"},
        [{"B": "CHOC"}, {"A": "JUNK"}, {"A": "JUNK", "C": "MINT", "C_kids": [95]}],
    ),
    Case(
        12,
        {"row": {0: slot(6, "", "CHOC MINT"), 4: slot(8, "", "BAR")}},
        ["s0", "MINT", "s2"],
        {"s0": "CHOC", "s2": "MINT", "A": ""},
        [{}, {"row": {0: slot(75, "", "CHOC")}}],
    ),
    Case(13, {"bag": "JUNK CHOC MINT"}, [], {"s1": "JUNK", "s3": "CHOC", "bag": "MINT"}, [NO_BAG]),
    Case(15, {"bag": "JUNK CHOC MINT BAR"}, ["MINT"], {"A": "MINT", "bag": "BAR"}, [NO_BAG]),
    Case(
        17,
        {"B": "CHOC MINT", "C": "BAR"},
        ["B", "MINT"],
        {"B": "CHOC", "C": "BAR", "discard": "MINT"},
        [{"A": "MINT"}, {"C": "MINT", "C_kids": [95]}],
    ),
    Case(
        18,
        {"A": "JUNK JUNK MINT"},
        ["yes", "s4"],
        {"A": "MINT JUNK", "s4": "JUNK"},
        [{"A": "MINT"}],
    ),
    Case(
        21,
        {"row": {0: slot(6, "", "CHOC"), 5: slot(8, "", "MINT"), 3: slot(16, "", "BAR")}},
        ["s5"],
        {"A": "MINT", "s0": "CHOC", "s3": "BAR"},
        [{}, {"row": {3: MINT}}, {"row": {0: slot(75, "", "MINT")}}],
    ),
    Case(22, {"bag": "JUNK JUNK MINT"}, [], {"s2": "JUNK JUNK", "bag": "MINT"}, [NO_BAG]),
    Case(
        28,
        {"bag": "CHOC JUNK"},
        ["CHOC", "s5"],
        {"A": "CHOC", "s5": "JUNK", "discard": ""},
        [NO_BAG],
    ),
    Case(
        29,
        {"A": "JUNK", "B": "MINT", "C": "JUNK", "D": "JUNK", "bag": "CHOC", "D_kids": [95]},
        ["no", "yes", "yes"],
        {"A": "CHOC JUNK", "B": "MINT", "C": "", "D": "", "discard": "JUNK JUNK"},
        [{"B": "MINT"}],
    ),
    Case(
        30,
        {"row": {1: slot(6, "", "CHOC MINT"), 3: slot(8, "", "BAR"), 4: slot(16, "", "LICO")}},
        ["CHOC"],
        {"A": "CHOC BAR", "s1": "MINT", "s3": "", "s4": "LICO"},
        [{}, {"row": {1: slot(75, "", "MINT")}}],
    ),
    Case(
        32,
        {"discard": "JUNK BAR BAR MINT"},
        ["BAR"],
        {"A": "BAR", "discard": "BAR JUNK MINT"},
        [{}],
    ),
    Case(35, {"B": "CHOC MINT", "C": "BAR"}, ["MINT"], {"A": "MINT", "B": "CHOC"}, [{"A": "BAR"}]),
    Case(
        36,
        {"A": "CHOC", "B": "MINT BAR", "C": "LICO", "D": "LICO"},
        ["C", "BAR"],
        {"A": "CHOC", "B": "MINT", "C": "LICO BAR"},
        [{}, {"B": "MINT CHOC", "B_kids": [95], "A": "BAR"}],
    ),
    Case(
        40,
        {
            "row": {
                0: slot(6, "", "JUNK MINT"),
                4: slot(8, "", "JUNK JUNK"),
                5: slot(75, "", "JUNK"),
            }
        },
        ["s3"],
        {"s3": "JUNK JUNK JUNK", "s0": "MINT", "s4": "", "s5": "JUNK"},
        [{}, {"row": {0: MINT, 1: slot(75, "", "JUNK")}}],
    ),
    Case(
        41,
        {"row": {0: MINT}, "bag": "CHOC JUNK BAR LICO LICO LOLLY"},
        [],
        {"s0": "MINT", "s1": "CHOC", "s2": "JUNK", "s5": "LICO", "bag": "LOLLY"},
        [NO_BAG],
    ),
    Case(44, {"bag": "CHOC MINT BAR"}, ["MINT"], {"A": "MINT", "discard": "CHOC"}, [NO_BAG]),
    Case(47, {"bag": "CHOC MINT BAR LICO CORN"}, ["BAR"], {"A": "BAR", "discard": ""}, [NO_BAG]),
    Case(
        48,
        {"row": {0: slot(6, "", "CHOC MINT"), 1: slot(8, "", "BAR")}},
        ["MINT"],
        {"A": "MINT", "s0": "CHOC"},
        [{"row": {0: MINT}}, {"row": {0: slot(75, "", "CHOC MINT")}}],
    ),
    Case(
        49,
        {"A": "JUNK", "bag": "JUNK MINT CHOC"},
        ["yes"],
        {"A": "MINT", "discard": "JUNK", "bag": "CHOC JUNK"},
        [{"A": "MINT", "bag": "CHOC"}],
    ),
    Case(
        50,
        {"B": "CHOC", "D": "BAR", "A": "MINT"},
        ["MINT"],
        {"A": "CHOC", "B": "", "D": "MINT BAR"},
        [{}],
    ),
    Case(
        53,
        {"A": "MINT", "B": "CHOC CHOC", "C": "BAR MINT", "D": "LICO"},
        ["BAR"],
        {"A": "MINT", "B": "CHOC", "C": "MINT", "D": "LICO", "discard": "BAR CHOC"},
        [{"A": "MINT", "B": "BAR"}, {"B": "BAR", "B_kids": [95]}],
    ),
    Case(
        54,
        {"bag": "CHOC MINT BAR LICO CORN"},
        [],
        {"A": "CORN CHOC", "B": "MINT", "C": "BAR", "D": "LICO"},
        [NO_BAG],
    ),
    Case(
        55,
        {"row": {0: slot(6, "B1 A2", "CHOC MINT"), 4: slot(8, "A2 B1", "BAR")}},
        ["CHOC"],
        {"A": "CHOC", "s0": "MINT", "s4": "BAR"},
        [{"row": {0: slot(6, "B1", "CHOC")}}, {"row": {0: slot(75, "A1", "CHOC")}}],
    ),
    Case(
        84, {"bag": "CHOC MINT BAR"}, [], {"A": "", "B": "CHOC", "C": "MINT", "D": "BAR"}, [NO_BAG]
    ),
    Case(85, {"A": "CHOC MINT"}, ["MINT"], {"A": "CHOC", "discard": "MINT"}, [{"B": "MINT"}]),
    Case(86, {"A": "CHOC MINT"}, ["s3", "MINT"], {"A": "CHOC", "s3": "MINT"}, [{"B": "MINT"}]),
]


@pytest.mark.parametrize("case", CASES, ids=[f"kid{case.kid}" for case in CASES])
def test_what_the_kid_does(case: Case) -> None:
    does(case)


@pytest.mark.parametrize("case", CASES, ids=[f"kid{case.kid}" for case in CASES])
def test_when_the_kid_can_do_nothing_it_is_skipped(case: Case) -> None:
    assert case.cant
    for given in case.cant:
        cannot(case, given)


@pytest.mark.parametrize("kid", [6, 7, 18, 29, 49])
def test_who_may_need_not(kid: int) -> None:
    """A `may` is asked even with one way to do it, and No does nothing."""
    case = next(case for case in CASES if case.kid == kid)
    match = laid(case, {**case.given, "bag": ""})
    match.say("s2")
    asked = 0
    while match.asks[0] == "UseAbility":
        assert match.offers == ["no", "yes"]
        match.say("no")
        asked += 1
    assert asked and match.state.treat_discard == () and match.asks == ("Haunt", "D")
