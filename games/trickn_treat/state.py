"""The table of Trick'n Treat: the hands, the open Dummy, the trick under way."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from msgspec.structs import replace

from games import rules
from games.sight import Fact, Seat, each_own, nobody, secret
from games.trickn_treat.tables import Mode

Card = Annotated[str, secret]
"""A card by its id, `B3` or `*9`, where it may be hidden; cards that lie open are plain `str`."""

Faces = tuple[str, ...]
"""Open cards."""

Place = Seat | Literal["dummy"]
DUMMY: Final = "dummy"


def suit(card: str) -> str:
    return card[0]


def number(card: str) -> int:
    return int(card[1:])


def is_ghost(card: str) -> bool:
    return card[0] == "*"


def is_candy(card: str) -> bool:
    return number(card) <= 5


class Parted(NamedTuple):
    """Cards, told apart as a trick and the end of the game do."""

    ghosts: Faces
    others: Faces


def parted(cards: tuple[str, ...]) -> Parted:
    ghosts = tuple([card for card in cards if is_ghost(card)])
    return Parted(ghosts, tuple([card for card in cards if not is_ghost(card)]))


class Played(Fact, frozen=True, tag=False):
    """A card of the trick, and before whom it lies."""

    place: Place
    card: str


class Dummy(Fact, frozen=True, tag=False):
    """The open hand of a game for three, from its bottom to its top card, and what it won."""

    row: Faces = ()
    pile: Faces = ()
    score: Faces = ()


class State(rules.State, frozen=True, kw_only=True):
    mode: Mode = "coop"
    colours: str = "BGRYP"
    hands: Annotated[tuple[tuple[Card, ...], ...], each_own(counted=True)] = ()
    piles: Annotated[tuple[tuple[Card, ...], ...], each_own(counted=True)] = ()
    scores: tuple[Faces, ...] = ()
    dummy: Dummy | None = None
    tokens: tuple[str, ...] = ()
    free_tokens: tuple[str, ...] = ()
    dark: tuple[Seat, ...] = ()
    """The dark team's seats; the Dummy is of it, too."""
    order: tuple[Place, ...] = ()
    table: tuple[Played, ...] = ()
    swapped: Faces = ()
    reversed: bool = False
    extra: bool = False
    out: Annotated[tuple[Card, ...], nobody(counted=True)] = ()
    boxed: Faces = ()
    discard: Faces = ()
    ghosts: tuple[Faces, ...] = ()
    """What each seat held at the end."""
    ended: str = ""
    winners: tuple[Seat, ...] = ()
    points: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def row(self) -> Faces:
        return self.dummy.row if self.dummy else ()

    @property
    def led(self) -> str:
        """T24, TR25: no swap changes the suit of the card that was led."""
        return suit(self.table[0].card)

    def with_dummy(self, **changes: Any) -> Self:
        return self.but(dummy=replace(self.dummy or Dummy(), **changes))

    def cards(self, place: Place) -> tuple[str, ...]:
        return self.hands[place] if isinstance(place, int) else self.row

    def pile(self, place: Place) -> tuple[str, ...]:
        if isinstance(place, int):
            return self.piles[place]
        return self.dummy.pile if self.dummy else ()

    def player(self, place: Place) -> Seat:
        """T44: the dark player decides for the Dummy."""
        return place if isinstance(place, int) else self.dark[0]

    def seating(self) -> tuple[Place, ...]:
        """T45, TR10: clockwise, the Dummy across from its partner."""
        if not self.dummy:
            return tuple(range(self.seats))
        partner = self.dark[0]
        return (partner, (partner + 1) % 3, DUMMY, (partner + 2) % 3)

    def can_lead(self, place: Place) -> bool:
        """T46"""
        return any(not is_ghost(card) for card in self.cards(place))

    def legal(self, place: Place) -> tuple[str, ...]:
        """T23, T24, T26: no ghost leads; the led suit or a ghost follows; else anything."""
        cards = self.cards(place)
        if not self.table:
            return tuple([card for card in cards if not is_ghost(card)])
        led = self.led
        if any(suit(card) == led for card in cards):
            return tuple([card for card in cards if suit(card) in (led, "*")])
        return cards

    def dummys_card(self) -> str:
        """T38 to T40, TR36: the topmost that may lead, or that follows suit; else the topmost."""
        if not self.table:
            return self.legal(DUMMY)[-1]
        follows = [card for card in self.row if suit(card) in (self.led, "*")]
        return (follows or self.row)[-1]

    def unswapped(self) -> Faces:
        """T62, TR23: the cards played before the last one which no swap has touched."""
        return tuple([p.card for p in self.table[:-1] if p.card not in self.swapped])

    def winner(self) -> Played:
        """T28, T56, TR17: the highest of led suit and ghosts; the lowest once a 6 was played."""
        compared = [p for p in self.table if suit(p.card) in (self.led, "*")]
        return (min if self.reversed else max)(compared, key=lambda p: number(p.card))
