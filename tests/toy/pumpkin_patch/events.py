"""The facts of Pumpkin Patch. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated

from games.rules import Event
from games.sight import Seat, each_own, everyone, nobody, seen_by
from tests.toy.pumpkin_patch.state import Pumpkin, State

Hand = tuple[Pumpkin, ...]


class Dealt(Event[State], frozen=True):
    chance = True

    hands: Annotated[tuple[Hand, ...], each_own()]
    bag: Annotated[Hand, nobody()]

    def apply(self, state: State) -> State:
        shown: tuple[tuple[int, ...], ...] = ((),) * len(self.hands)
        return state.but(hands=self.hands, bag=self.bag, shown=shown)


class RoundBegun(Event[State], frozen=True):
    round: int

    def apply(self, state: State) -> State:
        return state.but(round=self.round)


class Shown(Event[State], frozen=True):
    seat: Seat
    pumpkin: Annotated[Pumpkin, everyone(of="seat")]

    def apply(self, state: State) -> State:
        hand = list(state.hands[self.seat])
        hand.remove(self.pumpkin)
        return state.but(
            hands=_at(state.hands, self.seat, tuple(hand)),
            shown=_at(state.shown, self.seat, (*state.shown[self.seat], self.pumpkin)),
        )


class Drawn(Event[State], frozen=True):
    chance = True

    seat: Seat
    pumpkin: Annotated[Pumpkin, seen_by("seat")]

    def apply(self, state: State) -> State:
        bag = list(state.bag)
        bag.remove(self.pumpkin)
        hand = (*state.hands[self.seat], self.pumpkin)
        return state.but(hands=_at(state.hands, self.seat, hand), bag=tuple(bag))


class Over(Event[State], frozen=True):
    def apply(self, state: State) -> State:
        return state.but(over=True)


def _at(
    values: tuple[tuple[int, ...], ...], i: int, value: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    return (*values[:i], value, *values[i + 1 :])
