"""What a Special Basket can do to the line and the piles, each operation once (rules 3.2).

Slots are numbers on the ring. An operation that changes nothing gives no event.
"""

from __future__ import annotations

from games.rules import Draft
from games.sight import Seat
from games.tricks_and_treats.cards import KIND, VALUE
from games.tricks_and_treats.events import CandyTraded
from games.tricks_and_treats.line_events import (
    CandyDoubled,
    CandyMoved,
    CandyRemoved,
    LineChanged,
    Lying,
    Moved,
)
from games.tricks_and_treats.state import Basket, State


def swap(draft: Draft[State], cause: Basket, a: int, b: int) -> None:
    """R23: the Baskets at two slots trade places."""
    line = _swapped(draft.state.line, a, b)
    draft.emit(LineChanged(cause, "swap", line))


def shift(draft: Draft[State], cause: Basket, steps: int) -> None:
    """R26, Q22: every Basket goes so many slots to the right, round the ring."""
    line = draft.state.line
    at = -steps % len(line)
    draft.emit(LineChanged(cause, "shift", (*line[at:], *line[:at])))


def jump(draft: Draft[State], cause: Basket, steps: int) -> None:
    """Q45: so many swaps with the neighbour on one side, one after the other."""
    state, side = draft.state, 1 if steps > 0 else -1
    line, here = state.line, state.slot(cause)
    for _ in range(abs(steps)):
        line, here = _swapped(line, here, state.beside(here, side)), state.beside(here, side)
    draft.emit(LineChanged(cause, "jump", line))


def move_last(draft: Draft[State], cause: Basket, source: int, to: int) -> None:
    """Q39: the latest arrival of one pile goes on another."""
    pile = draft.state.piles[source]
    if pile:
        _move(draft, cause, [Moved(pile[-1].card, source, len(pile) - 1, to)])


def move_all(draft: Draft[State], cause: Basket, source: int, to: int) -> None:
    """Q51: a whole pile goes on another in its order."""
    pile = draft.state.piles[source]
    _move(draft, cause, [Moved(laid.card, source, i, to) for i, laid in enumerate(pile)])


def move_kind(draft: Draft[State], cause: Basket, kind: str, steps: int) -> None:
    """Q48: every card of the kind goes so many slots to the right, all at once."""
    moves = []
    for slot in range(len(draft.state.line)):
        to = draft.state.beside(slot, steps)
        moves += [Moved(lying.card, slot, lying.index, to) for lying in _of(draft, kind, slot)]
    _move(draft, cause, moves)


def trade(draft: Draft[State], cause: Basket, seat: Seat, card: str, basket: Basket) -> None:
    """Q46: a hand card for the last card of a pile."""
    slot = draft.state.slot(basket)
    taken = draft.state.piles[slot][-1].card
    draft.emit(CandyTraded(cause, seat, basket, slot, card, taken))


def discard_all(draft: Draft[State], cause: Basket, slot: int) -> None:
    """Q54: the pile leaves the game."""
    pile = draft.state.piles[slot]
    _discard(draft, cause, [Lying(laid.card, slot, i) for i, laid in enumerate(pile)])


def discard_kind(draft: Draft[State], cause: Basket, kind: str, slot: int) -> None:
    """Q54: the pile's cards of the kind leave the game."""
    _discard(draft, cause, _of(draft, kind, slot))


def discard_highest(draft: Draft[State], cause: Basket, slot: int) -> None:
    """Q50: the pile's card of the highest printed value, among equals the latest, leaves."""
    pile = draft.state.piles[slot]
    if pile:
        _, index = max((VALUE[laid.card], i) for i, laid in enumerate(pile))
        _discard(draft, cause, [Lying(pile[index].card, slot, index)])


def double_kind(draft: Draft[State], cause: Basket, kind: str, slot: int) -> None:
    """Q49: the pile's cards of the kind count double at the end."""
    cards = _of(draft, kind, slot)
    if cards:
        draft.emit(CandyDoubled(cause, tuple(cards)))


def printed(state: State, slot: int) -> int:
    """The sum of the values printed on a pile's cards, marks aside (Q49)."""
    return sum(VALUE[laid.card] for laid in state.piles[slot])


def _of(draft: Draft[State], kind: str, slot: int) -> list[Lying]:
    pile = draft.state.piles[slot]
    return [Lying(p.card, slot, i) for i, p in enumerate(pile) if KIND[p.card] == kind]


def _move(draft: Draft[State], cause: Basket, moves: list[Moved]) -> None:
    if moves:
        draft.emit(CandyMoved(cause, tuple(moves)))


def _discard(draft: Draft[State], cause: Basket, cards: list[Lying]) -> None:
    if cards:
        draft.emit(CandyRemoved(cause, tuple(cards)))


def _swapped(line: tuple[Basket, ...], a: int, b: int) -> tuple[Basket, ...]:
    places = list(line)
    places[a], places[b] = places[b], places[a]
    return tuple(places)
