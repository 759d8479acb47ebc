"""The commands of undo: asked for, agreed to, declined, expired, or a referee's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games import undo
from games.history import Commit
from games.match import MatchEvents, Reverted, UndoAgreed, UndoAsked, UndoDeclined, UndoExpired
from games.rules import Refused
from games.sight import Seat
from games.table import Table
from games.undo import History
from services.commands import Command, reviewed


def ask(id: bytes, seat: Seat, to: int, seen: int = 0) -> Command:
    """The seat asks to go back to version `to`; granted at once where nobody has to agree."""

    def review(table: Table, history: History) -> MatchEvents:
        return undo.ask(table, history, seat, to)

    def same(commit: Commit[Any], before: Table) -> bool:
        first = commit.events[0]
        return isinstance(first, UndoAsked) and (first.seat, first.to) == (seat, to)

    return Command(id, seat, reviewed, same, seen, review=review)


def agree(id: bytes, seat: Seat, seen: int) -> Command:
    """The seat agrees to the undo that was open at the version it has seen."""

    def review(table: Table, history: History) -> MatchEvents:
        _the_one(table, history, seen)
        return undo.agree(table, seat)

    return Command(id, seat, reviewed, _of(UndoAgreed, seat), seen, review=review)


def decline(id: bytes, seat: Seat, seen: int) -> Command:
    """By who is asked, or by who asked for it and thought better of it."""

    def review(table: Table, history: History) -> MatchEvents:
        _the_one(table, history, seen)
        return undo.decline(table, seat)

    return Command(id, seat, reviewed, _of(UndoDeclined, seat), seen, review=review)


def expire(id: bytes, asked: int) -> Command:
    """Time is over for the undo that was asked for in version `asked`."""

    def review(table: Table, history: History) -> MatchEvents:
        _the_one(table, history, asked)
        return undo.expire(table)

    return Command(id, "system", reviewed, _of(UndoExpired), review=review)


def revert(id: bytes, to: int, author: str, reason: str = "") -> Command:
    """A referee's undo: nobody is asked. The reason is for all to read."""

    def review(table: Table, history: History) -> MatchEvents:
        return undo.revert(table, history, to, author, reason)

    def same(commit: Commit[Any], before: Table) -> bool:
        return bool(commit.events[0] == Reverted(to, author, reason))

    return Command(id, "admin", reviewed, same, review=review, ends=True)


def asked_at(history: History) -> Commit[Any] | None:
    """The commit in which the newest undo was asked for."""
    for commit in reversed(history):
        if isinstance(commit.events[0], UndoAsked):
            return commit
    return None


def _the_one(table: Table, history: History, seen: int) -> None:
    """Leave is given for one request alone, never for a later one that the sender has not seen."""
    asked = asked_at(history)
    if table.match.request is None or asked is None or asked.version > seen:
        why = "the undo you speak of is not asked for any more; look at the match again"
        raise Refused("no_undo", why)


def _of(kind: type[Any], seat: Seat | None = None) -> Callable[[Commit[Any], Table], bool]:
    def same(commit: Commit[Any], before: Table) -> bool:
        first = commit.events[0]
        return type(first) is kind and seat in (None, getattr(first, "seat", None))

    return same
