"""The printed things, the options, and that every Special Basket does something."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from games.forms import option_id
from games.rules import Refused
from games.tricks_and_treats import options as o
from games.tricks_and_treats.baskets import AT_END, ON_PLAY
from games.tricks_and_treats.cards import CANDY, CARDS, DATA, LETTERS, SPECIALS, VALUE
from games.tricks_and_treats.game import GAME
from tests.play import Match


def test_every_special_basket_is_registered_for_its_printed_parts() -> None:
    assert len(SPECIALS) == 15
    assert set(ON_PLAY) == {basket.id for basket in CARDS.special_baskets if basket.play}
    assert set(AT_END) == {basket.id for basket in CARDS.special_baskets if basket.end}
    assert set(ON_PLAY) | set(AT_END) == set(SPECIALS)
    assert all(special.code == code for code, special in (*ON_PLAY.items(), *AT_END.items()))


def test_56_cards() -> None:
    assert Counter(card.kind for card in GAME.cards for _ in range(card.count)) == {
        "card": 29,
        "basket": 21,
        "letter": 6,
    }
    assert len(CANDY) == 28
    assert sum(VALUE[card] for card in CANDY) == 64
    assert all(card.source in ("rulebook", "found", "ours") for card in GAME.cards)
    assert tuple("ABCDEF") == LETTERS
    texts = {card.id: card.text for card in GAME.cards}
    assert texts["B01"].endswith("At the end: Discard all cards of both neighbour piles.")
    assert texts["B04"].startswith("At the end: ")
    assert texts["PEP1"] == ""


def test_every_value_says_where_it_comes_from() -> None:
    data = msgspec.json.decode(DATA)
    entries = [
        *data["facts"].values(),
        *data["constants"].values(),
        *(entry for value in data.values() if isinstance(value, list) for entry in value),
    ]
    named = [entry for entry in entries if "gives" not in entry]
    assert all(entry["source"] in data["marks"] for entry in named)
    places = {place["id"] for place in data["found_at"]}
    assert {entry["at"] for entry in named if "at" in entry} <= places


ALL_OPTIONS = {
    "give:PEP4": (o.Give("PEP4"), "Give Peppermint 4", ("card:PEP4",)),
    "draw": (o.Draw(), "Draw a Candy card", ()),
    "put:GUM2:B01": (o.Put("GUM2", "B01"), "Put Gummies 2 under Bomb", ("card:GUM2", "basket:B01")),
    "end": (o.End(), "End the turn", ()),
    "tattle:1:B": (
        o.Tattle(1, "B"),
        "Accuse seat 1 of owning Basket B",
        ("seat:1", "basket:B"),
    ),
    "guess:2": (o.Guess(2), "Write a guess at seat 2", ("seat:2",)),
    "write:C": (o.Write("C"), "Write C", ("basket:C",)),
    "swap:left": (o.Swap("left"), "Swap with the Basket to the left", ()),
    "jump:right": (o.Jump("right"), "Jump two places to the right", ()),
    "move:A:B": (
        o.Move("A", "B"),
        "Move the last card from Basket A to Basket B",
        ("basket:A", "basket:B"),
    ),
    "trade:COR1:A": (
        o.Trade("COR1", "A"),
        "Trade Candy Corn 1 for the last card under Basket A",
        ("card:COR1", "basket:A"),
    ),
    "decline": (o.Decline(), "Leave things as they are", ()),
}


@pytest.mark.parametrize("id", ALL_OPTIONS)
def test_an_option_has_an_id_a_label_and_what_it_is_about(id: str) -> None:
    option, label, refs = ALL_OPTIONS[id]
    assert (option_id(option), option.label(), option.refs()) == (id, label, refs)


def test_references_are_things_of_the_catalogue_or_seats() -> None:
    known = {f"{card.kind}:{card.id}" for card in GAME.cards}
    refs = {ref for _, _, refs in ALL_OPTIONS.values() for ref in refs}
    assert {ref for ref in refs if not ref.startswith("seat:")} <= known


def test_prompts() -> None:
    seen = set()
    for seed in range(40):
        options = {"specials": True, "exchange": seed % 2 == 0, "written": seed % 3 == 0}
        match = Match.started(GAME, 3, bytes([seed]), first=0, **options)
        while match.state.pending:
            seen.add(match.asked.prompt(match.state))
            kinds = {
                type(option): option for option in reversed(match.form(match.asked.seat).options)
            }
            kinds.pop(o.Tattle, None)
            match.answer(match.asked.seat, list(kinds.values())[seed % len(kinds)])
    assert {
        "Draw a Candy card, or accuse somebody first.",
        "Put a Candy card under any Basket.",
        "End the turn, or accuse somebody first.",
        "Write down which Basket seat 1 owns.",
        "Give seat 2 a Candy card of your highest value.",
        "Give seat 0 a Candy card of your lowest value.",
    } <= seen


@pytest.mark.parametrize("first", [0, 1, 2, "random"])
def test_who_starts(first: object) -> None:
    match = Match.started(GAME, 3, first=first)
    assert match.asked.seat == match.state.first
    assert first in ("random", match.state.first)


def test_random_starters_differ() -> None:
    starters = {Match.started(GAME, 4, bytes([n])).state.first for n in range(30)}
    assert starters == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "wrong",
    [
        {"special": True},
        {"specials": 1},
        {"first": 4},
        {"first": -1},
        {"first": "me"},
        {"first": None},
    ],
)
def test_unknown_or_wrong_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Refused) as caught:
        GAME.checked_options(wrong)
    assert caught.value.code == "bad_option"


def test_first_is_one_of_the_seats() -> None:
    with pytest.raises(Refused) as caught:
        GAME.start(3, GAME.checked_options({"first": 3}))
    assert caught.value.code == "bad_option"


def test_options_as_a_command_line_gives_them() -> None:
    given = {"specials": "true", "first": "1"}
    options = GAME.checked_options(given, strict=False)
    assert (options.specials, options.first) == (True, 1)
    assert GAME.checked_options({"first": "random"}, strict=False).first == "random"
