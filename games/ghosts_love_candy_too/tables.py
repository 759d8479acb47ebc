"""The printed numbers: treats, cravings, and what differs with the count of players."""

from __future__ import annotations

from pathlib import Path

import msgspec

DATA = Path(__file__).parent / "data"


class TreatRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    count: int
    worth: int | str
    source: str


class CravingRow(msgspec.Struct, frozen=True):
    id: str
    values: dict[str, int]
    source: str


class GhostRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    values: tuple[int, ...]
    source: str


class SeatRow(msgspec.Struct, frozen=True):
    """By players: kids in the row, sets each, rounds, and the starting treats (G11-G17, G62)."""

    players: int
    kids: int
    sets: int = msgspec.field(name="setsEach")
    rounds: int
    draw: int
    keep: int


class Tables(msgspec.Struct, frozen=True, rename="camel"):
    treats: tuple[TreatRow, ...]
    ghosts: tuple[GhostRow, ...]
    cravings: tuple[CravingRow, ...]
    player_counts: tuple[SeatRow, ...]


RAW = (DATA / "tables.json").read_bytes()
TABLES = msgspec.json.decode(RAW, type=Tables)

FIXED = {row.id: row.worth for row in TABLES.treats if isinstance(row.worth, int)}
TREATS = {row.id: row.count for row in TABLES.treats}
CRAVINGS = {row.id: row.values for row in TABLES.cravings}
SEATS = {row.players: row for row in TABLES.player_counts}
