"""Candy that changes hands, visits to Houses, the end of the game."""

from __future__ import annotations

from typing import NoReturn

from games.masked_mischief.events import (
    CandyMoved,
    GameEnded,
    HouseEnteredUncounted,
    HouseVisited,
)
from games.masked_mischief.state import State
from games.masked_mischief.words import By
from games.rules import Draft
from games.sight import Seat


def gain(draft: Draft[State], seat: Seat, candy: int) -> None:
    """From the Big Bowl, as far as it goes (Q16)."""
    candy = draft.state.left_in_bowl(candy)
    if candy:
        draft.emit(CandyMoved(None, seat, candy))


def give(draft: Draft[State], src: Seat, dst: Seat, candy: int) -> None:
    """From bowl to bowl; who can't pay in full pays what there is (Q17)."""
    candy = min(candy, draft.state.candy[src])
    if candy:
        draft.emit(CandyMoved(src, dst, candy))


def enter(draft: Draft[State], seat: Seat, by: By) -> None:
    """R26 to R29, Q45: the visit is counted, paid if the die led here; the third ends the game."""
    state = draft.state
    mask, house = state.masks[seat], state.map.house_at[state.at[seat]].id
    if not counts(state, by):
        draft.emit(HouseEnteredUncounted(seat, house))
        return
    last = state.constants.end_visits
    visits = min(state.visits.get(f"{mask}@{house}", 0) + 1, last)
    draft.emit(HouseVisited(seat, mask, house, visits, by))
    if visits == last and not state.plays("end_timing", "end_of_turn"):
        end(draft, mask, house)
    pay = state.constants.house_pay
    if by == "roll" and visits < last and visits <= len(pay):
        gain(draft, seat, pay[visits - 1])


def counts(state: State, by: By) -> bool:
    """Q45: which ways into a House count as a visit."""
    if by == "roll" or state.plays("house_counter", "any_tile"):
        return True
    return by == "other" and not state.plays("house_counter", "dice_only")


def finished(state: State) -> tuple[str, str] | None:
    """R29: the mask and the House that have seen each other for the last time."""
    for key, visits in state.visits.items():
        if visits >= state.constants.end_visits:
            mask, _, house = key.partition("@")
            return mask, house
    return None


def end(draft: Draft[State], mask: str, house: str) -> NoReturn:
    """R61 to R63, Q121: at once; bowls alone count, and of two as rich the younger wins."""
    state = draft.state
    best = max(state.candy)
    winner = next(seat for seat in state.youth if state.candy[seat] == best)
    by_age = state.candy.count(best) > 1
    draft.emit(GameEnded(mask, house, state.candy, winner, by_age))
    draft.cut("game_end")
