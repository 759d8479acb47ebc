"""The facts of tricks, ghosts and the end. Names and fields are the storage format."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from games.rules import Event
from games.sight import Seat, everyone
from games.trickn_treat.state import (
    DUMMY,
    Card,
    Dummy,
    Faces,
    Place,
    Played,
    State,
)

Cards = tuple[Card, ...]


def at(values: tuple[Cards, ...], i: int, value: Cards) -> tuple[Cards, ...]:
    return (*values[:i], value, *values[i + 1 :])


def without(cards: Cards, *gone: str) -> Cards:
    return tuple([card for card in cards if card not in gone])


class LeadShown(Event[State], frozen=True):
    """T46: a leader without friend or candy ends the game, so whether he has one comes out."""

    seat: Seat
    able: Annotated[bool, everyone(of="seat")]

    def apply(self, state: State) -> State:
        return state


class TrickStarted(Event[State], frozen=True):
    order: tuple[Place, ...]

    def apply(self, state: State) -> State:
        return state.but(order=self.order, table=(), swapped=(), reversed=False, extra=False)


class Skipped(Event[State], frozen=True):
    """T48"""

    place: Place

    def apply(self, state: State) -> State:
        return state


class CardPlayed(Event[State], frozen=True):
    seat: Seat
    card: Annotated[Card, everyone(of="seat")]

    def apply(self, state: State) -> State:
        hand = without(state.hands[self.seat], self.card)
        return state.but(
            hands=at(state.hands, self.seat, hand),
            table=(*state.table, Played(self.seat, self.card)),
        )


class DummyPlayed(Event[State], frozen=True):
    card: str

    def apply(self, state: State) -> State:
        table = (*state.table, Played(DUMMY, self.card))
        return state.but(table=table).with_dummy(row=without(state.row, self.card))


class TrickWon(Event[State], frozen=True):
    place: Place
    card: str

    def apply(self, state: State) -> State:
        return state


class CandyScored(Event[State], frozen=True):
    place: Place
    cards: Faces

    def apply(self, state: State) -> State:
        table = tuple([p for p in state.table if p.card not in self.cards])
        after = state.but(table=table)
        if isinstance(self.place, int):
            score = (*state.scores[self.place], *self.cards)
            return after.but(scores=at(state.scores, self.place, score))
        old = state.dummy or Dummy()
        return after.with_dummy(score=(*old.score, *self.cards))


class TrickTaken(Event[State], frozen=True):
    """T33: the ghosts to the hand, the rest face down."""

    seat: Seat
    ghosts: Faces
    rest: Faces

    def apply(self, state: State) -> State:
        hand = (*state.hands[self.seat], *self.ghosts)
        pile = (*state.piles[self.seat], *self.rest)
        return state.but(
            table=(),
            hands=at(state.hands, self.seat, hand),
            piles=at(state.piles, self.seat, pile),
        )


class DummyTook(Event[State], frozen=True):
    """TR40: ghosts the Dummy keeps go on top of its row; T42: those it loses leave the game."""

    kept: Faces
    lost: Faces
    rest: Faces

    def apply(self, state: State) -> State:
        after = state.but(table=(), boxed=(*state.boxed, *self.lost))
        pile = (*state.pile(DUMMY), *self.rest)
        return after.with_dummy(row=(*state.row, *self.kept), pile=pile)


class GameEnded(Event[State], frozen=True):
    """T46: the leader who can't lead, and why: `no_cards` or `only_ghosts`."""

    place: Place
    why: str

    def apply(self, state: State) -> State:
        return state


class HandsShown(Event[State], frozen=True):
    """T47: ghosts stay with who holds them, all other cards are discarded; `row`: the Dummy's."""

    ghosts: Annotated[tuple[Cards, ...], everyone()]
    discarded: Annotated[tuple[Cards, ...], everyone()]
    row: Faces

    def apply(self, state: State) -> State:
        after = state.but(
            hands=((),) * len(self.ghosts),
            ghosts=self.ghosts,
            discard=(*chain.from_iterable(self.discarded), *self.row),
        )
        return after.with_dummy(row=without(state.row, *self.row)) if state.dummy else after


class Scored(Event[State], frozen=True):
    """The outcome; `why` is one of `games.trickn_treat.scoring.WHY`."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    why: str

    def apply(self, state: State) -> State:
        return state.but(winners=self.winners, points=self.points, ended=self.why)
