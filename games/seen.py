"""What a viewer notes of hidden places: the single things that `games.memory` adds up."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

Place = Hashable
"""A hidden place: a hand, a pile, a deck; what a game calls it."""

Face = Any
"""What a thing is by its face: a text or, in some games, a number; one game's can be sorted."""


class Card(NamedTuple):
    """One that went unseen off a deck, mixed so often, to a place that then so much had come to."""

    place: Place
    inflow: int
    deck: Place
    mixed: int
    depth: int

    def seen(self, face: Face) -> Seen:
        """That it may have been this one."""
        return Seen(self.deck, face, self.mixed, self.depth, firm=self.mixed + 1)


class Seen(NamedTuple):
    """What came to be known of a place that so much had come to: that one more lies there for sure
    than was known or, where `more` is -1, that one did; of a deck, how deep the card lay.

    It lay there `since` so much had come, if only as a guess before as much had come as is `firm`:
    it may have been one of the cards drawn since, and was this `card` if it is one.
    """

    place: Place
    face: Face
    inflow: int
    depth: int | None = None
    more: int = 1
    since: int | None = None
    firm: int | None = None
    card: Card | None = None

    def held(self, inflow: int) -> bool:
        """Whether it lay there when so much had come."""
        since = self.inflow if self.since is None else self.since
        return since <= inflow <= self.inflow

    def guessed(self, inflow: int) -> bool:
        """Whether that is a guess."""
        return inflow < (self.inflow if self.firm is None else self.firm)
