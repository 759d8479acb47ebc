"""Claims: what the questions offer is exactly what is legal, by a count that knows no better."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import pytest

from games.trick_or_treat import claims
from games.trick_or_treat.claims import Means
from games.trick_or_treat.home import Home, TurnIn
from games.trick_or_treat.options import Claim, Give
from games.trick_or_treat.tables import FAMILY, SETS, TERMS, TREATS
from tests.games.trick_or_treat.board import board, code, codes, give, hands, slots

Way = tuple[tuple[str, ...], tuple[str, ...]]


def meets(set: str, treats: tuple[str, ...]) -> bool:
    """R35 word for word: some order of the Treats falls into one group for each term."""
    terms = TERMS[set]
    if len(treats) != sum(term.size for term in terms):
        return False
    return any(_falls(terms, order) for order in dict.fromkeys(permutations(treats)))


def _falls(terms: tuple[Any, ...], order: tuple[str, ...]) -> bool:
    names = []
    for term in terms:
        group, order = order[: term.size], order[term.size :]
        if term.family and any(FAMILY[card] != term.family for card in group):
            return False
        if not term.family and len({*group}) > 1:
            return False
        names += [group[0]] if not term.family else []
    return len(names) == len({*names})


def legal(have: Means, set: str) -> set[Way]:
    """Every choice of Treats and of names for Egging Houses that meets the Set."""
    found = {
        (cards, copied)
        for k in range(have.eggs + 1)
        for cards in combinations(have.treats, max(0, sum(t.size for t in TERMS[set]) - k))
        for copied in product(have.open, repeat=k)
        if meets(set, (*cards, *copied))
    }
    return {(tuple(sorted(cards)), tuple(sorted(copied))) for cards, copied in found}


def offered(have: Means, set: str) -> set[Way]:
    """What can be answered, question by question."""
    return {
        (
            tuple(sorted(c for g in gives for c in g.cards)),
            tuple(sorted(c for g in gives for c in g.eggs)),
        )
        for gives in _chains(have, TERMS[set])
    }


def _chains(have: Means, terms: tuple[Any, ...]) -> Iterator[tuple[Give, ...]]:
    if not terms:
        yield ()
        return
    ways = claims.ways(have, terms)
    assert ways, "a part was filled so that the next can't be"
    assert len(ways) == len({*ways})
    for way in ways:
        for rest in _chains(claims.after(have, terms[0], way), terms[1:]):
            yield (way, *rest)


@pytest.mark.parametrize("set", SETS)
def test_what_is_offered_is_what_is_legal(set: str) -> None:
    rng = random.Random(set)
    possible = 0
    for _ in range(40):
        names = rng.sample(list(TREATS), rng.choice((3, 5, 12)))
        treats = tuple(sorted(rng.choice(names) for _ in range(rng.randint(0, 5))))
        open = tuple(sorted(rng.sample(list(TREATS), rng.randint(0, 4))))
        have = Means(treats, rng.randint(0, 2), open)
        expected = legal(have, set)
        assert claims.can_claim(have, set) is bool(expected)
        if expected:
            assert offered(have, set) == expected
            possible += 1
    assert possible or set in ("S02", "S13")


@pytest.mark.parametrize("set", ["S02", "S13"])
def test_the_large_sets_too(set: str) -> None:
    treats = codes("Lemon Drops, Caramel, Gum Drops, Chocolate Bar, Ginger Snap, Licorice Whip")
    have = Means(treats, 2, codes("Ginger Snap, Grape Rings, Caramel"))
    assert offered(have, set) == legal(have, set) != {()}


def test_no_set_mixes_what_the_count_keeps_apart() -> None:
    for terms in TERMS.values():
        families = [term.family for term in terms if term.family]
        assert not families or len({*families}) == len(terms)
        assert families or len({term.size for term in terms}) == 1


def test_the_questions_name_the_cards_and_what_egging_houses_stand_for() -> None:
    match = board(
        Home(0),
        at=("home", None, None),
        hands=hands("Caramel, Gum Drops, Egging Houses, Sneak", "", ""),
        sets=("S09", "S20", "S04"),
        row=slots("Caramel, Sneak, Fudge Square, -, -"),
        houses=slots("-, -, -"),
    )
    shown = match.view(0)["question"]["form"]["options"]
    assert [(o["id"], o["label"]) for o in shown] == [
        ("claim:S09", "Claim 2 Gooey for 5 points"),
        ("claim:S04", "Claim 2 alike for 3 points"),
        ("pass", "Do nothing here"),
    ]
    match.answer(0, Claim("S09"))
    question = match.view(0)["question"]
    assert question["prompt"] == "Claiming 2 Gooey: turn in 2 Gooey."
    assert question["about"] == {"set": "S09", "given": []}
    assert question["form"]["options"] == [
        {
            "id": "give:T04+T05:",
            "label": "Turn in Caramel and Gum Drops",
            "refs": ["card:T04", "card:T05"],
        },
        {
            "id": "give:T04:T04",
            "label": "Turn in Caramel and Egging Houses as Caramel",
            "refs": ["card:T04", "card:K5"],
        },
        {
            "id": "give:T05:T04",
            "label": "Turn in Gum Drops and Egging Houses as Caramel",
            "refs": ["card:T05", "card:K5", "card:T04"],
        },
    ]


def test_q28_an_open_trick_cannot_be_copied() -> None:
    match = board(
        Home(0),
        at=("home", None, None),
        hands=hands("Egging Houses, Egging Houses, Caramel", "", ""),
        sets=("S04", "S20", "S21"),
        row=slots("Sneak, Egging Houses, -, -, -"),
        houses=slots("-, Fudge Square, -"),
    )
    assert claims.means(match.state, 0).open == (code("Fudge Square"),)
    match.answer(0, Claim("S04"))
    assert match.form(0).options == (give("", "Fudge Square, Fudge Square"),)


def test_q27_exactly_the_cards_that_are_needed() -> None:
    match = board(TurnIn(0, "S03"), hands=hands("Fudge Square, Cocoa Puff, Chocolate Bar", "", ""))
    assert all(len(o.cards) + len(o.eggs) == 2 for o in match.form(0).options)
    assert not match.form(0).contains(give("Fudge Square, Cocoa Puff, Chocolate Bar"))
    assert not match.form(0).contains(give("Fudge Square"))


def test_the_worst_question_is_still_a_short_list() -> None:
    """Three of a family, all names held thrice and open, four Egging Houses: 56 ways."""
    have = Means(
        tuple(sorted([*codes("Lemon Drops, Cherry Chews, Grape Rings")] * 3)), 4, tuple(TREATS)
    )
    assert len(claims.ways(have, TERMS["S20"])) == 56
    assert Counter(len(way.eggs) for way in claims.ways(have, TERMS["S20"])) == {
        0: 10,
        1: 18,
        2: 18,
        3: 10,
    }
