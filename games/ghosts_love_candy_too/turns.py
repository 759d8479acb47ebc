"""Rounds and turns: place treats, choose ghosts, haunt, take, ability, scare."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.ghosts_love_candy_too.ability import UseKid, frame_of, run
from games.ghosts_love_candy_too.events import Haunted, HauntSkipped, PlacementStopped, TreatsTaken
from games.ghosts_love_candy_too.options import Kid, Treat
from games.ghosts_love_candy_too.order import choose_ghosts
from games.ghosts_love_candy_too.order_events import RoundStarted
from games.ghosts_love_candy_too.scares import Scares
from games.ghosts_love_candy_too.scoring import Finish
from games.ghosts_love_candy_too.sheet import kid_id, sheet
from games.ghosts_love_candy_too.standing import (
    helpings,
    marks,
    may_enter,
    must_leave_one,
    served_at,
)
from games.ghosts_love_candy_too.state import Ghost, State, kinds, without
from games.ghosts_love_candy_too.supply import serve
from games.rules import Draft, Question, Step
from games.sight import Seat


class Round(Step[State], frozen=True):
    """G18: Place Treats (from round 2 on), then turn order, then everybody's turns."""

    number: int

    def run(self, draft: Draft[State]) -> None:
        if self.number > draft.state.rounds:
            draft.ask(Finish())
            return
        draft.emit(RoundStarted(self.number))
        waiting = []
        if self.number > 1:
            place_treats(draft)
            waiting = after_place(draft.state)
        if waiting:
            draft.ask(*waiting, Choosing())
        else:
            choose_ghosts(draft)
        draft.ask(*[Turn() for _ in range(turns_a_round(draft.state))], Round(self.number + 1))


def turns_a_round(state: State) -> int:
    return sum(len(hand) for hand in state.hands)


def place_treats(draft: Draft[State]) -> None:
    """G22, G23, GR2, GR53: left to right, each kid's helpings whole; until the bag is empty."""
    for due in draft.state.kids():
        at = served_at(draft.state, due)
        for _ in range(helpings(draft.state, due)):
            if not serve(draft, at, due):
                draft.emit(PlacementStopped(at))
                return


def after_place(state: State) -> list[UseKid]:
    """What scared kids do at the end of Place Treats, each for its holder."""
    kids = sheet(state).kids
    return [
        UseKid(kid, "afterPlace", seat)
        for seat, stash in enumerate(state.scared)
        for kid in stash
        if kids[kid].effect.afterPlace
    ]


class Choosing(Step[State], frozen=True):
    """Phase Two, after what scared kids do at the end of Place Treats."""

    def run(self, draft: Draft[State]) -> None:
        choose_ghosts(draft)


class Turn(Step[State], frozen=True):
    """G31: the turn of the next ghost; without a kid for it the ghost is lost (GR17)."""

    def run(self, draft: Draft[State]) -> None:
        ghost = draft.state.played[0]
        open_kids = hauntable(draft.state, ghost)
        if not open_kids:
            draft.emit(HauntSkipped(ghost.seat, ghost))
            draft.ask(Scares(ghost.seat))
        elif len(open_kids) == 1:
            haunt(draft, open_kids[0])
        else:
            draft.ask(Haunt(ghost.seat))


def hauntable(state: State, ghost: Ghost) -> list[int]:
    return [at for at in state.kids() if may_enter(state, at, ghost)]


class Haunt(Question[State, Kid], frozen=True):
    """G32: any kid of the row, treats or not."""

    def prompt(self, state: State) -> str:
        return f"Choose the kid to haunt with ghost {state.played[0].value}."

    def form(self, state: State, seat: Seat) -> Form[Kid]:
        slots = hauntable(state, state.played[0])
        return OneOf(tuple([Kid(at, kid_id(state, state.row[at].kid)) for at in slots]))

    def answer(self, draft: Draft[State], option: Kid) -> None:
        haunt(draft, option.slot)


def haunt(draft: Draft[State], at: int) -> None:
    """G32-G38: the ghost lies down, the treats are taken, the ability acts, kids are scared."""
    state = draft.state
    ghost, kid = state.played[0], state.row[at].kid
    placed = Ghost(ghost.seat, ghost.value, ghost.of, marks(state, ghost.seat))
    draft.emit(Haunted(ghost.seat, at, kid, placed))
    treats = state.row[at].treats
    if must_leave_one(state, at):
        if len(kinds(treats)) > 1:
            draft.ask(LeaveTreat(ghost.seat, at), UseKid(kid, "now", ghost.seat))
            draft.ask(Scares(ghost.seat, kid))
            return
        treats = treats[1:]
    if treats:
        draft.emit(TreatsTaken(ghost.seat, at, treats))
    run(draft, frame_of(draft.state, kid, "now", ghost.seat))
    draft.ask(Scares(ghost.seat, kid))


class LeaveTreat(Question[State, Treat], frozen=True):
    """GR76: beside kid 63 one treat is left lying, as the haunter likes."""

    slot: int

    def prompt(self, state: State) -> str:
        return "Choose the treat that you leave with this kid; you take the others."

    def form(self, state: State, seat: Seat) -> Form[Treat]:
        return OneOf(tuple([Treat(token) for token in kinds(state.row[self.slot].treats)]))

    def answer(self, draft: Draft[State], option: Treat) -> None:
        taken = without(draft.state.row[self.slot].treats, option.token)
        draft.emit(TreatsTaken(self.seat, self.slot, taken))
