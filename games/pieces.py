"""Views in pieces of JSON: what did not change since the last commit is not cut and encoded again.

A state is changed by replacing, so all but a few of its parts are the very objects that they were
before; what they look like is kept under their identity. Who sees what is decided by `sight` alone:
a view in pieces encodes to the same bytes as the view that `cut` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec
from msgspec.structs import astuple

from games.forms import Form, OneOf, Option, Subset
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


_Look = Literal["same", "by viewer", "each", "count", "declared"]
"""What it takes to show a field: whether it holds what looks the same to all, holds what does not,
shows each seat its own, is for nobody but counted, or hangs on other fields of the fact."""


@cache
def _plan(
    cls: type[Fact], without: frozenset[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, Seen | None, _Look], ...]]:
    """The names a fact is shown under, what stands before its values, and what needs a look."""
    names, tag, special = cut_plan(cls)
    looks: list[tuple[str, Seen | None, _Look]] = []
    for name, seen, same in special:
        if name in without:
            continue
        look: _Look = "same" if same else "by viewer"
        if seen is not None:
            look = "declared"
            if seen.by == ():
                look = "each" if seen.each else "count" if seen.counted else "declared"
        looks.append((name, seen, look))
    return names, tag, tuple(looks)


def pieces(value: Fact, viewer: Viewer, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """`cut` of a fact that is not veiled, for msgspec's JSON encoder alone."""
    names, tag, special = _plan(type(value), without)
    out = dict(zip(names, (*tag, *astuple(value)), strict=True))
    for name in without:
        out.pop(name, None)
    for name, seen, look in special:
        part = out[name]
        if look == "same" or look == "by viewer":
            if part:
                eyes: Viewer = "spectator" if look == "same" else viewer
                found = _young.get((id(part), eyes))
                out[name] = piece(part, eyes) if found is None else found[1]
        elif look == "count" and viewer != "auditor":
            out[name] = {"hidden": len(part)}
        else:
            found = _young.get((id(part), viewer, seen)) if look == "each" else None
            out[name] = _declared(value, seen, part, viewer) if found is None else found[1]
    return out


def piece(part: Any, viewer: Viewer) -> Any:
    """`cut` of a part of a fact as JSON."""
    return _kept.get(part, (id(part), viewer), lambda: msgspec.Raw(encoded(cut(part, viewer))))


def _declared(fact: Fact, seen: Any, part: Any, viewer: Viewer) -> Any:
    whole = seen.shows(fact, viewer)
    if not whole and not seen.each:
        return cut_field(fact, seen, part, viewer)
    # Who sees the whole of what hangs on other fields sees it today, perhaps not tomorrow.
    key = (id(part), viewer, seen, whole) if seen.by else (id(part), viewer, seen)
    return _kept.get(part, key, lambda: msgspec.Raw(encoded(cut_field(fact, seen, part, viewer))))


def fact_piece(fact: Fact, viewer: Viewer, without: frozenset[str]) -> Any:
    """`pieces` of a fact that seldom changes, as one."""
    key = (id(fact), viewer, without)
    found = _young.get(key)
    if found is not None:
        return found[1]
    return _kept.get(fact, key, lambda: msgspec.Raw(encoded(pieces(fact, viewer, without))))


def form_piece(form: Form[Any]) -> Any:
    """A form's page for the JSON encoder. The same few forms are shown again and again."""
    if isinstance(form, OneOf | Subset) and all(map(_is_option, set(map(type, form.options)))):
        return _page(form)
    return form.page()


def _is_option(kind: type) -> bool:
    """Equal options look the same. Numbers and truth values may be equal and do not."""
    return issubclass(kind, Option)


@lru_cache(maxsize=4096)
def _page(form: Form[Any]) -> msgspec.Raw:
    return msgspec.Raw(encoded(form.page()))
