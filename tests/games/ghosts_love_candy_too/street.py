"""A neighborhood laid out by hand: what the scenarios call `given`, in their own notation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.game import Game
from games.ghosts_love_candy_too.game import GAME
from games.ghosts_love_candy_too.options import (
    HandGhost,
    Kid,
    PileGhost,
    Player,
    StashKid,
    Treat,
    Use,
)
from games.ghosts_love_candy_too.sheet import kid_id
from games.ghosts_love_candy_too.state import TOKENS, Ghost, Slot
from games.ghosts_love_candy_too.turns import Haunt, Round, Turn
from games.rules import Open
from tests.play import Match

FILL = (24, 23, 6, 18, 27, 56, 10, 8, 49, 29)
"""Kids without icon that do not matter, for the slots that a scenario does not name."""


def ghost(text: str) -> Ghost:
    """`A5`, `A5b` (second set), `A5*` (marked)."""
    return Ghost("ABCDEF".index(text[0]), int(text[1]), int("b" in text), "*" in text)


def pile(text: str) -> tuple[Ghost, ...]:
    return tuple(map(ghost, text.split()))


def treats(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def slot(kid: int, ghosts: str = "", above: str = "") -> Slot:
    return Slot(kid, treats(above), pile(ghosts))


class Street(Match):
    """A match laid open: `say` answers whatever is asked, in short."""

    def __init__(self, game: Game, seats: int, *args: Any, **options: Any) -> None:
        super().__init__(game, seats, *args, **options)
        self.told: list[Any] = []

    @property
    def asks(self) -> tuple[str, str]:
        """The kind of the open question, and who is asked."""
        return type(self.asked).__name__, "".join("ABCDEF"[s] for s in self.asked.seats)

    @property
    def offers(self) -> list[str]:
        """What may be answered, in short, by who is asked first."""
        return [short(option) for option in self.form(self.asked.seats[0]).options]

    def say(self, *answers: Any, seat: str = "") -> list[Any]:
        """Answers one after another; the events they led to, all in all."""
        told: list[Any] = []
        for answer in answers:
            who = "ABCDEF".index(seat) if seat else self.asked.seats[0]
            options = self.form(who).options
            found = [option for option in options if short(option) == str(answer)]
            assert found, f"{answer} is not among {list(map(short, options))}"
            told += self.answer(who, found[0])
        self.told = told
        return told

    def kinds(self) -> list[str]:
        """The names of the events that the latest answers led to."""
        return [type(event).__name__ for event in self.told]

    def above(self, at: int) -> list[str]:
        return list(self.state.row[at].treats)

    def under(self, at: int) -> str:
        return " ".join(
            f"{'ABCDEF'[g.seat]}{g.value}{'b' * g.of}{'*' * g.weak}"
            for g in self.state.row[at].pile
        )

    def stash(self, seat: str) -> list[str]:
        return sorted(self.state.stashes["ABCDEF".index(seat)], key=TOKENS.index)

    def kids(self, seat: str) -> list[int]:
        return list(self.state.scared["ABCDEF".index(seat)])

    def row(self) -> list[int]:
        return [each.kid for each in self.state.row]


def short(option: Any) -> str:
    """`s3`, `MINT`, `B`, `A4` in a pile, `#94` in a stash, `h3` in the hand, `yes`."""
    if isinstance(option, Treat):
        return option.token
    if isinstance(option, Use):
        return "yes" if option.yes else "no"
    if isinstance(option, Player):
        return "ABCDEF"[option.seat]
    if isinstance(option, PileGhost):
        return f"{'ABCDEF'[option.seat]}{option.value}"
    if isinstance(option, StashKid):
        return f"#{option.kid}"
    if isinstance(option, HandGhost):
        return f"h{option.value}"
    return f"s{option.slot}" if hasattr(option, "slot") else str(option)


def street(
    row: dict[int, Slot],
    turns: str,
    *,
    seats: int = 4,
    bag: str = "",
    deck: Iterable[int] = (),
    discard: str = "",
    kid_discard: Iterable[int] = (),
    game: Game = GAME,
    fill: bool = True,
    options: dict[str, Any] | None = None,
    number: int = 1,
    **stashes: Any,
) -> Street:
    """A street in the middle of round `number`: who has yet to haunt, with which ghosts.

    `A="JUNK MINT"` is A's stash, `A_kids=[94]` the kids in it. After the turns named, another
    one of the last seat comes, so that a scenario can say who is asked next.
    """
    match = Street.started(game, seats, **(options or {}))
    assert isinstance(match, Street)
    names = "ABCDEF"[:seats]
    listed = {each.kid for each in row.values()}
    spare = iter(kid for kid in FILL if kid not in listed)
    slots = tuple(
        row.get(at) or (Slot(next(spare)) if fill else Slot()) for at in range(len(match.state.row))
    )
    played = (*pile(turns), Ghost(seats - 1, 1))
    rounds = [Open("90.0", Round(number + 1))]
    rounds += [Open(f"90.{at}", Turn()) for at in range(1, len(played))]
    match.lay(
        pending=(*rounds, Open("90.99", Haunt(played[0].seat))),
        round=number,
        row=slots,
        bag=treats(bag),
        deck=tuple(deck),
        treat_discard=treats(discard),
        kid_discard=tuple(kid_discard),
        played=played,
        held=((),) * seats,
        stashes=tuple(treats(stashes.pop(name, "")) for name in names),
        scared=tuple(tuple(stashes.pop(f"{name}_kids", ())) for name in names),
    )
    assert not stashes
    return match


def option(match: Match, at: int) -> Kid:
    """The kid of a slot as an option."""
    return Kid(at, kid_id(match.state, match.state.row[at].kid))
