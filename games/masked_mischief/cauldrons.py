"""Candy for the cauldrons: every payer says how it is split over them."""

from __future__ import annotations

from games.forms import Form, Split
from games.masked_mischief.effects import Ask, Posed
from games.masked_mischief.events import CauldronsFilled
from games.masked_mischief.options import Cauldron
from games.masked_mischief.state import State
from games.rules import Draft
from games.sight import Seat


def cauldrons(state: State) -> tuple[Cauldron, ...]:
    return tuple([Cauldron(number) for number in range(len(state.cauldrons))])


class PaySplit(Ask[tuple[int, ...]], frozen=True):
    """R34, R53: so much of the payer's candy goes into the cauldrons, in any split."""

    payer: Seat
    total: int

    def prompt(self, state: State) -> str:
        return f"Split {self.total} candy of seat {self.payer} over the cauldrons."

    def form(self, state: State, seat: Seat) -> Form[tuple[int, ...]]:
        return Split(self.total, cauldrons(state))

    def answer(self, draft: Draft[State], option: tuple[int, ...]) -> None:
        draft.emit(CauldronsFilled(self.payer, option))


class Pay(Posed, frozen=True):
    """`chooser` splits what `payer` pays; nothing is asked where nothing is due."""

    chooser: Seat
    payer: Seat
    total: int

    def question(self, state: State) -> PaySplit | None:
        if not self.total:
            return None
        return PaySplit(self.chooser, self.user, self.payer, self.total)
