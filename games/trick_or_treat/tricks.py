"""The five Tricks: what each offers whoever holds it, found by its code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.rules import Draft
from games.sight import Seat
from games.trick_or_treat import bully
from games.trick_or_treat.events import TrickPlayed
from games.trick_or_treat.options import Brave, Bully, Sneak, Stay
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import (
    BRAVE,
    CHANGE_COSTUME,
    EGGING_HOUSES,
    FAMILY,
    MOVE_BULLY,
    SNEAK,
)

Offers = Callable[[State, Seat], tuple[Any, ...]]

OFFERS: dict[str, Offers] = {}
"""By code: the options that a Trick adds to a decision; for Egging Houses, what it stands for."""


def trick(code: str) -> Callable[[Offers], Offers]:
    return lambda offers: OFFERS.setdefault(code, offers)


def offered(state: State, seat: Seat, *codes: str) -> tuple[Any, ...]:
    """What those of the Tricks offer that the seat holds."""
    hand = state.hands[seat]
    return tuple([o for code in codes if code in hand for o in OFFERS[code](state, seat)])


def play(draft: Draft[State], seat: Seat, code: str) -> None:
    draft.emit(TrickPlayed(seat, code))


@trick(SNEAK)
def sneak(state: State, seat: Seat) -> tuple[Sneak, ...]:
    """R12, Q8: opens one barred destination; not offered where none is needed."""
    here = state.at[seat]
    return tuple([Sneak(p) for p in state.places if p != here and state.barred(seat, p)])


@trick(CHANGE_COSTUME)
def change_costume(state: State, seat: Seat) -> tuple[Stay, ...]:
    """R14, Q6: stay, if there is a place to stay on."""
    return (Stay(),) if state.at[seat] else ()


@trick(MOVE_BULLY)
def move_bully(state: State, seat: Seat) -> tuple[Bully, ...]:
    """R16, R18."""
    return bully.ways(state, seat, Bully)


@trick(BRAVE)
def brave(state: State, seat: Seat) -> tuple[Brave, ...]:
    """R30, Q23: only with Fear to return."""
    return (Brave(),) if state.fear[seat] else ()


@trick(EGGING_HOUSES)
def egging_houses(state: State, seat: Seat) -> tuple[str, ...]:
    """R34, Q28: the open Treats, never an open Trick."""
    return tuple(sorted([card for card in state.open_cards() if card in FAMILY]))
