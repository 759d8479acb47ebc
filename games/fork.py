"""A sandbox that goes on from a step of another match."""

from __future__ import annotations

import msgspec

from games.forms import Below
from games.match import Forked, MatchEvents
from games.recall import NO_PAST, Past
from games.rules import Open, Refused, Step
from games.sight import Viewer
from games.table import Table


def fork(
    origin: Table, step: str, viewer: Viewer, below: Below, past: Past = NO_PAST
) -> MatchEvents:
    """The second commit of the new match: the state as it was, for the auditor's eyes.

    For a seat's or the spectator's eyes all that they can't see is dealt otherwise, consistent
    with what they know of the past that led there. Raises Refused: `not_started`,
    `match_over`, `inside_commit`.
    """
    state = origin.state
    if state is None:
        raise Refused("not_started", "there is no game yet at this step")
    if not state.pending:
        raise Refused("match_over", "the game is over at this step; fork from an earlier one")
    if isinstance(state.pending[-1].item, Step):
        why = "inside a commit nothing can be gone on from; fork from a whole version"
        raise Refused("inside_commit", why)
    if viewer != "auditor":
        state = origin.game.redealt(state, viewer, below, past)
    # Versions begin anew, so what is pending is named so that no later question can share its id.
    pending = tuple(Open(f"0.{n}", each.item) for n, each in enumerate(state.pending, 1))
    stored = msgspec.msgpack.encode(state.but(pending=pending))
    return (Forked(f"{origin.match.id}@{step}", stored),)
