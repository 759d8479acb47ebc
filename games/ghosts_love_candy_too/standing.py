"""What the standing modifiers of kids in the row and in stashes make of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from games.ghosts_love_candy_too.mods import (
    Allow,
    Courage,
    DrawPlus,
    Helpings,
    LeaveOne,
    LockTreats,
    NoScare,
    Order,
    Protect,
    Redirect,
    Value,
    WeakGhosts,
    WinTies,
)
from games.ghosts_love_candy_too.sheet import M, kid_of, sheet
from games.ghosts_love_candy_too.state import Ghost, State
from games.sight import Seat


def here(state: State, at: int, kind: type[M]) -> Iterator[M]:
    """The modifiers of this kind on the kid of the slot."""
    for mod in kid_of(state, state.row[at].kid).effect.on:
        if isinstance(mod, kind):
            yield mod


def reaching(state: State, at: int, kind: type[M]) -> Iterator[tuple[int, M]]:
    """The modifiers that reach the kid of the slot, and the slots they come from."""
    for mod in here(state, at, kind):
        if mod.kids == "SELF":  # type: ignore[attr-defined]
            yield at, mod
    for near in state.beside(at):
        for mod in here(state, near, kind):
            if mod.kids == "ADJ":  # type: ignore[attr-defined]
                yield near, mod


def held_by(state: State, seat: Seat, kind: type[M]) -> Iterator[M]:
    """The modifiers of this kind on the scared kids in the seat's stash."""
    kids = sheet(state).kids
    for number in state.scared[seat]:
        for mod in kids[number].effect.stash:
            if isinstance(mod, kind):
                yield mod


def courage(state: State, at: int) -> int:
    """Printed, and all that adds to it; at least 1 (GR22, GR56)."""
    total = kid_of(state, state.row[at].kid).courage
    for source, mod in reaching(state, at, Courage):
        if mod.add == "GHOSTS_ON_ADJ":
            total += sum(len(state.row[near].pile) for near in state.beside(source))
        else:
            total += mod.add
    return max(1, total)


def value(state: State, at: int, ghost: Ghost) -> int:
    """What the ghost counts under this kid; never below 0 (GR55)."""
    counts = ghost.value
    for mod in here(state, at, Value):
        if mod.lo <= ghost.value <= mod.hi:
            counts = mod.counts
    if ghost.weak:
        counts += weakness(state, ghost.seat)
    return max(0, counts)


def total(state: State, at: int) -> int:
    return sum(value(state, at, ghost) for ghost in state.row[at].pile)


def is_scared(state: State, at: int) -> bool:
    """G40, GR22: the ghosts' total equals or exceeds the courage, and nobody guards the kid."""
    if not state.row[at].pile or total(state, at) < courage(state, at):
        return False
    return not any(reaching(state, at, NoScare))


def helpings(state: State, at: int) -> int:
    """GR53: how often the kid is served in Place Treats."""
    return 1 + sum(mod.add for _, mod in reaching(state, at, Helpings))


def served_at(state: State, at: int) -> int:
    """GR53: the slot where what is due to this kid is put in Place Treats."""
    if not any(here(state, at, Redirect)):
        for near in state.beside(at):
            if any(here(state, near, Redirect)):
                return near
    return at


def must_leave_one(state: State, at: int) -> bool:
    """GR76."""
    return len(state.row[at].treats) >= 2 and any(reaching(state, at, LeaveOne))


def may_enter(state: State, at: int, ghost: Ghost) -> bool:
    """GR57: whether the ghost may be placed on or moved to the kid of the slot."""
    for mod in here(state, at, Allow):
        if mod.ghosts == "newOwner":
            barred = any(other.seat == ghost.seat for other in state.row[at].pile)
        else:
            barred = (ghost.value % 2 == 1) != (mod.ghosts == "odd")
        if barred:
            return False
    return True


def locked(state: State, at: int) -> bool:
    """GR62."""
    return any(here(state, at, LockTreats))


def ascending(state: State) -> bool:
    """Whether the lowest ghost goes first, by a kid in the row."""
    return any(any(here(state, at, Order)) for at in state.kids())


def wins_ties(state: State, seat: Seat) -> bool:
    """GR67: by kid 45 in the round before, or by a kid in the stash."""
    return state.wins[seat] == state.round or any(held_by(state, seat, WinTies))


def weakness(state: State, seat: Seat) -> int:
    return sum(mod.add for mod in held_by(state, seat, WeakGhosts))


def marks(state: State, seat: Seat) -> bool:
    """GR59: whether ghosts this seat places now are marked."""
    return any(held_by(state, seat, WeakGhosts))


def extra_draws(state: State, seat: Seat) -> int:
    """GR60."""
    return sum(mod.n for mod in held_by(state, seat, DrawPlus))


def protected(state: State, seat: Seat) -> bool:
    """GR61."""
    return any(held_by(state, seat, Protect))
