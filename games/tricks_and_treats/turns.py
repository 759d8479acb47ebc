"""A turn: draw, put a card under a Basket, and once accuse another player."""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any

from games.forms import Form, OneOf
from games.rules import Draft, Item, Question, Step
from games.sight import Seat
from games.tricks_and_treats.baskets import ON_PLAY
from games.tricks_and_treats.cards import TIMES_UP
from games.tricks_and_treats.events import (
    CandyDrawn,
    CandyPlayed,
    GuessWritten,
    PlayerEliminated,
    SecretLetterHandedOver,
    SecretLetterShown,
    TattleMade,
    TurnStarted,
)
from games.tricks_and_treats.options import Draw, End, Guess, Put, Tattle, Write
from games.tricks_and_treats.scoring import last_player, times_up
from games.tricks_and_treats.state import State

TurnOption = Draw | Put | End | Tattle | Guess


def start_turn(draft: Draft[State], seat: Seat) -> None:
    """R8"""
    draft.emit(TurnStarted(seat, draft.state.turn + 1))
    draft.ask(BeforeDraw(seat))


class InTurn(Question[State, TurnOption], frozen=True):
    """R12: at any point of the turn one may also accuse; after it the turn goes on (Q10)."""

    @abstractmethod
    def moves(self, state: State) -> tuple[TurnOption, ...]: ...

    @abstractmethod
    def act(self, draft: Draft[State], option: TurnOption) -> None: ...

    def again(self) -> Item[State]:
        """What comes up after an accusation that the accuser survives."""
        return self

    def form(self, state: State, seat: Seat) -> Form[TurnOption]:
        return OneOf((*self.moves(state), *accusations(state, self.seat)))

    def answer(self, draft: Draft[State], option: TurnOption) -> None:
        if isinstance(option, Tattle):
            tattle(draft, self.seat, option, self.again())
        elif isinstance(option, Guess):
            draft.ask(WriteGuess(self.seat, option.target), self.again())
        else:
            self.act(draft, option)


class BeforeDraw(InTurn, frozen=True):
    """R9, R10"""

    def prompt(self, state: State) -> str:
        return "Draw a Candy card, or accuse somebody first."

    def moves(self, state: State) -> tuple[TurnOption, ...]:
        return (Draw(),)

    def act(self, draft: Draft[State], option: TurnOption) -> None:
        card, top = draft.state.deck[:2]
        over = top == TIMES_UP
        draft.emit(CandyDrawn(self.seat, card, len(draft.state.deck) - 1, over))
        if over:
            times_up(draft)
        else:
            draft.ask(Play(self.seat))


class Play(InTurn, frozen=True):
    """R11, Q25: the card lies under the Basket before a Special Basket does its part."""

    def prompt(self, state: State) -> str:
        return "Put a Candy card under any Basket."

    def moves(self, state: State) -> tuple[TurnOption, ...]:
        return _puts(state.hands[self.seat], state.line)

    def act(self, draft: Draft[State], option: Any) -> None:
        card, basket = option.card, option.basket
        draft.emit(CandyPlayed(self.seat, card, basket, draft.state.slot(basket)))
        if basket in ON_PLAY:
            ON_PLAY[basket].play(draft, self.seat, card)
        draft.ask(AfterPlay(self.seat))


class AfterPlay(Step[State], frozen=True):
    """R16, Q9, Q35: the turn ends by itself once there is nobody left to accuse."""

    seat: Seat

    def run(self, draft: Draft[State]) -> None:
        if draft.state.can_tattle(self.seat):
            draft.ask(EndTurn(self.seat))
        else:
            start_turn(draft, draft.state.after(self.seat))


class EndTurn(InTurn, frozen=True):
    """R12, Q35"""

    def prompt(self, state: State) -> str:
        return "End the turn, or accuse somebody first."

    def moves(self, state: State) -> tuple[TurnOption, ...]:
        return (End(),)

    def again(self) -> Item[State]:
        return AfterPlay(self.seat)

    def act(self, draft: Draft[State], option: TurnOption) -> None:
        start_turn(draft, draft.state.after(self.seat))


class WriteGuess(Question[State, Write], frozen=True):
    """R29, Q30: the letter stays the guesser's own until the end."""

    secret = True

    target: Seat

    def prompt(self, state: State) -> str:
        return f"Write down which Basket seat {self.target} owns."

    def form(self, state: State, seat: Seat) -> Form[Write]:
        return OneOf(tuple([Write(letter) for letter in state.lettered]))

    def answer(self, draft: Draft[State], option: Write) -> None:
        draft.emit(GuessWritten(self.seat, self.target, option.letter))


@lru_cache(maxsize=4096)
def _puts(hand: tuple[str, ...], line: tuple[str, ...]) -> tuple[Put, ...]:
    return tuple([Put(card, basket) for card in sorted(set(hand)) for basket in line])


def accusations(state: State, seat: Seat) -> tuple[Tattle | Guess, ...]:
    """R13, R31, Q8"""
    if state.tattled:
        return ()
    targets = state.targets(seat)
    return _guesses(targets) if state.written else _tattles(targets, state.lettered)


@lru_cache(maxsize=1024)
def _guesses(targets: tuple[Seat, ...]) -> tuple[Guess, ...]:
    return tuple([Guess(target) for target in targets])


@lru_cache(maxsize=1024)
def _tattles(targets: tuple[Seat, ...], letters: tuple[str, ...]) -> tuple[Tattle, ...]:
    return tuple([Tattle(target, letter) for target in targets for letter in letters])


def tattle(draft: Draft[State], accuser: Seat, option: Tattle, again: Item[State]) -> None:
    """R13 to R15, Q9, Q10: one of the two is out, and her letter goes to the other."""
    target, letters = option.target, draft.state.letters
    right = letters[target] == option.letter
    draft.emit(TattleMade(accuser, target, option.letter, right))
    draft.emit(SecretLetterShown(target, accuser, letters[target]))
    loser, holder = (target, accuser) if right else (accuser, target)
    draft.emit(SecretLetterHandedOver(loser, holder, letters[loser]))
    draft.emit(PlayerEliminated(loser, "tattled" if right else "wrong_tattle"))
    if len(draft.state.playing) == 1:
        last_player(draft)
    else:
        draft.ask(again if right else AfterPlay(accuser))
