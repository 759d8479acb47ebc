"""Counts of the ways a game can go: one number that moves whenever any rule does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from games.dice import Dice
from games.forms import Arrangement, Form, Number, OneOf, Split, Subset
from games.rules import Answer, decide, fold
from tests.play import MATCH, SEED


def perft(state: Any, depth: int, place: int = 1) -> int:
    """Sequences of `depth` answers from here, or fewer where the game ends, dice being fixed.

    Where several seats are asked together the lowest answers first.
    """
    if depth == 0 or not state.pending:
        return 1
    top = state.pending[-1]
    seat = top.item.seats[0]
    count = 0
    for option in answers(top.item.form(state, seat)):
        dice = Dice(SEED, MATCH, place, place + 100)
        after = fold(state, decide(state, seat, Answer(top.id, option), dice))
        count += perft(after, depth - 1, place + 1)
    return count


def answers(form: Form[Any]) -> Iterator[Any]:
    """Every answer to a form, once."""
    if isinstance(form, OneOf):
        yield from form.options
    elif isinstance(form, Number):
        yield from range(form.least, form.most + 1)
    elif isinstance(form, Subset):
        for size in range(form.least, min(form.most, len(form.options)) + 1):
            yield from combinations(form.options, size)
    elif isinstance(form, Arrangement):
        places = tuple(dict.fromkeys(form.places))
        ways = product(places, repeat=len(form.items))
        yield from (way for way in ways if form.contains(way))
    elif isinstance(form, Split):
        ways = product(range(form.total + 1), repeat=len(form.parts))
        yield from (way for way in ways if form.contains(way))
