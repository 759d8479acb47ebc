"""Deciding a command again: what the rules of today give for what led to a commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games import dispute, undo
from games.history import Commit, Unknown
from games.match import (
    Aborted,
    Forfeited,
    Kicked,
    UndoAgreed,
    UndoAsked,
    UndoDeclined,
    UndoExpired,
)
from games.referee import Appealed, DisputeNoted, DisputeOpened, Ruled, WordsRemoved
from games.rules import Refused
from games.table import Table

Decided = tuple[tuple[Any, ...], int]
"""The events and the words of chance that they drew."""


class Unequal(Exception):
    """The rules give something else for the command of `version` than its log tells."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(f"version {version}: {why}")
        self.version = version
        self.why = why


class Beyond(Exception):
    """This command cannot be decided again here; the text says why."""


def again(
    table: Table, history: Sequence[Commit[Any]], commit: Commit[Any], seed: bytes, whole: bool
) -> Decided:
    """`table` and `history` are those before the commit, `whole` where nothing in them is hidden.

    Raises Unequal where the rules refuse the command, Beyond where that can't be known.
    """
    if any(isinstance(event, Unknown) for event in commit.events):
        raise Beyond("hold events of a kind that only a newer version knows")
    if commit.rules != table.game.version:
        here = f"here are rules {table.game.version}"
        raise Beyond(f"were decided under rules {commit.rules}, {here}")
    if isinstance(commit.events[0], UndoAsked) and not whole:
        raise Beyond("ask for an undo, and what that costs follows from what is hidden here")
    return today(table, history, commit, seed)


def today(
    table: Table, history: Sequence[Commit[Any]], commit: Commit[Any], seed: bytes
) -> Decided:
    """What the rules of today give, whichever the commit was decided under. Raises Unequal where
    they refuse."""
    try:
        decided = _beside_play(table, history, commit)
        if decided is not None:
            return decided, 0
        events, draws = table.again(commit, seed)
    except Refused as refused:
        raise Unequal(commit.version, f"the rules refuse its command: {refused.why}") from None
    return tuple(events), draws


def _beside_play(
    table: Table, history: Sequence[Commit[Any]], commit: Commit[Any]
) -> tuple[Any, ...] | None:
    """The events of undo and dispute; None for every other command. Raises Refused."""
    match commit.events[0]:
        case UndoAsked(seat=seat, to=to):
            return undo.ask(table, history, seat, to)
        case UndoAgreed(seat=seat):
            return undo.agree(table, seat)
        case UndoDeclined(seat=seat):
            return undo.decline(table, seat)
        case UndoExpired():
            return undo.expire(table)
        case DisputeOpened(seat=seat, steps=steps, claim=claim):
            return dispute.open_dispute(table, seat, steps, claim)
        case DisputeNoted(dispute=number, author=author, note=note):
            return dispute.note(table, number, author, note)
        case Appealed(dispute=number, seat=seat, claim=claim):
            return dispute.appeal(table, number, seat, claim)
        case WordsRemoved(dispute=number, version=version, author=author):
            return dispute.remove(table, history, number, version, author)
        case Ruled() as ruled:
            return _ruled(table, ruled, commit.events[1:])
    return None


def _ruled(table: Table, ruled: Ruled, follow: tuple[Any, ...]) -> tuple[Any, ...]:
    """A ruling with what followed from it: a seat emptied, the match ended."""
    vacate, end = None, None
    for event in follow:
        match event:
            case Kicked(seat=seat):
                vacate = seat
            case Forfeited(winners=winners):
                end = winners
            case Aborted():
                end = ()
    word = (ruled.dispute, ruled.author, ruled.upheld, ruled.reason, ruled.correction)
    return dispute.rule(table, *word, vacate=vacate, end=end)
