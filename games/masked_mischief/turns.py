"""Turns: skip, buy, play a Treat, roll, walk, land."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.masked_mischief.effects import Ask, Onward, Work, use
from games.masked_mischief.events import (
    DieRolled,
    RollWithheld,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
)
from games.masked_mischief.houses import end, finished, gain
from games.masked_mischief.moves import walk
from games.masked_mischief.options import End, Play, Roll
from games.masked_mischief.shop import Shopping
from games.masked_mischief.state import State
from games.rules import Draft
from games.sight import Seat


class Turn(Onward, frozen=True):
    """R14, R34, Q22, Q99: a turn of the seat, or one it sits out."""

    seat: Seat

    def run(self, draft: Draft[State]) -> None:
        state, seat = draft.state, self.seat
        if state.skips[seat]:
            draft.emit(TurnSkipped(seat, state.skips[seat] - 1))
            draft.ask(Turn(state.left(seat)))
            return
        draft.emit(TurnStarted(seat, state.turn + 1))
        if state.in_house(seat):
            draft.ask(Shopping(seat))
        draft.ask(TreatOrRoll(seat, seat, may_play=True), EndTurn(seat))


class EndTurn(Onward, frozen=True):
    """R14; by the option `end_timing` the game may end here."""

    seat: Seat

    def run(self, draft: Draft[State]) -> None:
        draft.emit(TurnEnded(self.seat))
        over = finished(draft.state)
        if over:
            end(draft, *over)
        draft.ask(Turn(draft.state.left(self.seat)))


class TreatOrRoll(Ask[Play | Roll | End], frozen=True):
    """R15, R16, Q114: one Treat at most, then the roll; asked with an empty hand too."""

    may_play: bool

    def prompt(self, state: State) -> str:
        roll = "end the turn" if state.replaced[self.user] else "roll"
        return f"Play a Treat, or {roll}?" if self.may_play else f"Now {roll}."

    def form(self, state: State, seat: Seat) -> Form[Play | Roll | End]:
        last = End() if state.replaced[self.user] else Roll()
        if not self.may_play:
            return OneOf((last,))
        hand = enumerate(state.hands[self.user])
        return OneOf((*[Play(slot, held.code) for slot, held in hand], last))

    def answer(self, draft: Draft[State], option: Play | Roll | End) -> None:
        if isinstance(option, Play):
            was_replaced = bool(draft.state.replaced[self.user])
            use(draft, self.user, option.slot)
            draft.ask(AfterTreat(self.user, was_replaced))
        elif isinstance(option, End):
            draft.emit(RollWithheld(self.user))
        else:
            roll(draft, self.user)


class AfterTreat(Work, frozen=True):
    """Q23: the roll, unless the Treat stood in for it."""

    was_replaced: bool

    def run(self, draft: Draft[State]) -> None:
        if draft.state.replaced[self.user] and not self.was_replaced:
            draft.emit(RollWithheld(self.user))
        else:
            draft.ask(TreatOrRoll(self.user, self.user, may_play=False))


def roll(draft: Draft[State], seat: Seat) -> None:
    """R16, R91, Q85: doublings multiply; the gamble pays the die as it fell."""
    state = draft.state
    die = draft.dice.roll(state.constants.die)
    doubles, gambles = state.doubles[seat], state.gambles[seat]
    if state.plays("double_stack", "once"):
        doubles = min(doubles, 1)
    steps = die * 2**doubles
    draft.emit(DieRolled(seat, die, steps))
    gain(draft, seat, die * gambles)
    walk(draft, seat, seat, steps, "roll", main=True)
