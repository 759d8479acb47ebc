"""Treat tiles: the user is who plays it."""

from __future__ import annotations

from games.forms import Arrangement, Form, OneOf
from games.masked_mischief.board import BACK
from games.masked_mischief.effects import (
    Ask,
    Posed,
    Use,
    Work,
    end_turn,
    pose,
    treat,
    use,
    use_power,
)
from games.masked_mischief.events import Faced, MasksChanged, Relocated, StatusSet
from games.masked_mischief.haunted import haunt
from games.masked_mischief.houses import gain, give
from games.masked_mischief.laying import lay_tricks
from games.masked_mischief.moves import swap_places, walk
from games.masked_mischief.options import Go, Mask, Pick
from games.masked_mischief.state import State
from games.masked_mischief.tiles import TreatStolen, TrickCleared, TricksMoved
from games.masked_mischief.words import Facing
from games.rules import Draft
from games.sight import Seat


@treat("T01")
def willful_ignorance(draft: Draft[State], user: Seat) -> None:
    """R84, Q104"""
    draft.emit(StatusSet(user, "ignores", draft.state.ignores[user] + 1))


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
    """R85"""
    pose(draft, MoveFigure(user, user, 1))


@treat("T03")
def skip(draft: Draft[State], user: Seat) -> None:
    """R86"""
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


@treat("T08")
def gambling_man(draft: Draft[State], user: Seat) -> None:
    """R91, Q85: a doubling, and the gain that comes with it."""
    draft.emit(StatusSet(user, "gambles", draft.state.gambles[user] + 1))
    double_next_roll(draft, user)


def double_next_roll(draft: Draft[State], user: Seat) -> None:
    draft.emit(StatusSet(user, "doubles", draft.state.doubles[user] + 1))


@treat("T09")
def expert_planner(draft: Draft[State], user: Seat) -> None:
    """R92"""
    lay_tricks(draft, user, 2)


@treat("T10")
def hidden_candy_bowl(draft: Draft[State], user: Seat) -> None:
    """R93"""
    gain(draft, user, 5)


@treat("T11")
def puppy_eyes(draft: Draft[State], user: Seat) -> None:
    """R94"""
    for other in draft.state.others(user):
        give(draft, other, user, 1)


@treat("T12")
def sticky_fingers(draft: Draft[State], user: Seat) -> None:
    """R95, Q106, Q82: off turn it doubles the next roll, no more."""
    double_next_roll(draft, user)
    if user == draft.state.active:
        draft.emit(StatusSet(user, "sticky", 1))


@treat("T13")
def forceful_charity(draft: Draft[State], user: Seat) -> None:
    """R96"""
    pose(draft, TakeCandy(user, user))


class TakeCandy(Ask[Pick], frozen=True):
    def prompt(self, state: State) -> str:
        return "From whom do you take up to 4 candy?"

    def form(self, state: State, seat: Seat) -> Form[Pick]:
        return OneOf(tuple([Pick(other) for other in state.others(self.user)]))

    def answer(self, draft: Draft[State], option: Pick) -> None:
        give(draft, option.seat, self.user, 4)


@treat("T14")
def moonlight_transformation(draft: Draft[State], user: Seat) -> None:
    """R97"""
    draft.ask(AssignMasks(user, user))


class AssignMasks(Ask[tuple[Mask, ...]], frozen=True):
    """Q94: each mask of the pool to one player at most."""

    def prompt(self, state: State) -> str:
        return "Which mask does each player wear?"

    def _pool(self, state: State) -> tuple[str, ...]:
        return state.masks if state.plays("moonlight_pool", "worn") else state.masks + state.spares

    def form(self, state: State, seat: Seat) -> Form[tuple[Mask, ...]]:
        players = tuple([Pick(player) for player in range(state.seats)])
        return Arrangement(players, tuple([Mask(mask) for mask in self._pool(state)]))

    def answer(self, draft: Draft[State], option: tuple[Mask, ...]) -> None:
        masks = tuple([given.mask for given in option])
        every = (*draft.state.masks, *draft.state.spares)
        spares = tuple([mask for mask in every if mask not in masks])
        draft.emit(MasksChanged(masks, spares))


@treat("T15")
def alien_abduction(draft: Draft[State], user: Seat) -> None:
    """R98, Q107: the turn ends even where there is nobody to swap with."""
    question = Abduct(user, user)
    if question.targets(draft.state):
        pose(draft, question)
    draft.ask(TurnOver(user))


class Abduct(Ask[Pick], frozen=True):
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


@treat("T17")
def street_cleaning(draft: Draft[State], user: Seat) -> None:
    """R100, Q109"""
    draft.emit(StatusSet(user, "cleaning", 1))


@treat("T18")
def disarm(draft: Draft[State], user: Seat) -> None:
    """R101, Q110: one player after another; who has no Trick on the board is left out."""
    draft.ask(*[Disarming(user, other) for other in draft.state.others(user)])


class Disarming(Posed, frozen=True):
    owner: Seat

    def question(self, state: State) -> DisarmOne | None:
        return DisarmOne(self.user, self.user, self.owner) if state.tricks_of(self.owner) else None


class DisarmOne(Ask[Go], frozen=True):
    owner: Seat

    def prompt(self, state: State) -> str:
        return f"Which Trick of seat {self.owner} goes back?"

    def form(self, state: State, seat: Seat) -> Form[Go]:
        return OneOf(tuple([Go(space) for space in state.tricks_of(self.owner)]))

    def answer(self, draft: Draft[State], option: Go) -> None:
        code = draft.state.tiles[option.space].code
        draft.emit(TrickCleared(option.space, self.owner, "disarmed", code))


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
    """Q59"""

    def prompt(self, state: State) -> str:
        return "To which skull do you go?"

    def form(self, state: State, seat: Seat) -> Form[Go]:
        near = state.map.nearest(state.at[self.user], state.map.skulls)
        return OneOf(tuple([Go(space) for space in near]))

    def answer(self, draft: Draft[State], option: Go) -> None:
        draft.emit(Relocated(self.user, option.space, "in"))


class Haunt(Work, frozen=True):
    def run(self, draft: Draft[State]) -> None:
        haunt(draft)


@treat("T21")
def straight_up_thieving(draft: Draft[State], user: Seat) -> None:
    """R104, Q113: take, use, next."""
    draft.ask(*[StealAndUse(user, other) for other in draft.state.others(user)])


class StealAndUse(Work, frozen=True):
    victim: Seat

    def run(self, draft: Draft[State]) -> None:
        if steal(draft, self.user, self.victim):
            use(draft, self.user, len(draft.state.hands[self.user]) - 1)


def steal(draft: Draft[State], thief: Seat, victim: Seat) -> bool:
    """A random Treat from hand to hand; whether there was one."""
    hand = draft.state.hands[victim]
    if not hand:
        return False
    slot = draft.dice.below(len(hand))
    known = tuple(sorted({*hand[slot].known, thief}))
    draft.emit(TreatStolen(thief, victim, slot, known, hand[slot].code))
    return True


@treat("T22")
def evil_cackle(draft: Draft[State], user: Seat) -> None:
    """R105"""
    use_power(draft, user)
