"""Disputes: a claim, a ruling, an appeal. Nothing is ever edited: all are commits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.history import Commit
from games.match import (
    Aborted,
    Correction,
    Dispute,
    Forfeited,
    Kicked,
    Match,
    MatchEvent,
    MatchEvents,
)
from games.referee import Appealed, DisputeNoted, DisputeOpened, Ruled, WordsRemoved
from games.rules import Refused
from games.seating import sitting_on
from games.sight import Seat
from games.table import Table

MOST = 16
"""Disputes of one match."""


def held(match: Match) -> bool:
    """Whether a dispute waits for a referee: until it is ruled on, the log is to be kept whole."""
    return any(dispute.state != "ruled" for dispute in match.disputes)


def open_dispute(table: Table, seat: Seat, steps: tuple[str, ...], claim: str) -> MatchEvents:
    """Raises Refused: `not_started`, `no_such_seat`, `too_many_disputes`, `no_such_step`."""
    if not table.match.started:
        raise Refused("not_started", "the match has not started; there is nothing to dispute")
    sitting_on(table.match, seat)
    if len(table.match.disputes) >= MOST:
        raise Refused("too_many_disputes", f"a match takes {MOST} disputes")
    if not steps or not all(_is_step(step, table.version) for step in steps):
        why = f"name the steps in question: versions from 1 to {table.version}, or events of them"
        raise Refused("no_such_step", why)
    return (DisputeOpened(seat, steps, claim),)


def note(table: Table, dispute: int, author: str, text: str) -> MatchEvents:
    """Raises Refused: `no_such_dispute`."""
    _of(table.match, dispute)
    return (DisputeNoted(dispute, author, text),)


def rule(
    table: Table,
    dispute: int,
    author: str,
    upheld: bool,
    reason: str,
    correction: Correction | None = None,
    vacate: Seat | None = None,
    end: tuple[Seat, ...] | None = None,
) -> MatchEvents:
    """The ruling, and what follows from it: another result, a seat emptied, a running match ended.

    `end` names who wins by it; nobody does where it is empty.
    Raises Refused: `no_such_dispute`, `already_ruled`, `not_over`, `match_over`, `bad_correction`,
    `no_such_seat`, `seat_open`.
    """
    found = _of(table.match, dispute)
    if found.state == "ruled":
        raise Refused("already_ruled", "it has been ruled on; an appeal opens it again")
    over = table.status == "over"
    if correction is not None:
        _check(table.match, correction, over)
    ruled = Ruled(dispute, author, upheld, reason, correction)
    if (vacate is not None or end is not None) and over:
        raise Refused("match_over", "the match is over; correct its result instead")
    follow: list[MatchEvent] = [ruled]
    if vacate is not None:
        if sitting_on(table.match, vacate).kind == "open":
            raise Refused("seat_open", f"nobody sits on seat {vacate}")
        follow.append(Kicked(vacate))
    if end is not None:
        for seat in end:
            sitting_on(table.match, seat)
        follow.append(Forfeited(end) if end else Aborted("aborted"))
    return tuple(follow)


def appeal(table: Table, dispute: int, seat: Seat, claim: str) -> MatchEvents:
    """Raises Refused: `no_such_dispute`, `not_ruled`, `no_such_seat`."""
    if _of(table.match, dispute).state != "ruled":
        raise Refused("not_ruled", "there is no ruling yet to appeal against")
    sitting_on(table.match, seat)
    return (Appealed(dispute, seat, claim),)


def remove(
    table: Table, history: Sequence[Commit[Any]], dispute: int, version: int, author: str
) -> MatchEvents:
    """The words that were said in `version` are to be forgotten: never while a dispute of the match
    waits for a referee, who may need them.

    Raises Refused: `no_such_dispute`, `dispute_open`.
    """
    _of(table.match, dispute)
    if _dispute_in(history, version) != dispute:
        raise Refused("no_such_dispute", f"nothing was said in version {version} of that dispute")
    if held(table.match):
        waits = [n for n, each in enumerate(table.match.disputes, 1) if each.state != "ruled"]
        why = f"its words are kept while dispute {waits[0]} of the match waits for a referee"
        raise Refused("dispute_open", f"{why}: rule on it first, then have them forgotten")
    return (WordsRemoved(dispute, version, author),)


def _dispute_in(history: Sequence[Commit[Any]], version: int) -> int:
    """The dispute in which something was said in this version; 0 where there is none."""
    if not 1 <= version <= len(history):
        return 0
    said = history[version - 1].events[0]
    if isinstance(said, DisputeOpened):
        opened = [c for c in history[:version] if isinstance(c.events[0], DisputeOpened)]
        return len(opened)
    return said.dispute if isinstance(said, DisputeNoted | Ruled | Appealed) else 0


def _of(match: Match, dispute: int) -> Dispute:
    if not 1 <= dispute <= len(match.disputes):
        raise Refused("no_such_dispute", f"this match has {len(match.disputes)} disputes")
    return match.disputes[dispute - 1]


def _check(match: Match, correction: Correction, over: bool) -> None:
    if not over:
        raise Refused("not_over", "the match has no result yet to correct")
    for seat in correction.winners:
        sitting_on(match, seat)
    if len(correction.scores) != len(match.seats):
        raise Refused("bad_correction", f"give {len(match.seats)} scores, a seat without one null")


def _is_step(step: str, version: int) -> bool:
    parts = step.split(".")
    numbers = len(parts) <= 2 and all(part.isascii() and part.isdigit() for part in parts)
    return numbers and len(step) <= 20 and 1 <= int(parts[0]) <= version
