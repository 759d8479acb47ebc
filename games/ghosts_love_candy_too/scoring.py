"""The end of the game: cravings, kids in the row, the count, and ties (G50-G56)."""

from __future__ import annotations

from games.ghosts_love_candy_too.ability import UseKid
from games.ghosts_love_candy_too.end_events import CravingsShown, Tallied, TieCompared, Won
from games.ghosts_love_candy_too.mods import Worth, WorthJunk, WorthZero
from games.ghosts_love_candy_too.sheet import M, kid_of
from games.ghosts_love_candy_too.state import BAR, JUNK, TYPES, Score, State
from games.ghosts_love_candy_too.tables import CRAVINGS, FIXED
from games.rules import Draft, Result, Step
from games.sight import Seat


class Finish(Step[State], frozen=True):
    """G52, G53, GR33: cravings are shown, then kids with ghosts act, left to right."""

    def run(self, draft: Draft[State]) -> None:
        draft.emit(CravingsShown(tuple([secret.card for secret in draft.state.secrets])))
        for at in draft.state.kids():
            slot = draft.state.row[at]
            if slot.pile and kid_of(draft.state, slot.kid).effect.end:
                draft.ask(UseKid(slot.kid, "end", 0))
        draft.ask(Count())


class Count(Step[State], frozen=True):
    """G51, G54-G56."""

    def run(self, draft: Draft[State]) -> None:
        scores = tuple([score(draft.state, seat) for seat in range(draft.state.seats)])
        draft.emit(Tallied(scores))
        best = max(each.total for each in scores)
        leaders = tuple([seat for seat, each in enumerate(scores) if each.total == best])
        for value in (5, 4, 3, 2, 1, 0):
            if len(leaders) > 1:
                counts = {seat: own_candy(draft.state, seat, value) for seat in leaders}
                most = max(counts.values())
                leaders = tuple([seat for seat in leaders if counts[seat] == most])
                draft.emit(TieCompared(value, counts, leaders))
        draft.emit(Won(leaders))


def own_candy(state: State, seat: Seat, value: int) -> int:
    """GR36: candies of the seat's own type of this value."""
    worth = CRAVINGS[state.shown[seat]]
    return sum(worth.get(token) == value for token in state.stashes[seat])


def worths(state: State, seat: Seat, kind: type[M]) -> list[M]:
    """The final-count modifiers of this kind in a stash."""
    kids = [kid_of(state, number) for number in state.scared[seat]]
    return [mod for kid in kids for mod in kid.effect.worth if isinstance(mod, kind)]


def score(state: State, seat: Seat) -> Score:
    """G51: what the treats and kids of a stash are worth."""
    stash = state.stashes[seat]
    worth = {**CRAVINGS[state.shown[seat]], BAR: FIXED[BAR]}
    for mod in worths(state, seat, WorthZero):
        worth = {token: value or mod.is_ for token, value in worth.items()}
    candy = sum(worth[token] for token in stash if token != JUNK)
    junk = stash.count(JUNK) * junk_worth(state, seat)
    kids = sum(points(state, seat, number) for number in state.scared[seat])
    return Score(candy, junk, kids, state.bonus[seat])


def junk_worth(state: State, seat: Seat) -> int:
    """GR34, GR75: a kid in the row goes before one in the stash."""
    said = state.junk_worth[seat]
    if said is not None:
        return said
    own = worths(state, seat, WorthJunk)
    return own[-1].is_ if own else FIXED[JUNK]


def points(state: State, seat: Seat, number: int) -> int:
    """G54, GR35: printed points, or what the kid's condition gives."""
    kid = kid_of(state, number)
    for mod in kid.effect.worth:
        if isinstance(mod, Worth):
            return special(state, seat, mod)
    return kid.points


def special(state: State, seat: Seat, mod: Worth) -> int:
    stash = state.stashes[seat]
    if mod.is_ is not None:
        return mod.is_
    if mod.if_ is not None:
        return mod.then if set(TYPES) <= set(stash) else mod.else_
    counted = len(stash) if mod.per == "treats" else len(state.scared[seat]) - 1
    most = counted if mod.max is None else mod.max
    return min(counted // mod.every, most)


def result(state: State) -> Result | None:
    if not state.winners:
        return None
    totals = tuple([each.total for each in state.scores])
    tied = totals.count(max(totals)) > 1
    why = "most points, ties by the own favourite candies" if tied else "most points"
    return Result(state.winners, totals, why)
