"""The Bully: where it may go, whom it chases, what its mover steals."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, TypeVar

from games.rules import Draft
from games.sight import Seat
from games.trick_or_treat.events import BullyMoved, CardStolen, KidChased, VictimSpared
from games.trick_or_treat.options import Bully, Send
from games.trick_or_treat.state import State

B = TypeVar("B", Bully, Send)


def ways(state: State, seat: Seat, option: type[B]) -> tuple[B, ...]:
    """R18, Q15: each place the seat may move it to, with each choice of victims to spare."""
    return tuple(
        [
            option(place, spare)
            for place in state.bully_places(seat)
            for spare in _subsets(state.victims(seat, place))
        ]
    )


def _subsets(seats: tuple[Seat, ...]) -> list[tuple[Seat, ...]]:
    if not seats:
        return [()]
    return [some for k in range(len(seats) + 1) for some in combinations(seats, k)]


def move(draft: Draft[State], seat: Seat, way: Bully | Send) -> None:
    """R19, R20: all Kids there are chased, then a random card is stolen from each (Q16)."""
    victims = draft.state.victims(seat, way.to)
    cause: Literal["alley", "trick"] = "alley" if isinstance(way, Send) else "trick"
    draft.emit(BullyMoved(seat, draft.state.bully, way.to, cause))
    for victim in victims:
        draft.emit(KidChased(victim, way.to))
    for victim in victims:
        hand = draft.state.hands[victim]
        if victim in way.spare:
            draft.emit(VictimSpared(seat, victim))
        elif hand:
            draft.emit(CardStolen(seat, victim, draft.dice.choose(hand)))
