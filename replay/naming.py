"""The names of stored facts, as the stand-alone verifier holds them; `make openapi` writes them.

What its lines mean is said beside them, in that file. What is the same in every game stands apart.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

from games.catalog import GAMES
from games.declared import facts_below
from games.game import Game
from games.sight import Seen, field_types, is_fact, plain_type, sights

VERIFIER = Path(__file__).with_name("standalone.py")

SHIPPED = tuple(GAMES.values())

_TABLE = re.compile(r'(?<=^FACTS = r""").*?(?=^""")', re.DOTALL | re.MULTILINE)


def table() -> str:
    """The whole table, as text."""
    games = {game.id: _facts(game) for game in SHIPPED}
    first, *rest = games.values()
    common = {line: None for line in first if all(line in other for other in rest)}
    sections = {"every game": [*common]}
    for game, lines in games.items():
        sections[game] = [line for line in lines if line not in common]
    return "\n" + "".join(_section(name, lines) for name, lines in sections.items())


def held() -> str:
    """The table that the verifier's file holds now."""
    found = _TABLE.search(VERIFIER.read_text())
    assert found is not None
    return found[0]


def write() -> None:
    """Write today's table into the verifier's file."""
    made = table()
    VERIFIER.write_text(_TABLE.sub(lambda _: made, VERIFIER.read_text(), count=1))


def _section(name: str, lines: list[str]) -> str:
    wrapped = [
        textwrap.fill(
            line, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
        for line in lines
    ]
    return "\n".join([f"[{name}]", *wrapped, ""])


def _facts(game: Game) -> list[str]:
    kinds = dict.fromkeys([game.codec.commit, *facts_below(game.codec.commit)])
    lines = [_line(fact) for fact in kinds]
    names = [line.split()[0] for line in lines]
    assert len(set(names)) == len(names), "two facts of one name"
    return lines


def _line(fact: Any) -> str:
    cls = get_origin(fact) or fact
    how = dict(sights(cls))
    fields = [
        name + _sight(how.get(name)) + _typed(hint) for name, hint in field_types(fact).items()
    ]
    return " ".join([_name(fact) + _sight(cls.veil), *fields])


def _name(fact: Any) -> str:
    cls = get_origin(fact) or fact
    return str(cls.__struct_config__.tag or cls.__name__)


def _sight(seen: Seen | None) -> str:
    if seen is None:
        return ""
    if seen.by is None:
        return "!*"
    return ("!!" if seen.each else "!") + ",".join(seen.by)


def _typed(hint: Any) -> str:
    made = _type(hint)
    return f":{made}" if made else ""


def _type(hint: Any) -> str:
    """Empty where it holds no fact."""
    hint = plain_type(hint)
    origin, args = get_origin(hint), get_args(hint)
    if is_fact(origin or hint):
        return _name(hint)
    if origin in (Union, UnionType):
        members = dict.fromkeys(map(_type, args))
        return "| ".join(members) if any(members) else ""
    if origin is dict:
        return _wrapped("{%s}", _type(args[1]))
    if origin is tuple and args[-1] is Ellipsis:
        return _wrapped("*(%s)", _type(args[0]))
    if origin is tuple:
        parts = [_type(arg) for arg in args]
        return f"({','.join(parts)})" if any(parts) else ""
    return ""


def _wrapped(pattern: str, inner: str) -> str:
    return pattern % inner if inner else ""
