"""Facts about the line, its piles and Special Baskets. Names and fields are the storage format."""

from __future__ import annotations

from typing import Literal

from games.rules import Event
from games.sight import Fact
from games.tricks_and_treats.state import Basket, Laid, State


class LineChanged(Event[State], frozen=True):
    """R23, R24: Baskets move, Candy stays at its slot. `cause` is the Special Basket."""

    cause: Basket
    op: Literal["swap", "shift", "jump"]
    line: tuple[Basket, ...]

    def apply(self, state: State) -> State:
        return state.but(line=self.line)


class Moved(Fact, frozen=True, tag=False):
    """A card that goes to another slot; `index` is its place in the pile before, 0 = earliest."""

    card: str
    source: int
    index: int
    to: int


class CandyMoved(Event[State], frozen=True):
    """All are taken out, then each is laid on its pile in this order; marks stay on."""

    cause: Basket
    moves: tuple[Moved, ...]

    def apply(self, state: State) -> State:
        taken = {(move.source, move.index) for move in self.moves}
        piles = [list(_left(pile, slot, taken)) for slot, pile in enumerate(state.piles)]
        for move in self.moves:
            piles[move.to].append(state.piles[move.source][move.index])
        return state.but(piles=tuple([tuple(pile) for pile in piles]))


class Lying(Fact, frozen=True, tag=False):
    """A card of a pile; `index` is its place there, 0 = earliest."""

    card: str
    slot: int
    index: int


class CandyRemoved(Event[State], frozen=True):
    """Q54: face up out of the game."""

    cause: Basket
    cards: tuple[Lying, ...]

    def apply(self, state: State) -> State:
        taken = {(lying.slot, lying.index) for lying in self.cards}
        piles = tuple([_left(pile, slot, taken) for slot, pile in enumerate(state.piles)])
        gone = [state.piles[lying.slot][lying.index] for lying in self.cards]
        return state.but(piles=piles, removed=(*state.removed, *gone))


class CandyDoubled(Event[State], frozen=True):
    """Q49"""

    cause: Basket
    cards: tuple[Lying, ...]

    def apply(self, state: State) -> State:
        piles = [list(pile) for pile in state.piles]
        for lying in self.cards:
            piles[lying.slot][lying.index] = Laid(lying.card, True)
        return state.but(piles=tuple([tuple(pile) for pile in piles]))


class ResolutionOrdered(Event[State], frozen=True):
    """R19, Q20: the order stays, wherever the Baskets go."""

    specials: tuple[Basket, ...]

    def apply(self, state: State) -> State:
        return state


class SpecialResolved(Event[State], frozen=True):
    """R27: where it lay and how many cards under it; what it did follows."""

    basket: Basket
    slot: int
    count: int
    outcome: Literal["odd", "even", "zero", "done"]

    def apply(self, state: State) -> State:
        return state


def _left(pile: tuple[Laid, ...], slot: int, taken: set[tuple[int, int]]) -> tuple[Laid, ...]:
    return tuple([laid for index, laid in enumerate(pile) if (slot, index) not in taken])
