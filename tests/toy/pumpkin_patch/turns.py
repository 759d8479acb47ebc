"""The rounds: all show a pumpkin at once, then each may draw another."""

from __future__ import annotations

from games.forms import Form, OneOf, Option
from games.rules import Draft, Question, Step, Together
from games.sight import Seat
from tests.toy.pumpkin_patch.events import Dealt, Drawn, Over, RoundBegun, Shown
from tests.toy.pumpkin_patch.state import ROUNDS, State


class Show(Option, frozen=True):
    pumpkin: int

    def label(self) -> str:
        return f"Show the pumpkin of size {self.pumpkin}"

    def refs(self) -> tuple[str, ...]:
        return (f"pumpkin:{self.pumpkin}",)


class Draw(Option, frozen=True):
    def label(self) -> str:
        return "Draw a pumpkin from the bag"


class Pass(Option, frozen=True):
    def label(self) -> str:
        return "Leave the bag alone"


class Setup(Step[State], frozen=True):
    """Two pumpkins each; the rest stay in the bag."""

    seats: int

    def run(self, draft: Draft[State]) -> None:
        bag = draft.dice.shuffle([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5])
        hands = tuple(bag[2 * seat : 2 * seat + 2] for seat in range(self.seats))
        draft.emit(Dealt(hands, bag[2 * self.seats :]))
        draft.ask(Round(1))


class Round(Step[State], frozen=True):
    number: int

    def run(self, draft: Draft[State]) -> None:
        if self.number > ROUNDS:
            draft.emit(Over())
            return
        draft.emit(RoundBegun(self.number))
        holders = tuple(seat for seat, hand in enumerate(draft.state.hands) if hand)
        if holders:
            draft.ask(ShowTogether(holders))
        seats = range(len(draft.state.hands))
        draft.ask(*(MayDraw(seat) for seat in seats), Round(self.number + 1))


class ShowTogether(Together[State, Show], frozen=True):
    def prompt(self, state: State) -> str:
        return "Choose a pumpkin to show; all are shown at once."

    def form(self, state: State, seat: Seat) -> Form[Show]:
        return OneOf(tuple(Show(size) for size in sorted(set(state.hands[seat]))))

    def reveal(self, draft: Draft[State], chosen: dict[Seat, Show]) -> None:
        for seat, option in chosen.items():
            draft.emit(Shown(seat, option.pumpkin))


class MayDraw(Question[State, Draw | Pass], frozen=True):
    def prompt(self, state: State) -> str:
        return "Draw a pumpkin, or leave the bag alone?"

    def form(self, state: State, seat: Seat) -> Form[Draw | Pass]:
        return OneOf((Draw(), Pass()) if state.bag else (Pass(),))

    def answer(self, draft: Draft[State], option: Draw | Pass) -> None:
        if isinstance(option, Draw):
            draft.emit(Drawn(self.seat, draft.dice.choose(draft.state.bag)))
