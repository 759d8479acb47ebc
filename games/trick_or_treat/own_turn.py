"""What all decisions of one's own turn have in common: Move Bully may be played there."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from games.forms import Form, OneOf
from games.rules import Draft, Question
from games.sight import Seat
from games.trick_or_treat import bully
from games.trick_or_treat.options import Bully
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import MOVE_BULLY
from games.trick_or_treat.tricks import offered, play


class OwnTurn(Question[State, Any], frozen=True):
    """R16, Q17: after a Move Bully the same decision is asked again."""

    @abstractmethod
    def choices(self, state: State) -> tuple[Any, ...]:
        """The options, Move Bully aside."""

    @abstractmethod
    def chosen(self, draft: Draft[State], option: Any) -> None:
        """What one of the choices leads to."""

    def form(self, state: State, seat: Seat) -> Form[Any]:
        return OneOf((*self.choices(state), *offered(state, self.seat, MOVE_BULLY)))

    def answer(self, draft: Draft[State], option: Any) -> None:
        if isinstance(option, Bully):
            play(draft, self.seat, MOVE_BULLY)
            bully.move(draft, self.seat, option)
            draft.ask(self)
        else:
            self.chosen(draft, option)
