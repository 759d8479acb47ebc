"""The table of Masked Mischief and the words the rules use about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from games import rules
from games.masked_mischief.board import Board
from games.masked_mischief.printed import SETTINGS, Constants
from games.masked_mischief.words import Code, Facing, Kind, Space
from games.sight import Fact, Seat, each_own, everyone, nobody, seen_by


class Tile(Fact, frozen=True, tag=False):
    """Face down on the board; `by` is a Trick's owner or a Treat's layer, who knows the face."""

    kind: Kind
    by: Seat
    code: Annotated[Code, seen_by("by", of="by")]


class Flipped(Fact, frozen=True, tag=False):
    """Q42: a Trick whose text is not finished. It fills its space and is not on the board."""

    owner: Seat
    code: Annotated[Code, everyone()]


class Held(Fact, frozen=True, tag=False):
    """A Treat in a hand; its place in the hand is public, its face is for `known` alone."""

    known: tuple[Seat, ...]
    code: Annotated[Code, seen_by("known", of="known")]


class Played(Fact, frozen=True, tag=False):
    """A Treat whose effect is not finished."""

    user: Seat
    code: Annotated[Code, everyone()]


class State(rules.State, frozen=True, kw_only=True):
    """Tuples go by seat.

    `spaces` lists the board: the loop clockwise, then every arm from its skull inwards, then the
    centre; each with its kind (`plain`, `skull`, `house:<id>`, `arm:<skull>`, `centre`) and where
    it is drawn, x to the right and y downwards.
    `variants` holds the options that differ from the printed rules, `visits` counts by
    `mask@house`, `given` is what the Big Bowl has given so far, `ltgb` is empty while the tile
    LET THE GAMES BEGIN is off the board.
    """

    board: str
    spaces: tuple[tuple[Space, str, int, int], ...] = ()
    variants: dict[str, str] = {}
    youth: tuple[Seat, ...]
    characters: tuple[str, ...]
    homes: tuple[Space, ...]
    at: tuple[Space, ...]
    facing: tuple[Facing, ...]
    masks: tuple[str, ...]
    spares: tuple[str, ...]
    unused: tuple[str, ...] = ()
    candy: tuple[int, ...]
    given: int = 0
    cauldrons: tuple[int, ...]
    visits: dict[str, int] = {}
    deposited: dict[str, int] = {}
    haunted: int = 0
    ltgb: Space = ""
    hands: tuple[tuple[Held, ...], ...]
    bags: Annotated[tuple[tuple[Code, ...], ...], each_own(counted=True)]
    placing: Annotated[tuple[tuple[Code, ...], ...], each_own(counted=True)]
    treats: Annotated[tuple[Code, ...], nobody(counted=True)]
    tiles: dict[Space, Tile] = {}
    flipped: dict[Space, Flipped] = {}
    played: tuple[Played, ...] = ()
    skips: tuple[int, ...]
    ignores: tuple[int, ...]
    doubles: tuple[int, ...]
    gambles: tuple[int, ...]
    replaced: tuple[int, ...]
    cleaning: tuple[int, ...]
    sticky: tuple[int, ...]
    begun: tuple[int, ...]
    """Whether a seat's first turn is over."""
    bought: tuple[str, ...] = ()
    active: Seat = 0
    turn: int = 0
    winner: Seat | None = None

    @property
    def map(self) -> Board:
        return SETTINGS[self.board].board

    @property
    def constants(self) -> Constants:
        return SETTINGS[self.board].constants

    def plays(self, option: str, value: str) -> bool:
        """Whether the match is played with that value of an option, where it is not the default."""
        return self.variants.get(option) == value

    @property
    def seats(self) -> int:
        return len(self.at)

    def left(self, seat: Seat) -> Seat:
        """Q7: seats are clockwise, turns go to the left."""
        return (seat + 1) % len(self.at)

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """Table order from the seat, itself left out."""
        n = len(self.at)
        return tuple([(seat + i) % n for i in range(1, n)])

    def round_from(self, first: Seat) -> tuple[Seat, ...]:
        """Everybody, `first` first."""
        return (first, *self.others(first))

    def in_house(self, seat: Seat) -> bool:
        return self.at[seat] in self.map.house_at

    def outside(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """R30: those of the seats that another player's tile can move."""
        return tuple([seat for seat in seats if not self.in_house(seat)])

    def blank(self, space: Space) -> bool:
        """Q12: whether a plain space holds no tile."""
        if space in self.tiles or space in self.flipped or space == self.ltgb:
            return False
        return not (self.plays("place_under_figures", "false") and space in self.at)

    def blanks(self) -> tuple[Space, ...]:
        if self.plays("place_under_figures", "false"):
            return tuple([space for space in self.map.plain if self.blank(space)])
        tiles, flipped, ltgb = self.tiles, self.flipped, self.ltgb
        return tuple(
            [s for s in self.map.plain if s not in tiles and s not in flipped and s != ltgb]
        )

    def tricks_of(self, seat: Seat) -> tuple[Space, ...]:
        """Where the seat's own Tricks lie, in the order of the board."""
        mine = {s for s, tile in self.tiles.items() if tile.kind == "trick" and tile.by == seat}
        return tuple([space for space in self.map.plain if space in mine])

    def foreign_tricks(self, seat: Seat) -> tuple[Space, ...]:
        theirs = {s for s, tile in self.tiles.items() if tile.kind == "trick" and tile.by != seat}
        return tuple([space for space in self.map.plain if space in theirs])

    def treats_on_board(self) -> int:
        return sum(tile.kind == "treat" for tile in self.tiles.values())

    def visits_to(self, house: str) -> int:
        """All visits to a House, whatever the mask."""
        return sum(n for key, n in self.visits.items() if key.partition("@")[2] == house)

    def left_in_bowl(self, wanted: int) -> int:
        """Q16: as much of it as the Big Bowl can still give."""
        supply = self.constants.candy_supply
        return wanted if supply is None else min(wanted, supply - self.given)
