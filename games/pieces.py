"""Views in pieces of JSON: what did not change since the last commit is not cut and encoded again.

A state is changed by replacing, so all but a few of its parts are the very objects that they were
before; what they look like is kept under their identity. Who sees what is decided by `sight` alone:
a view in pieces encodes to the same bytes as the view that `cut` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple, replace

from games.forms import Form, OneOf, Option, Subset, choice
from games.sight import Fact, Seen, Viewer, cut, cut_field, cut_plan

MOST = 8192
"""Objects in one generation of what is kept."""

encoded = msgspec.json.Encoder().encode


class Kept:
    """What was made of objects, under their identity: they are held, so it stays their own.

    Keys begin with `id(of)`. Look into `young` first; there are two generations, and when the
    younger is full the older is forgotten as a whole.
    """

    def __init__(self, most: int = MOST) -> None:
        self.young: dict[Hashable, tuple[Any, Any]] = {}
        self._old: dict[Hashable, tuple[Any, Any]] = {}
        self._most = most

    def __len__(self) -> int:
        return len(self.young) + len(self._old)

    def get(self, of: Any, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives, unless it was made lately."""
        found = self.young.get(key) or self._old.get(key)
        if found is None:
            found = of, make()
        if len(self.young) >= self._most:
            self._old = dict(self.young)
            self.young.clear()
        self.young[key] = found
        return found[1]


_kept = Kept()
_young = _kept.young


class _Plan(NamedTuple):
    """How a fact is shown: its names and what stands before its values, then the names of fields

    that hold what looks the same to all, that hold what may not, that show each seat its own (with
    a number for how that is declared), that are only counted, and that hang on other fields.
    """

    names: tuple[str, ...]
    tag: tuple[str, ...]
    same: tuple[str, ...]
    differing: tuple[str, ...]
    each: tuple[tuple[str, Seen, int], ...]
    counted: tuple[str, ...]
    declared: tuple[tuple[str, Seen], ...]


_numbers: dict[Seen, int] = {}


@cache
def _plan(cls: type[Fact], without: frozenset[str]) -> _Plan:
    names, tag, special = cut_plan(cls)
    same: list[str] = []
    differing: list[str] = []
    each, counted, declared = [], [], []
    for name, seen, alike in special:
        if name in without:
            continue
        if seen is None or seen.by is None:
            (same if alike else differing).append(name)
        elif seen.by or not (seen.each or seen.counted):
            declared.append((name, seen))
        elif seen.each:
            each.append((name, seen, _numbers.setdefault(seen, len(_numbers))))
        else:
            counted.append(name)
    return _Plan(
        names, tag, tuple(same), tuple(differing), tuple(each), tuple(counted), tuple(declared)
    )


def pieces(value: Fact, viewer: Viewer, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """`cut` of a fact that is not veiled, for msgspec's JSON encoder alone."""
    plan = _plan(type(value), without)
    out = dict(zip(plan.names, (*plan.tag, *astuple(value)), strict=True))
    for name in without:
        out.pop(name, None)
    for name in plan.same:
        part = out[name]
        if part:
            found = _young.get((id(part), "spectator"))
            out[name] = piece(part, "spectator") if found is None else found[1]
    for name in plan.differing:
        if out[name]:
            out[name] = piece(out[name], viewer)
    for name, seen, number in plan.each:
        part = out[name]
        found = _young.get((id(part), viewer, number))
        out[name] = _own(value, seen, number, part, viewer) if found is None else found[1]
    for name in plan.counted:
        if viewer != "auditor":
            out[name] = {"hidden": len(out[name])}
        elif out[name]:
            out[name] = piece(out[name], viewer)
    for name, seen in plan.declared:
        out[name] = cut_field(value, seen, out[name], viewer)
    return out


def piece(part: Any, viewer: Viewer) -> Any:
    """`cut` of a part of a fact as JSON."""
    return _kept.get(part, (id(part), viewer), lambda: msgspec.Raw(encoded(cut(part, viewer))))


def _own(fact: Fact, seen: Seen, number: int, part: Any, viewer: Viewer) -> Any:
    key = (id(part), viewer, number)
    return _kept.get(part, key, lambda: msgspec.Raw(encoded(cut_field(fact, seen, part, viewer))))


def fact_piece(fact: Fact, viewer: Viewer, without: frozenset[str]) -> Any:
    """`pieces` of a fact that seldom changes, as one."""
    key = (id(fact), viewer, without)
    found = _young.get(key)
    if found is not None:
        return found[1]
    return _kept.get(fact, key, lambda: msgspec.Raw(encoded(pieces(fact, viewer, without))))


class _Shape(NamedTuple):
    """How a new fact is shown: its twin of named fields, and which of them need a look: their
    places, how they are declared, else whether they are sure to look the same to all."""

    twin: Callable[..., Any]
    special: tuple[tuple[int, Seen | None, bool], ...]


@cache
def _shape(cls: type[Fact]) -> _Shape | None:
    """None where its kind may be hidden too."""
    if cls.veil is not None:
        return None
    _, tag, special = cut_plan(cls)
    names = cls.__struct_fields__
    named: dict[str, Any] = {"tag_field": "type", "tag": tag[0]} if tag else {}
    twin = msgspec.defstruct(cls.__name__, [(name, Any) for name in names], gc=False, **named)
    return _Shape(twin, tuple([(names.index(name), seen, same) for name, seen, same in special]))


def new_pieces(facts: Iterable[Fact], viewer: Viewer) -> list[Any]:
    """`cut` of facts that were not looked at before, for msgspec's JSON encoder alone."""
    return [_new_piece(fact, viewer) for fact in facts]


def _new_piece(fact: Fact, viewer: Viewer) -> Any:
    shape = _shape(type(fact))
    if shape is None:
        return cut(fact, viewer)
    twin, special = shape
    if not special:
        return twin(*astuple(fact))
    values = list(astuple(fact))
    for at, seen, same in special:
        part = values[at]
        if seen is not None:
            values[at] = cut_field(fact, seen, part, viewer)
        else:
            small = same and isinstance(part, Fact)
            values[at] = _small_piece(part) if small else cut(part, viewer)
    return twin(*values)


def _small_piece(part: Fact) -> Any:
    """A fact that looks the same to all: few of them come again and again."""
    try:
        return _small(part)
    except TypeError:  # a mapping inside can't be looked up
        return cut(part, "spectator")


@lru_cache(maxsize=16_384)
def _small(part: Fact) -> msgspec.Raw:
    return msgspec.Raw(encoded(cut(part, "spectator")))


def form_piece(form: Form[Any]) -> Any:
    """A form's page for the JSON encoder. The same few forms are shown again and again."""
    if isinstance(form, OneOf | Subset) and _all_options(frozenset(map(type, form.options))):
        return _page(form)
    return form.page()


@lru_cache(maxsize=1024)
def _all_options(kinds: frozenset[type]) -> bool:
    """Equal options look the same. Numbers and truth values may be equal and do not."""
    return all(issubclass(kind, Option) for kind in kinds)


@lru_cache(maxsize=4096)
def _page(form: OneOf[Any] | Subset[Any]) -> msgspec.Raw:
    shown: Any = replace(form, options=tuple([_choice(option) for option in form.options]))
    return msgspec.Raw(encoded(shown))


@lru_cache(maxsize=16_384)
def _choice(option: Option) -> msgspec.Raw:
    return msgspec.Raw(encoded(choice(option)))
