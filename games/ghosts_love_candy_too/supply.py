"""The bag and the kid deck: drawing, serving, mixing, and what happens when they run out."""

from __future__ import annotations

from collections.abc import Callable

from games.ghosts_love_candy_too.events import (
    BagMixed,
    BagRefilled,
    DeckShuffled,
    KidRevealed,
    Placed,
    SlotLeftEmpty,
)
from games.ghosts_love_candy_too.state import JUNK, State
from games.rules import Draft


def draw(draft: Draft[State], most: int) -> tuple[str, ...]:
    """The next tokens of the bag, so many or as many as there are; they still lie in it."""
    return draw_until(draft, most, lambda token: False)


def draw_until(
    draft: Draft[State], most: int | None, stop: Callable[[str], bool]
) -> tuple[str, ...]:
    """The next tokens up to one that stops it, at most so many; they still lie in the bag.

    GR3: with the option `bag_refill` the discarded treats come up once the bag is empty.
    """
    drawn: list[str] = []
    while most is None or len(drawn) < most:
        if len(drawn) == len(draft.state.bag) and not refilled(draft):
            break
        drawn.append(draft.state.bag[len(drawn)])
        if stop(drawn[-1]):
            break
    return tuple(drawn)


def refilled(draft: Draft[State]) -> bool:
    """Whether discarded treats come into the empty bag (GR3)."""
    if not draft.state.refill or not draft.state.treat_discard:
        return False
    draft.emit(BagRefilled(draft.dice.shuffle(draft.state.treat_discard)))
    return True


def supplied(state: State) -> bool:
    """Whether anything can be drawn."""
    return bool(state.bag or (state.refill and state.treat_discard))


def mix(draft: Draft[State]) -> None:
    """GR72."""
    draft.emit(BagMixed(draft.dice.shuffle(draft.state.bag)))


def serve(draft: Draft[State], at: int, due: int) -> bool:
    """One helping: tokens up to the first candy (G15, G23). False if the bag ran out first."""
    treats = draw_until(draft, None, lambda token: token != JUNK)
    if treats:
        draft.emit(Placed(at, treats, due))
    return bool(treats) and treats[-1] != JUNK


def next_kid(draft: Draft[State]) -> int | None:
    """The top kid of the deck, made anew from the discarded kids if it is empty (GR14)."""
    if not draft.state.deck and not draft.state.under:
        if not draft.state.kid_discard:
            return None
        draft.emit(DeckShuffled(draft.dice.shuffle(draft.state.kid_discard)))
    return (draft.state.deck or draft.state.under)[0]


def replace_kid(draft: Draft[State], at: int) -> None:
    """G44, GR16: the next kid into the empty slot, or none for the rest of the game."""
    kid = next_kid(draft)
    draft.emit(SlotLeftEmpty(at) if kid is None else KidRevealed(at, kid))
