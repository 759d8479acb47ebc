"""The facts that only abilities make. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec.structs import replace

from games.ghosts_love_candy_too.events import above, gains, loses, under
from games.ghosts_love_candy_too.state import (
    Craving,
    Ghost,
    Slot,
    State,
    put,
    without,
)
from games.rules import Event
from games.sight import Seat, everyone, seen_by


class HeldTossed(Event[State], frozen=True):
    """GR60: one of the drawn treats goes before anything else."""

    seat: Seat
    treat: str

    def apply(self, state: State) -> State:
        return state.but(
            held=put(state.held, self.seat, without(state.held[self.seat], self.treat)),
            treat_discard=(*state.treat_discard, self.treat),
        )


class HeldSettled(Event[State], frozen=True):
    """What is kept of the drawn treats, and where the others go (`slot` for `kid`)."""

    seat: Seat
    kept: tuple[str, ...]
    rest: tuple[str, ...]
    to: Literal["discard", "bag", "kid"]
    slot: int

    def apply(self, state: State) -> State:
        state = gains(state, self.seat, *self.kept).but(held=put(state.held, self.seat, ()))
        if self.to == "discard":
            return state.but(treat_discard=(*state.treat_discard, *self.rest))
        if self.to == "bag":
            return state.but(bag=(*state.bag, *self.rest))
        return above(state, self.slot, (*state.row[self.slot].treats, *self.rest))


class TreatsTossed(Event[State], frozen=True):
    seat: Seat
    treats: tuple[str, ...]

    def apply(self, state: State) -> State:
        return loses(state, self.seat, *self.treats).but(
            treat_discard=(*state.treat_discard, *self.treats)
        )


class TreatsMoved(Event[State], frozen=True):
    """From stash to stash; `random` where chance picked."""

    chance = True

    giver: Seat
    to: Seat
    treats: tuple[str, ...]
    random: bool

    def apply(self, state: State) -> State:
        return gains(loses(state, self.giver, *self.treats), self.to, *self.treats)


class TradedWithKid(Event[State], frozen=True):
    seat: Seat
    slot: int
    gave: str
    got: str

    def apply(self, state: State) -> State:
        treats = (*without(state.row[self.slot].treats, self.got), self.gave)
        state = above(state, self.slot, treats)
        return gains(loses(state, self.seat, self.gave), self.seat, self.got)


class TradedWithSeat(Event[State], frozen=True):
    seat: Seat
    other: Seat
    gave: str
    got: str

    def apply(self, state: State) -> State:
        state = gains(loses(state, self.seat, self.gave), self.other, self.gave)
        return gains(loses(state, self.other, self.got), self.seat, self.got)


class TreatsLaid(Event[State], frozen=True):
    """From a stash onto a kid."""

    seat: Seat
    slot: int
    treats: tuple[str, ...]

    def apply(self, state: State) -> State:
        state = loses(state, self.seat, *self.treats)
        return above(state, self.slot, (*state.row[self.slot].treats, *self.treats))


class TreatsShifted(Event[State], frozen=True):
    """From kid to kid."""

    source: int
    to: int
    treats: tuple[str, ...]

    def apply(self, state: State) -> State:
        state = above(state, self.source, without(state.row[self.source].treats, *self.treats))
        return above(state, self.to, (*state.row[self.to].treats, *self.treats))


class TreatsReturned(Event[State], frozen=True):
    """From a stash into the bag."""

    seat: Seat
    treats: tuple[str, ...]

    def apply(self, state: State) -> State:
        return loses(state, self.seat, *self.treats).but(bag=(*state.bag, *self.treats))


class TreatPassed(Event[State], frozen=True):
    """All pass at once: one event each, none of them sees another's before."""

    giver: Seat
    to: Seat
    treat: Annotated[str, everyone(of="giver")]

    def apply(self, state: State) -> State:
        return gains(loses(state, self.giver, self.treat), self.to, self.treat)


class GhostMoved(Event[State], frozen=True):
    """Onto the top of another pile (GR30)."""

    source: int
    to: int
    ghost: Ghost

    def apply(self, state: State) -> State:
        state = under(state, self.source, without(state.row[self.source].pile, self.ghost))
        return under(state, self.to, (*state.row[self.to].pile, self.ghost))


class GhostDiscarded(Event[State], frozen=True):
    slot: int
    ghost: Ghost

    def apply(self, state: State) -> State:
        state = under(state, self.slot, without(state.row[self.slot].pile, self.ghost))
        gone = (*state.ghost_discard, self.ghost.unmarked())
        return state.but(ghost_discard=gone)


class GhostExchanged(Event[State], frozen=True):
    """GR58: the ghost just placed goes back to the hand, another one takes its place."""

    seat: Seat
    slot: int
    out: Ghost
    into: Ghost

    def apply(self, state: State) -> State:
        pile = state.row[self.slot].pile
        state = under(state, self.slot, put(pile, pile.index(self.out), self.into))
        hand = state.hands[self.seat]
        own = tuple(sorted((*without(hand[self.out.of], self.into.value), self.out.value)))
        hands = put(state.hands, self.seat, put(hand, self.out.of, own))
        return state.but(hands=hands, just=self.into)


class PileReordered(Event[State], frozen=True):
    slot: int
    order: tuple[Ghost, ...]

    def apply(self, state: State) -> State:
        return under(state, self.slot, self.order)


class KidsExchanged(Event[State], frozen=True):
    """Two kids change places, with treats and piles."""

    a: int
    b: int

    def apply(self, state: State) -> State:
        a, b = state.row[self.a], state.row[self.b]
        return state.but(row=put(put(state.row, self.a, b), self.b, a))


class KidSlid(Event[State], frozen=True):
    """GR65: one kid goes to an end of the row, those between close up."""

    source: int
    to: int

    def apply(self, state: State) -> State:
        row = list(state.row)
        row.insert(self.to, row.pop(self.source))
        return state.but(row=tuple(row))


class RowKidDiscarded(Event[State], frozen=True):
    """A kid without ghosts leaves the row, with its treats."""

    slot: int
    kid: int

    def apply(self, state: State) -> State:
        return state.but(
            kid_discard=(*state.kid_discard, self.kid),
            treat_discard=(*state.treat_discard, *state.row[self.slot].treats),
            row=put(state.row, self.slot, Slot()),
        )


class StashKidMoved(Event[State], frozen=True):
    giver: Seat
    to: Seat
    kid: int

    def apply(self, state: State) -> State:
        scared = put(state.scared, self.giver, without(state.scared[self.giver], self.kid))
        return state.but(scared=put(scared, self.to, (*scared[self.to], self.kid)))


class StashKidDropped(Event[State], frozen=True):
    """To the kid discard, or under the deck for all to see."""

    seat: Seat
    kid: int
    to: Literal["discard", "deckBottom"]

    def apply(self, state: State) -> State:
        mine = without(state.scared[self.seat], self.kid)
        state = state.but(scared=put(state.scared, self.seat, mine))
        if self.to == "discard":
            return state.but(kid_discard=(*state.kid_discard, self.kid))
        return state.but(under=(*state.under, self.kid))


class CravingPeeked(Event[State], frozen=True):
    """GR78: that it was looked at is public, what it is only for those two."""

    by: Seat
    whose: Seat
    card: Annotated[Craving, seen_by("by", "whose", of="whose")]

    def apply(self, state: State) -> State:
        held = state.secrets[self.whose]
        knowers = tuple(sorted({*held.knowers, self.by}))
        return state.but(secrets=put(state.secrets, self.whose, replace(held, knowers=knowers)))


class TiesGranted(Event[State], frozen=True):
    """In this round the seat wins ties of turn order."""

    seat: Seat
    round: int

    def apply(self, state: State) -> State:
        return state.but(wins=put(state.wins, self.seat, self.round))
