"""What a command leads to where a match stands: pure but for the time of day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from events import log
from games import sight
from games.table import committed
from services.commands import Command, Decided
from services.live import Live, Outcome
from services.pasts import Past


def decided(live: Live, command: Command, at: int, past: Past | None = None) -> Outcome:
    """The commit as it would be stored, at this time (UTC, ms), and the table after it.

    `past` is what led to where the match stands, for a command that reviews it. Raises Refused.
    """
    before = live.table
    _, seed, seal = live.secrets()
    if command.review is not None and past is not None:
        made = Decided(list(command.review(before, past.commits)))
    else:
        made = command.decide(before, seed)
    events, draws, state = made
    commit = committed(before, at, _seat_of(command, events), command.id, draws, events)
    facts, hidden = sight.encode(commit)
    entry = log.append(live.head, commit.version, facts, hidden, seal)
    if state is not None:
        after = before.at_state(commit, state)
    else:
        after = before.after(commit, past.tables if past is not None else ())
    return Outcome(live, entry, commit, before, after, False)


def _seat_of(command: Command, events: Sequence[Any]) -> Any:
    """Who acted: who joins acts as the seat it takes."""
    return getattr(events[0], "seat", command.by) if command.by == "system" else command.by
