"""The table of Ghosts Love Candy Too: the neighborhood, the stashes, the bag and the decks."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec.structs import replace

from games import rules
from games.sight import Fact, Seat, nobody, secret, seen_by

Craving = Annotated[str, secret]
"""The id of a craving card."""

TYPES = ("CORN", "CHOC", "GUMMY", "LICO", "LOLLY", "MINT")
BAR, JUNK = "BAR", "JUNK"
TOKENS = (*TYPES, BAR, JUNK)
CANDY = frozenset((*TYPES, BAR))
RANK = {token: rank for rank, token in enumerate(TOKENS)}


class Ghost(Fact, frozen=True, tag=False):
    """One ghost card: `of` 0 or 1 says which set of its owner; `weak` is the mark of kid 93."""

    seat: Seat
    value: int
    of: int = 0
    weak: bool = False

    def same(self, other: Ghost | None) -> bool:
        """Whether it is the same card, marked or not."""
        return other is not None and self.card == other.card

    def unmarked(self) -> Ghost:
        return replace(self, weak=False) if self.weak else self

    @property
    def card(self) -> tuple[int, int, int]:
        return self.seat, self.value, self.of


class Slot(Fact, frozen=True, tag=False):
    """A place in the row: its kid (0: none), the treats above, the ghosts below, bottom first."""

    kid: int = 0
    treats: tuple[str, ...] = ()
    pile: tuple[Ghost, ...] = ()

    def but(self, **changes: Any) -> Slot:
        return replace(self, **changes)


class Secret(Fact, frozen=True, tag=False):
    """A player's craving card, and the seats that have seen it."""

    card: Annotated[Craving, seen_by("knowers")]
    knowers: tuple[Seat, ...]


class Score(Fact, frozen=True, tag=False):
    """What one seat's points are made of."""

    candy: int
    junk: int
    kids: int
    bonus: int

    @property
    def total(self) -> int:
        return self.candy + self.junk + self.kids + self.bonus


class State(rules.State, frozen=True, kw_only=True):
    """`under` holds the kids that all have seen go under the deck, in the order they come up.

    By seat: `hands` (set by set), `stashes` (treats), `scared` (kids), `held` (treats drawn and
    not yet kept), `wins` (the round in which kid 45 wins ties), `bonus`, `junk_worth`.
    """

    edition: str = ""
    easier: bool = False
    super_kid: bool = False
    random_ghosts: bool = False
    refill: bool = False
    rounds: int = 9
    round: int = 0
    row: tuple[Slot, ...] = ()
    deck: Annotated[tuple[int, ...], nobody(counted=True)] = ()
    under: tuple[int, ...] = ()
    kid_discard: tuple[int, ...] = ()
    tie_cards: tuple[int, ...] = ()
    bag: Annotated[tuple[str, ...], nobody(counted=True)] = ()
    treat_discard: tuple[str, ...] = ()
    ghost_discard: tuple[Ghost, ...] = ()
    hands: tuple[tuple[tuple[int, ...], ...], ...] = ()
    played: tuple[Ghost, ...] = ()
    just: Ghost | None = None
    stashes: tuple[tuple[str, ...], ...] = ()
    scared: tuple[tuple[int, ...], ...] = ()
    held: tuple[tuple[str, ...], ...] = ()
    secrets: tuple[Secret, ...] = ()
    boxed: Annotated[tuple[Craving, ...], nobody(counted=True)] = ()
    shown: tuple[str, ...] = ()
    wins: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    junk_worth: tuple[int | None, ...] = ()
    scores: tuple[Score, ...] = ()
    winners: tuple[Seat, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    def where(self, kid: int) -> int:
        """The slot where the kid lies, or -1."""
        for at, slot in enumerate(self.row):
            if slot.kid == kid:
                return at
        return -1

    def beside(self, at: int) -> tuple[int, ...]:
        """The neighbouring slots that hold a kid (GR1)."""
        row = self.row
        near = (at - 1, at + 1) if at >= 0 else ()
        return tuple([i for i in near if 0 <= i < len(row) and row[i].kid])

    def kids(self) -> tuple[int, ...]:
        """The slots that hold a kid, left to right."""
        return tuple([at for at, slot in enumerate(self.row) if slot.kid])

    def clockwise(self, first: Seat) -> tuple[Seat, ...]:
        """All seats, beginning with this one (GR71)."""
        return (*range(first, self.seats), *range(first))


def put(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """The tuple with another value at one place."""
    return (*values[:at], value, *values[at + 1 :])


def without(values: tuple[Any, ...], *gone: Any) -> tuple[Any, ...]:
    """The tuple without one of each of these."""
    for value in gone:
        at = values.index(value)
        values = values[:at] + values[at + 1 :]
    return values


def kinds(treats: tuple[str, ...]) -> tuple[str, ...]:
    """The different tokens among the treats, in printed order."""
    return tuple(sorted(set(treats), key=RANK.__getitem__))
