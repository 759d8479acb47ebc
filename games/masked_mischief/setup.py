"""Set-up: characters, masks, the starting roll, the first tiles."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.masked_mischief.effects import Ask
from games.masked_mischief.events import (
    BoardLaid,
    CharacterChosen,
    MaskChosen,
    SpareKept,
    StarterDecided,
    StartingRolled,
)
from games.masked_mischief.laying import LayOne, draw_tricks
from games.masked_mischief.options import Character, Mask
from games.masked_mischief.state import State
from games.masked_mischief.tiles import TreatsDrawn, TreatsPutBack, TricksPutBack
from games.masked_mischief.turns import Turn
from games.masked_mischief.words import Kind
from games.rules import Draft, Step
from games.sight import Seat


class Setup(Step[State], frozen=True):
    """Q4, 5.2: everything up to the first turn, in order."""

    def run(self, draft: Draft[State]) -> None:
        board, seats = draft.state.map, range(draft.state.seats)
        draft.emit(BoardLaid(draft.state.board, board.listed()))
        draft.ask(
            *[ChooseCharacter(seat, seat) for seat in seats],
            *[ChooseMask(seat, seat) for seat in seats],
            Spares(),
            StartingRoll(tuple(seats)),
        )


class ChooseCharacter(Ask[Character], frozen=True):
    """R2: a character, and with it the House where it lives."""

    def prompt(self, state: State) -> str:
        return "Which character do you take?"

    def form(self, state: State, seat: Seat) -> Form[Character]:
        free = [house for house in state.map.houses if house.space not in state.homes]
        return OneOf(tuple([Character(house.character, house.space) for house in free]))

    def answer(self, draft: Draft[State], option: Character) -> None:
        draft.emit(CharacterChosen(self.seat, option.name, option.home))


class ChooseMask(Ask[Mask], frozen=True):
    """R3: one of the masks left."""

    def prompt(self, state: State) -> str:
        return "Which mask do you wear first?"

    def form(self, state: State, seat: Seat) -> Form[Mask]:
        return OneOf(tuple([Mask(mask) for mask in state.spares]))

    def answer(self, draft: Draft[State], option: Mask) -> None:
        draft.emit(MaskChosen(self.seat, option.mask))


class Spares(Step[State], frozen=True):
    """Q5: all unworn masks are spare, or by the option one of them."""

    def run(self, draft: Draft[State]) -> None:
        spares = draft.state.spares
        if draft.state.plays("spare_masks", "one") and len(spares) > 1:
            draft.emit(SpareKept(draft.dice.choose(spares)))


class StartingRoll(Step[State], frozen=True):
    """R9, Q6: the lowest starts; those who tie for it roll again."""

    rolling: tuple[Seat, ...]

    def run(self, draft: Draft[State]) -> None:
        sides = draft.state.constants.die
        rolls = {seat: draft.dice.roll(sides) for seat in self.rolling}
        draft.emit(StartingRolled(rolls))
        lowest = tuple([seat for seat in rolls if rolls[seat] == min(rolls.values())])
        if len(lowest) > 1 and sides > 1:
            draft.ask(StartingRoll(lowest))
        else:
            draft.emit(StarterDecided(lowest[0]))
            draft.ask(Draw("trick"), LayAround("trick", 0))
            draft.ask(Draw("treat"), LayAround("treat", 0), Turn(lowest[0]))


class Draw(Step[State], frozen=True):
    """R10, R11, Q8: all draw before the first tile is laid."""

    kind: Kind

    def run(self, draft: Draft[State]) -> None:
        constants = draft.state.constants
        for seat in draft.state.round_from(draft.state.active):
            if self.kind == "trick":
                draw_tricks(draft, seat, constants.setup_tricks)
            else:
                codes = draft.dice.take(draft.state.treats, constants.setup_treats)
                draft.emit(TreatsDrawn(seat, codes))


class LayAround(Step[State], frozen=True):
    """R10: one tile each in turn, from the starter on; what finds no space goes back (Q14)."""

    kind: Kind
    laid: int

    def run(self, draft: Draft[State]) -> None:
        state = draft.state
        if not any(state.placing):
            return
        if not state.blanks():
            self._put_back(draft)
            return
        seat = (state.active + self.laid) % state.seats
        if state.placing[seat]:
            draft.ask(LayOne(seat, seat, self.kind))
        draft.ask(LayAround(self.kind, self.laid + 1))

    def _put_back(self, draft: Draft[State]) -> None:
        put_back = TricksPutBack if self.kind == "trick" else TreatsPutBack
        for seat, codes in enumerate(draft.state.placing):
            if codes:
                draft.emit(put_back(seat, codes))
