"""The facts of a dispute: a claim, notes, a ruling, an appeal. Names and fields are stored.

The words stand in a side store, so that they can be forgotten; the log binds them by their SHA-256.
"""

from __future__ import annotations

from msgspec.structs import replace

from games.match import AnyMatchEvent, Correction, Dispute, Match, MatchEvent
from games.sight import Seat


class DisputeOpened(MatchEvent, frozen=True):
    """The seat claims that something was wrong at these steps (`v` or `v.k`)."""

    seat: Seat
    steps: tuple[str, ...]
    claim: str

    def apply(self, match: Match) -> Match:
        return match.but(disputes=(*match.disputes, Dispute(self.seat, self.steps, self.claim)))


class DisputeNoted(MatchEvent, frozen=True):
    """A referee wrote something down; `dispute` counts from 1, `author` is an opaque id."""

    dispute: int
    author: str
    note: str

    def apply(self, match: Match) -> Match:
        return match


class Ruled(MatchEvent, frozen=True):
    """A referee's word, with the result that stands from now on, if it changes."""

    dispute: int
    author: str
    upheld: bool
    reason: str
    correction: Correction | None = None

    def apply(self, match: Match) -> Match:
        after = _changed(match, self.dispute, state="ruled", upheld=self.upheld)
        return after.but(correction=self.correction) if self.correction else after


class Appealed(MatchEvent, frozen=True):
    """A seat asks for another look at a ruling."""

    dispute: int
    seat: Seat
    claim: str

    def apply(self, match: Match) -> Match:
        return _changed(match, self.dispute, state="appealed")


class WordsRemoved(MatchEvent, frozen=True):
    """An admin had the words forgotten that were said in `version`; their SHA-256 stays there.

    `author` is as of a ruling, empty for who works on the store itself.
    """

    dispute: int
    version: int
    author: str = ""

    def apply(self, match: Match) -> Match:
        return match


AnyTableEvent = AnyMatchEvent | DisputeOpened | DisputeNoted | Ruled | Appealed | WordsRemoved
"""All events that are not a game's own."""


def _changed(match: Match, dispute: int, **changes: object) -> Match:
    disputes = list(match.disputes)
    disputes[dispute - 1] = replace(disputes[dispute - 1], **changes)
    return match.but(disputes=tuple(disputes))
