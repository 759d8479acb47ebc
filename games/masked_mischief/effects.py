"""What tiles and powers are made of, and where they are looked up; their own files fill it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from games.masked_mischief.state import State
from games.masked_mischief.tiles import TreatPlayed, TreatSpent, TrickFlipped, TrickReturned
from games.masked_mischief.words import Space
from games.rules import Draft, Item, Question, Step
from games.sight import Fact, Seat

O = TypeVar("O")


class Onward(Step[State], frozen=True):
    """What follows the turn: no effect cuts it."""


class Work(Step[State], frozen=True):
    """Part of an effect of `user`."""

    user: Seat


class Ask(Question[State, O], Generic[O], frozen=True):
    """A question that an effect of `user` puts to `seat`."""

    user: Seat


class Flip(Fact, frozen=True):
    """A flipped Trick: its space, its owner (the user) and its victim."""

    space: Space
    user: Seat
    victim: Seat


Trick = Callable[[Draft[State], Flip], None]
Use = Callable[[Draft[State], Seat], None]

TRICKS: dict[str, Trick] = {}
TREATS: dict[str, Use] = {}
POWERS: dict[str, Use] = {}


WALKS: set[str] = set()
"""Tricks that go back before the landing they lead to; the others when all is done (Q42)."""


def trick(code: str, walks: bool = False) -> Callable[[Trick], Trick]:
    if walks:
        WALKS.add(code)
    return lambda effect: TRICKS.setdefault(code, effect)


def treat(code: str) -> Callable[[Use], Use]:
    return lambda effect: TREATS.setdefault(code, effect)


def power(mask: str) -> Callable[[Use], Use]:
    return lambda effect: POWERS.setdefault(mask, effect)


def pose(draft: Draft[State], question: Ask[Any]) -> None:
    """Q114: ask, or answer where everybody sees that there is only one answer.

    For public questions alone, and where nothing is queued before it.
    """
    form = question.form(draft.state, question.seat)
    if form.count() == 1:
        question.answer(draft, form.sample(lambda n: 0))
    else:
        draft.ask(question)


class Posed(Work, frozen=True):
    """Poses a question when its turn comes, if it has any answer then."""

    @abstractmethod
    def question(self, state: State) -> Ask[Any] | None: ...

    def run(self, draft: Draft[State]) -> None:
        question = self.question(draft.state)
        if question:
            pose(draft, question)


class Return(Work, frozen=True):
    """Q42: a Trick whose text is done goes back to its owner's bag."""

    space: Space

    def run(self, draft: Draft[State]) -> None:
        draft.emit(TrickReturned(self.space, "resolved"))


def flip(draft: Draft[State], victim: Seat, space: Space) -> None:
    """R22: everybody sees it, and its text is done."""
    tile = draft.state.tiles[space]
    draft.emit(TrickFlipped(space, tile.by, victim, tile.code))
    TRICKS[tile.code](draft, Flip(space, tile.by, victim))
    if tile.code not in WALKS:
        draft.ask(Return(tile.by, space))


class Spend(Work, frozen=True):
    """Q25: a Treat whose effect is finished goes back into the Treat bag."""

    def run(self, draft: Draft[State]) -> None:
        draft.emit(TreatSpent(self.user))


def use(draft: Draft[State], user: Seat, slot: int) -> None:
    """A Treat of the hand is played."""
    code = draft.state.hands[user][slot].code
    draft.emit(TreatPlayed(user, slot, code))
    TREATS[code](draft, user)
    draft.ask(Spend(user))


def use_power(draft: Draft[State], user: Seat) -> None:
    """The power of the mask the user wears; the sixth mask has none."""
    power = POWERS.get(draft.state.masks[user])
    if power:
        power(draft, user)


def put_away(draft: Draft[State], whose: Callable[[Seat], bool]) -> None:
    """The tiles of effects that are cut short go where they belong."""
    for space, tile in draft.state.flipped.items():
        if whose(tile.owner):
            draft.emit(TrickReturned(space, "cut_short"))
    for played in draft.state.played:
        if whose(played.user):
            draft.emit(TreatSpent(played.user))


def end_turn(draft: Draft[State]) -> None:
    """Q71: the active player's own open effects are dropped; those of others finish.

    Leaves the effect, so only an item of its own may do it.
    """
    active = draft.state.active
    put_away(draft, lambda user: user == active)

    def spare(item: Item[State]) -> bool:
        return isinstance(item, Onward) or (isinstance(item, Work | Ask) and item.user != active)

    draft.cut("turn_end", spare=spare)
