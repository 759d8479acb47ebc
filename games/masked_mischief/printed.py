"""Everything printed: tiles, masks, characters, the numbers of the rules, the two boards."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from games.game import BadData
from games.masked_mischief import atlas
from games.masked_mischief.board import Board

Some = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trick: Count
    treat: Count
    mask: Count


class MaxBuy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trick: Count
    treat: Count


class Constants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules; a supply of None never runs out (Q16)."""

    start_candy: Count
    setup_tricks: Count
    setup_treats: Count
    die: Some
    race_at: Some
    end_visits: Some
    house_pay: tuple[Count, ...]
    price: Price
    max_buy: MaxBuy
    treat_extra: Count
    candy_supply: Count | None


class Tile(msgspec.Struct, frozen=True):
    id: str
    name: str
    copies: int | dict[str, int]
    rule: str
    text: str
    source: dict[str, str]

    def count(self, seats: int) -> int:
        """How many of it a bag holds."""
        if isinstance(self.copies, int):
            return self.copies
        return self.copies["2-4" if seats <= 4 else "5-6"]


class Mask(msgspec.Struct, frozen=True):
    id: str
    name: str
    power: str
    text: str
    rule: str
    source: str
    only: str = ""


class _Table(msgspec.Struct, frozen=True):
    constants: dict[str, Any]
    masks: tuple[Mask, ...]
    characters: tuple[str, ...]


class _Tiles(msgspec.Struct, frozen=True):
    tricks: tuple[Tile, ...]
    treats: tuple[Tile, ...]


class _Boards(msgspec.Struct, frozen=True):
    boards: tuple[msgspec.Raw, ...]


_DATA = files(__package__) / "data"
_TEXTS = [(_DATA / name).read_bytes() for name in ("table.json", "tiles.json", "boards.json")]
_table = msgspec.json.decode(_TEXTS[0], type=_Table)
_tiles = msgspec.json.decode(_TEXTS[1], type=_Tiles)

DATA = b"".join(_TEXTS)
TRICKS = {tile.id: tile for tile in _tiles.tricks}
TREATS = {tile.id: tile for tile in _tiles.treats}
TILES = {**TRICKS, **TREATS}
MASKS = {mask.id: mask for mask in _table.masks}


class Setting:
    """A board and the numbers it is played with; `key` is what a state knows it by."""

    def __init__(self, key: str, board: Board, constants: Constants) -> None:
        self.key = key
        self.board = board
        self.constants = constants


SETTINGS: dict[str, Setting] = {}
"""The printed boards, and those of the editions loaded."""


def setting(data: bytes, mark: str = "") -> Setting:
    """Take in a board file; `mark` sets apart files of the same id. Raises BadData."""
    given = atlas.read(data)
    try:
        constants = msgspec.convert({**_table.constants, **given.constants}, Constants)
    except msgspec.ValidationError as error:
        raise BadData(f"constants: {error}") from None
    made = Setting(given.id + mark, atlas.board(given, _table.characters), constants)
    SETTINGS[made.key] = made
    return made


PRINTED = tuple(
    setting(bytes(raw)).board for raw in msgspec.json.decode(_TEXTS[2], type=_Boards).boards
)


def masks_for(seats: int) -> tuple[str, ...]:
    """Five masks; six players need the sixth, which has no power."""
    return tuple([id for id, mask in MASKS.items() if seats > 5 or not mask.only])


def trick_bag(all_one: bool) -> tuple[str, ...]:
    """Q11: every player's Tricks."""
    return tuple([t.id for t in TRICKS.values() for _ in range(1 if all_one else t.count(2))])


def treat_bag(seats: int) -> tuple[str, ...]:
    return tuple([t.id for t in TREATS.values() for _ in range(t.count(seats))])
