"""What one does at each Location: R21 to R27. The Haunted House and Home are next door."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from games.rules import Draft
from games.trick_or_treat import bully
from games.trick_or_treat.deck_events import CarnivalCardTaken, HouseCardTaken
from games.trick_or_treat.decks import draw, stock_carnival, stock_house
from games.trick_or_treat.events import CardsDiscarded, FreeMoveGranted
from games.trick_or_treat.options import Proceed, Send, Stop, Swap, Take
from games.trick_or_treat.own_turn import OwnTurn
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import HOUSE_AT, HOUSE_DRAW, MANSION_DRAW, PLACE_NAMES

Q = TypeVar("Q", bound=type[OwnTurn])

ACTIONS: dict[str, type[OwnTurn]] = {}
"""By the Location card's id: the question that its action begins with."""


def location(id: str) -> Callable[[Q], Q]:
    def register(question: Q) -> Q:
        ACTIONS[id] = question
        return question

    return register


@location("mansion")
class Mansion(OwnTurn, frozen=True):
    """R21."""

    def prompt(self, state: State) -> str:
        return f"At the Mansion: draw {MANSION_DRAW} cards."

    def choices(self, state: State) -> tuple[Proceed, ...]:
        return (Proceed(),)

    def chosen(self, draft: Draft[State], option: Proceed) -> None:
        draw(draft, self.seat, MANSION_DRAW)


@location("house")
class House(OwnTurn, frozen=True):
    """R22, Q19: draw, draw, take the open card, turn up a new one."""

    def prompt(self, state: State) -> str:
        place = PLACE_NAMES[str(state.at[self.seat])]
        return f"At {place}: draw {HOUSE_DRAW} cards and take the face-up one."

    def choices(self, state: State) -> tuple[Proceed, ...]:
        return (Proceed(),)

    def chosen(self, draft: Draft[State], option: Proceed) -> None:
        house = HOUSE_AT[str(draft.state.at[self.seat])]
        draw(draft, self.seat, HOUSE_DRAW)
        card = draft.state.houses[house]
        if card:
            draft.emit(HouseCardTaken(self.seat, house, card))
        stock_house(draft, self.seat, house)


@location("carnival")
class Carnival(OwnTurn, frozen=True):
    """R23; an empty row is only refilled (Q32)."""

    def prompt(self, state: State) -> str:
        return "At the Carnival: take one of the face-up cards."

    def choices(self, state: State) -> tuple[Take | Proceed, ...]:
        takes = tuple([Take(slot, card) for slot, card in enumerate(state.row) if card])
        return takes or (Proceed(),)

    def chosen(self, draft: Draft[State], option: Take | Proceed) -> None:
        if isinstance(option, Take):
            draft.emit(CarnivalCardTaken(self.seat, option.slot, option.card))
        if any(draft.state.row):
            draft.ask(CarnivalExtra(self.seat))
        else:
            stock_carnival(draft, self.seat)


class CarnivalExtra(OwnTurn, frozen=True):
    """R24, R25, Q20: a second card for one from the hand; then the row is filled."""

    def prompt(self, state: State) -> str:
        return "At the Carnival: discard a card to take a second one, or stop."

    def choices(self, state: State) -> tuple[Swap | Stop, ...]:
        hand = dict.fromkeys(state.hands[self.seat])
        row = [(slot, card) for slot, card in enumerate(state.row) if card]
        return (*[Swap(mine, slot, card) for mine in hand for slot, card in row], Stop())

    def chosen(self, draft: Draft[State], option: Swap | Stop) -> None:
        if isinstance(option, Swap):
            draft.emit(CardsDiscarded(self.seat, (option.discard,), "carnival"))
            draft.emit(CarnivalCardTaken(self.seat, option.slot, option.card))
        stock_carnival(draft, self.seat)


@location("alley")
class Alley(OwnTurn, frozen=True):
    """R26, R27, Q12: the Bully must move; the next move of the seat is free."""

    def prompt(self, state: State) -> str:
        return "At the Alley: send the Bully to another Location."

    def choices(self, state: State) -> tuple[Send, ...]:
        return bully.ways(state, self.seat, Send)

    def chosen(self, draft: Draft[State], option: Send) -> None:
        bully.move(draft, self.seat, option)
        draft.emit(FreeMoveGranted(self.seat))
