"""A step of a match in plain words: what happened, what is asked, what lies where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.game import Game
from replay.words import (
    MANY,
    actor,
    brief,
    moment,
    name,
    names,
    parted,
    scores,
    seat_by_seat,
    status,
)

Shown = dict[str, Any]
"""What `replay.steps.shown` gives."""


def board(game: Game, shown: Shown) -> str:
    """The step as lines of text, to be read anywhere."""
    return "\n".join(_lines(game, shown)) + "\n"


def _lines(game: Game, shown: Shown) -> Iterator[str]:
    eyes = name(shown["viewer"])
    yield f"{game.title}, match {shown['match']}"
    yield f"step {shown['step']} of {shown['steps']}, as {eyes} could see it"
    yield ""
    yield f"{moment(shown['at'])} UTC: {actor(shown['by'])} acted."
    for said in shown["says"]:
        yield f"  {said}"
    yield ""
    view = shown["view"]
    if view is None:
        yield f"The table cannot be shown: {shown['unknown']}."
        return
    yield f"The match is {status(view)}."
    yield from _result(view["result"])
    if view["game"] is not None:
        yield from _asked(view["game"]["question"])
        yield from _table(game, view["game"], len(view["match"]["seats"]))


def _result(result: Shown | None) -> Iterator[str]:
    if result:
        winners = ", ".join(f"seat {seat}" for seat in result["winners"]) or "nobody"
        yield f"Won by {winners}; scores {scores(result['scores'])}."


def _asked(question: Shown | None) -> Iterator[str]:
    if not question:
        return
    who = ", ".join(f"seat {seat}" for seat in question["seats"])
    yield f"Asked: {who}. {question['prompt']}"
    form = question.get("form", {})
    for choice in form.get("options") or form.get("places") or ():
        yield f"  - {choice['label']}"


def _table(game: Game, view: Shown, seats: int) -> Iterator[str]:
    """What there is once a seat is told seat by seat; what is empty is left out."""
    known = names(game)
    yield ""
    for key, value in view.items():
        if key == "question" or _empty(value):
            continue
        label = key.replace("_", " ")
        parts = parted(value)
        if seat_by_seat(game, key, value, seats):
            yield f"{label}:"
            yield from (f"  seat {seat}: {_pile(part, known)}" for seat, part in enumerate(value))
        elif len(parts) > MANY:
            yield f"{label}: {len(parts)}"
        elif parts:
            yield f"{label}:"
            yield from (f"  {place}: {brief(part, known)}" for place, part in parts)
        else:
            yield f"{label}: {_pile(value, known)}"


_PARTED = (list, tuple, dict)


def _empty(value: Any) -> bool:
    """Whether nothing is there, all the way down; a zero is something."""
    if isinstance(value, list | tuple):
        return all(map(_empty, value))
    return value is None or value is False or value in ("", {})


def _pile(value: Any, known: dict[str, str]) -> str:
    """Of a list what is there more than once is counted."""
    if not isinstance(value, list | tuple) or any(isinstance(part, _PARTED) for part in value):
        return brief(value, known)
    counts = Counter(brief(part, known) for part in value)
    return ", ".join(f"{n} × {it}" if n > 1 else it for it, n in counts.items()) or "–"
