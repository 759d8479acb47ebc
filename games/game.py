"""The public face of a game: what the catalogue holds and everything outside `games/` uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, Protocol

import msgspec

from games.forms import Below
from games.history import Codec
from games.recall import Past
from games.rules import Refused, Result, State, Step
from games.sight import Viewer, cut, sights


class Redealt(Protocol):
    """`past` is how the match came to the state; without it only the state counts."""

    def __call__(self, state: Any, viewer: Viewer, below: Below, past: Past = ..., /) -> Any: ...


Bot = Callable[[dict[str, Any], dict[str, Any], Below], Any]
"""(its seat's view, the open question, a source of chance) to the option, as a client sends it."""


Begun = Literal["round", "turn"]
"""What a step can be found by the beginning of."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host may set before the start; a game's own are fields with defaults."""


class Card(msgspec.Struct, frozen=True):
    """A printed thing for the catalogue: `kind:id` is what options refer to."""

    id: str
    kind: str
    name: str
    text: str = ""
    count: int = 1
    source: str = ""
    art: str = ""


class BadData(Exception):
    """A data file that makes no edition; each of `errors` names the entry and what is wrong."""

    def __init__(self, *errors: str) -> None:
        super().__init__("; ".join(errors))
        self.errors = errors


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One game.

    `rules` grows by one whenever decisions change; `data` is the printed data it was made from.
    `start(seats, options)` gives the empty state and the first step, or raises Refused.
    `census(state)` counts every thing there is: the same number after every answer.
    `redealt(state, viewer, below, past)` deals otherwise all that the viewer can't see, and does
    not know from the past that led to the state.
    `from_data(text)` makes an edition of the game from a publisher's data file, or raises BadData.
    `tell(event)` is one sentence on an event as `sight.cut` gives it, empty where there is none
    worth telling.
    `begins` has the event by which a round or a turn begins, whichever the rulebook goes by; one
    that holds no number is counted.
    `by_seat` names the lists of the state that have a part for each seat, beside those of which
    each seat sees its own part.
    """

    id: str
    title: str
    least: int
    most: int
    rules: int
    data: bytes
    options: type[Options]
    state: type[State]
    pending: Any
    event: Any
    start: Callable[[int, Any], tuple[Any, Step[Any]]]
    census: Callable[[Any], Mapping[str, int]]
    redealt: Redealt
    result: Callable[[Any], Result | None]
    tell: Callable[[dict[str, Any]], str]
    bot: Bot
    cards: tuple[Card, ...]
    begins: Mapping[Begun, type[Any]] = {}
    by_seat: tuple[str, ...] = ()
    edition: str = ""
    from_data: Callable[[bytes], Game] | None = None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the printed data, in hex."""
        return sha256(self.data).hexdigest()

    @cached_property
    def version(self) -> str:
        """The rules version that commits name: `<rules>.<first 8 digits of the digest>`."""
        return f"{self.rules}.{self.digest[:8]}"

    @cached_property
    def seated(self) -> frozenset[str]:
        """All lists of the state that have a part for each seat."""
        own = [name for name, seen in sights(self.state) if seen is not None and seen.each]
        return frozenset([*self.by_seat, *own])

    @cached_property
    def codec(self) -> Codec:
        return Codec(self.event)

    def narrate(self, event: Any, viewer: Viewer) -> str:
        """One sentence on the event, never more than the viewer's cut of it tells."""
        shown = cut(event, viewer)
        return "" if "type" not in shown else self.tell(shown)

    def checked_options(self, given: Mapping[str, Any], *, strict: bool = True) -> Any:
        """The options as the game has them. Raises Refused(`bad_option`).

        With `strict=False` texts stand for numbers and truth values, as on a command line.
        """
        try:
            return msgspec.convert(dict(given), self.options, strict=strict)
        except msgspec.ValidationError as error:
            why = f"{error}; `hallowstream games {self.id}` lists the options"
            raise Refused("bad_option", why) from None

    def checked_seats(self, seats: int) -> int:
        """Raises Refused(`bad_seats`)."""
        if not self.least <= seats <= self.most:
            raise Refused("bad_seats", f"{self.title} is for {self.least} to {self.most} seats")
        return seats
