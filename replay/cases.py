"""Disputes as a log tells them: who claims what about which steps, and what was said to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from games.match import Aborted, Forfeited, Kicked
from games.referee import (
    AnyTableEvent,
    Appealed,
    DisputeNoted,
    DisputeOpened,
    Ruled,
    WordsRemoved,
)
from games.sight import Seat, Viewer
from replay.load import Story

State = Literal["open", "ruled", "appealed"]
Kind = Literal["claim", "note", "ruling", "appeal"]


class Corrected(msgspec.Struct, frozen=True):
    """The result that a referee put in the place of the game's own."""

    winners: tuple[Seat, ...]
    scores: tuple[int | None, ...]


class Ruling(msgspec.Struct, frozen=True):
    """What a referee decided: the result that stands, a seat emptied, who won by the end of it."""

    upheld: bool
    correction: Corrected | None = None
    vacate: Seat | None = None
    end: tuple[Seat, ...] | None = None


class Word(msgspec.Struct, frozen=True):
    """Something said in a dispute. The log holds the SHA-256 of the text, not the text; `removed`
    is the version in which an admin had the text forgotten."""

    version: int
    at: int
    kind: Kind
    sha256: str
    seat: Seat | None = None
    author: str = ""
    ruling: Ruling | None = None
    removed: int | None = None


class Case(msgspec.Struct, frozen=True):
    """One dispute of a match; `number` counts from 1, `words` are in the order of the log."""

    number: int
    seat: Seat
    steps: tuple[str, ...]
    state: State
    upheld: bool | None
    opened: int
    words: tuple[Word, ...]


class Told(NamedTuple):
    """A commit, as far as disputes ask."""

    version: int
    at: int
    events: Sequence[Any]


_KINDS = {"dispute_opened", "dispute_noted", "ruled", "appealed", "words_removed"}


def of_story(story: Story) -> list[Case]:
    """The disputes in anybody's log: nothing of them is ever sealed."""
    told = []
    for telling in story.tellings:
        if telling.first[0] in _KINDS:
            events = msgspec.convert(telling.raw[5], tuple[AnyTableEvent, ...])
            told.append(Told(telling.raw[0], telling.raw[1], events))
    return cases(told)


def cases(commits: Iterable[Told]) -> list[Case]:
    """The disputes of a match, from its commits."""
    found: list[Case] = []
    for version, at, events in commits:
        match events[0]:
            case DisputeOpened(seat=seat, steps=steps, claim=claim):
                word = Word(version, at, "claim", claim, seat=seat)
                found.append(Case(len(found) + 1, seat, steps, "open", None, at, (word,)))
            case DisputeNoted(dispute=number, author=author, note=note):
                _add(found, number, Word(version, at, "note", note, author=author))
            case Appealed(dispute=number, seat=seat, claim=claim):
                word = Word(version, at, "appeal", claim, seat=seat)
                _add(found, number, word, state="appealed")
            case Ruled() as ruled:
                ruling = _ruling(ruled, events[1:])
                word = Word(version, at, "ruling", ruled.reason, None, ruled.author, ruling)
                _add(found, ruled.dispute, word, state="ruled", upheld=ruled.upheld)
            case WordsRemoved(dispute=number, version=said):
                _remove(found, number, said, version)
    return found


def _add(found: list[Case], number: int, word: Word, **changes: Any) -> None:
    case = found[number - 1]
    found[number - 1] = replace(case, words=(*case.words, word), **changes)


def _remove(found: list[Case], number: int, said: int, version: int) -> None:
    case = found[number - 1]
    words = [replace(w, removed=version) if w.version == said else w for w in case.words]
    found[number - 1] = replace(case, words=tuple(words))


def _ruling(ruled: Ruled, follow: Sequence[Any]) -> Ruling:
    """A ruling with what followed from it in the same commit."""
    ruling = Ruling(ruled.upheld)
    if ruled.correction is not None:
        stands = Corrected(ruled.correction.winners, ruled.correction.scores)
        ruling = replace(ruling, correction=stands)
    for event in follow:
        match event:
            case Kicked(seat=seat):
                ruling = replace(ruling, vacate=seat)
            case Forfeited(winners=winners):
                ruling = replace(ruling, end=winners)
            case Aborted():
                ruling = replace(ruling, end=())
    return ruling


def may_read(word: Word, viewer: Viewer, referee: bool = False) -> bool:
    """Whether somebody may read the text.

    A ruling's reason is for all. Claims and appeals are words of one seat to the referees, since
    they may tell what its hand holds. Notes are words of referees among themselves.
    """
    if referee or word.kind == "ruling":
        return True
    return word.seat is not None and word.seat == viewer
