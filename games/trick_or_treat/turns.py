"""Setup and turns: R2 to R14, R37."""

from __future__ import annotations

from typing import Any

from games.forms import Form, OneOf, Subset
from games.rules import Draft, Question, Step
from games.sight import Seat
from games.trick_or_treat.deck_events import CardsShuffled, SetsShuffled, TableLaid
from games.trick_or_treat.decks import stock_carnival, stock_house
from games.trick_or_treat.events import (
    CardsDiscarded,
    FreeMoveSpent,
    KidChosen,
    KidMoved,
    KidStayed,
    TurnStarted,
    Via,
)
from games.trick_or_treat.locations import ACTIONS
from games.trick_or_treat.options import Discard, End, Go, Pick, Sneak, Stay
from games.trick_or_treat.own_turn import OwnTurn
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import (
    CHANGE_COSTUME,
    DECK,
    HAND_LIMIT,
    HOME,
    KID_OF,
    LOCATION,
    ROW,
    SETS,
    SETS_UP,
    SNEAK,
)
from games.trick_or_treat.tricks import offered, play


class Setup(Step[State], frozen=True):
    """R2-R8, R43, R44, Q36, Q40; without `first` it is drawn (Q3)."""

    players: int
    houses: int
    sets_removed: int
    first: Seat | None

    def run(self, draft: Draft[State]) -> None:
        drawn = draft.dice.below(self.players) if self.first is None else self.first
        draft.emit(TableLaid(self.players, self.houses, ROW, drawn))
        sets = draft.dice.shuffle(tuple(SETS))
        used = len(sets) - self.sets_removed
        draft.emit(SetsShuffled(sets[:SETS_UP], sets[SETS_UP:used], sets[used:]))
        draft.emit(CardsShuffled(draft.dice.shuffle(DECK)))
        for house in range(self.houses):
            stock_house(draft, drawn, house)
        stock_carnival(draft, drawn)
        seats = (drawn, *draft.state.from_left_of(drawn))
        draft.ask(*[ChooseKid(seat) for seat in seats], FirstTurn(drawn))


class ChooseKid(Question[State, Pick], frozen=True):
    """R2, Q4, Q41: a face of a Kid card that nobody has."""

    def prompt(self, state: State) -> str:
        return "Choose your Kid."

    def form(self, state: State, seat: Seat) -> Form[Pick]:
        return OneOf(tuple([Pick(face) for face in faces_left(state)]))

    def answer(self, draft: Draft[State], option: Pick) -> None:
        draft.emit(KidChosen(self.seat, option.face))


def faces_left(state: State) -> list[str]:
    taken = [KID_OF[face] for face in state.kids if face]
    return [face for face, kid in KID_OF.items() if kid not in taken]


class FirstTurn(Step[State], frozen=True):
    seat: Seat

    def run(self, draft: Draft[State]) -> None:
        begin_turn(draft, self.seat)


def begin_turn(draft: Draft[State], seat: Seat) -> None:
    draft.emit(TurnStarted(seat, draft.state.turn + 1))
    draft.ask(Move(seat))


class Move(OwnTurn, frozen=True):
    """R11-R14: to another Location, or stay in another costume."""

    def prompt(self, state: State) -> str:
        return "Move your Kid to another Location."

    def choices(self, state: State) -> tuple[Any, ...]:
        here = state.at[self.seat]
        gos = [Go(p) for p in state.places if p != here and not state.barred(self.seat, p)]
        return (*gos, *offered(state, self.seat, SNEAK, CHANGE_COSTUME))

    def chosen(self, draft: Draft[State], option: Go | Sneak | Stay) -> None:
        if isinstance(option, Stay):
            play(draft, self.seat, CHANGE_COSTUME)
            spend_free_move(draft, self.seat)
            here = str(draft.state.at[self.seat])
            draft.emit(KidStayed(self.seat, here))
        else:
            here = option.to
            self._go(draft, option)
        draft.ask(ACTIONS[LOCATION[here].id](self.seat), EndTurn(self.seat))

    def _go(self, draft: Draft[State], option: Go | Sneak) -> None:
        if isinstance(option, Sneak):
            play(draft, self.seat, SNEAK)
        via = way_in(draft.state, self.seat, option)
        spend_free_move(draft, self.seat)
        draft.emit(KidMoved(self.seat, draft.state.at[self.seat], option.to, via))


def way_in(state: State, seat: Seat, option: Go | Sneak) -> Via:
    """What opens the destination, if it needs opening at all."""
    if isinstance(option, Sneak):
        return "sneak"
    if not state.occupied(seat, option.to):
        return "plain"
    return "home" if option.to == HOME else "free"


def spend_free_move(draft: Draft[State], seat: Seat) -> None:
    """Q11: used up by the move, needed or not."""
    if draft.state.free[seat]:
        draft.emit(FreeMoveSpent(seat))


class EndTurn(OwnTurn, frozen=True):
    """Q18: always asked, since who holds no Move Bully must not be told by its absence."""

    def prompt(self, state: State) -> str:
        return "End your turn."

    def choices(self, state: State) -> tuple[End, ...]:
        return (End(),)

    def chosen(self, draft: Draft[State], option: End) -> None:
        if len(draft.state.hands[self.seat]) > HAND_LIMIT:
            draft.ask(HandLimit(self.seat))
        else:
            next_turn(draft, self.seat)


class HandLimit(Question[State, tuple[Discard, ...]], frozen=True):
    """R37, Q34: down to twelve."""

    def prompt(self, state: State) -> str:
        return f"Discard {self._surplus(state)} of your cards, down to {HAND_LIMIT}."

    def form(self, state: State, seat: Seat) -> Form[tuple[Discard, ...]]:
        surplus = self._surplus(state)
        cards = tuple([Discard(card) for card in state.hands[self.seat]])
        return Subset(cards, surplus, surplus)

    def answer(self, draft: Draft[State], option: tuple[Discard, ...]) -> None:
        cards = tuple([discard.card for discard in option])
        draft.emit(CardsDiscarded(self.seat, cards, "limit"))
        next_turn(draft, self.seat)

    def _surplus(self, state: State) -> int:
        return len(state.hands[self.seat]) - HAND_LIMIT


def next_turn(draft: Draft[State], seat: Seat) -> None:
    begin_turn(draft, draft.state.from_left_of(seat)[0])
