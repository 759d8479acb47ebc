"""Treat tiles: the user is who plays it. Those that move something are in `treat_moves.py`."""

from __future__ import annotations

from games.forms import Arrangement, Form, OneOf
from games.masked_mischief.effects import (
    Ask,
    Posed,
    Work,
    pose,
    treat,
    use,
    use_power,
)
from games.masked_mischief.events import MasksChanged, StatusSet
from games.masked_mischief.houses import gain, give
from games.masked_mischief.laying import lay_tricks
from games.masked_mischief.options import Go, Mask, Pick
from games.masked_mischief.state import State
from games.masked_mischief.tiles import TreatStolen, TrickCleared
from games.rules import Draft
from games.sight import Seat


@treat("T01")
def willful_ignorance(draft: Draft[State], user: Seat) -> None:
    """R84, Q104: one more foreign Trick will stay face down."""
    draft.emit(StatusSet(user, "ignores", draft.state.ignores[user] + 1))


@treat("T08")
def gambling_man(draft: Draft[State], user: Seat) -> None:
    """R91, Q85: a doubling, and the gain that comes with it."""
    draft.emit(StatusSet(user, "gambles", draft.state.gambles[user] + 1))
    double_next_roll(draft, user)


def double_next_roll(draft: Draft[State], user: Seat) -> None:
    draft.emit(StatusSet(user, "doubles", draft.state.doubles[user] + 1))


@treat("T09")
def expert_planner(draft: Draft[State], user: Seat) -> None:
    """R92: draw and lay 2 Tricks."""
    lay_tricks(draft, user, 2)


@treat("T10")
def hidden_candy_bowl(draft: Draft[State], user: Seat) -> None:
    """R93: 5 candy from the Big Bowl."""
    gain(draft, user, 5)


@treat("T11")
def puppy_eyes(draft: Draft[State], user: Seat) -> None:
    """R94: 1 candy from everybody."""
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
    """R96: up to 4 candy from one player."""
    pose(draft, TakeCandy(user, user))


class TakeCandy(Ask[Pick], frozen=True):
    """R96: from whom."""

    def prompt(self, state: State) -> str:
        return "From whom do you take up to 4 candy?"

    def form(self, state: State, seat: Seat) -> Form[Pick]:
        return OneOf(tuple([Pick(other) for other in state.others(self.user)]))

    def answer(self, draft: Draft[State], option: Pick) -> None:
        give(draft, option.seat, self.user, 4)


@treat("T14")
def moonlight_transformation(draft: Draft[State], user: Seat) -> None:
    """R97: the masks are dealt anew, as the user likes."""
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


@treat("T17")
def street_cleaning(draft: Draft[State], user: Seat) -> None:
    """R100, Q109: until the user's next turn, walks clear Tricks."""
    draft.emit(StatusSet(user, "cleaning", 1))


@treat("T18")
def disarm(draft: Draft[State], user: Seat) -> None:
    """R101, Q110: one player after another; who has no Trick on the board is left out."""
    draft.ask(*[Disarming(user, other) for other in draft.state.others(user)])


class Disarming(Posed, frozen=True):
    """R101: asks about one owner, if he has a Trick on the board."""

    owner: Seat

    def question(self, state: State) -> DisarmOne | None:
        return DisarmOne(self.user, self.user, self.owner) if state.tricks_of(self.owner) else None


class DisarmOne(Ask[Go], frozen=True):
    """R101: which of the owner's Tricks."""

    owner: Seat

    def prompt(self, state: State) -> str:
        return f"Which Trick of seat {self.owner} goes back?"

    def form(self, state: State, seat: Seat) -> Form[Go]:
        return OneOf(tuple([Go(space) for space in state.tricks_of(self.owner)]))

    def answer(self, draft: Draft[State], option: Go) -> None:
        code = draft.state.tiles[option.space].code
        draft.emit(TrickCleared(option.space, self.owner, "disarmed", code))


@treat("T21")
def straight_up_thieving(draft: Draft[State], user: Seat) -> None:
    """R104, Q113: take, use, next."""
    draft.ask(*[StealAndUse(user, other) for other in draft.state.others(user)])


class StealAndUse(Work, frozen=True):
    """R104: from one hand."""

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
    """R105: the power of the mask worn."""
    use_power(draft, user)
