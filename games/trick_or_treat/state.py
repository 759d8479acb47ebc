"""The table of Trick or Treat, and the words the rules use about it."""

from __future__ import annotations

from typing import Annotated, TypeVar

from games import rules
from games.sight import Seat, each_own, nobody, secret
from games.trick_or_treat.tables import HOME, HOUSES, LOCATION, PLAIN

T = TypeVar("T")

Card = Annotated[str, secret]
"""A Trick or Treat card that not everybody need know; a card all can see is a plain text."""
Cards = tuple[Card, ...]
SetCode = Annotated[str, secret]
Place = str

PLACES = [PLAIN + HOUSES[:houses] for houses in range(len(HOUSES) + 1)]


class State(rules.State, frozen=True, kw_only=True):
    """`at` and `bully` are None off the board; the last card of a deck is its top."""

    kids: tuple[str, ...] = ()
    at: tuple[Place | None, ...] = ()
    bully: Place | None = None
    houses: tuple[str | None, ...] = ()
    row: tuple[str | None, ...] = ()
    discard: tuple[str, ...] = ()
    deck: Annotated[tuple[Card, ...], nobody(counted=True)] = ()
    hands: Annotated[tuple[tuple[Card, ...], ...], each_own(counted=True)] = ()
    fear: tuple[int, ...] = ()
    sets: tuple[str, ...] = ()
    set_deck: Annotated[tuple[SetCode, ...], nobody(counted=True)] = ()
    removed: Annotated[tuple[SetCode, ...], nobody(counted=True)] = ()
    claimed: tuple[tuple[str, ...], ...] = ()
    free: tuple[bool, ...] = ()
    turn: int = 0
    over: bool = False

    @property
    def players(self) -> int:
        return len(self.at)

    @property
    def places(self) -> tuple[Place, ...]:
        """R4: the Locations in play."""
        return PLACES[len(self.houses)]

    def from_left_of(self, seat: Seat) -> tuple[Seat, ...]:
        """The other players, clockwise."""
        return tuple([s % self.players for s in range(seat + 1, seat + self.players)])

    def occupied(self, seat: Seat, place: Place) -> bool:
        """R12: another Kid or the Bully is there."""
        if place == self.bully:
            return True
        return any(at == place and s != seat for s, at in enumerate(self.at))

    def barred(self, seat: Seat, place: Place) -> bool:
        """R12, R13, R27: not to be entered without a Sneak."""
        return place != HOME and not self.free[seat] and self.occupied(seat, place)

    def bully_places(self, seat: Seat) -> tuple[Place, ...]:
        """R18: where the seat may move the Bully."""
        never = (self.bully, self.at[seat])
        return tuple([p for p in self.places if LOCATION[p].bully and p not in never])

    def victims(self, seat: Seat, place: Place) -> tuple[Seat, ...]:
        """Q16: whom the Bully would chase from there, clockwise from the mover."""
        return tuple([s for s in self.from_left_of(seat) if self.at[s] == place])

    def open_cards(self) -> frozenset[str]:
        """The names that lie face up in the row or beside a House."""
        return frozenset([card for card in (*self.row, *self.houses) if card])


def put(values: tuple[T, ...], i: int, value: T) -> tuple[T, ...]:
    return (*values[:i], value, *values[i + 1 :])


def gained(state: State, seat: Seat, card: str) -> State:
    """Hands are kept sorted: the order in which cards came is nobody's business."""
    hand = tuple(sorted((*state.hands[seat], card)))
    return state.but(hands=put(state.hands, seat, hand))


def lost(state: State, seat: Seat, cards: tuple[str, ...]) -> State:
    hand = list(state.hands[seat])
    for card in cards:
        hand.remove(card)
    hands = put(state.hands, seat, tuple(hand))
    return state.but(hands=hands, discard=(*state.discard, *cards))
