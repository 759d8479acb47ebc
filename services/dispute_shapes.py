"""The shapes of disputes, as clients send and get them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from projections.disputes import Waiting
from replay.cases import Kind, Ruling, State
from services.inputs import LINES
from services.shapes import Body, Head, SeatNumber, Version

Words = Annotated[str, Meta(min_length=1, max_length=4000, pattern=LINES)]
Score = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
StepName = Annotated[str, Meta(pattern=r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]


class Claim(Body, frozen=True):
    """What a seat says was wrong, and at which steps: versions (`12`), or events of them (`12.3`).

    Its words are for the referees; other seats do not get them.
    """

    steps: Annotated[list[StepName], Meta(min_length=1, max_length=50)]
    text: Words


class Note(Body, frozen=True):
    """What referees write down for each other."""

    text: Words


class Verdict(Body, frozen=True):
    """A ruling, and what follows from it.

    `winners` and `scores` correct the result of a match that is over; `vacate` empties a seat, and
    `end` ends a running match, won by the seats it names. The reason is for everybody to read.
    """

    upheld: bool
    reason: Words
    winners: list[SeatNumber] | None = None
    scores: list[Score | None] | None = None
    vacate: SeatNumber | None = None
    end: list[SeatNumber] | None = None


class Appeal(Body, frozen=True):
    """Why a seat asks for another look at a ruling."""

    text: Words


class Said(msgspec.Struct, frozen=True):
    """Something said in a dispute. `sha256` is that of salt and text, as the log holds it.

    `words` says whether the text is here (`kept`), was `removed`, or is for others (`withheld`).
    `removed` is the version that tells who had it forgotten, and when.
    """

    version: Version
    at: int
    kind: Kind
    sha256: Head
    words: Literal["kept", "removed", "withheld"]
    seat: SeatNumber | None = None
    author: str = ""
    ruling: Ruling | None = None
    removed: Version | None = None
    salt: bytes | None = None
    text: str | None = None


class DisputeCase(msgspec.Struct, frozen=True):
    """One dispute of a match; `number` counts from 1."""

    match: str
    number: int
    seat: SeatNumber
    steps: list[str]
    state: State
    upheld: bool | None
    opened: int
    said: list[Said]


class Disputed(msgspec.Struct, frozen=True):
    """The command is in the log, and this is the dispute now."""

    version: Version
    head: Head
    again: bool
    dispute: DisputeCase


class MatchDisputes(msgspec.Struct, frozen=True):
    """All disputes of a match; while `held`, one waits for a referee and the log is kept whole."""

    held: bool
    items: list[DisputeCase]


class DisputeQueue(msgspec.Struct, frozen=True):
    """A page of disputes, the oldest first; `next` is the cursor of the next page, null at the
    end."""

    items: list[Waiting]
    next: str | None
