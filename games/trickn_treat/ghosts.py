"""The ghosts: 6 and 7 act when the trick is resolved, 8, 9 and 10 when they are played."""

from __future__ import annotations

from collections.abc import Callable

from games.forms import Form, OneOf
from games.rules import Draft, Question
from games.sight import Seat
from games.trickn_treat.exchange import ChooseTarget, exchange_with
from games.trickn_treat.ghost_events import (
    CardsSwapped,
    DummyPileSearched,
    DummySwapped,
    EffectSet,
    GhostIdle,
    PileSearched,
)
from games.trickn_treat.options import Leave, Stop, Swap, Take
from games.trickn_treat.state import DUMMY, Place, State, suit
from games.trickn_treat.tables import GHOST_TEXTS


def ghost_6(draft: Draft[State], place: Place) -> None:
    """T56, TR20: in force from now on, also if the 6 is swapped out."""
    draft.emit(EffectSet(True, draft.state.extra))


def ghost_7(draft: Draft[State], place: Place) -> None:
    """T57"""
    draft.emit(EffectSet(draft.state.reversed, True))


def ghost_8(draft: Draft[State], place: Place) -> None:
    """T60, TR27"""
    if draft.state.cards(place):
        offer_swap(draft, place)
    else:
        draft.emit(GhostIdle(place, "*8", "no_card"))


def ghost_9(draft: Draft[State], place: Place) -> None:
    """T63"""
    if not draft.state.pile(place):
        draft.emit(GhostIdle(place, "*9", "empty_pile"))
    elif isinstance(place, int):
        draft.ask(SearchPile(place))
    else:
        draft.ask(SearchDummyPile(draft.state.player(place)))


def ghost_10(draft: Draft[State], place: Place) -> None:
    """T64, TR30: compulsory if possible; a lone target is everybody's knowledge, so not asked."""
    choice = ChooseTarget(draft.state.player(place), place)
    targets = choice.targets(draft.state)
    if not draft.state.cards(place):
        draft.emit(GhostIdle(place, "*10", "no_card"))
    elif not targets:
        draft.emit(GhostIdle(place, "*10", "no_target"))
    elif len(targets) == 1:
        exchange_with(draft, place, targets[0].place)
    else:
        draft.ask(choice)


GHOSTS: dict[str, Callable[[Draft[State], Place], None]] = {
    "*6": ghost_6,
    "*7": ghost_7,
    "*8": ghost_8,
    "*9": ghost_9,
    "*10": ghost_10,
}


def haunt(draft: Draft[State], place: Place, ghost: str) -> None:
    """TR37: nobody may choose for a cooperative Dummy, so what acts when played does not."""
    alone = place == DUMMY and draft.state.mode == "coop"
    if alone and GHOST_TEXTS[ghost].when == "played":
        draft.emit(GhostIdle(place, ghost, "dummy"))
    else:
        GHOSTS[ghost](draft, place)


def swaps(state: State, place: Place) -> tuple[Swap, ...]:
    """T61, TR22: a card of the hand for one of the table of its colour, or ghost for ghost."""
    return tuple(
        [
            Swap(put, take)
            for take in state.unswapped()
            for put in state.cards(place)
            if suit(put) == suit(take) and put not in state.swapped
        ]
    )


def offer_swap(draft: Draft[State], place: Place) -> None:
    """TR21: asked whatever the hand holds, lest the asking tell; the Dummy's cards are open."""
    state = draft.state
    if not state.unswapped():
        return
    if place == DUMMY and not swaps(state, place):
        draft.emit(GhostIdle(place, "*8", "no_fit"))
    else:
        draft.ask(SwapOrStop(state.player(place), place))


class SwapOrStop(Question[State, Swap | Stop], frozen=True):
    """T60 to T62: again and again, no card twice."""

    place: Place

    def prompt(self, state: State) -> str:
        return "Swap a card with one already played of the same colour, or stop."

    def form(self, state: State, seat: Seat) -> Form[Swap | Stop]:
        return OneOf((Stop(), *swaps(state, self.place)))

    def answer(self, draft: Draft[State], option: Swap | Stop) -> None:
        if isinstance(option, Stop):
            return
        if isinstance(self.place, int):
            draft.emit(CardsSwapped(self.place, option.put, option.take))
        else:
            draft.emit(DummySwapped(option.put, option.take))
        offer_swap(draft, self.place)


class SearchPile(Question[State, Take | Leave], frozen=True):
    """T63, TR28: the others see only whether a card was taken."""

    secret = True

    def prompt(self, state: State) -> str:
        return "Take a card from the own face-down pile, or none."

    def form(self, state: State, seat: Seat) -> Form[Take | Leave]:
        return OneOf((Leave(), *[Take(card) for card in state.piles[self.seat]]))

    def answer(self, draft: Draft[State], option: Take | Leave) -> None:
        card = option.card if isinstance(option, Take) else ""
        draft.emit(PileSearched(self.seat, bool(card), card))


class SearchDummyPile(Question[State, Take | Leave], frozen=True):
    """T44: the dark player chooses, in the open."""

    def prompt(self, state: State) -> str:
        return "Take a card from the Dummy's pile into its row, or none."

    def form(self, state: State, seat: Seat) -> Form[Take | Leave]:
        return OneOf((Leave(), *[Take(card) for card in state.pile(DUMMY)]))

    def answer(self, draft: Draft[State], option: Take | Leave) -> None:
        draft.emit(DummyPileSearched((option.card,) if isinstance(option, Take) else ()))
