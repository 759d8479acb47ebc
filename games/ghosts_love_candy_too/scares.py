"""Action four of a turn: scared kids, one after another, until nobody is (G40-G46)."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.ghosts_love_candy_too.ability import frame_of, run
from games.ghosts_love_candy_too.events import CandyGivenBack, KidScared
from games.ghosts_love_candy_too.frames import Scare
from games.ghosts_love_candy_too.mods import Receiver, ToDiscard, TreatsStay
from games.ghosts_love_candy_too.options import Treat
from games.ghosts_love_candy_too.scene import matching
from games.ghosts_love_candy_too.sheet import kid_of
from games.ghosts_love_candy_too.standing import is_scared
from games.ghosts_love_candy_too.state import State, kinds
from games.ghosts_love_candy_too.supply import replace_kid
from games.rules import Draft, Question, Step
from games.sight import Seat


class Scares(Step[State], frozen=True):
    """The next scared kid: the one haunted this turn first, then left to right (GR23)."""

    seat: Seat
    kid: int = 0

    def run(self, draft: Draft[State]) -> None:
        state = draft.state
        first = state.where(self.kid) if self.kid else -1
        slots = ([first] if first >= 0 else []) + [at for at in state.kids() if at != first]
        at = next((at for at in slots if is_scared(state, at)), None)
        if at is not None:
            scare(draft, at, self.seat)
            draft.ask(self)


def scare(draft: Draft[State], at: int, on_turn: Seat) -> None:
    """GR27, in its order."""
    slot = draft.state.row[at]
    mods = kid_of(draft.state, slot.kid).effect.scare
    owners = tuple([ghost.seat for ghost in slot.pile])
    to: Seat | None = owners[-1]
    for mod in mods:
        if isinstance(mod, Receiver) and mod.who == "BOTTOM":
            to = owners[0]
        if isinstance(mod, ToDiscard):
            to = None
    stay = any(isinstance(mod, TreatsStay) for mod in mods)
    draft.emit(KidScared(at, slot.kid, to, stay))
    replace_kid(draft, at)
    run(draft, frame_of(draft.state, slot.kid, "scared", on_turn, Scare(at, owners, to)))
    if draft.state.super_kid and to is not None:
        give_back(draft, to)


def give_back(draft: Draft[State], seat: Seat) -> None:
    """G66, GR45: one candy of the stash, if there is any."""
    candy = kinds(matching(draft.state.stashes[seat], "candy"))
    if len(candy) > 1:
        draft.ask(GiveBack(seat))
    elif candy:
        draft.emit(CandyGivenBack(seat, candy[0]))


class GiveBack(Question[State, Treat], frozen=True):
    def prompt(self, state: State) -> str:
        return "You scared a kid: choose a candy to give back, and say you are sorry."

    def form(self, state: State, seat: Seat) -> Form[Treat]:
        candy = kinds(matching(state.stashes[seat], "candy"))
        return OneOf(tuple([Treat(token) for token in candy]))

    def answer(self, draft: Draft[State], option: Treat) -> None:
        draft.emit(CandyGivenBack(self.seat, option.token))
