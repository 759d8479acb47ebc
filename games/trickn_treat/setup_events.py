"""The facts of the set-up. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated

from games.rules import Event
from games.sight import Seat, each_own, everyone, nobody
from games.trickn_treat.events import Cards
from games.trickn_treat.state import Dummy, Faces, State


class ColourRemoved(Event[State], frozen=True):
    """T6, TR1"""

    chance = True

    colour: str
    by_lot: bool
    cards: Faces

    def apply(self, state: State) -> State:
        colours = state.colours.replace(self.colour, "")
        return state.but(colours=colours, boxed=(*state.boxed, *self.cards))


class ZerosRemoved(Event[State], frozen=True):
    """T11"""

    cards: Faces

    def apply(self, state: State) -> State:
        return state.but(boxed=(*state.boxed, *self.cards))


class Dealt(Event[State], frozen=True):
    """T7 to T10; the last card of a hand is its ghost. `out` are ghosts that leave the game."""

    chance = True

    hands: Annotated[tuple[Cards, ...], each_own()]
    out: Annotated[Cards, nobody()]

    def apply(self, state: State) -> State:
        return state.but(hands=self.hands, out=self.out)


class DummyDealt(Event[State], frozen=True):
    """T36, T37: open, bottom to top."""

    row: Faces

    def apply(self, state: State) -> State:
        return state.but(dummy=Dummy(self.row))


class StarterChosen(Event[State], frozen=True):
    """T12, T13: everybody's count of candy, who has most, and whether chance decided.

    All of it follows from the hands, so all of it is shown on purpose.
    """

    chance = True

    candies: Annotated[tuple[int, ...], everyone()]
    seat: Annotated[Seat, everyone()]
    by_lot: Annotated[bool, everyone()]

    def apply(self, state: State) -> State:
        return state


class TokensPrepared(Event[State], frozen=True):
    free: Faces
    boxed: Faces

    def apply(self, state: State) -> State:
        return state.but(free_tokens=self.free, boxed=(*state.boxed, *self.boxed))


class TokenTaken(Event[State], frozen=True):
    seat: Seat
    token: str

    def apply(self, state: State) -> State:
        free = tuple([token for token in state.free_tokens if token != self.token])
        tokens = (*state.tokens[: self.seat], self.token, *state.tokens[self.seat + 1 :])
        return state.but(tokens=tokens, free_tokens=free)


class TeamsFormed(Event[State], frozen=True):
    """T20, T21: the seats of either team; the Dummy is of the dark one."""

    dark: tuple[Seat, ...]
    light: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        return state.but(dark=self.dark)
