"""What a list of kids must keep to beyond the shape of its entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.ghosts_love_candy_too.bag_ops import Put, Serve
from games.ghosts_love_candy_too.ghost_ops import GhostDiscard
from games.ghosts_love_candy_too.kid_ops import KidReplace
from games.ghosts_love_candy_too.mods import Value, Worth
from games.ghosts_love_candy_too.sheet import Op
from games.ghosts_love_candy_too.treat_ops import Return

NOBODY_ASKS = {"YOU", "OTHER", "EACH_OTHER", "EACH_RICHER", "MY_TOPS", "own"}
HERE = {"SELF", "ADJ", "ADJ1", "TOP", "BOTTOM", "PRESENT", "MOST", "notJust", "RECEIVER"}

BARRED: dict[str, set[str]] = {
    "now": {"RECEIVER"},
    "afterPlace": HERE,
    "scared": NOBODY_ASKS,
    "end": {*NOBODY_ASKS, "RECEIVER"},
}
"""Words that mean nothing at that time: nobody haunts, or the kid lies in no row."""

ICONS = {
    "ON": ("on",),
    "WS": ("scare", "scared"),
    "EGN": ("end",),
    "EGS": ("worth",),
    "OS": ("stash", "afterPlace"),
}


def faults(row: Any) -> Iterator[str]:
    """What is wrong with one entry, in words."""
    effect = row.effect
    for key in BARRED:
        yield from _steps(key, getattr(effect, key))
    for mod in effect.on:
        if isinstance(mod, Value) and mod.lo > mod.hi:
            yield f"effect.on: `value` from {mod.lo} to {mod.hi} is no range"
    special = any(isinstance(mod, Worth) for mod in effect.worth)
    if special == (row.points is not None):
        yield "points: null with a `worth` among the modifiers, a number without"
    icons = _icons(effect)
    if set(row.icons) != icons or len(row.icons) != len(icons):
        yield f"icons: {list(row.icons)}, but the effect says {sorted(icons)}"


def _steps(key: str, steps: tuple[Op, ...]) -> Iterator[str]:
    for at, op in enumerate(steps):
        where = f"effect.{key}[{at}]"
        before = steps[:at]
        words = _words(op)
        for word in sorted(words & BARRED[key]):
            yield f"{where}: {word} means nobody and nothing under `{key}`"
        if op.ifDone and not before:
            yield f"{where}: `ifDone` needs a step before it"
        if "RETURNED" in words and not any(isinstance(step, Return) for step in before):
            yield f"{where}: RETURNED needs a `return` before it"
        if "NEW" in words and not any(isinstance(step, KidReplace) for step in before):
            yield f"{where}: NEW needs a `kidReplace` before it"
        if key in ("scared", "end"):
            yield from _unasked(where, op, words)


def _unasked(where: str, op: Op, words: set[str]) -> Iterator[str]:
    """Where nobody is YOU, nobody may be asked what only YOU choose."""
    chosen = words & {"ADJ1", "OTHER_KID", "ANY_KID", "END_KID"}
    if isinstance(op, GhostDiscard) and chosen:
        yield f"{where}: nobody is there to choose {', '.join(sorted(chosen))}"
    if op.may and isinstance(op, GhostDiscard | Put | Serve):
        yield f"{where}: nobody is there to say yes or no"


def _words(op: Op) -> set[str]:
    values = {getattr(op, name) for name in op.__struct_fields__}
    return {value for value in values if isinstance(value, str)}


def _icons(effect: Any) -> set[str]:
    icons = {icon for icon, keys in ICONS.items() if any(getattr(effect, key) for key in keys)}
    later = [part for keys in ICONS.values() for key in keys for part in getattr(effect, key)]
    if any("ADJ" in _words(part) for part in later):
        icons.add("AAK")
    return icons
