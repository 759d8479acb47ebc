"""Facts as clients get them: objects with the names of their fields, for the document."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from games.match import Match
from games.referee import AnyTableEvent
from games.sight import Fact, sights

TEMPLATE = "#/components/schemas/{name}"

APART = ("closed", "seed")
"""Fields of the match that a view shows elsewhere, or not at all."""


def match_events() -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of all facts on a match, which all games share, and of each of them."""
    members = [get_origin(member) or member for member in get_args(AnyTableEvent)]
    union: Any = reduce(or_, [_shape(member) for member in members])
    (schema,), parts = msgspec.json.schema_components((union,), ref_template=TEMPLATE)
    return schema, parts


def match() -> dict[str, Any]:
    """The schemas of the match in a view, and of what it holds."""
    return msgspec.json.schema_components((_shape(Match, APART),), ref_template=TEMPLATE)[1]


@cache
def _shape(fact: type[Fact], without: tuple[str, ...] = ()) -> Any:
    """The fact as an object; what is declared may be hidden."""
    hints = get_type_hints(fact)
    seen = {name for name, declared in sights(fact) if declared}
    fields = []
    for name in fact.__struct_fields__:
        if name not in without:
            hint = _plain(hints[name])
            fields.append((name, hint | dict[str, bool] if name in seen else hint))
    tag = fact.__struct_config__.tag
    made: dict[str, Any] = {"tag": tag, "tag_field": "type"} if tag else {}
    return msgspec.defstruct(fact.__name__, fields, namespace={"__doc__": fact.__doc__}, **made)


def _plain(hint: Any) -> Any:
    """The type with objects in the place of facts."""
    if isinstance(hint, type) and issubclass(hint, Fact):
        return _shape(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return reduce(or_, map(_plain, args))
    if origin in (tuple, dict, list):
        return origin[tuple(_plain(arg) for arg in args)]
    return hint
