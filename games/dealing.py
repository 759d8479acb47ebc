"""Hidden things dealt otherwise, out of a pool of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.forms import Below
from games.memory import Memory
from games.seen import Face, Place


def taken(pool: Counter[Face], cards: Iterable[Face], size: int) -> list[Face]:
    """So many of the cards, as far as the pool has them; they are in it no more."""
    found: list[Face] = []
    for card in cards:
        if pool[card] > 0 and len(found) < size:
            pool[card] -= 1
            found.append(card)
    return found


def dealt(pool: Counter[Face], size: int, below: Below) -> list[Face]:
    """So many out of the pool by chance; they are in it no more."""
    rest = sorted(pool.elements())
    found = [rest.pop(below(len(rest))) for _ in range(size)]
    pool.clear()
    pool.update(rest)
    return found


def laid(pool: Counter[Face], memory: Memory, deck: Place, size: int) -> list[Face]:
    """A deck of `size`, from the top on: its known cards out of the pool, and then its guessed
    ones; None for others."""
    found: list[Face] = [None] * size
    for top in (memory.top(deck, guessed=False), memory.top(deck)):
        for at, face in enumerate(top[:size]):
            if found[at] is None and taken(pool, (face,), 1):
                found[at] = face
    return found


def filled(pool: Counter[Face], deck: Sequence[Face], below: Below) -> tuple[Face, ...]:
    """The deck with others out of the pool by chance."""
    others = iter(dealt(pool, deck.count(None), below))
    return tuple([next(others) if face is None else face for face in deck])


def stacked(pool: Counter[Face], memory: Memory, deck: Place, size: int, below: Below) -> Any:
    """A deck of `size` out of the pool, from the top on: its known cards, and others by chance."""
    return filled(pool, laid(pool, memory, deck, size), below)


def fits(
    memory: Memory, pool: Counter[Face], sizes: Mapping[Any, int], deck: Place, size: int
) -> bool:
    """Whether the pool has all that is known or guessed, and the places and the deck take it."""
    lying = [face for place in sizes for face in memory.kept(place)]
    known = Counter([*lying, *[face for face in memory.top(deck)[:size] if face is not None]])
    return known <= pool and all(len(memory.kept(p)) <= sizes[p] for p in sizes)
