"""Taking answers back: what it costs, computed from what was shown and drawn, and its commands.

Nothing is listed anywhere: whose secret a value was and who sees it is declared on its field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from games.history import Commit, is_answer, led_here, standing
from games.match import (
    Forked,
    MatchEvents,
    Reverted,
    Started,
    UndoAgreed,
    UndoAsked,
    UndoDeclined,
    UndoExpired,
)
from games.rules import Refused
from games.seating import sitting_on
from games.sight import Seat, audiences
from games.table import Table

History = Sequence[Commit[Any]]
"""All commits of a match, from the first on."""


class Cost(NamedTuple):
    """What an undo takes: nobody's leave, that of these seats, or the referee's."""

    kind: Literal["free", "consent", "referee"]
    seats: frozenset[Seat] = frozenset()


def cost(history: History, to: int, asker: Seat, seats: int) -> Cost:
    """What it takes to go to version `to`.

    Free: only the asker acted, nothing was drawn, and what came out was its own secret.
    Consent: of who acted, learned or was told of since; of everybody where the asker learned
    something. Referee: chance told somebody a secret, so that it would know what is going to come
    again. Going to what was itself taken back (an undo of an undo) takes everybody's leave.
    """
    everyone = frozenset(range(seats))
    gone, ancestor = _gone(history, to)
    consent = set[Seat]() if ancestor == to else set(everyone)
    for commit in gone:
        if not is_answer(commit):
            continue
        consent |= {commit.by} if isinstance(commit.by, int) else everyone
        chance = commit.private.draws > 0
        if chance:
            consent |= everyone
        for audience in audiences(commit.events):
            learned = audience.news(everyone)
            if learned and chance and audience.seats is not None:
                return Cost("referee")
            if learned and audience.of != {asker}:
                consent |= everyone if asker in learned else learned | audience.of
    consent.discard(asker)
    return Cost("consent", frozenset(consent)) if consent else Cost("free")


def _gone(history: History, to: int) -> tuple[list[Commit[Any]], int]:
    """What stands now and did not lead to version `to`, newest first; and where both part."""
    there = led_here(history, to)
    other = next(there)
    gone: list[Commit[Any]] = []
    for commit in led_here(history):
        while other.version > commit.version:
            other = next(there)
        if other is commit:
            break
        gone.append(commit)
    return gone, other.version


def ask(table: Table, history: History, seat: Seat, to: int) -> MatchEvents:
    """The seat asks to go back; granted at once where nobody has to agree.

    Raises Refused: `undo_never`, `match_closed`, `match_over`, `not_started`, `undo_pending`,
    `no_such_step`, `no_such_seat`, `undo_referee`.
    """
    price, needs = quote(table, history, seat, to)
    if table.match.request is not None:
        raise Refused("undo_pending", "an undo has been asked for already; answer that first")
    if price.kind == "referee":
        raise Refused(
            "undo_referee", "chance told somebody a secret since; only a referee may undo that"
        )
    asked = UndoAsked(seat, to, needs)
    return (asked,) if needs else (asked, Reverted(to))


def quote(table: Table, history: History, seat: Seat, to: int) -> tuple[Cost, tuple[Seat, ...]]:
    """What it costs the seat to go back, and the players who would have to agree.

    Raises Refused as `ask` does, but for what is pending or the referee's.
    """
    _may_revert(table, history, to)
    sitting_on(table.match, seat)
    if table.match.undo == "never":
        raise Refused("undo_never", "this match is played without undo")
    price = cost(history, to, seat, len(table.match.seats))
    return price, _needs(table, price, seat)


def _needs(table: Table, price: Cost, asker: Seat) -> tuple[Seat, ...]:
    """Players who must agree; under `consent` even a free undo takes everybody's leave."""
    sitting = table.match.seats
    seats = set(price.seats)
    if table.match.undo == "consent":
        seats |= set(range(len(sitting))) - {asker}
    return tuple(s for s in sorted(seats) if sitting[s].plays and sitting[s].kind == "player")


def agree(table: Table, seat: Seat) -> MatchEvents:
    """The last who agrees takes the answers back. Raises Refused: `no_undo`, `not_asked`."""
    request = table.match.request
    if request is None or table.match.closed or table.match.cause:
        raise Refused("no_undo", "no undo is being asked for (an answer cancels it)")
    if seat not in request.needs or seat in request.agreed:
        raise Refused("not_asked", "your leave is not asked for")
    if len(request.agreed) + 1 == len(request.needs):
        return (UndoAgreed(seat), Reverted(request.to))
    return (UndoAgreed(seat),)


def decline(table: Table, seat: Seat) -> MatchEvents:
    """By who is asked, or by the asker. Raises Refused: `no_undo`, `not_asked`."""
    request = table.match.request
    if request is None:
        raise Refused("no_undo", "no undo is being asked for (an answer cancels it)")
    if seat != request.seat and seat not in request.needs:
        raise Refused("not_asked", "your leave is not asked for")
    return (UndoDeclined(seat),)


def expire(table: Table) -> MatchEvents:
    """Raises Refused: `no_undo`."""
    if table.match.request is None:
        raise Refused("no_undo", "no undo is being asked for")
    return (UndoExpired(),)


def revert(
    table: Table, history: History, to: int, author: str = "", reason: str = ""
) -> MatchEvents:
    """A referee's undo. Raises Refused: `match_closed`, `not_started`, `no_such_step`."""
    _may_revert(table, history, to)
    return (Reverted(to, author, reason),)


def _may_revert(table: Table, history: History, to: int) -> None:
    if table.match.closed:
        raise Refused("match_closed", "the match is closed; nothing is taken back any more")
    if table.match.cause:
        raise Refused("match_over", "the match has ended at the table; that is not taken back")
    if not table.match.started:
        raise Refused("not_started", "the match has not started; nothing is to take back")
    begun = next(c.version for c in history if isinstance(c.events[0], Started | Forked))
    last = max(c.version for c in standing(history) if c.version == begun or is_answer(c))
    if type(to) is not int or not begun <= to < table.version or to == last:
        raise Refused(
            "no_such_step", f"go back to a version from {begun} on that is not the present"
        )
