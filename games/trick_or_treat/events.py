"""The facts of turns, Kids, the Bully and Sets. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated, Literal

from games.rules import Event
from games.sight import Seat, everyone, seen_by
from games.trick_or_treat.state import Card, Cards, Place, SetCode, State, gained, lost, put

Via = Literal["plain", "home", "sneak", "free"]
Why = Literal["carnival", "scare", "calm", "brave", "claim", "limit"]


class KidChosen(Event[State], frozen=True):
    seat: Seat
    face: str

    def apply(self, state: State) -> State:
        return state.but(kids=put(state.kids, self.seat, self.face))


class TurnStarted(Event[State], frozen=True):
    seat: Seat
    turn: int

    def apply(self, state: State) -> State:
        return state.but(turn=self.turn)


class TrickPlayed(Event[State], frozen=True):
    """Q33: discarded before it takes effect."""

    seat: Seat
    trick: Annotated[Card, everyone(of="seat")]

    def apply(self, state: State) -> State:
        return lost(state, self.seat, (self.trick,))


class KidMoved(Event[State], frozen=True):
    """`via`: what opened the destination."""

    seat: Seat
    left: Place | None
    to: Place
    via: Via

    def apply(self, state: State) -> State:
        return state.but(at=put(state.at, self.seat, self.to))


class KidStayed(Event[State], frozen=True):
    seat: Seat
    at: Place

    def apply(self, state: State) -> State:
        return state


class FreeMoveSpent(Event[State], frozen=True):
    seat: Seat

    def apply(self, state: State) -> State:
        return state.but(free=put(state.free, self.seat, False))


class FreeMoveGranted(Event[State], frozen=True):
    seat: Seat

    def apply(self, state: State) -> State:
        return state.but(free=put(state.free, self.seat, True))


class BullyMoved(Event[State], frozen=True):
    seat: Seat
    left: Place | None
    to: Place
    cause: Literal["alley", "trick"]

    def apply(self, state: State) -> State:
        return state.but(bully=self.to)


class KidChased(Event[State], frozen=True):
    seat: Seat
    left: Place

    def apply(self, state: State) -> State:
        return state.but(at=put(state.at, self.seat, None))


class CardStolen(Event[State], frozen=True):
    chance = True

    thief: Seat
    victim: Seat
    card: Annotated[Card, seen_by("thief", "victim", of="victim")]

    def apply(self, state: State) -> State:
        hand = list(state.hands[self.victim])
        hand.remove(self.card)
        hands = put(state.hands, self.victim, tuple(hand))
        return gained(state.but(hands=hands), self.thief, self.card)


class VictimSpared(Event[State], frozen=True):
    by: Seat
    seat: Seat

    def apply(self, state: State) -> State:
        return state


class CardsDiscarded(Event[State], frozen=True):
    seat: Seat
    cards: Annotated[Cards, everyone(of="seat")]
    why: Why

    def apply(self, state: State) -> State:
        return lost(state, self.seat, self.cards)


class FearGiven(Event[State], frozen=True):
    """R28: every player but `seat` gains so many."""

    seat: Seat
    amount: int

    def apply(self, state: State) -> State:
        fear = [f + self.amount * (s != self.seat) for s, f in enumerate(state.fear)]
        return state.but(fear=tuple(fear))


class FearReturned(Event[State], frozen=True):
    seat: Seat
    amount: int

    def apply(self, state: State) -> State:
        return state.but(fear=put(state.fear, self.seat, state.fear[self.seat] - self.amount))


class SetClaimed(Event[State], frozen=True):
    """R33; `eggs` are the Treats that Egging Houses stood for. The discard follows."""

    seat: Seat
    set: str
    points: int
    eggs: tuple[str, ...]

    def apply(self, state: State) -> State:
        sets = tuple([code for code in state.sets if code != self.set])
        mine = (*state.claimed[self.seat], self.set)
        return state.but(sets=sets, claimed=put(state.claimed, self.seat, mine))


class SetRevealed(Event[State], frozen=True):
    set: Annotated[SetCode, everyone()]

    def apply(self, state: State) -> State:
        return state.but(sets=(*state.sets, self.set), set_deck=state.set_deck[:-1])


class GameEnded(Event[State], frozen=True):
    """R40-R42."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        return state.but(over=True)
