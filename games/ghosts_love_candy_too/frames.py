"""An ability under way, as data, and how its steps ask."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Literal, NamedTuple

from games.forms import Form, OneOf
from games.ghosts_love_candy_too.options import Options
from games.ghosts_love_candy_too.state import State
from games.rules import Draft
from games.sight import Fact, Seat

When = Literal["now", "afterPlace", "scared", "end"]
What = Literal["any", "candy", "junk"]


class Unit(Fact, frozen=True, tag=False):
    """What is to be done next: step `at` of kid `of`, for a player or a slot."""

    of: int
    at: int
    do: str = "begin"
    on: int = -1


class Scare(Fact, frozen=True, tag=False):
    """What an ability that acts when scared looks back on: where, whose ghosts, who got the kid."""

    slot: int
    owners: tuple[Seat, ...]
    receiver: Seat | None


class Frame(Fact, frozen=True, tag=False):
    """An ability under way. `picks` are the choices made for its first unit.

    `moved` and `last` count what this step and the one before it have done, `returned` what went
    into the bag, `new` is the slot of a kid just revealed, `used` the kid last told to act.
    """

    kid: int
    when: When
    you: Seat
    todo: tuple[Unit, ...]
    picks: tuple[Options, ...] = ()
    moved: int = 0
    last: int = 0
    returned: int = 0
    new: int = -1
    used: int = 0
    scare: Scare | None = None


class Ask(NamedTuple):
    """A step waits for a choice; `seats` has several where they choose at once."""

    kind: str
    seats: tuple[Seat, ...]
    form: Form[Any]

    @property
    def only(self) -> Any:
        """The one answer there is, for all to see, or None (GR47). A `may` is always asked."""
        form = self.form
        return form.options[0] if isinstance(form, OneOf) and len(form.options) == 1 else None


Act = Callable[[Draft[State]], None]
Script = Generator[Ask, Any, Act | None]
"""Asks for what is to be chosen, in order, and gives back what is then done."""


def ask(kind: str, seat: Seat, options: Sequence[Any]) -> Ask:
    return Ask(kind, (seat,), OneOf(tuple(options)))
