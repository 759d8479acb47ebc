"""The printed things, from `data/cards.json`: Candy, Baskets, Secret Letters and their numbers."""

from __future__ import annotations

from pathlib import Path

import msgspec

DATA = (Path(__file__).parent / "data" / "cards.json").read_bytes()


class Printed(msgspec.Struct, frozen=True):
    """One entry of the data; `play` and `end` are the texts of a Special Basket."""

    id: str
    name: str
    source: str
    count: int = 1
    kind: str = ""
    value: int = 0
    play: str = ""
    end: str = ""


class Number(msgspec.Struct, frozen=True):
    value: int
    source: str


class Cards(msgspec.Struct, frozen=True):
    constants: dict[str, Number]
    kinds: tuple[Printed, ...]
    candy: tuple[Printed, ...]
    times_up: tuple[Printed, ...]
    lettered_baskets: tuple[Printed, ...]
    secret_letters: tuple[Printed, ...]
    special_baskets: tuple[Printed, ...]


CARDS = msgspec.json.decode(DATA, type=Cards)

CANDY = tuple(card.id for card in CARDS.candy for _ in range(card.count))
VALUE = {card.id: card.value for card in CARDS.candy}
KIND = {card.id: card.kind for card in CARDS.candy}
TIMES_UP = CARDS.times_up[0].id
LETTERS = tuple(basket.id for basket in CARDS.lettered_baskets)
SPECIALS = tuple(basket.id for basket in CARDS.special_baskets)

NAME = {
    thing.id: thing.name
    for things in (CARDS.kinds, CARDS.candy, CARDS.lettered_baskets, CARDS.special_baskets)
    for thing in things
}

START_HAND = CARDS.constants["start_hand"].value
EXTRA_BASKETS = CARDS.constants["extra_baskets"].value
SPECIALS_IN_PLAY = CARDS.constants["specials_in_play"].value
TIMES_UP_AMONG_LAST = CARDS.constants["times_up_among_last"].value
LETTER_POINTS = CARDS.constants["letter_points"].value
GUESS_POINTS = CARDS.constants["guess_points"].value
DOUBLED = CARDS.constants["candy_factor_doubled"].value
