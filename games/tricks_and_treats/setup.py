"""The setup: the line, the deal, Time's Up near the bottom, and the opening exchange."""

from __future__ import annotations

from typing import Annotated, Literal

from games.forms import Form, OneOf
from games.rules import Draft, Question, Step
from games.sight import Seat, seen_by
from games.tricks_and_treats.cards import (
    CANDY,
    EXTRA_BASKETS,
    LETTERS,
    SPECIALS,
    SPECIALS_IN_PLAY,
    START_HAND,
    TIMES_UP,
    TIMES_UP_AMONG_LAST,
    VALUE,
)
from games.tricks_and_treats.events import (
    CandyShuffled,
    HandsDealt,
    LettersDealt,
    LineLaidOut,
    OpeningExchange,
    StarterChosen,
    TimesUpBuried,
)
from games.tricks_and_treats.options import Give
from games.tricks_and_treats.state import Candy, State
from games.tricks_and_treats.turns import start_turn


class Setup(Step[State], frozen=True):
    """R1 to R8, in printed order (Q5)."""

    seats: int
    first: Seat | Literal["random"]
    specials: bool
    exchange: bool

    def run(self, draft: Draft[State]) -> None:
        first = draft.dice.below(self.seats) if self.first == "random" else self.first
        draft.emit(StarterChosen(first))
        lay_line(draft, self.seats, self.specials)
        deal_candy(draft, self.seats)
        letters = draft.dice.shuffle(draft.state.lettered)
        draft.emit(LettersDealt(letters[: self.seats], letters[self.seats :]))
        if self.exchange:
            draft.ask(GiveHighest(first, (first - 1) % self.seats))
        else:
            start_turn(draft, first)


def lay_line(draft: Draft[State], seats: int, specials: bool) -> None:
    """R4, R7, Q4"""
    line = LETTERS[: seats + EXTRA_BASKETS]
    if specials:
        taken = draft.dice.take(SPECIALS, SPECIALS_IN_PLAY)
        line = draft.dice.shuffle((*line, *taken))
    draft.emit(LineLaidOut(line))


def deal_candy(draft: Draft[State], seats: int) -> None:
    """R1, R3, Q5"""
    deck = draft.dice.shuffle(CANDY)
    draft.emit(CandyShuffled(deck))
    hands = tuple([deck[START_HAND * s : START_HAND * (s + 1)] for s in range(seats)])
    draft.emit(HandsDealt(hands, len(deck) - START_HAND * seats))
    bottom = (*draft.state.deck[-TIMES_UP_AMONG_LAST:], TIMES_UP)
    draft.emit(TimesUpBuried(draft.dice.shuffle(bottom)))


class GiveHighest(Question[State, Give], frozen=True):
    """R28, Q27: asked even with one option, which is nobody else's business."""

    secret = True

    to: Seat

    def prompt(self, state: State) -> str:
        return f"Give seat {self.to} a Candy card of your highest value."

    def form(self, state: State, seat: Seat) -> Form[Give]:
        return OneOf(_worth(state.hands[self.seat], highest=True))

    def answer(self, draft: Draft[State], option: Give) -> None:
        draft.ask(GiveLowest(self.to, self.seat, option.card))


class GiveLowest(Question[State, Give], frozen=True):
    """R28, Q26: out of the dealt hand; `high` is what the starter gives for it."""

    secret = True

    to: Seat
    high: Annotated[Candy, seen_by("to")]

    def prompt(self, state: State) -> str:
        return f"Give seat {self.to} a Candy card of your lowest value."

    def form(self, state: State, seat: Seat) -> Form[Give]:
        return OneOf(_worth(state.hands[self.seat], highest=False))

    def answer(self, draft: Draft[State], option: Give) -> None:
        draft.emit(OpeningExchange(self.to, self.seat, self.high, option.card))
        start_turn(draft, self.to)


def _worth(hand: tuple[str, ...], *, highest: bool) -> tuple[Give, ...]:
    wanted = (max if highest else min)(VALUE[card] for card in hand)
    return tuple([Give(card) for card in sorted(set(hand)) if VALUE[card] == wanted])
