"""The Haunted House: frighten the others, or get over one's own Fear. R28 to R30."""

from __future__ import annotations

from games.forms import Form, Subset
from games.rules import Draft, Question
from games.sight import Seat
from games.trick_or_treat.events import CardsDiscarded, FearGiven, FearReturned
from games.trick_or_treat.locations import location
from games.trick_or_treat.options import Brave, Calm, Discard, Pass, Scare
from games.trick_or_treat.own_turn import OwnTurn
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import BRAVE, BRAVE_RETURNS, HAUNTED_MOST, TREATS, TRICKS
from games.trick_or_treat.tricks import offered

Alternative = Scare | Calm | Brave | Pass


@location("haunted")
class HauntedHouse(OwnTurn, frozen=True):
    """R15, Q21: one of its alternatives, or nothing."""

    def prompt(self, state: State) -> str:
        return "At the Haunted House: scare the others, calm down, be brave, or do nothing."

    def choices(self, state: State) -> tuple[Alternative, ...]:
        hand = state.hands[self.seat]
        scare = (Scare(),) if any(card in TRICKS for card in hand) else ()
        calm = any(card in TREATS for card in hand) and state.fear[self.seat]
        return (
            *scare,
            *((Calm(),) if calm else ()),
            *offered(state, self.seat, BRAVE),
            Pass(),
        )

    def chosen(self, draft: Draft[State], option: Alternative) -> None:
        if isinstance(option, Scare):
            draft.ask(ScareWith(self.seat))
        elif isinstance(option, Calm):
            draft.ask(CalmWith(self.seat))
        elif isinstance(option, Brave):
            returned = min(BRAVE_RETURNS, draft.state.fear[self.seat])
            draft.emit(CardsDiscarded(self.seat, (BRAVE,), "brave"))
            draft.emit(FearReturned(self.seat, returned))


class ScareWith(Question[State, tuple[Discard, ...]], frozen=True):
    """R28, Q24: any Tricks, for what they are and not for what they do."""

    def prompt(self, state: State) -> str:
        return f"Discard 1 to {HAUNTED_MOST} Tricks: each other player gains as many Fear."

    def form(self, state: State, seat: Seat) -> Form[tuple[Discard, ...]]:
        return Subset(tuple(map(Discard, self.cards(state))), 1, HAUNTED_MOST)

    def cards(self, state: State) -> tuple[str, ...]:
        return tuple([card for card in state.hands[self.seat] if card in TRICKS])

    def answer(self, draft: Draft[State], option: tuple[Discard, ...]) -> None:
        cards = tuple([discard.card for discard in option])
        draft.emit(CardsDiscarded(self.seat, cards, "scare"))
        draft.emit(FearGiven(self.seat, len(cards)))


class CalmWith(Question[State, tuple[Discard, ...]], frozen=True):
    """R29, Q22: Treats, no more than there is Fear to return."""

    def prompt(self, state: State) -> str:
        return f"Discard 1 to {self._most(state)} Treats: you return as many Fear."

    def form(self, state: State, seat: Seat) -> Form[tuple[Discard, ...]]:
        return Subset(tuple(map(Discard, self.cards(state))), 1, self._most(state))

    def cards(self, state: State) -> tuple[str, ...]:
        return tuple([card for card in state.hands[self.seat] if card in TREATS])

    def answer(self, draft: Draft[State], option: tuple[Discard, ...]) -> None:
        cards = tuple([discard.card for discard in option])
        draft.emit(CardsDiscarded(self.seat, cards, "calm"))
        draft.emit(FearReturned(self.seat, len(cards)))

    def _most(self, state: State) -> int:
        return min(HAUNTED_MOST, state.fear[self.seat])
