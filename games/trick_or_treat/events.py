"""The facts of Trick or Treat. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated, Literal

from games.rules import Event
from games.sight import Seat, everyone, nobody, seen_by
from games.trick_or_treat.state import Card, Place, SetCode, State, put

Cards = tuple[Card, ...]
Via = Literal["plain", "home", "sneak", "free"]
Why = Literal["carnival", "scare", "calm", "brave", "claim", "limit"]


class TableLaid(Event[State], frozen=True):
    """R2-R4, R7, R8: so many players, Houses and slots of the Carnival row; `first` begins."""

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

    middle: Annotated[tuple[SetCode, ...], everyone()]
    deck: Annotated[tuple[SetCode, ...], nobody()]
    removed: Annotated[tuple[SetCode, ...], nobody()]

    def apply(self, state: State) -> State:
        return state.but(sets=self.middle, set_deck=self.deck, removed=self.removed)


class CardsShuffled(Event[State], frozen=True):
    """R6."""

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


class DiscardsReshuffled(Event[State], frozen=True):
    """R38."""

    deck: Annotated[Cards, nobody()]

    def apply(self, state: State) -> State:
        return state.but(deck=self.deck, discard=())


class HandsThinned(Event[State], frozen=True):
    """R39: what each seat loses, for all to see (Q31)."""

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


class GameEnded(Event[State], frozen=True):
    """R40-R42."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        return state.but(over=True)


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
