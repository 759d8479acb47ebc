"""Positions in a match, `v` or `v.k`, and what is to be seen there through anyone's eyes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from games import rules as games
from games.game import Game
from games.history import Commit
from games.rules import Open
from games.sight import Viewer
from games.table import Table
from replay import asking, changes, words
from replay.export import allowed, told_to
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

    def earlier(self, than: Step) -> bool:
        """Whether it comes before, both as they are counted: a commit comes after its events."""
        if self.version != than.version:
            return self.version < than.version
        return bool(self.event) and (not than.event or self.event < than.event)

    def __str__(self) -> str:
        return f"{self.version}.{self.event}" if self.event else str(self.version)


class Positions(NamedTuple):
    """The steps of a match: its last version, and how many events each version has."""

    last: int
    parts: Callable[[int], int]

    def check(self, step: Step) -> Step:
        """The step as it is counted: the last event of a commit is the commit. Raises NoStep."""
        if not 1 <= step.version <= self.last:
            why = f"there is no version {step.version}: there are versions 1 to {self.last}"
            raise NoStep(why)
        events = self.parts(step.version) if step.event else 0
        if step.event > events:
            raise NoStep(f"version {step.version} has events 1 to {events}, no event {step.event}")
        return Step(step.version) if step.event == events else step

    def after(self, step: Step) -> Step:
        """The next position, event by event; the last one has none but itself."""
        here = self.check(step)
        if here.event:
            return self.check(Step(here.version, here.event + 1))
        return here if here.version == self.last else self.check(Step(here.version + 1, 1))

    def before(self, step: Step) -> Step:
        """The position before, event by event; the first one has none but itself."""
        here = self.check(step)
        events = here.event or self.parts(here.version)
        if events > 1:
            return Step(here.version, events - 1)
        return Step(max(1, here.version - 1))


def positions(story: Story) -> Positions:
    """Those of a log."""
    return Positions(len(story.pages), lambda version: len(story.tellings[version - 1].events))


def table_at(fold: Fold, step: Step) -> Table | None:
    """The table there, or None beyond what the log's viewer can know."""
    return within(fold.tables, fold.commits, step) if step.version <= fold.version else None


def within(tables: Sequence[Table], commits: Sequence[Commit[Any]], step: Step) -> Table:
    """The table at a step that is there, even inside a commit."""
    if not step.event:
        return tables[step.version]
    commit = commits[step.version - 1]
    part = replace(commit, events=commit.events[: step.event])
    table = tables[step.version - 1].after(part, tables)
    return unasked(table)


def unasked(table: Table) -> Table:
    """The table without what is asked there."""
    if table.state is None:
        return table
    return replace(table, state=table.state.but(pending=(Open("", Settling()),)))


def viewed(table: Table, viewer: Viewer) -> dict[str, Any]:
    """The view; without its question where the rules of today cannot ask it any more."""
    try:
        return table.view(viewer)
    except Exception:  # what older rules asked may be anything
        return unasked(table).view(viewer)


def encoded(table: Table, viewer: Viewer) -> bytes:
    """`viewed` as JSON, as the API encodes it: much quicker for one table after the other."""
    try:
        return msgspec.json.encode(table.pieces(viewer))
    except Exception:  # as above
        return msgspec.json.encode(unasked(table).pieces(viewer))


class Settling(games.Step[Any], frozen=True):
    """Inside a commit nobody is asked: what is pending has not been settled."""

    def run(self, draft: games.Draft[Any]) -> None:
        """Never: it is only looked at."""


class Scene(NamedTuple):
    """A step with all that is known around it, whoever looks.

    `told` is its commit by name as the viewer may read it, `commit` the same whole. `before` is the
    table before that commit, `table` the one at the step, `base` the one to compare with. What this
    log can't tell is None.
    """

    game: Game
    step: Step
    told: dict[str, Any]
    commit: Commit[Any] | None
    before: Table | None
    table: Table | None
    since: Step | None
    base: Table | None

    def seen(self, viewer: Viewer) -> dict[str, Any]:
        """`{step, parts, at, by, rules, says, events, asked, answer, view, changed}`: `parts`
        counts the events of the commit, `changed` is `{since, says, patch}`."""
        every = self.told["events"]
        events = every[: self.step.event or None]
        view = viewed(self.table, viewer) if self.table else None
        return {
            "step": str(self.step),
            "parts": len(every),
            "at": self.told["at"],
            "by": self.told["by"],
            "rules": self.told["rules"],
            "says": words.sentences(self.game, events, self.told["by"]),
            "events": events,
            "asked": asking.asked(self.before, self.told, viewer),
            "answer": asking.answered(self.commit, self.told),
            "view": view,
            "changed": self._changed(viewer, view),
        }

    def _changed(self, viewer: Viewer, view: Any) -> dict[str, Any] | None:
        if self.since is None or self.base is None or view is None:
            return None
        before = _plain(viewed(self.base, viewer))
        return {"since": str(self.since), **changes.changed(self.game, before, _plain(view))}

    def compared(self, viewer: Viewer, other: Viewer) -> dict[str, Any] | None:
        """`{viewer, view, says, patch}`: what somebody else could see there, side by side."""
        if self.table is None:
            return None
        one, two = (_plain(viewed(self.table, eyes)) for eyes in (viewer, other))
        return {"viewer": other, "view": two, **changes.changed(self.game, one, two)}


def _plain(view: Any) -> Any:
    """As JSON gives it."""
    return msgspec.json.decode(msgspec.json.encode(view))


def previous(step: Step) -> Step | None:
    """The position that a step is compared with: one event, or one commit before."""
    if step.event > 1:
        return Step(step.version, step.event - 1)
    return Step(step.version - 1) if step.version > 1 else None


def check_earlier(since: Step, step: Step) -> None:
    """Raises NoStep."""
    if not since.earlier(step):
        raise NoStep(f"step {since} is not before step {step}")


def shown(
    story: Story,
    fold: Fold,
    step: Step,
    viewer: Viewer,
    since: Step | None = None,
    other: Viewer | None = None,
) -> dict[str, Any]:
    """What is to be seen at a step, JSON-ready, and not a byte of what the viewer may not know.

    `{version, head, match, game, viewer, steps, compared, unknown}` and what `Scene.seen` gives;
    `view` is None where this log can't tell it, and `unknown` says why. It is compared with `since`
    and with what `other` could see there. Raises NoStep, NotTheirs.
    """
    counted = positions(story)
    step = counted.check(step)
    if since:
        since = counted.check(since)
        check_earlier(since, step)
    since = since or previous(step)
    before = Step(step.version - 1)
    scene = Scene(
        story.game,
        step,
        told_to(story, step.version, viewer),
        fold.commits[step.version - 1] if step.version <= fold.version else None,
        table_at(fold, before),
        table_at(fold, step),
        since,
        table_at(fold, since) if since else None,
    )
    if other is not None:
        allowed(story, other)
    return {
        "version": step.version,
        "head": story.pages[step.version - 1].head.hex(),
        "match": story.match,
        "game": story.game.id,
        "viewer": viewer,
        "steps": len(story.pages),
        **scene.seen(viewer),
        "compared": scene.compared(viewer, other) if other is not None else None,
        "unknown": None if scene.table else fold.stop,
    }
