"""Treats that move figures or tiles: T02 to T07, T15, T16, T19, T20."""

from __future__ import annotations

from games.forms import Arrangement, Form, OneOf
from games.masked_mischief.board import BACK
from games.masked_mischief.effects import Ask, Use, Work, end_turn, pose, treat
from games.masked_mischief.events import Faced, Relocated, StatusSet
from games.masked_mischief.haunted import haunt
from games.masked_mischief.moves import swap_places, walk
from games.masked_mischief.options import Go, Pick
from games.masked_mischief.state import State
from games.masked_mischief.tiles import TricksMoved
from games.masked_mischief.words import Facing
from games.rules import Draft
from games.sight import Seat


class MoveFigure(Ask[Pick], frozen=True):
    """Q105: the user, or somebody who is not in a House."""

    steps: int

    def prompt(self, state: State) -> str:
        return f"Who walks {self.steps} forward?"

    def form(self, state: State, seat: Seat) -> Form[Pick]:
        others = state.outside(state.others(self.user))
        return OneOf((Pick(self.user), *[Pick(other) for other in others]))

    def answer(self, draft: Draft[State], option: Pick) -> None:
        by_self = option.seat == self.user
        walk(draft, self.user, option.seat, self.steps, "own" if by_self else "other")


@treat("T02")
def hop(draft: Draft[State], user: Seat) -> None:
    """R85: somebody walks 1 forward."""
    pose(draft, MoveFigure(user, user, 1))


@treat("T03")
def skip(draft: Draft[State], user: Seat) -> None:
    """R86: somebody walks 2 forward."""
    pose(draft, MoveFigure(user, user, 2))


@treat("T04")
def jump(draft: Draft[State], user: Seat) -> None:
    """R87: in place of the user's roll, whoever walks."""
    draft.emit(StatusSet(user, "replaced", 1))
    pose(draft, JumpFigure(user, user, 3))


class JumpFigure(MoveFigure, frozen=True):
    """Q46: for oneself it stands in for the roll."""

    def answer(self, draft: Draft[State], option: Pick) -> None:
        if option.seat == self.user:
            instead_of_rolling(draft, self.user, self.steps)
        else:
            super().answer(draft, option)


def instead_of_rolling(draft: Draft[State], user: Seat, steps: int) -> None:
    """Q82: at once; off turn no pass is possible, and the next roll is the one replaced."""
    walk(draft, user, user, steps, "roll", main=user == draft.state.active)


def _leap(steps: int, rule: str) -> Use:
    def leap(draft: Draft[State], user: Seat) -> None:
        draft.emit(StatusSet(user, "replaced", 1))
        instead_of_rolling(draft, user, steps)

    leap.__doc__ = rule
    return leap


leap = treat("T05")(_leap(4, "R88"))
long_jump = treat("T06")(_leap(5, "R89"))
pole_vault = treat("T07")(_leap(6, "R90"))


@treat("T15")
def alien_abduction(draft: Draft[State], user: Seat) -> None:
    """R98, Q107: the turn ends even where there is nobody to swap with."""
    question = Abduct(user, user)
    if question.targets(draft.state):
        pose(draft, question)
    draft.ask(TurnOver(user))


class Abduct(Ask[Pick], frozen=True):
    """R98, Q107: with somebody who is not in a House."""

    def prompt(self, state: State) -> str:
        return "With whom do you change places?"

    def targets(self, state: State) -> tuple[Pick, ...]:
        return tuple([Pick(other) for other in state.outside(state.others(self.user))])

    def form(self, state: State, seat: Seat) -> Form[Pick]:
        return OneOf(self.targets(state))

    def answer(self, draft: Draft[State], option: Pick) -> None:
        swap_places(draft, self.user, self.user, option.seat)


class TurnOver(Work, frozen=True):
    """Q82: off turn it ends no turn."""

    def run(self, draft: Draft[State]) -> None:
        if self.user == draft.state.active:
            end_turn(draft)


@treat("T16")
def drawing_new_plans(draft: Draft[State], user: Seat) -> None:
    """R99, Q114: one Trick and no blank space is the only case with nothing to choose."""
    tricks = draft.state.tricks_of(user)
    if len(tricks) > 1 or (tricks and draft.state.blanks()):
        draft.ask(MoveTricks(user, user))


class MoveTricks(Ask[tuple[Go, ...]], frozen=True):
    """Q108: where each of one's Tricks goes, or stays; a space that one leaves another may take."""

    def prompt(self, state: State) -> str:
        return "Where do your Tricks go?"

    def form(self, state: State, seat: Seat) -> Form[tuple[Go, ...]]:
        mine = tuple([Go(space) for space in state.tricks_of(self.user)])
        return Arrangement(mine, (*mine, *[Go(space) for space in state.blanks()]))

    def answer(self, draft: Draft[State], option: tuple[Go, ...]) -> None:
        pairs = zip(draft.state.tricks_of(self.user), option, strict=True)
        moves = tuple([(src, go.space) for src, go in pairs if src != go.space])
        if moves:
            draft.emit(TricksMoved(self.user, moves))


@treat("T19")
def black_cat_horde(draft: Draft[State], user: Seat) -> None:
    """R102, Q111: who faces in at a skull is let out."""
    state = draft.state
    turned: dict[Seat, Facing] = {}
    for seat, facing in enumerate(state.facing):
        if facing == "in" and state.at[seat] in state.map.skulls:
            turned[seat] = "free"
        elif facing != "free":
            turned[seat] = BACK[facing]
    if turned:
        draft.emit(Faced(turned))


@treat("T20")
def back_stage_pass(draft: Draft[State], user: Seat) -> None:
    """R103, Q112: on an arm already, the user stays."""
    if draft.state.at[user] in draft.state.map.arm_spaces:
        draft.emit(Faced({user: "in"}))
    else:
        pose(draft, PickArm(user, user))
    draft.ask(Haunt(user))


class PickArm(Ask[Go], frozen=True):
    """R103, Q59: of skulls equally near, the user picks."""

    def prompt(self, state: State) -> str:
        return "To which skull do you go?"

    def form(self, state: State, seat: Seat) -> Form[Go]:
        near = state.map.nearest(state.at[self.user], state.map.skulls)
        return OneOf(tuple([Go(space) for space in near]))

    def answer(self, draft: Draft[State], option: Go) -> None:
        draft.emit(Relocated(self.user, option.space, "in"))


class Haunt(Work, frozen=True):
    """R103: the Haunted House counter goes up."""

    def run(self, draft: Draft[State]) -> None:
        haunt(draft)
