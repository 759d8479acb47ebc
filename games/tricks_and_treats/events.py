"""The facts of Tricks and Treats. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated, Literal

from games.rules import Event
from games.sight import Seat, each_own, everyone, nobody, seen_by
from games.tricks_and_treats.cards import TIMES_UP_AMONG_LAST
from games.tricks_and_treats.state import (
    Basket,
    Candy,
    Laid,
    Letter,
    Owned,
    Score,
    State,
    Verdict,
    Written,
)

Hand = tuple[Candy, ...]
Hands = tuple[Hand, ...]
Owneds = tuple[tuple[Owned, ...], ...]


class StarterChosen(Event[State], frozen=True):
    """Q3: who takes the first turn, by option or by lot."""

    chance = True

    seat: Seat

    def apply(self, state: State) -> State:
        return state.but(first=self.seat)


class LineLaidOut(Event[State], frozen=True):
    """R4, R7"""

    chance = True

    line: tuple[Basket, ...]

    def apply(self, state: State) -> State:
        return state.but(line=self.line, piles=((),) * len(self.line))


class CandyShuffled(Event[State], frozen=True):
    """R1; the top card comes first."""

    chance = True

    deck: Annotated[Hand, nobody()]

    def apply(self, state: State) -> State:
        return state.but(deck=self.deck)


class HandsDealt(Event[State], frozen=True):
    """R1, R2"""

    hands: Annotated[Hands, each_own()]
    deck_left: int

    def apply(self, state: State) -> State:
        none: Owneds = ((),) * len(self.hands)
        dealt = state.deck[len(state.deck) - self.deck_left :]
        return state.but(deck=dealt, hands=self.hands, shown=none, known=none)


class TimesUpBuried(Event[State], frozen=True):
    """R3"""

    chance = True

    bottom: Annotated[Hand, nobody()]

    def apply(self, state: State) -> State:
        return state.but(deck=(*state.deck[:-TIMES_UP_AMONG_LAST], *self.bottom))


class LettersDealt(Event[State], frozen=True):
    """R5, R6, Q6"""

    chance = True

    letters: Annotated[tuple[Letter, ...], each_own()]
    undealt: Annotated[tuple[Letter, ...], nobody()]

    def apply(self, state: State) -> State:
        return state.but(letters=self.letters, undealt=self.undealt)


class OpeningExchange(Event[State], frozen=True):
    """R28, Q26"""

    first: Seat
    last: Seat
    high: Annotated[Candy, seen_by("first", "last", of="first")]
    low: Annotated[Candy, seen_by("first", "last", of="last")]

    def apply(self, state: State) -> State:
        hands = _at(state.hands, self.first, _less(state.hands[self.first], self.high, self.low))
        hands = _at(hands, self.last, _less(hands[self.last], self.low, self.high))
        return state.but(hands=hands)


class TurnStarted(Event[State], frozen=True):
    """R8; ends the turn before."""

    seat: Seat
    turn: int

    def apply(self, state: State) -> State:
        return state.but(turn=self.turn, tattled=False)


class CandyDrawn(Event[State], frozen=True):
    """R9, R10: everybody sees whether Time's Up is on top now."""

    seat: Seat
    card: Annotated[Candy, seen_by("seat")]
    deck_left: int
    times_up: Annotated[bool, everyone()]

    def apply(self, state: State) -> State:
        hand = (*state.hands[self.seat], self.card)
        return state.but(
            deck=state.deck[1:],
            hands=_at(state.hands, self.seat, hand),
            times_up=self.times_up,
        )


class CandyPlayed(Event[State], frozen=True):
    """R11"""

    seat: Seat
    card: Annotated[Candy, everyone(of="seat")]
    basket: Basket
    slot: int

    def apply(self, state: State) -> State:
        hand = _less(state.hands[self.seat], self.card)
        pile = (*state.piles[self.slot], Laid(self.card))
        return state.but(
            hands=_at(state.hands, self.seat, hand),
            piles=(*state.piles[: self.slot], pile, *state.piles[self.slot + 1 :]),
        )


class TattleMade(Event[State], frozen=True):
    """R13; a wrong one tells all a letter that the target has not (Q12)."""

    accuser: Seat
    target: Seat
    letter: str
    correct: Annotated[bool, everyone(of="target")]

    def apply(self, state: State) -> State:
        if self.correct:
            return state.but(tattled=True)
        ruled_out = (*state.ruled_out, Owned(self.target, self.letter))
        return state.but(tattled=True, ruled_out=ruled_out)


class SecretLetterShown(Event[State], frozen=True):
    """R13: to the accuser alone."""

    owner: Seat
    viewer: Seat
    letter: Annotated[Letter, seen_by("owner", "viewer", of="owner")]

    def apply(self, state: State) -> State:
        return state.but(known=_given(state.known, self.viewer, Owned(self.owner, self.letter)))


class SecretLetterHandedOver(Event[State], frozen=True):
    """R14, R15: it lies face up before the holder."""

    owner: Seat
    holder: Seat
    letter: Annotated[Letter, everyone(of="owner")]

    def apply(self, state: State) -> State:
        return state.but(shown=_given(state.shown, self.holder, Owned(self.owner, self.letter)))


class PlayerEliminated(Event[State], frozen=True):
    seat: Seat
    cause: Literal["tattled", "wrong_tattle", "guessed_by_all"]

    def apply(self, state: State) -> State:
        return state.but(out=(*state.out, self.seat))


class GuessWritten(Event[State], frozen=True):
    """R29, Q30"""

    guesser: Seat
    target: Seat
    letter: Annotated[Letter, seen_by("guesser", of="guesser")]

    def apply(self, state: State) -> State:
        guess = Written(self.guesser, self.target, self.letter)
        return state.but(tattled=True, guesses=(*state.guesses, guess))


class CandyTraded(Event[State], frozen=True):
    """Q46: the card given becomes the last of the pile whose last card is taken."""

    cause: Basket
    seat: Seat
    basket: Basket
    slot: int
    given: Annotated[Candy, everyone(of="seat")]
    taken: str

    def apply(self, state: State) -> State:
        pile = (*state.piles[self.slot][:-1], Laid(self.given))
        hand = (*_less(state.hands[self.seat], self.given), self.taken)
        return state.but(
            hands=_at(state.hands, self.seat, hand),
            piles=(*state.piles[: self.slot], pile, *state.piles[self.slot + 1 :]),
        )


class SecretLettersRevealed(Event[State], frozen=True):
    """R20, Q6: by seat."""

    letters: Annotated[tuple[Letter, ...], everyone()]

    def apply(self, state: State) -> State:
        return state.but(revealed=self.letters)


class GuessesRevealed(Event[State], frozen=True):
    """R30"""

    guesses: Annotated[tuple[Verdict, ...], everyone()]

    def apply(self, state: State) -> State:
        return state.but(judged=self.guesses)


class Scored(Event[State], frozen=True):
    """R21: the players still in."""

    rows: Annotated[dict[Seat, Score], everyone()]

    def apply(self, state: State) -> State:
        return state.but(scores=self.rows)


class TiesStruckOut(Event[State], frozen=True):
    """R22, Q17"""

    score: int
    seats: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        return state.but(out=(*state.out, *self.seats))


class GameEnded(Event[State], frozen=True):
    cause: Literal["times_up", "last_player"]
    winner: Seat | None

    def apply(self, state: State) -> State:
        return state.but(cause=self.cause, winner=self.winner)


def _at(hands: Hands, seat: Seat, hand: Hand) -> Hands:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _less(hand: Hand, gone: str, *instead: str) -> Hand:
    at = hand.index(gone)
    return (*hand[:at], *instead, *hand[at + 1 :])


def _given(owned: Owneds, to: Seat, letter: Owned) -> Owneds:
    return (*owned[:to], (*owned[to], letter), *owned[to + 1 :])
