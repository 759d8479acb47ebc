"""Stored matches against the rules of today: what they decide otherwise, and what they can't read.

For use before a deploy. Replaying runs no rules, so a match that is only `changed` replays as ever
and goes on under the new rules; one that is `broken` does not.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from games.dice import Dice
from games.history import Commit, Unknown
from games.match import Sitting
from games.rules import Answer, Refused
from games.sight import Seat
from games.table import Table
from replay.again import Unequal, today
from replay.fold import Fold, fold
from replay.load import Recording, read
from replay.verify import verify

State = Literal["unchanged", "changed", "broken"]

LISTED = 1000
"""Matches of a kind that are named one by one; all are counted."""


class Stuck(msgspec.Struct, frozen=True):
    """An open question that the rules of today cannot carry over."""

    match: str
    question: str
    kind: str
    seat: Seat | None
    why: str


class Verdict(msgspec.Struct, frozen=True):
    """One match; `version` is the first one that differs or is bad, `rules` what it was made by."""

    match: str
    state: State
    game: str = ""
    rules: str = ""
    version: int | None = None
    why: str = ""
    running: bool = False
    touched: bool = False
    stuck: tuple[Stuck, ...] = ()


class Survey(msgspec.Struct):
    """All matches that were looked at. `touched` are running ones that were begun under other
    rules; `left_out` are those beyond what the lists name."""

    matches: int = 0
    unchanged: int = 0
    changed: int = 0
    broken: int = 0
    running: int = 0
    touched: int = 0
    stuck: int = 0
    changes: list[Verdict] = []
    breaks: list[Verdict] = []
    questions: list[Stuck] = []
    left_out: int = 0

    @property
    def ok(self) -> bool:
        return not self.broken and not self.stuck

    def add(self, verdict: Verdict) -> None:
        self.matches += 1
        self.running += verdict.running
        self.touched += verdict.touched
        self.stuck += len(verdict.stuck)
        setattr(self, verdict.state, getattr(self, verdict.state) + 1)
        if verdict.state == "changed":
            self._list(self.changes, verdict)
        elif verdict.state == "broken":
            self._list(self.breaks, verdict)
        for stuck in verdict.stuck:
            self._list(self.questions, stuck)

    def _list(self, listed: list[Any], item: Any) -> None:
        if len(listed) < LISTED:
            listed.append(item)
        else:
            self.left_out += 1


def broken(match: str, why: str, version: int | None = None) -> Verdict:
    return Verdict(match, "broken", version=version, why=why)


def judged(recording: Recording, seed: bytes, newest: str = "") -> Verdict:
    """One stored match, by its auditor's log and the server's own seed for it."""
    report = verify(recording, seed=seed, newest=newest)
    if report.bad is not None:
        made = broken(recording.match, report.bad.why, report.bad.version)
        return replace(made, game=report.game)
    try:
        story = read(recording)
    except Refused as refused:
        return replace(broken(recording.match, refused.why, 1), game=report.game)
    folded = fold(story)
    now = folded.tables[-1]
    about: dict[str, Any] = {
        "game": story.game.id,
        "rules": folded.commits[-1].rules,
        "running": now.status == "playing",
        "touched": now.status == "playing" and _others(folded) != [],
    }
    unknown = [c.version for c in folded.commits if _unknown(c)]
    if unknown:
        why = "it holds events of a kind that is not known here"
        stuck = (Stuck(story.match, "", "", None, why),) if about["running"] else ()
        return Verdict(story.match, "broken", version=unknown[0], why=why, stuck=stuck, **about)
    about["stuck"] = tuple(_stuck(story.match, now, seed)) if about["running"] else ()
    try:
        _decided_alike(folded, seed)
    except Unequal as unequal:
        about |= {"version": unequal.version, "why": unequal.why}
        return Verdict(story.match, "changed", **about)
    return Verdict(story.match, "unchanged", **about)


def _others(folded: Fold) -> list[Commit[Any]]:
    """The commits that were decided under other rules than those here."""
    here = folded.tables[-1].game.version
    return [commit for commit in folded.commits if commit.rules != here]


def _unknown(commit: Commit[Any]) -> bool:
    return any(isinstance(event, Unknown) for event in commit.events)


def _decided_alike(folded: Fold, seed: bytes) -> None:
    """Raises Unequal at the first commit that today's rules decide otherwise."""
    for commit in _others(folded):
        before = folded.tables[commit.version - 1]
        history = folded.commits[: before.version]
        try:
            events, draws = today(before, history, commit, seed)
        except Unequal:
            raise
        except Exception as error:  # rules of today on a table of yesterday may do anything
            raise Unequal(commit.version, f"the rules cannot decide it: {error!r}") from error
        if (events, draws) != (commit.events, commit.private.draws):
            raise Unequal(commit.version, "the rules give other events")


def _stuck(match: str, now: Table, seed: bytes) -> list[Stuck]:
    """Whether every seat that is asked can be shown its question, and each can be answered.

    Also where nobody plays just now: whoever sits down there next is asked.
    """
    found, seats = [], now.match.seats
    for seat in now.asked:
        if not seats[seat].plays:
            now = replace(now, match=now.match.seated(seat, Sitting("player")))
        state: Any = now.state
        top = state.pending[-1]
        try:
            now.view(seat)
            option = top.item.form(state, seat).sample(Dice(seed, match, 0, 0).below)
            now.answer(seat, Answer(top.id, option), seed)
        except Exception as error:  # the question was asked by other rules
            kind = type(top.item).__name__
            found.append(Stuck(match, top.id, kind, seat, f"{type(error).__name__}: {error}"))
    return found
