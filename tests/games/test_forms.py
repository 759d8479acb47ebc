"""The five forms: what they contain, how many, fair samples, and the way to a client and back."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from games.bots import page_of, random_bot, sent
from games.forms import (
    Arrangement,
    Choice,
    NotOffered,
    Number,
    OneOf,
    Option,
    Split,
    Subset,
    choice,
    option_id,
    wire,
)
from tests.perft import answers


class Put(Option, frozen=True):
    card: str
    basket: str | None = None

    def label(self) -> str:
        return f"Put {self.card}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}",)


class Stop(Option, frozen=True):
    def label(self) -> str:
        return "Stop"


A, B, C = Put("A"), Put("B"), Put("C")
FORMS: list[Any] = [
    OneOf((A, B, Stop())),
    Subset((A, B, B, C), 1, 3),
    Subset((A, B), 0, 5),
    Subset((), 0, 0),
    Arrangement((A, B, C), (Put("x"), Put("x"), Put("y"), Put("z"))),
    Split(4, (A, B, C)),
    Split(3, (A,)),
    Number(2, 6),
]
BAD: list[tuple[Any, list[Any]]] = [
    (OneOf((A, Stop())), ["put:B:-", None, 3, ["put:A:-"], {}]),
    (Subset((A, B), 1, 1), [[], ["put:A:-", "put:B:-"], ["put:A:-", "put:A:-"], "put:A:-", None]),
    (
        Arrangement((A, B), (C, Stop())),
        [["put:C:-"], ["put:C:-", "put:C:-"], ["nowhere", "stop"], 1],
    ),
    (Split(3, (A, B)), [[1, 1], [4, -1], [3], [1.5, 1.5], [True, 2], "12", [[1], 2]]),
    (Number(1, 3), [0, 4, "2", 2.0, True, None]),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_counts_contains_and_samples_agree(form: Any) -> None:
    every = list(answers(form))
    assert len(every) == form.count()
    assert all(form.contains(answer) for answer in every)
    rng = random.Random(7)
    samples = Counter(form.sample(rng.randrange) for _ in range(300 * len(every)))
    assert set(samples) == set(every)
    weights = Counter(every)
    assert all(150 * weights[a] < n < 500 * weights[a] for a, n in samples.items())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_a_client_answers_with_ids_and_gets_what_it_meant(form: Any) -> None:
    page = msgspec.json.decode(msgspec.json.encode(form.page()))
    for answer in answers(form):
        assert form.pick(msgspec.json.decode(msgspec.json.encode(wire(answer)))) == answer
    rng = random.Random(3)
    for _ in range(20):
        picked = form.pick(random_bot({}, {"form": page}, rng.randrange))
        assert form.contains(picked)
    assert page_of({"form": page}).count() == form.count()


@pytest.mark.parametrize(("form", "wrong"), BAD, ids=lambda x: type(x).__name__)
def test_what_is_not_on_offer_is_refused_with_a_reason(form: Any, wrong: list[Any]) -> None:
    for sent_by_client in wrong:
        with pytest.raises(NotOffered, match=r"\w"):
            form.pick(sent_by_client)


def nested(depth: int) -> list[Any]:
    sent: list[Any] = []
    for _ in range(depth):
        sent = [sent]
    return sent


HOSTILE: list[Any] = [
    nested(100_000),
    [nested(100_000)] * 2,
    ["put:A:-"] * 1_000_000,
    ["put:x:-"] * 1_000_000,
    "x" * 1_000_000,
    ["x" * 1_000_000],
    "\ud800",
    ["\ud800"],
    10**5000,
    [10**5000],
    [10**5000, -(10**5000), 0],
    [{}, {}],
    {"put:A:-": 1},
    [None],
    [b"put:A:-"],
    float("nan"),
    [float("inf"), 1.0, 1],
    [True, False],
    True,
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_whatever_a_client_sends_is_refused_in_few_words(form: Any) -> None:
    for sent_by_client in HOSTILE:
        with pytest.raises(NotOffered) as refused:
            form.pick(sent_by_client)
        assert len(str(refused.value)) < 200
        assert str(refused.value).isprintable()


def test_a_list_is_no_longer_than_the_form() -> None:
    """Its parts are not even looked at."""
    for form in (Subset((A, B), 0, 5), Arrangement((A, B), (C, C, C)), Split(3, (A, B))):
        with pytest.raises(NotOffered, match="at most 2"):
            form.pick([object()] * 3)


def test_an_option_that_is_a_number_may_be_sent_as_one() -> None:
    assert Subset((1, 2, 3), 1, 2).pick([3, "1"]) == (1, 3)


def test_what_the_rules_would_refuse() -> None:
    assert not Subset((A, B), 1, 1).contains((B, A))
    assert not Subset((A, B), 1, 2).contains((B, A)), "only in the order listed"
    assert not Subset((A,), 1, 1).contains(A)
    assert not Arrangement((A,), (B,)).contains((C,))
    assert not Split(2, (A, B)).contains((True, 1))
    assert not Number(0, 1).contains(True)
    assert not OneOf((A,)).contains(B)


def test_a_subset_may_be_sent_in_any_order() -> None:
    assert Subset((A, B, C), 2, 2).pick(["put:C:-", "put:A:-"]) == (A, C)


def test_ids_and_labels() -> None:
    assert option_id(Put("GUM2", "A")) == "put:GUM2:A"
    assert option_id((A, True, False, None, 3)) == "put:A:-+yes+no+-+3"
    assert choice(A) == Choice("put:A:-", "Put A", ("card:A",))
    assert choice("north") == Choice("north", "north")
    assert choice(Stop()).refs == ()
    assert wire((A, B)) == ["put:A:-", "put:B:-"]
    assert wire(4) == 4
    assert sent((Choice("a", "A"), Choice("b", "B"))) == ["a", "b"]


def test_a_form_in_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(Subset((A,), 0, 1).page())) == {
        "type": "subset",
        "options": [{"id": "put:A:-", "label": "Put A", "refs": ["card:A"]}],
        "least": 0,
        "most": 1,
    }
