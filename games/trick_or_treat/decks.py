"""The deck: drawing, turning up, and what happens when it is empty."""

from __future__ import annotations

from games.rules import Draft
from games.sight import Seat
from games.trick_or_treat.deck_events import (
    CardDrawn,
    CarnivalStocked,
    DiscardsReshuffled,
    DrawSkipped,
    HandsThinned,
    HouseStocked,
)
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import THINNED


def draw(draft: Draft[State], seat: Seat, number: int) -> None:
    """Q30: singly, each in hand before the next; what is missing is skipped (Q31)."""
    for drawn in range(number):
        if not supplied(draft):
            draft.emit(DrawSkipped(seat, "hand", number - drawn))
            return
        draft.emit(CardDrawn(seat, draft.state.deck[-1]))


def stock_house(draft: Draft[State], seat: Seat, house: int) -> None:
    """R22: a new card is turned up."""
    if supplied(draft):
        draft.emit(HouseStocked(house, draft.state.deck[-1]))
    else:
        draft.emit(DrawSkipped(seat, "house", 1))


def stock_carnival(draft: Draft[State], seat: Seat) -> None:
    """R25: the gaps of the row are filled, from slot 0 on."""
    gaps = [slot for slot, card in enumerate(draft.state.row) if card is None]
    for filled, slot in enumerate(gaps):
        if not supplied(draft):
            draft.emit(DrawSkipped(seat, "carnival", len(gaps) - filled))
            return
        draft.emit(CarnivalStocked(slot, draft.state.deck[-1]))


def supplied(draft: Draft[State]) -> bool:
    """R38, R39: the deck is remade if a card is needed and it is empty. False: no cards at all."""
    if draft.state.deck:
        return True
    if not draft.state.discard and any(draft.state.hands):
        thin = tuple([draft.dice.take(hand, THINNED) for hand in draft.state.hands])
        draft.emit(HandsThinned(thin))
    if not draft.state.discard:
        return False
    draft.emit(DiscardsReshuffled(draft.dice.shuffle(draft.state.discard)))
    return True
