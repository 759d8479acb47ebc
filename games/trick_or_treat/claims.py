"""Which cards fit which Set: R32 to R35. Pure counting; nothing happens here.

A Set asks for families, each once, or for so many cards alike, once or several times, and never
for both: then its parts do not compete for cards, only for Egging Houses, and counting those is
exact.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from games.sight import Seat
from games.trick_or_treat.options import Give
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import EGGING_HOUSES, FAMILY, TERMS, Term
from games.trick_or_treat.tricks import offered

NEVER = 99
"""More Egging Houses than there are."""


class Means(NamedTuple):
    """Treats in hand, Egging Houses in hand, the Treats these may stand for, names used up."""

    treats: tuple[str, ...]
    eggs: int
    open: tuple[str, ...]
    used: tuple[str, ...] = ()


def means(state: State, seat: Seat) -> Means:
    hand = state.hands[seat]
    treats = tuple([card for card in hand if card in FAMILY])
    copies = offered(state, seat, EGGING_HOUSES)
    return Means(treats, hand.count(EGGING_HOUSES), copies)


def after(have: Means, term: Term, given: Give) -> Means:
    """What is left when a part of the Set is filled; a name serves one `same` only (Q42)."""
    left = list(have.treats)
    for card in given.cards:
        left.remove(card)
    used = have.used if term.family else (*have.used, (*given.cards, *given.eggs)[0])
    return Means(tuple(left), have.eggs - len(given.eggs), have.open, used)


def can_claim(have: Means, set: str) -> bool:
    return eggs_needed(have, TERMS[set]) <= have.eggs


def eggs_needed(have: Means, terms: tuple[Term, ...]) -> int:
    """The fewest Egging Houses that fill the terms together with the Treats."""
    if not terms or terms[0].family:
        return sum([_missing_of_family(have, term) for term in terms])
    size = terms[0].size
    alike = sorted(
        [_missing(size - have.treats.count(name), name in have.open) for name in _names(have)]
    )
    return sum(alike[: len(terms)]) if len(alike) >= len(terms) else NEVER


def _missing_of_family(have: Means, term: Term) -> int:
    held = len([card for card in have.treats if FAMILY[card] == term.family])
    return _missing(term.size - held, any(FAMILY[card] == term.family for card in have.open))


def _names(have: Means) -> list[str]:
    """The names a `same` can be filled with."""
    return sorted({*have.treats, *have.open}.difference(have.used))


def _missing(cards: int, is_open: bool) -> int:
    return 0 if cards <= 0 else cards if is_open else NEVER


def ways(have: Means, terms: tuple[Term, ...]) -> tuple[Give, ...]:
    """Every way to fill the first term that leaves the others possible."""
    term, *rest = terms
    if term.family:
        return _of_a_family(have, term, have.eggs - eggs_needed(have, tuple(rest)))
    return _alike(have, term, tuple(rest))


def _of_a_family(have: Means, term: Term, eggs: int) -> tuple[Give, ...]:
    """Q26: any names of the family; at most so many of them by Egging Houses (Q28)."""
    own = [card for card in have.treats if FAMILY[card] == term.family]
    copies = [card for card in have.open if FAMILY[card] == term.family]
    return tuple(
        [
            Give(cards, copied)
            for k in range(min(term.size, eggs) + 1)
            for cards in dict.fromkeys(combinations(own, term.size - k))
            for copied in combinations_with_replacement(copies, k)
        ]
    )


def _alike(have: Means, term: Term, rest: tuple[Term, ...]) -> tuple[Give, ...]:
    """Q26, Q43: one name, and Egging Houses that stand for it."""
    found = []
    for name in _names(have):
        least = max(0, term.size - have.treats.count(name))
        eggs = have.eggs - eggs_needed(have._replace(used=(*have.used, name)), rest)
        most = min(term.size, eggs) if name in have.open else 0
        found += [
            Give((name,) * (term.size - k), (name,) * k) for k in range(least, min(most, eggs) + 1)
        ]
    return tuple(found)
