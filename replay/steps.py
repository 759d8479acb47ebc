"""Positions in a match, `v` or `v.k`, and what is to be seen there through anyone's eyes."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from games import rules as games
from games.rules import Open
from games.sight import Viewer
from games.table import Table
from replay import words
from replay.export import NotTheirs, told_to
from replay.fold import Fold
from replay.load import Story


class NoStep(Exception):
    """No such position in this match; the text says which there are."""


class Step(NamedTuple):
    """After commit `version`, or after its first `event` events where that is not 0."""

    version: int
    event: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises NoStep."""
        parts = text.split(".")
        if len(parts) > 2 or not all(p.isascii() and p.isdigit() for p in parts):
            raise NoStep(f"{text!r} is no step: give a version (12), or one of its events (12.3)")
        return cls(*map(int, parts))

    def __str__(self) -> str:
        return f"{self.version}.{self.event}" if self.event else str(self.version)


def check(story: Story, step: Step) -> Step:
    """The step as it is counted: the last event of a commit is the commit. Raises NoStep."""
    last = len(story.pages)
    if not 1 <= step.version <= last:
        raise NoStep(f"there is no version {step.version}: this log has versions 1 to {last}")
    events = len(story.tellings[step.version - 1].events)
    if step.event > events:
        raise NoStep(f"version {step.version} has events 1 to {events}, no event {step.event}")
    return Step(step.version) if step.event == events else step


def after(story: Story, step: Step) -> Step:
    """The next position, event by event; the last one has none but itself."""
    here = check(story, step)
    if not here.event:
        if here.version == len(story.pages):
            return here
        return check(story, Step(here.version + 1, 1))
    return check(story, Step(here.version, here.event + 1))


def before(story: Story, step: Step) -> Step:
    """The position before, event by event; the first one has none but itself."""
    here = check(story, step)
    events = here.event or len(story.tellings[here.version - 1].events)
    if events > 1:
        return Step(here.version, events - 1)
    return Step(max(1, here.version - 1))


def table_at(fold: Fold, step: Step) -> Table | None:
    """The table there, or None beyond what the log's viewer can know."""
    if step.version > fold.version:
        return None
    if not step.event:
        return fold.tables[step.version]
    commit = fold.commits[step.version - 1]
    part = replace(commit, events=commit.events[: step.event])
    table = fold.tables[step.version - 1].after(part, fold.tables)
    if table.state is None:
        return table
    return replace(table, state=table.state.but(pending=(Open("", Settling()),)))


class Settling(games.Step[Any], frozen=True):
    """Inside a commit nobody is asked: what is pending has not been settled."""

    def run(self, draft: games.Draft[Any]) -> None:
        """Never: it is only looked at."""


def shown(story: Story, fold: Fold, step: Step, viewer: Viewer) -> dict[str, Any]:
    """What is to be seen at a step, JSON-ready, and not a byte of what the viewer may not know.

    `{match, game, viewer, step, steps, at, by, rules, says, events, view, unknown}`; `view` is
    None where this log can't tell it, and `unknown` says why. Raises NoStep, NotTheirs.
    """
    step = check(story, step)
    told = told_to(story, step.version, viewer)
    events = told["events"][: step.event or None]
    table = table_at(fold, step)
    return {
        "match": story.match,
        "game": story.game.id,
        "viewer": viewer,
        "step": str(step),
        "steps": len(story.pages),
        "at": told["at"],
        "by": told["by"],
        "rules": told["rules"],
        "says": words.sentences(story.game, events),
        "events": events,
        "view": table.view(viewer) if table else None,
        "unknown": None if table else fold.stop,
    }


__all__ = ["NoStep", "NotTheirs", "Step", "after", "before", "check", "shown", "table_at"]
