"""Reads a list of kids, ours or a publisher's, and checks it entry by entry."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from games.game import BadData
from games.ghosts_love_candy_too import bag_ops, ghost_ops, kid_ops, treat_ops
from games.ghosts_love_candy_too.checks import faults
from games.ghosts_love_candy_too.mods import OnMod, ScareMod, StashMod, WorthMod
from games.ghosts_love_candy_too.sheet import SHEETS, Effect, Icon, Kid, Sheet
from games.ghosts_love_candy_too.tables import DATA

AnyOp = (
    bag_ops.Draw
    | bag_ops.Put
    | bag_ops.Search
    | bag_ops.Serve
    | ghost_ops.GhostDiscard
    | ghost_ops.GhostMove
    | ghost_ops.GhostOrder
    | kid_ops.KidReplace
    | kid_ops.KidSwap
    | kid_ops.Peek
    | kid_ops.ScaredDrop
    | kid_ops.ScaredMove
    | kid_ops.WinTies
    | treat_ops.Lay
    | treat_ops.Pass
    | treat_ops.Return
    | treat_ops.Shift
    | treat_ops.Take
    | treat_ops.Toss
    | treat_ops.Trade
    | treat_ops.Transfer
)
NowOp = AnyOp | ghost_ops.GhostExchange | ghost_ops.GhostSink | kid_ops.Copy | kid_ops.KidToEnd
ScaredOp = (
    bag_ops.Draw
    | bag_ops.Put
    | bag_ops.Serve
    | ghost_ops.GhostDiscard
    | treat_ops.Take
    | treat_ops.Toss
)
EndOp = bag_ops.Draw | kid_ops.JunkWorth | kid_ops.Score | treat_ops.Take | treat_ops.Toss

FEWEST = 9
"""Kids a list must have: a full row for six players, and one for the deck."""


class EffectRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An effect in a data file: steps and modifiers by the time they act."""

    now: tuple[NowOp, ...] = ()
    on: tuple[OnMod, ...] = ()
    stash: tuple[StashMod, ...] = ()
    afterPlace: tuple[AnyOp, ...] = ()
    scare: tuple[ScareMod, ...] = ()
    scared: tuple[ScaredOp, ...] = ()
    end: tuple[EndOp, ...] = ()
    worth: tuple[WorthMod, ...] = ()


class KidRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kid in a data file. `points` null: by a `worth`. The last four are for people."""

    number: Annotated[int, Meta(ge=1)]
    name: Annotated[str, Meta(min_length=1)]
    courage: Annotated[int, Meta(ge=1)]
    points: int | None
    text: str
    icons: tuple[Icon, ...] = ()
    easy: bool = False
    effect: EffectRow
    source: str = ""
    at: str = ""
    ours: tuple[str, ...] = ()
    note: str = ""


class Listing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A data file; its entries are read one by one, so that all errors are told at once."""

    edition: str
    kids: tuple[Any, ...]
    title: str = ""


Slug = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]{0,39}$")]


def listing(text: bytes) -> Listing:
    """Raises BadData."""
    try:
        read = msgspec.json.decode(text, type=Listing)
    except msgspec.DecodeError as error:
        raise BadData(f"the file: {error}") from None
    try:
        msgspec.convert(read.edition, Slug)
    except msgspec.ValidationError:
        why = "is no id: small letters, digits and `-`, at most 40"
        raise BadData(f"the file: edition {read.edition!r} {why}") from None
    return read


def rows(entries: tuple[Any, ...]) -> list[KidRow]:
    """Every entry, checked. Raises BadData with all that is wrong."""
    errors, good = [], []
    for place, entry in enumerate(entries, 1):
        try:
            row = msgspec.convert(entry, KidRow)
        except msgspec.ValidationError as error:
            errors.append(f"{_called(place, entry)}: {_why(error)}")
            continue
        good.append(row)
        errors += [f"{_called(place, entry)}: {fault}" for fault in faults(row)]
    for number, times in Counter(row.number for row in good).items():
        if times > 1:
            names = ", ".join(row.name for row in good if row.number == number)
            errors.append(f"kid {number}: {times} entries have this number: {names}")
    if len(entries) < FEWEST:
        errors.append(f"the file: {len(entries)} kids; at least {FEWEST} are needed")
    if errors:
        raise BadData(*errors)
    return good


def _called(place: int, entry: Any) -> str:
    """How an error names an entry: by number and name as far as it has them."""
    fields = entry if isinstance(entry, dict) else {}
    number, name = fields.get("number"), fields.get("name")
    start = f"kid {number}" if isinstance(number, int) else f"entry {place}"
    return f"{start} ({name})" if isinstance(name, str) else start


def _why(error: msgspec.ValidationError) -> str:
    """What is wrong, with our word for a step or modifier that the vocabulary has not."""
    unknown = re.fullmatch(r"Invalid value ('.*') - at (`.*\.(op|mod)`)", str(error))
    if unknown is None:
        return str(error)
    word = {"op": "operation", "mod": "modifier"}[unknown[3]]
    return f"unknown {word} {unknown[1]} for this time - at {unknown[2]}"


def enlist(edition: str, entries: tuple[Any, ...]) -> Sheet:
    """The kids of an edition, for its matches to find. Raises BadData."""
    kids = {row.number: _kid(row) for row in rows(entries)}
    SHEETS[edition] = Sheet(edition, kids)
    return SHEETS[edition]


def _kid(row: KidRow) -> Kid:
    effect = row.effect
    return Kid(
        row.number,
        row.name,
        row.courage,
        row.points or 0,
        row.icons,
        row.text,
        row.easy,
        row.source,
        Effect(**{key: getattr(effect, key) for key in effect.__struct_fields__}),
    )


RAW = (DATA / "kids.json").read_bytes()
OURS = enlist("", msgspec.json.decode(RAW, type=Listing).kids)
