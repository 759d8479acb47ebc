"""The facts of laying out, drawing and turning up. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated, Literal

from games.rules import Event
from games.sight import Seat, everyone, nobody, seen_by
from games.trick_or_treat.state import Card, Cards, SetCode, State, gained, lost, put


class TableLaid(Event[State], frozen=True):
    """R2-R4, R7, R8: so many players, Houses and slots of the Carnival row; `first` begins."""

    chance = True

    players: int
    houses: int
    row: int
    first: Seat

    def apply(self, state: State) -> State:
        n = self.players
        return state.but(
            kids=("",) * n,
            at=(None,) * n,
            houses=(None,) * self.houses,
            row=(None,) * self.row,
            hands=((),) * n,
            fear=(0,) * n,
            claimed=((),) * n,
            free=(False,) * n,
        )


class SetsShuffled(Event[State], frozen=True):
    """R5, Q36."""

    chance = True

    middle: Annotated[tuple[SetCode, ...], everyone()]
    deck: Annotated[tuple[SetCode, ...], nobody()]
    removed: Annotated[tuple[SetCode, ...], nobody()]

    def apply(self, state: State) -> State:
        return state.but(sets=self.middle, set_deck=self.deck, removed=self.removed)


class CardsShuffled(Event[State], frozen=True):
    """R6."""

    chance = True

    deck: Annotated[Cards, nobody()]

    def apply(self, state: State) -> State:
        return state.but(deck=self.deck)


class HouseStocked(Event[State], frozen=True):
    """The top card is turned up beside House number `house`, from 0."""

    house: int
    card: Annotated[Card, everyone()]

    def apply(self, state: State) -> State:
        houses = put(state.houses, self.house, self.card)
        return state.but(deck=state.deck[:-1], houses=houses)


class CarnivalStocked(Event[State], frozen=True):
    slot: int
    card: Annotated[Card, everyone()]

    def apply(self, state: State) -> State:
        return state.but(deck=state.deck[:-1], row=put(state.row, self.slot, self.card))


class CardDrawn(Event[State], frozen=True):
    seat: Seat
    card: Annotated[Card, seen_by("seat")]

    def apply(self, state: State) -> State:
        return gained(state.but(deck=state.deck[:-1]), self.seat, self.card)


class HouseCardTaken(Event[State], frozen=True):
    seat: Seat
    house: int
    card: str

    def apply(self, state: State) -> State:
        return gained(state.but(houses=put(state.houses, self.house, None)), self.seat, self.card)


class CarnivalCardTaken(Event[State], frozen=True):
    seat: Seat
    slot: int
    card: str

    def apply(self, state: State) -> State:
        return gained(state.but(row=put(state.row, self.slot, None)), self.seat, self.card)


class DiscardsReshuffled(Event[State], frozen=True):
    """R38."""

    chance = True

    deck: Annotated[Cards, nobody()]

    def apply(self, state: State) -> State:
        return state.but(deck=self.deck, discard=())


class HandsThinned(Event[State], frozen=True):
    """R39: what each seat loses, for all to see (Q31)."""

    chance = True

    lost: Annotated[tuple[Cards, ...], everyone()]

    def apply(self, state: State) -> State:
        for seat, cards in enumerate(self.lost):
            state = lost(state, seat, cards)
        return state


class DrawSkipped(Event[State], frozen=True):
    """Q31: there were no cards left anywhere."""

    seat: Seat
    purpose: Literal["hand", "house", "carnival"]
    missing: int

    def apply(self, state: State) -> State:
        return state
