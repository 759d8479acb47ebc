"""The facts of the end of the game. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated

from games.ghosts_love_candy_too.state import Craving, Score, State, put
from games.rules import Event
from games.sight import Seat, everyone


class CravingsShown(Event[State], frozen=True):
    """G52."""

    cards: Annotated[tuple[Craving, ...], everyone()]

    def apply(self, state: State) -> State:
        return state.but(secrets=(), shown=self.cards)


class Scored(Event[State], frozen=True):
    """G53: points by a kid of the row."""

    seat: Seat
    points: int

    def apply(self, state: State) -> State:
        return state.but(bonus=put(state.bonus, self.seat, state.bonus[self.seat] + self.points))


class JunkValued(Event[State], frozen=True):
    """What each Junk of the seat counts at the end, by a kid of the row."""

    seat: Seat
    worth: int

    def apply(self, state: State) -> State:
        return state.but(junk_worth=put(state.junk_worth, self.seat, self.worth))


class Tallied(Event[State], frozen=True):
    """G51-G54: all points, by seat."""

    scores: tuple[Score, ...]

    def apply(self, state: State) -> State:
        return state.but(scores=self.scores)


class TieCompared(Event[State], frozen=True):
    """G55, G56: candies of the own type of this value, by seat in the tie; who is left."""

    value: int
    counts: dict[Seat, int]
    left: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        return state


class Won(Event[State], frozen=True):
    winners: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        return state.but(winners=self.winners)
