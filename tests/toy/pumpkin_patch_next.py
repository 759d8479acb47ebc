"""Pumpkin Patch under its next rules: each round a pumpkin must be named before play goes on."""

from __future__ import annotations

from msgspec.structs import replace

from games import rules
from games.forms import Form, Number
from games.game import Options
from games.rules import Draft, Question, Step
from tests.toy.pumpkin_patch import events, turns
from tests.toy.pumpkin_patch.events import Over, RoundBegun
from tests.toy.pumpkin_patch.game import GAME, Option
from tests.toy.pumpkin_patch.state import ROUNDS, State


class Setup(turns.Setup, frozen=True):
    """As ever, but the rounds are the new ones."""

    def run(self, draft: Draft[State]) -> None:
        bag = draft.dice.shuffle([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5])
        hands = tuple(bag[2 * seat : 2 * seat + 2] for seat in range(self.seats))
        draft.emit(events.Dealt(hands, bag[2 * self.seats :]))
        draft.ask(Round(1))


class Round(Step[State], frozen=True):
    """The mandatory step comes first."""

    number: int

    def run(self, draft: Draft[State]) -> None:
        if self.number > ROUNDS:
            draft.emit(Over())
            return
        draft.emit(RoundBegun(self.number))
        holders = tuple(seat for seat, hand in enumerate(draft.state.hands) if hand)
        draft.ask(MustName(0))
        if holders:
            draft.ask(turns.ShowTogether(holders))
        seats = range(len(draft.state.hands))
        draft.ask(*(turns.MayDraw(seat) for seat in seats), Round(self.number + 1))


class MustName(Question[State, int], frozen=True):
    def prompt(self, state: State) -> str:
        return "Name a size."

    def form(self, state: State, seat: int) -> Form[int]:
        return Number(1, 5)

    def answer(self, draft: Draft[State], option: int) -> None:
        """It has no effect."""


Pending = Setup | Round | turns.ShowTogether | turns.MayDraw | MustName
Event = (
    rules.Asked[State, Pending]
    | rules.Answered[State, Option | int]
    | rules.Chosen[State, Option]
    | rules.Stepped[State]
    | rules.Dropped[State]
    | events.Dealt
    | events.RoundBegun
    | events.Shown
    | events.Drawn
    | events.Over
)


class Table(State, frozen=True, kw_only=True):
    pending: tuple[rules.Open[Pending], ...] = ()


def start(seats: int, options: Options) -> tuple[State, Setup]:
    return Table(), Setup(seats)


NEXT = replace(GAME, rules=2, state=Table, pending=Pending, event=Event, start=start)
