"""The printed data, and that every printed thing does something."""

from __future__ import annotations

from collections import Counter

from games.trick_or_treat import tables
from games.trick_or_treat.game import GAME
from games.trick_or_treat.locations import ACTIONS
from games.trick_or_treat.tables import PRINTED, SETS, TERMS, cards_in_words, in_words
from games.trick_or_treat.tricks import OFFERS


def test_every_trick_and_every_location_is_filled() -> None:
    assert OFFERS.keys() == tables.TRICKS.keys()
    assert ACTIONS.keys() == {place.id for place in PRINTED.locations}


def test_the_deck_has_96_cards() -> None:
    counts = Counter(card[0] for card in tables.DECK)
    assert counts == {"T": 72, "K": 24}
    families = Counter(tables.FAMILY.values())
    assert families == {"fruity": 3, "gooey": 3, "chocolate": 3, "spicy": 3}
    assert {tables.CARD_NAMES[code] for code in tables.TRICKS} == {
        "Sneak",
        "Change Costume",
        "Move Bully",
        "Brave",
        "Egging Houses",
    }


def test_there_are_24_sets_of_123_points() -> None:
    assert len(SETS) == 24 and sum(card.points for card in SETS.values()) == 123
    assert [(term.family, term.size) for term in TERMS["S02"]] == [
        ("chocolate", 1),
        ("spicy", 2),
        ("fruity", 1),
        ("gooey", 1),
    ]
    assert [term.in_words for term in TERMS["S12"]] == ["2 alike", "2 alike"]
    assert TERMS["S03"][0].in_words == "2 Chocolate"


def test_six_kids_of_two_faces_and_seven_houses() -> None:
    assert len(PRINTED.kids) == 6 and len(tables.KID_OF) == 12
    assert len(tables.HOUSES) == 7
    shut = [place for place, card in tables.LOCATION.items() if not card.bully]
    assert shut == list(PRINTED.bully[0].barred_from) == ["home", "alley"]
    assert PRINTED.tokens[0].points == tables.FEAR_POINTS == -1
    assert [card.id for card in PRINTED.locations if card.shared] == ["home"]


def test_every_card_says_where_it_is_from() -> None:
    assert {card.source for card in GAME.cards} <= {"rulebook", "found", "ours"}
    assert all(card.name and (card.text or card.kind == "kid") for card in GAME.cards)
    assert sum(card.count for card in GAME.cards if card.kind == "card") == 96
    kinds = Counter(card.kind for card in GAME.cards)
    assert kinds == {"card": 17, "set": 24, "kid": 12, "place": 12, "bully": 1, "token": 1}
    texts = {card.id: card.text for card in GAME.cards}
    assert texts["BULLY"] == "Never at Home or Alley."
    assert (texts["FEAR"], texts["S20"]) == ("-1 point", "7 points")
    assert (texts["T04"], texts["bat"]) == ("Gooey", "Vampire / Bat")


def test_lists_in_words() -> None:
    assert in_words([]) == ""
    assert in_words(["a"]) == "a"
    assert in_words(["a", "b", "c"]) == "a, b and c"
    assert cards_in_words(("T04", "T08", "T08")) == "Caramel and 2 Fudge Square"
