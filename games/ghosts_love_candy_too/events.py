"""The facts of Ghosts Love Candy Too. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec.structs import replace

from games.ghosts_love_candy_too.state import (
    Craving,
    Ghost,
    Secret,
    Slot,
    State,
    put,
    without,
)
from games.rules import Event
from games.sight import Seat, each_own, everyone, nobody


def gains(state: State, seat: Seat, *treats: str) -> State:
    """The state with these treats in the seat's stash as well."""
    return replace(state, stashes=_with_more(state.stashes, seat, treats))


def loses(state: State, seat: Seat, *treats: str) -> State:
    """The state with these treats out of the seat's stash."""
    return replace(state, stashes=put(state.stashes, seat, without(state.stashes[seat], *treats)))


def above(state: State, at: int, treats: tuple[str, ...]) -> State:
    """The state with other treats in one slot."""
    return replace(state, row=_above(state.row, at, treats))


def under(state: State, at: int, pile: tuple[Ghost, ...]) -> State:
    """The state with another pile in one slot."""
    return replace(state, row=_under(state.row, at, pile))


def _with_more(piles: tuple[Any, ...], at: int, more: tuple[Any, ...]) -> tuple[Any, ...]:
    return put(piles, at, (*piles[at], *more))


def _above(row: tuple[Slot, ...], at: int, treats: tuple[str, ...]) -> tuple[Slot, ...]:
    return put(row, at, replace(row[at], treats=treats))


def _under(row: tuple[Slot, ...], at: int, pile: tuple[Ghost, ...]) -> tuple[Slot, ...]:
    return put(row, at, replace(row[at], pile=pile))


def kid_off_deck(state: State) -> State:
    """The deck without its first card; those known to lie under it come last."""
    if state.deck:
        return state.but(deck=state.deck[1:])
    return state.but(under=state.under[1:])


class CravingsDealt(Event[State], frozen=True):
    """G6, G7."""

    chance = True

    cards: Annotated[tuple[Craving, ...], each_own()]
    boxed: Annotated[tuple[Craving, ...], nobody()]

    def apply(self, state: State) -> State:
        secrets = tuple([Secret(card, (seat,)) for seat, card in enumerate(self.cards)])
        return state.but(secrets=secrets, boxed=self.boxed)


class DeckShuffled(Event[State], frozen=True):
    """The kid deck is mixed: at the start, or anew from the discarded kids (GR14)."""

    chance = True

    order: Annotated[tuple[int, ...], nobody()]

    def apply(self, state: State) -> State:
        return state.but(deck=self.order, kid_discard=())


class KidRevealed(Event[State], frozen=True):
    slot: int
    kid: Annotated[int, everyone()]

    def apply(self, state: State) -> State:
        slot = state.row[self.slot].but(kid=self.kid)
        return kid_off_deck(state).but(row=put(state.row, self.slot, slot))


class BagFilled(Event[State], frozen=True):
    """G13."""

    chance = True

    order: Annotated[tuple[str, ...], nobody()]

    def apply(self, state: State) -> State:
        return state.but(bag=self.order)


class BagMixed(BagFilled, frozen=True):
    """GR72: treats were returned, and the whole bag is mixed."""


class BagRefilled(Event[State], frozen=True):
    """GR3, option `bag_refill`: the discarded treats come up once the bag is empty."""

    chance = True

    order: Annotated[tuple[str, ...], nobody()]

    def apply(self, state: State) -> State:
        return state.but(bag=(*state.bag, *self.order), treat_discard=())


class Placed(Event[State], frozen=True):
    """Treats out of the bag onto a kid; `due` is the kid's slot they were meant for (GR53)."""

    slot: int
    treats: Annotated[tuple[str, ...], everyone()]
    due: int

    def apply(self, state: State) -> State:
        treats = (*state.row[self.slot].treats, *self.treats)
        row = _above(state.row, self.slot, treats)
        return replace(state, bag=state.bag[len(self.treats) :], row=row)


class PlacementStopped(Event[State], frozen=True):
    """GR3: the bag is empty."""

    slot: int

    def apply(self, state: State) -> State:
        return state


class Drawn(Event[State], frozen=True):
    """Treats out of the bag: into the stash, or held until it is settled which are kept."""

    seat: Seat
    treats: Annotated[tuple[str, ...], everyone()]
    held: bool

    def apply(self, state: State) -> State:
        bag = state.bag[len(self.treats) :]
        if self.held:
            return replace(state, bag=bag, held=put(state.held, self.seat, self.treats))
        return replace(state, bag=bag, stashes=_with_more(state.stashes, self.seat, self.treats))


class StartKept(Event[State], frozen=True):
    """G16: what a seat kept of its starting treats; the rest is discarded."""

    seat: Seat
    kept: Annotated[tuple[str, ...], everyone(of="seat")]

    def apply(self, state: State) -> State:
        rest = without(state.held[self.seat], *self.kept)
        return replace(
            state,
            stashes=_with_more(state.stashes, self.seat, self.kept),
            held=put(state.held, self.seat, ()),
            treat_discard=(*state.treat_discard, *rest),
        )


class Haunted(Event[State], frozen=True):
    """G32-G34: the next ghost goes on top of a kid's pile."""

    seat: Seat
    slot: int
    kid: int
    ghost: Ghost

    def apply(self, state: State) -> State:
        row = _under(state.row, self.slot, (*state.row[self.slot].pile, self.ghost))
        return replace(state, played=state.played[1:], just=self.ghost, row=row)


class HauntSkipped(Event[State], frozen=True):
    """GR17: no kid may be haunted with this ghost; it is discarded."""

    seat: Seat
    ghost: Ghost

    def apply(self, state: State) -> State:
        return state.but(
            played=state.played[1:],
            just=None,
            ghost_discard=(*state.ghost_discard, self.ghost),
        )


class TreatsTaken(Event[State], frozen=True):
    """Treats of a kid, or of the discarded ones (slot -1), go to a stash."""

    seat: Seat
    slot: int
    treats: tuple[str, ...]

    def apply(self, state: State) -> State:
        stashes = _with_more(state.stashes, self.seat, self.treats)
        if self.slot < 0:
            left = without(state.treat_discard, *self.treats)
            return replace(state, stashes=stashes, treat_discard=left)
        left = without(state.row[self.slot].treats, *self.treats)
        return replace(state, stashes=stashes, row=_above(state.row, self.slot, left))


class AbilityUsed(Event[State], frozen=True):
    """The ability of kid `of` acts, at `kid` (another one where it is copied)."""

    kid: int
    of: int
    when: Literal["now", "scared", "end", "afterPlace"]

    def apply(self, state: State) -> State:
        return state


class KidScared(Event[State], frozen=True):
    """GR27 (a)-(c): kid to a stash or (None) the kid discard, ghosts and treats to theirs.

    With `stay` the treats lie on for the kid that takes the place (97).
    """

    slot: int
    kid: int
    to: Seat | None
    stay: bool

    def apply(self, state: State) -> State:
        slot = state.row[self.slot]
        discard, scared, treats = state.kid_discard, state.scared, state.treat_discard
        if self.to is None:
            discard = (*discard, self.kid)
        else:
            scared = _with_more(scared, self.to, (self.kid,))
        return replace(
            state,
            ghost_discard=(*state.ghost_discard, *[g.unmarked() for g in slot.pile]),
            kid_discard=discard,
            scared=scared,
            treat_discard=treats if self.stay else (*treats, *slot.treats),
            row=put(state.row, self.slot, Slot(0, slot.treats if self.stay else ())),
        )


class SlotLeftEmpty(Event[State], frozen=True):
    """GR16, GR73: no kid is left to take the place; treats still there are discarded."""

    slot: int

    def apply(self, state: State) -> State:
        return state.but(
            treat_discard=(*state.treat_discard, *state.row[self.slot].treats),
            row=put(state.row, self.slot, Slot()),
        )


class CandyGivenBack(Event[State], frozen=True):
    """G66: an apology to a scared kid."""

    seat: Seat
    treat: str

    def apply(self, state: State) -> State:
        return loses(state, self.seat, self.treat).but(
            treat_discard=(*state.treat_discard, self.treat)
        )
