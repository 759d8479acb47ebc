"""R41, R42: points of one's own Sets less one's own Fear; a tie is shared."""

from __future__ import annotations

from games.rules import Result
from games.sight import Seat
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import FEAR_POINTS, SETS


def scores(state: State) -> tuple[int, ...]:
    return tuple(
        [
            sum(SETS[set].points for set in claimed) + FEAR_POINTS * fear
            for claimed, fear in zip(state.claimed, state.fear, strict=True)
        ]
    )


def winners(scores: tuple[int, ...]) -> tuple[Seat, ...]:
    best = max(scores)
    return tuple([seat for seat, score in enumerate(scores) if score == best])


def result(state: State) -> Result | None:
    if not state.over:
        return None
    points = scores(state)
    return Result(winners(points), points, "most points of Sets less Fear")
