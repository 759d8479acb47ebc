"""Printed data: cards, Sets, Kids and Locations, and the words for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

DATA = Path(__file__).with_name("data").joinpath("trick_or_treat.json").read_bytes()


class Treat(msgspec.Struct, frozen=True):
    id: str
    name: str
    count: int
    family: str
    source: str


class Trick(msgspec.Struct, frozen=True):
    id: str
    name: str
    count: int
    text: str
    source: str


class SetCard(msgspec.Struct, frozen=True):
    """`need` is a list of terms: `("any", family, k)` or `("same", k)`."""

    id: str
    name: str
    points: int
    need: tuple[tuple[str | int, ...], ...]
    source: str


class Term(NamedTuple):
    """`size` Treats of a family, or, where there is none, of one name."""

    family: str
    size: int

    @property
    def in_words(self) -> str:
        return f"{self.size} {FAMILY_NAMES[self.family]}" if self.family else f"{self.size} alike"


class Face(msgspec.Struct, frozen=True):
    id: str
    name: str


class Kid(msgspec.Struct, frozen=True):
    id: str
    name: str
    faces: tuple[Face, ...]
    source: str


class Location(msgspec.Struct, frozen=True):
    """`shared`: open to any number of Kids; `bully`: the Bully may come here."""

    id: str
    name: str
    shared: bool
    bully: bool
    text: str
    source: str
    instance_ids: tuple[str, ...] = ()


class Bully(msgspec.Struct, frozen=True):
    id: str
    name: str
    barred_from: tuple[str, ...]
    source: str


class Token(msgspec.Struct, frozen=True):
    id: str
    name: str
    points: int
    count: int
    source: str


class Constant(msgspec.Struct, frozen=True):
    value: Any


class Family(msgspec.Struct, frozen=True):
    id: str
    name: str


class Printed(msgspec.Struct, frozen=True):
    constants: dict[str, Constant]
    families: tuple[Family, ...]
    kids: tuple[Kid, ...]
    bully: tuple[Bully, ...]
    locations: tuple[Location, ...]
    treats: tuple[Treat, ...]
    tricks: tuple[Trick, ...]
    sets: tuple[SetCard, ...]
    tokens: tuple[Token, ...]


PRINTED = msgspec.json.decode(DATA, type=Printed)

TREATS = {treat.id: treat for treat in PRINTED.treats}
TRICKS = {trick.id: trick for trick in PRINTED.tricks}
SETS = {card.id: card for card in PRINTED.sets}
CARDS: dict[str, Treat | Trick] = {**TREATS, **TRICKS}
FAMILY = {treat.id: treat.family for treat in PRINTED.treats}
TERMS = {
    card.id: tuple([Term(str(f[0]) if f else "", int(k)) for _, *f, k in card.need])
    for card in PRINTED.sets
}
KID_OF = {face.id: kid.id for kid in PRINTED.kids for face in kid.faces}
DECK = tuple(card.id for card in CARDS.values() for _ in range(card.count))

SNEAK, CHANGE_COSTUME, MOVE_BULLY, BRAVE, EGGING_HOUSES = TRICKS

HOME, HAUNTED, ALLEY, CARNIVAL, MANSION = PLAIN = tuple(
    place.id for place in PRINTED.locations if not place.instance_ids
)
HOUSES = PRINTED.locations[-1].instance_ids
HOUSE_AT = {house: i for i, house in enumerate(HOUSES)}
LOCATION = {id: place for place in PRINTED.locations for id in place.instance_ids or (place.id,)}

FAMILY_NAMES = {family.id: family.name for family in PRINTED.families}
FACE_NAMES = {face.id: face.name for kid in PRINTED.kids for face in kid.faces}
CARD_NAMES = {id: card.name for id, card in CARDS.items()}
PLACE_NAMES = {
    id: f"{place.name} {i}" if place.instance_ids else place.name
    for place in PRINTED.locations
    for i, id in enumerate(place.instance_ids or (place.id,), 1)
}


def _constant(name: str) -> int:
    return int(PRINTED.constants[name].value)


HAND_LIMIT = _constant("hand_limit")
ROW = _constant("carnival_row")
SETS_UP = _constant("sets_face_up")
HOUSE_DRAW = _constant("house_draw")
MANSION_DRAW = _constant("mansion_draw")
HAUNTED_MOST = _constant("haunted_max_discard")
BRAVE_RETURNS = _constant("brave_returns")
THINNED = _constant("empty_supply_discard")
FEAR_POINTS = _constant("fear_points")


def in_words(things: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(things[:-1]), *things[-1:]]))


def cards_in_words(cards: Any) -> str:
    """`Caramel and 2 Fudge Square`."""
    counts = {card: list(cards).count(card) for card in cards}
    return in_words([f"{n} {CARD_NAMES[c]}" if n > 1 else CARD_NAMES[c] for c, n in counts.items()])
