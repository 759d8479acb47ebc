"""Who sees what: declared once, on the field. Cutting and sealing derive from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from inspect import get_annotations
from operator import attrgetter
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec.structs import astuple, replace

Seat = int
Viewer = Seat | Literal["spectator", "auditor"]


class Audience(NamedTuple):
    """Who sees one value (None: everybody), and who knew it before."""

    seats: frozenset[Seat] | None
    of: frozenset[Seat] = frozenset()
    counted: bool = False

    def has(self, viewer: Viewer) -> bool:
        return viewer == "auditor" or self.seats is None or viewer in self.seats

    def news(self, everyone: frozenset[Seat]) -> frozenset[Seat]:
        """The seats that learn the value: those who see it and did not hold it."""
        return (everyone if self.seats is None else self.seats & everyone) - self.of


class Seen(NamedTuple):
    """A declaration: the fields which name the seats that see a value, and its former holder."""

    by: tuple[str, ...] | None
    of: str | None = None
    each: bool = False
    counted: bool = False

    def audience(self, field: Callable[[str], Any]) -> Audience:
        """Who sees it, where `field` gives the other fields of the same fact by name."""
        of = _seats(field, (self.of,)) if self.of else frozenset()
        return Audience(None if self.by is None else _seats(field, self.by), of, self.counted)

    def seats(self, fact: Fact) -> tuple[Seat, ...] | None:
        """The seats that see the value which is declared so in this fact; None is everybody."""
        if not self.by:
            return None if self.by is None else ()
        first = getattr(fact, self.by[0])
        if type(first) is int and len(self.by) == 1:
            return (first,)
        return tuple(sorted(_seats(fact.__getattribute__, self.by)))

    def shows(self, fact: Fact, viewer: Viewer) -> bool:
        """Whether the viewer sees the whole of the value that is declared so in this fact."""
        if viewer == "auditor":
            return True
        seats = self.seats(fact)
        return seats is None or viewer in seats

    def cover(self, field: Callable[[str], Any], value: Any, cover: Cover) -> Any:
        audience = self.audience(field)
        if not self.each:
            return cover(audience, value)
        seats = audience.seats or frozenset()
        if isinstance(value, dict):
            return {
                s: cover(audience._replace(seats=seats | {int(s)}), v) for s, v in value.items()
            }
        return tuple(cover(audience._replace(seats=seats | {s}), v) for s, v in enumerate(value))


def everyone(of: str | None = None) -> Seen:
    """Shown to all, on purpose; `of` names the field of the seat whose secret it was."""
    return Seen(None, of)


def seen_by(*fields: str, of: str | None = None) -> Seen:
    """Seen by the seats named in these fields of the same fact."""
    return Seen(fields, of)


def each_own(*also: str, counted: bool = False) -> Seen:
    """A mapping or tuple by seat: each seat sees its own entry, the seats in `also` see all."""
    return Seen(also, None, each=True, counted=counted)


def nobody(*, counted: bool = False) -> Seen:
    """For the auditor alone."""
    return Seen((), counted=counted)


secret = object()
"""`Card = Annotated[str, secret]`: no field may hold a Card without saying who sees it."""

Cover = Callable[[Audience, Any], Any]


def snake(name: str) -> str:
    """`CandyPlayed` to `candy_played`; a second form of a stored event is `CandyPlayed_2`."""
    form = re.sub(r"_(\d+)$", r".\1", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", form).lower()


class Fact(msgspec.Struct, frozen=True, array_like=True, tag=snake, gc=False):
    """Plain data with a name, safe to store and to compare.

    Stored by position, so a field of a stored fact may be added at the end and nowhere else.
    """

    veil: ClassVar[Seen | None] = None
    """Hides the whole fact, its kind included, where the kind alone would tell."""


def covered(value: Any, cover: Cover) -> Any:
    """The value with every declared part given to `cover`, which returns what to show instead."""
    if isinstance(value, tuple):
        return tuple([x if type(x) is str or type(x) is int else covered(x, cover) for x in value])
    if isinstance(value, Fact):
        if _bare(type(value)):
            return value
        if value.veil:
            return cover(value.veil.audience(value.__getattribute__), value)
        changes = {}
        for name, seen in sights(type(value)):
            old = getattr(value, name)
            new = seen.cover(value.__getattribute__, old, cover) if seen else covered(old, cover)
            if new is not old:
                changes[name] = new
        return replace(value, **changes) if changes else value
    if isinstance(value, dict):
        return {key: covered(item, cover) for key, item in value.items()}
    if isinstance(value, list | set | frozenset):
        raise TypeError(f"{value!r}: facts hold tuples and dicts")
    return value


def cut(value: Any, viewer: Viewer) -> Any:
    """The value as JSON-ready data with the names of its fields, as far as the viewer may see it.

    What is hidden reads `{"hidden": true}`, or the number of things where those are counted.
    """
    return _cuts[type(value)](value, viewer)


class _Cuts(dict[type, Callable[[Any, Viewer], Any]]):
    """How values of a type are cut: that is found out once."""

    def __missing__(self, kind: type) -> Callable[[Any, Viewer], Any]:
        made = self[kind] = _cut_of(kind)
        return made


_cuts = _Cuts()


def _cut_of(kind: type) -> Callable[[Any, Viewer], Any]:
    if issubclass(kind, Fact):
        return _cut_small if _plain_to_all(kind) else _cut_fact
    if issubclass(kind, dict):
        return _cut_mapping
    return _cut_items if kind is tuple else _cut_nothing


def _cut_items(value: tuple[Any, ...], viewer: Viewer) -> Any:
    # Most items are ids and numbers: not looking up each of them halves the price of a view.
    return [x if type(x) is str or type(x) is int else _cuts[type(x)](x, viewer) for x in value]


def _cut_mapping(value: dict[Any, Any], viewer: Viewer) -> Any:
    return {str(key): cut(item, viewer) for key, item in value.items()}


def _cut_nothing(value: Any, viewer: Viewer) -> Any:
    return value


def _cut_fact(value: Fact, viewer: Viewer) -> dict[str, Any]:
    cls = type(value)
    if cls.veil and not cls.veil.shows(value, viewer):
        return {"hidden": True}
    names, tag, special = cut_plan(cls)
    out = dict(zip(names, (*tag, *astuple(value)), strict=True))
    for name, seen, same in special:
        part = out[name]
        if seen is not None:
            out[name] = cut_field(value, seen, part, viewer)
        else:
            out[name] = _cut_same(part) if same else cut(part, viewer)
    return out


def cut_field(fact: Fact, seen: Seen, part: Any, viewer: Viewer) -> Any:
    """`cut` of the value of a field of this fact which is declared so."""
    if seen.by is None and not seen.each:
        return cut(part, viewer)
    whole = seen.shows(fact, viewer)
    if seen.each:
        return _cut_each(seen, part, viewer, whole)
    if whole:
        return cut(part, viewer)
    return _covered_up(seen, part)


_seen: dict[int, tuple[Any, Any]] = {}
"""Cuts of parts that look the same to all, by the part's identity: states share most of theirs."""

_MOST_SEEN = 50_000


def _cut_same(part: Any) -> Any:
    found = _seen.get(id(part))
    if found is not None and found[0] is part:
        return found[1]
    if len(_seen) >= _MOST_SEEN:
        _seen.clear()
    shown = cut(part, "spectator")
    _seen[id(part)] = (part, shown)
    return shown


@cache
def _same_to_all(cls: type[Fact]) -> frozenset[str]:
    """The fields that may hold facts, and only such as look the same to all."""
    hints = get_type_hints(cls, include_extras=True)
    holding = [name for name, seen in sights(cls) if seen is None]
    return frozenset(name for name in holding if _hides_nothing(hints[name], cls))


def _cut_small(value: Fact, viewer: Viewer) -> Any:
    """A fact that looks the same to all. States hold the same few again and again."""
    try:
        return {**_cut_once(value)}
    except TypeError:  # a mapping inside can't be looked up
        return _cut_fact(value, "spectator")


@lru_cache(maxsize=16_384)
def _cut_once(value: Fact) -> dict[str, Any]:
    return _cut_fact(value, "spectator")


@cache
def _bare(cls: type[Fact]) -> bool:
    """Whether no part of such a fact is declared, not even as shown to all: that too is news."""
    return not cls.veil and not sights(cls)


@cache
def _plain_to_all(cls: type[Fact]) -> bool:
    """Whether no part of such a fact is ever hidden from anybody."""
    if cls.veil:
        return False
    hints = get_type_hints(cls, include_extras=True)
    return all(
        (seen is None or seen.by is None) and _hides_nothing(hints[name], cls)
        for name, seen in sights(cls)
    )


def _hides_nothing(hint: Any, inside: type[Fact]) -> bool:
    for part in _parts(hint):
        if part is Any or isinstance(part, TypeVar) or is_fact(get_origin(part)):
            return False
        if is_fact(part) and part is not inside:
            kinds = (part, *part.__subclasses__())
            if not all(_plain_to_all(kind) for kind in kinds):
                return False
    return True


def _cut_each(seen: Seen, part: Any, viewer: Viewer, whole: bool) -> Any:
    def entry(seat: Seat, item: Any) -> Any:
        if whole or seat == viewer:
            return cut(item, viewer)
        return _covered_up(seen, item)

    if isinstance(part, dict):
        return {str(seat): entry(int(seat), item) for seat, item in part.items()}
    return [entry(seat, item) for seat, item in enumerate(part)]


def _covered_up(seen: Seen, part: Any) -> dict[str, Any]:
    return {"hidden": len(part)} if seen.counted else {"hidden": True}


class Plan(NamedTuple):
    """The names that a fact is shown under, what stands before its values, and which need a look:
    how they are declared, else whether they are sure to look the same to all."""

    names: tuple[str, ...]
    tag: tuple[str, ...]
    special: tuple[tuple[str, Seen | None, bool], ...]


@cache
def cut_plan(cls: type[Fact]) -> Plan:
    tag = cls.__struct_config__.tag
    same, names = _same_to_all(cls), cls.__struct_fields__
    special = tuple([(name, seen, name in same) for name, seen in sights(cls)])
    return Plan(("type", *names), (str(tag),), special) if tag else Plan(names, (), special)


def audiences(value: Any) -> list[Audience]:
    """Who sees the declared parts of the value, in order."""
    found: list[Audience] = []
    covered(value, lambda audience, part: found.append(audience))
    return found


def alike(fact: Fact) -> bool:
    """Whether it looks the same to all."""
    if _plain_to_all(type(fact)):
        return True
    return all(audience.seats is None for audience in audiences(fact))


Span = tuple[int, int, tuple[Seat, ...]]
"""Start and end of a hidden stretch of encoded bytes, and the seats which see it."""


def encode(fact: Fact) -> tuple[bytes, tuple[Span, ...]]:
    """The fact in msgpack, and which spans of those bytes are hidden from all but which seats."""
    spans: list[Span] = []
    begin = _beginnings[type(fact)]
    if begin is None or _may_hide(getattr(fact, begin[2])):
        _measure(fact, 0, spans)
    else:
        _measure_fact(begin[0], begin[1], fact, 0, spans)
    return _packed(fact), tuple(spans)


class _Beginnings(dict[type, "tuple[int, tuple[Run, ...], str] | None"]):
    """All but the last field of facts whose last may hold facts: it often hides nothing, and
    where it ends need not be measured then."""

    def __missing__(self, kind: type[Fact]) -> Any:
        made = None
        if kind.veil is None and not _plain_to_all(kind):
            start, runs = _runs(kind)
            plain, name, seen = runs[-1]
            made = (start, runs[:-1], name) if plain is None and seen is None else None
        self[kind] = made
        return made


_beginnings = _Beginnings()


def _may_hide(value: Any) -> bool:
    """Whether a part of the value may be hidden from somebody: a look at types, not at bytes."""
    names = _looked_at[type(value)]
    if names is None:
        return True
    if type(value) is tuple:
        return any(map(_may_hide, value))
    return any(map(_may_hide, [getattr(value, name) for name in names]))


class _LookedAt(dict[type, "tuple[str, ...] | None"]):
    """The fields of a type that tell; None where it is certain, or not known by types alone."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        made: tuple[str, ...] | None = ()
        if issubclass(kind, dict | list | set | frozenset):
            made = None
        elif issubclass(kind, Fact) and not _plain_to_all(kind):
            declared = sights(kind)
            hiding = any(seen is not None and seen.by is not None for _, seen in declared)
            made = None if hiding or kind.veil is not None else tuple([n for n, _ in declared])
        self[kind] = made
        return made


_looked_at = _LookedAt()


_packed = msgspec.msgpack.Encoder().encode


Measure = Callable[[Any, int, list[Span]], int]
"""Where a value's bytes end if they begin there; its hidden parts are added to the spans."""


class _Measures(dict[type, Measure]):
    """How values of a type are measured: every commit is, so that is found out once."""

    def __missing__(self, kind: type) -> Measure:
        made = self[kind] = _measure_of(kind)
        return made


_measures = _Measures()


def _measure(value: Any, at: int, spans: list[Span]) -> int:
    return _measures[type(value)](value, at, spans)


def _measure_of(kind: type) -> Measure:
    if issubclass(kind, Fact) and not _plain_to_all(kind):
        if kind.veil is not None and kind.veil.by is not None:
            return _measure_veiled
        return partial(_measure_fact, *_runs(kind))
    if issubclass(kind, dict):
        return _measure_mapping
    if issubclass(kind, list | set | frozenset):
        return _not_held
    return _measure_items if kind is tuple else _measure_plain


def _measure_plain(value: Any, at: int, spans: list[Span]) -> int:
    return at + len(_packed(value))


def _measure_items(value: tuple[Any, ...], at: int, spans: list[Span]) -> int:
    at += _head(len(value))
    for item in value:
        at = _measures[type(item)](item, at, spans)
    return at


def _measure_mapping(value: dict[Any, Any], at: int, spans: list[Span]) -> int:
    at += _head(len(value))
    for key, item in value.items():
        at = _measure(item, at + len(_packed(key)), spans)
    return at


def _not_held(value: Any, at: int, spans: list[Span]) -> int:
    raise TypeError(f"{value!r}: facts hold tuples and dicts")


def _measure_veiled(value: Fact, at: int, spans: list[Span]) -> int:
    seats = value.veil.seats(value) if value.veil else ()
    return _hide(value, seats or (), at, spans)


def _measure_fact(start: int, runs: tuple[Run, ...], value: Fact, at: int, spans: Any) -> int:
    at += start
    for plain, name, seen in runs:
        if plain is not None:
            at += len(_packed(plain(value))) - 1
            continue
        part = getattr(value, name)
        if seen is None:
            at = _measures[type(part)](part, at, spans)
        elif seen.each:
            at = _measure_each(value, seen, part, at, spans)
        else:
            at = _hide(part, seen.seats(value) or (), at, spans)
    return at


Run = tuple[Callable[[Fact], Any] | None, str, Seen | None]
"""How to get some fields in a row that hide nothing, or the one field that needs a look."""


@cache
def _runs(cls: type[Fact]) -> tuple[int, tuple[Run, ...]]:
    """How many bytes stand before the fields, and the fields in order."""
    how = {
        name: None if seen is not None and seen.by is None else seen for name, seen in sights(cls)
    }
    runs: list[Run] = []
    for name in cls.__struct_fields__:
        runs.append((None if name in how else _listed(name), name, how.get(name)))
    tag = cut_plan(cls).tag
    start = _head(len(runs) + len(tag)) + sum(map(len, map(_packed, tag)))
    return start, tuple(_joined(runs))


def _listed(*names: str) -> Callable[[Fact], Any]:
    """Gets the fields as a list, whose bytes are theirs behind a head of one byte."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda fact: [getattr(fact, names[0])]


def _joined(runs: list[Run]) -> Iterator[Run]:
    """Fields in a row that hide nothing are measured together, up to 15 of them."""
    row: list[str] = []
    for plain, name, seen in (*runs, (None, "", None)):
        if row and (plain is None or len(row) == 15):
            yield (_listed(*row), "", None)
            row = []
        if plain is not None:
            row.append(name)
        elif name:
            yield (None, name, seen)


def _measure_each(value: Fact, seen: Seen, part: Any, at: int, spans: list[Span]) -> int:
    also = seen.seats(value) or ()
    at += _head(len(part))
    if isinstance(part, dict):
        for seat, item in part.items():
            own = tuple(sorted({*also, int(seat)}))
            at = _hide(item, own, at + len(_packed(seat)), spans)
        return at
    for seat, item in enumerate(part):
        at = _hide(item, tuple(sorted({*also, seat})), at, spans)
    return at


def _hide(part: Any, seats: tuple[Seat, ...], at: int, spans: list[Span]) -> int:
    """A part that only some see is one span."""
    end = at + len(_packed(part))
    spans.append((at, end, seats))
    return end


def _head(count: int) -> int:
    """Bytes before the items of an array or a mapping."""
    return 1 if count < 16 else 3 if count < 65_536 else 5


class _Hidden:
    """Stands in decoded data where a seal stands in the public form."""

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN = _Hidden()

_opened = msgspec.msgpack.Decoder(ext_hook=lambda code, seal: HIDDEN)


def read(data: bytes) -> Any:
    """Public bytes, opened as far as may be, as plain data; HIDDEN where a seal still stands.

    Raises DecodeError.
    """
    try:
        return _opened.decode(data)
    except RecursionError:
        raise msgspec.DecodeError("parts lie in parts too deep") from None


Check = Callable[[Audience, bool], None]
"""Told of every declared part: who may see it, and whether it is hidden here."""


def named(hint: Any, data: Any, check: Check = lambda audience, hidden: None) -> Any:
    """What `read` gave, with the names that its type `hint` has for it.

    Equals `cut` of the same fact for the same viewer, counts aside. A fact of unknown kind
    (from a newer writer) is left as the list it is.
    """
    hint = plain_type(hint)
    if data is HIDDEN:
        return {"hidden": True}
    if isinstance(data, list):
        cls = _class_for(hint, data)
        if cls is not None:
            return _named_fact(cls, data, check)
    members = [plain_type(m) for m in get_args(hint)] if is_union(hint) else [hint]
    for member in members:
        origin, args = get_origin(member), get_args(member)
        if origin is tuple and isinstance(data, list):
            each = [args[0]] * len(data) if args[-1] is Ellipsis else args
            return [named(h, d, check) for h, d in zip(each, data, strict=False)]
        if origin is dict and isinstance(data, dict):
            return {str(k): named(args[1], d, check) for k, d in data.items()}
    return data


def _named_fact(hint: Any, data: list[Any], check: Check) -> Any:
    cls = get_origin(hint) or hint
    tag = cls.__struct_config__.tag
    out: dict[str, Any] = {"type": tag} if tag else {}
    fields = data[1:] if tag else data
    values = dict(zip(cls.__struct_fields__, fields, strict=False))
    how = dict(sights(cls))
    if cls.veil:
        check(cls.veil.audience(values.__getitem__), False)
    for name, value in values.items():
        field_hint = field_types(hint)[name]
        seen = how.get(name)
        if seen:
            value = _named_declared(seen, values, field_hint, value, check)
        else:
            value = named(field_hint, value, check)
        out[name] = value
    return out


def _named_declared(seen: Seen, values: dict[str, Any], hint: Any, value: Any, check: Check) -> Any:
    if not seen.each:
        check(seen.audience(values.__getitem__), value is HIDDEN)
        return named(hint, value, check)
    seen.cover(values.__getitem__, value, lambda audience, part: check(audience, part is HIDDEN))
    return named(hint, value, check)


@cache
def field_types(hint: Any) -> dict[str, Any]:
    """The types of a fact's fields, the parameters of a generic one and of its bases filled in."""
    cls = get_origin(hint) or hint
    given = dict(zip(getattr(cls, "__parameters__", ()), get_args(hint), strict=False))
    types: dict[str, Any] = {}
    for base in cls.__dict__.get("__orig_bases__", cls.__bases__):
        if is_fact(get_origin(base) or base):
            types |= field_types(_filled(base, given))
    hints = get_type_hints(cls, include_extras=True)
    own = [name for name in get_annotations(cls) if name in cls.__struct_fields__]
    return types | {name: _filled(hints[name], given) for name in own}


def _filled(hint: Any, given: dict[Any, Any]) -> Any:
    if isinstance(hint, TypeVar):
        return given.get(hint, Any)
    if get_origin(hint) is Annotated:
        return _filled(get_args(hint)[0], given)
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(given.get(p, Any) for p in parameters)] if parameters else hint


def _class_for(hint: Any, data: list[Any]) -> Any:
    """The member of the hint that the positional data is of, if it is a fact."""
    if is_union(hint):
        tag = data[0] if data and isinstance(data[0], str) else None
        return tags(hint).get(tag)
    return hint if is_fact(get_origin(hint) or hint) else None


@cache
def tags(union: Any) -> dict[Any, Any]:
    """The facts among its members by what they are stored as."""
    members = [m for m in map(plain_type, get_args(union)) if is_fact(get_origin(m) or m)]
    return {(get_origin(m) or m).__struct_config__.tag: m for m in members}


def plain_type(hint: Any) -> Any:
    return plain_type(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


def is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType)


@cache
def sights(cls: type[Fact]) -> tuple[tuple[str, Seen | None], ...]:
    """The fields that declare a sight, and those (None) that may hold facts which do.

    Raises TypeError where a field may hold a secret and does not say who sees it.
    """
    hints = get_type_hints(cls, include_extras=True)
    found: list[tuple[str, Seen | None]] = []
    for name in cls.__struct_fields__:
        parts = list(_parts(hints[name]))
        seen = [mark for mark in get_args(hints[name])[1:] if isinstance(mark, Seen)]
        if seen:
            found.append((name, seen[0]))
        elif secret in parts:
            raise TypeError(f"{cls.__name__}.{name}: say who sees it")
        elif any(p is Any or isinstance(p, TypeVar) or is_fact(p) for p in parts):
            found.append((name, None))
    return tuple(found)


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for part in (*get_args(hint), *getattr(hint, "__metadata__", ())):
        yield from _parts(part)


def is_fact(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Fact)


def _seats(field: Callable[[str], Any], names: tuple[str, ...]) -> frozenset[Seat]:
    seats: set[Seat] = set()
    for value in map(field, names):
        seats.update((value,) if isinstance(value, int) else value or ())
    return frozenset(seats)
