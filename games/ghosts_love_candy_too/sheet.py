"""Kids as printed, and the lists of them: ours and those of publishers, by edition."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec

from games.ghosts_love_candy_too.mods import Mod
from games.ghosts_love_candy_too.state import State

M = TypeVar("M", bound=Mod)

Icon = Literal["ON", "AAK", "WS", "EGN", "EGS", "OS"]


class Op(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True, kw_only=True):
    """One step of an effect: its fields are named as in a data file.

    A step is done for each of its targets in turn; `act` asks what is to be chosen and gives
    back what to do then, or None where it can't be done.
    """

    may: bool = False
    ifDone: bool = False

    def targets(self, scene: Any) -> tuple[int, ...]:
        """The players or slots it acts on, one after another; -1 where `act` finds out."""
        return (-1,)

    def asker(self, scene: Any, on: int) -> int:
        """Who says yes or no to a `may`."""
        return int(scene.you)

    @abstractmethod
    def act(self, scene: Any, on: int) -> Any: ...


class Effect(msgspec.Struct, frozen=True):
    """What a kid does, by the time it acts."""

    now: tuple[Op, ...] = ()
    on: tuple[Mod, ...] = ()
    stash: tuple[Mod, ...] = ()
    afterPlace: tuple[Op, ...] = ()
    scare: tuple[Mod, ...] = ()
    scared: tuple[Op, ...] = ()
    end: tuple[Op, ...] = ()
    worth: tuple[Mod, ...] = ()


class Kid(msgspec.Struct, frozen=True):
    """One kid card; its number also ranks it in ties."""

    number: int
    name: str
    courage: int
    points: int
    icons: tuple[Icon, ...]
    text: str
    easy: bool
    source: str
    effect: Effect

    def plain(self) -> Kid:
        """As in the Super kid-friendly game: no ability, no points (GR43, GR44)."""
        return msgspec.structs.replace(self, points=0, icons=(), effect=Effect())


class Sheet(msgspec.Struct, frozen=True, dict=True):
    """All kids of one edition."""

    edition: str
    kids: dict[int, Kid]

    @cached_property
    def plain(self) -> Sheet:
        return Sheet(self.edition, {number: kid.plain() for number, kid in self.kids.items()})

    def numbers(self, easier: bool) -> list[int]:
        """The kids in play (G64)."""
        return [number for number, kid in self.kids.items() if kid.easy or not easier]


SHEETS: dict[str, Sheet] = {}
"""By edition id; a match finds its kids here, so a corrected list serves running matches too."""


def sheet(state: State) -> Sheet:
    """The kids of this match as they play in it."""
    kids = SHEETS[state.edition]
    return kids.plain if state.super_kid else kids


def kid_of(state: State, number: int) -> Kid:
    return sheet(state).kids[number]


def kid_id(state: State, number: int) -> str:
    """How options name a kid: its number, after its edition where that is a publisher's."""
    return f"{state.edition}/{number}" if state.edition else str(number)


def named(id: str) -> Kid:
    """The kid of such an id."""
    edition, _, number = id.rpartition("/")
    return SHEETS[edition].kids[int(number)]
