"""What differs between two views, in words and as a JSON Patch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.game import Game
from replay import patch
from replay.words import brief, names, seat_by_seat

View = dict[str, Any]
"""A view of a table, as JSON gives it."""

LONGEST = 160
"""Signs of one sentence; the patch has the rest."""


def changed(game: Game, before: View, after: View) -> dict[str, Any]:
    """`{says, patch}`."""
    return {"says": list(words(game, before, after)), "patch": patch.diff(before, after)}


def words(game: Game, before: View, after: View) -> Iterator[str]:
    """A line for each place of the game that looks otherwise."""
    old, new = before["game"], after["game"]
    if new is None or old is None:
        if new is not old:
            yield "The game is set up." if old is None else "The game is not set up yet."
        return
    seats, known = len(after["match"]["seats"]), names(game)
    for key, value in new.items():
        was = old.get(key)
        if key == "question" or was == value:
            continue
        label = key.replace("_", " ")
        if all(seat_by_seat(game, key, each, seats) for each in (was, value)):
            for seat, (then, now) in enumerate(zip(was, value, strict=True)):
                if then != now:
                    yield _line(f"{label} of seat {seat}", then, now, known)
        else:
            yield _line(label, was, value, known)


def _line(place: str, was: Any, now: Any, known: dict[str, str]) -> str:
    text = f"{place}: {_difference(was, now, known)}"
    return text if len(text) <= LONGEST else _cut(text)


def _cut(text: str) -> str:
    """As many whole things as there is room for."""
    end = max(text.rfind(mark, 0, LONGEST - 2) for mark in ",;")
    return f"{text[: end + 1]} …" if end > 0 else f"{text[: LONGEST - 1]}…"


def _difference(was: Any, now: Any, known: dict[str, str]) -> str:
    if isinstance(was, dict) and isinstance(now, dict) and not (was.keys() | now.keys()) & WHOLE:
        return "; ".join(_members(was, now, known))
    if not (isinstance(was, list) and isinstance(now, list)):
        return f"{brief(was, known)} → {brief(now, known)}"
    if len(was) == len(now) and all(isinstance(part, list) for part in (*was, *now)):
        both = [
            (n, *pair) for n, pair in enumerate(zip(was, now, strict=True)) if pair[0] != pair[1]
        ]
        told = [(n, _difference(one, two, known)) for n, one, two in both]
        return "; ".join(f"{n}: {says}" if len(was) > 1 else says for n, says in told)
    then, after = (Counter(brief(part, known) for part in parts) for parts in (was, now))
    gone, come = then - after, after - then
    if not gone and not come:
        return "in another order"
    parts = [f"{sign} {_counted(some)}" for sign, some in (("+", come), ("-", gone)) if some]
    return "; ".join(parts)


WHOLE = {"type", "hidden"}
"""What has one of these is one thing, and no record of several."""


def _members(was: View, now: View, known: dict[str, str]) -> Iterator[str]:
    """Of a record the members that are new, gone or another."""
    for key in [*was, *(key for key in now if key not in was)]:
        label = key.replace("_", " ")
        if key not in now:
            yield f"- {label}"
        elif key not in was:
            yield f"+ {label}: {brief(now[key], known)}"
        elif was[key] != now[key]:
            yield f"{label}: {_difference(was[key], now[key], known)}"


def _counted(things: Counter[str]) -> str:
    return ", ".join(f"{n} × {thing}" if n > 1 else thing for thing, n in things.items())
