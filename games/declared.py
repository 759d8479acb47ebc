"""Whether what facts declare can be kept: looked at once, when a game's codec is made.

A hidden part is sealed and opened whole. So a part that is for some seats may hold nothing that
keeps something back from one of these: a cut would hide it, the page of the log would not.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin

from games.sight import Fact, Seen, field_types, is_fact, is_union, plain_type, sights

PLAIN = (str, int, bool, float, bytes, NoneType, Any)


def check(hint: Any) -> None:
    """Raises TypeError where a fact that may be met in the type declares what can't be kept."""
    for fact in facts_below(hint):
        cls = get_origin(fact) or fact
        how = dict(sights(cls))
        for name, seen in how.items():
            if seen:
                _check_names(cls, name, seen, how)
        if cls.veil:
            _check_names(cls, "veil", cls.veil, how)
            _check_veiled(fact, cls.veil)
        for name, hint in field_types(fact).items():
            seen = how.get(name)
            if seen and seen.by is not None:
                _check_whole(f"{cls.__name__}.{name}", hint)


def _check_names(cls: type[Fact], name: str, seen: Seen, how: dict[str, Seen | None]) -> None:
    """Who sees it follows from fields of the same fact that all see."""
    for field in (*(seen.by or ()), *((seen.of,) if seen.of else ())):
        if field not in cls.__struct_fields__:
            raise TypeError(f"{cls.__name__}.{name}: there is no field {field}")
        other = how.get(field)
        if other and other.by is not None:
            raise TypeError(f"{cls.__name__}.{name}: not everybody sees {field}")


def _check_veiled(fact: Any, veil: Seen) -> None:
    """A veiled fact's own fields may name who sees the whole of it, and more."""
    cls = get_origin(fact) or fact
    how = dict(sights(cls))
    for name, hint in field_types(fact).items():
        seen = how.get(name)
        if seen and seen.by is not None and not set(veil.by or ()) <= set(seen.by):
            raise TypeError(f"{cls.__name__}.{name}: who sees the fact is shown it whole")
        _check_whole(f"{cls.__name__}.{name}", hint)


def _check_whole(where: str, hint: Any) -> None:
    """What is shown whole keeps nothing back."""
    if _is_open(hint):
        raise TypeError(f"{where}: say what it holds, for it may keep something back")
    for fact in facts_below(hint):
        cls = get_origin(fact) or fact
        kept = [name for name, seen in sights(cls) if seen and seen.by is not None]
        if kept or cls.veil:
            inner = f"{cls.__name__}.{kept[0]}" if kept else cls.__name__
            raise TypeError(f"{where}: who sees it is shown it whole, {inner} too")


def facts_below(hint: Any) -> Iterator[Any]:
    """Every fact that may be met in a value of the type, in facts inside facts too."""
    found: dict[Any, None] = dict.fromkeys(_held(hint))
    todo = list(found)
    while todo:
        for inner in field_types(todo.pop()).values():
            new = [fact for fact in _held(inner) if fact not in found]
            found |= dict.fromkeys(new)
            todo += new
    yield from found


def _held(hint: Any) -> Iterator[Any]:
    """The facts that a value of the type is or holds. Raises TypeError where no fact holds such."""
    hint = plain_type(hint)
    origin, args = get_origin(hint), get_args(hint)
    if is_fact(origin or hint):
        yield hint
    elif origin is dict:
        yield from _held(args[1])
    elif is_union(hint) or origin is tuple:
        for arg in args:
            if arg is not Ellipsis:
                yield from _held(arg)
    elif origin is not Literal and hint not in PLAIN and not isinstance(hint, TypeVar):
        raise TypeError(f"{hint}: facts hold facts, tuples, dicts and plain values")


def _is_open(hint: Any) -> bool:
    """Whether anything at all may stand there."""
    hint = plain_type(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    return get_origin(hint) is not Literal and any(map(_is_open, get_args(hint)))
