"""The facts of the ghosts. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated

from games.rules import Event
from games.sight import Seat, everyone, seen_by
from games.trickn_treat.events import Cards, at, without
from games.trickn_treat.state import DUMMY, Card, Faces, Place, Played, State


def changed(cards: Cards, out: str, into: str) -> Cards:
    """Into the place of the card given."""
    return tuple([into if card == out else card for card in cards])


class EffectSet(Event[State], frozen=True):
    """T56, T57: what is in force when the trick is resolved."""

    reversed: bool
    extra: bool

    def apply(self, state: State) -> State:
        return state.but(reversed=self.reversed, extra=self.extra)


class GhostIdle(Event[State], frozen=True):
    """The ghost does nothing: `no_card`, `no_fit`, `empty_pile`, `no_target` or `dummy`."""

    place: Place
    ghost: str
    why: str

    def apply(self, state: State) -> State:
        return state


class CardsSwapped(Event[State], frozen=True):
    """T60, TR24: the card put takes the place of the one taken, whose player it stays with."""

    seat: Seat
    put: Annotated[Card, everyone(of="seat")]
    took: str

    def apply(self, state: State) -> State:
        hand = changed(state.hands[self.seat], self.put, self.took)
        return state.but(
            hands=at(state.hands, self.seat, hand),
            table=_laid(state.table, self.took, self.put),
            swapped=(*state.swapped, self.put, self.took),
        )


class DummySwapped(Event[State], frozen=True):
    put: str
    took: str

    def apply(self, state: State) -> State:
        after = state.but(
            table=_laid(state.table, self.took, self.put),
            swapped=(*state.swapped, self.put, self.took),
        )
        return after.with_dummy(row=changed(state.row, self.put, self.took))


class PileSearched(Event[State], frozen=True):
    """T63: the others learn whether a card was taken, so it happens either way."""

    seat: Seat
    taken: Annotated[bool, everyone(of="seat")]
    card: Annotated[Card, seen_by("seat", of="seat")]

    def apply(self, state: State) -> State:
        if not self.taken:
            return state
        pile = without(state.piles[self.seat], self.card)
        hand = (*state.hands[self.seat], self.card)
        return state.but(
            piles=at(state.piles, self.seat, pile), hands=at(state.hands, self.seat, hand)
        )


class DummyPileSearched(Event[State], frozen=True):
    """The Dummy's cards are open; `taken` holds the card, or nothing. It goes on top of the row."""

    taken: Faces

    def apply(self, state: State) -> State:
        pile = without(state.pile(DUMMY), *self.taken)
        return state.with_dummy(pile=pile, row=(*state.row, *self.taken))


class ExchangeBegun(Event[State], frozen=True):
    """T64"""

    place: Place
    target: Place

    def apply(self, state: State) -> State:
        return state


class CardsExchanged(Event[State], frozen=True):
    """TR32: known to the two alone."""

    a: Seat
    b: Seat
    from_a: Annotated[Card, seen_by("a", "b", of="a")]
    from_b: Annotated[Card, seen_by("a", "b", of="b")]

    def apply(self, state: State) -> State:
        hand_a = changed(state.hands[self.a], self.from_a, self.from_b)
        hand_b = changed(state.hands[self.b], self.from_b, self.from_a)
        return state.but(hands=at(at(state.hands, self.a, hand_a), self.b, hand_b))


class DummyExchanged(Event[State], frozen=True):
    """TR35: open, and the card received takes the place of the one given in the row.

    `took` is shown as well: until now it may have been the dark player's secret choice.
    """

    seat: Seat
    gave: Annotated[Card, everyone(of="seat")]
    took: Annotated[Card, everyone()]

    def apply(self, state: State) -> State:
        hand = changed(state.hands[self.seat], self.gave, self.took)
        after = state.but(hands=at(state.hands, self.seat, hand))
        return after.with_dummy(row=changed(state.row, self.took, self.gave))


def _laid(table: tuple[Played, ...], out: str, into: str) -> tuple[Played, ...]:
    return tuple([Played(p.place, into) if p.card == out else p for p in table])
