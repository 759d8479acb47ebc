"""A step of a match in this process, as one viewer may see it."""

from __future__ import annotations

from typing import Any

import msgspec

from events import log
from events.store import Corrupt
from games.game import Begun
from games.history import standing
from games.sight import Viewer
from replay import load, seeking, steps
from replay.load import Unreadable
from replay.steps import NoStep, Positions, Scene, Step
from services.live import Live
from services.pasts import Past
from services.told import plain


class Look:
    """One look at one step. Raises NoStep where there is none such, or none to compare with."""

    def __init__(
        self,
        live: Live,
        past: Past,
        step: str,
        viewer: Viewer,
        since: str = "",
        other: Viewer | None = None,
    ) -> None:
        self._live = live
        self._past = past
        self.viewer = viewer
        self.other = other
        self.step = counted(past, Step.parse(step))
        self.since = steps.previous(self.step)
        self._told = bool(since)
        if since:
            self.since = counted(past, Step.parse(since))
            steps.check_earlier(self.since, self.step)

    def shown(self) -> dict[str, Any]:
        """The stored spans say who sees what, so that even a newer writer's events can be cut.

        Raises Corrupt.
        """
        version = self.step.version
        scene = self._scene()
        return {
            "version": version,
            "head": self._past.entries[version - 1].head.hex(),
            "match": self._live.id,
            "game": self._past.game.id,
            "viewer": self.viewer,
            **scene.seen(self.viewer),
            "passed": self._passed() if self._told else None,
            "compared": scene.compared(self.viewer, self.other) if self.other is not None else None,
        }

    def _scene(self) -> Scene:
        version = self.step.version
        tables, commits = self._past.tables, self._past.commits
        base = steps.within(tables, commits, self.since) if self.since else None
        return Scene(
            self._past.game,
            self.step,
            self._named(version),
            commits[version - 1],
            tables[version - 1],
            steps.within(tables, commits, self.step),
            self.since,
            base,
        )

    def _named(self, version: int) -> dict[str, Any]:
        """A commit by name, as the viewer may read it."""
        page = log.page(self._past.entries[version - 1], self.viewer, self._live.seal)
        try:
            return dict(plain(load.telling(self._past.game, self.viewer, page).named))
        except Unreadable as error:
            raise Corrupt(self._live.id, version, str(error)) from error

    def _passed(self) -> dict[str, Any]:
        """What happened after the step compared with, commit by commit; of many the newest."""
        return seeking.passed(self._past.game, self.since or Step(0), self.step, self._named)


def counted(past: Past, step: Step) -> Step:
    """The step as it is counted. Raises NoStep."""
    found = Positions(past.version, lambda version: len(past.commits[version - 1].events))
    return found.check(step)


def found(past: Past, at: int | None, begins: dict[Begun, int | None]) -> str:
    """The step at a time, or at which a round or turn of this number began, as it stands now; the
    newest where nothing is asked for. Raises NoStep."""
    wanted = {name: number for name, number in begins.items() if number is not None}
    if len(wanted) + (at is not None) > 1:
        raise NoStep("ask for a time, a round or a turn, not for several of them")
    if at is not None:
        return str(seeking.at([commit.at for commit in past.commits], at))
    for name, number in wanted.items():
        return str(_begun(past, name, number))
    return str(past.version)


def _begun(past: Past, what: Begun, number: int) -> Step:
    kind = past.game.begins.get(what)
    begun = [
        (commit.version, getattr(event, what, None))
        for commit in standing(past.commits)
        for event in commit.events
        if type(event) is kind
    ]
    return seeking.numbered(past.game, what, number, begun)


def views(past: Past, viewer: Viewer, after: int, last: int) -> bytes:
    """What the viewer could see after each version from `after` on, excluded, to `last`: JSON
    lines `{version, head, view}`."""
    lines = []
    for version in range(after + 1, last + 1):
        view = msgspec.Raw(steps.encoded(past.tables[version], viewer))
        line = {"version": version, "head": past.entries[version - 1].head.hex(), "view": view}
        lines.append(msgspec.json.encode(line) + b"\n")
    return b"".join(lines)
