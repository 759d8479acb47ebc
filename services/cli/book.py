"""A match to leaf through: from a log in hand, or step by step through an API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol
from urllib.parse import urlencode

import msgspec

from games import catalog
from games.game import Game
from games.rules import Refused
from games.sight import Viewer
from replay import export, seeking, steps, words
from replay.fold import Fold
from replay.load import Story
from replay.steps import NoStep, Positions, Step
from services.cli import http, output, source

Shown = dict[str, Any]
"""What `replay.steps.shown` gives, with what has passed since the step it is compared with."""

Mark = Literal["at", "round", "turn"]
"""What a step can be found by: a time in UTC milliseconds, the beginning of a round or turn."""


class Book(Protocol):
    """A match, whose eyes it can be seen through, and its steps."""

    match: str
    game: Game
    viewer: Viewer
    eyes: list[Viewer]

    @property
    def positions(self) -> Positions: ...

    def shown(
        self,
        step: Step,
        viewer: Viewer,
        since: Step | None = None,
        other: Viewer | None = None,
    ) -> Shown:
        """The step, compared with an earlier one and with other eyes. Raises NoStep, NotTheirs."""

    def find(self, what: Mark, number: int) -> Step:
        """Raises NoStep."""

    def story(self) -> Story:
        """All commits by name."""

    def renew(self) -> None:
        """Look how far the match has come by now."""


class Log:
    """A log in hand."""

    def __init__(self, story: Story, folded: Fold, viewer: Viewer) -> None:
        self.match, self.game, self.viewer = story.match, story.game, viewer
        self.eyes: list[Viewer] = list(dict.fromkeys([viewer, story.viewer, "spectator"]))
        if story.viewer == "auditor":
            self.eyes = ["auditor", *range(story.created["seats"]), "spectator"]
        self._story = story
        self._folded = folded

    @property
    def positions(self) -> Positions:
        return steps.positions(self._story)

    def shown(
        self,
        step: Step,
        viewer: Viewer,
        since: Step | None = None,
        other: Viewer | None = None,
    ) -> Shown:
        shown = steps.shown(self._story, self._folded, step, viewer, since, other)
        passed = None
        if since is not None:
            here, game = Step.parse(shown["step"]), self.game
            passed = seeking.passed(game, since, here, lambda v: self._told(v, viewer))
        return {**shown, "passed": passed}

    def _told(self, version: int, viewer: Viewer) -> dict[str, Any]:
        return export.told_to(self._story, version, viewer)

    def find(self, what: Mark, number: int) -> Step:
        if what == "at":
            return seeking.at([told["at"] for told in self._story.told], number)
        return seeking.begun(self._story, what, number)

    def story(self) -> Story:
        return self._story

    def renew(self) -> None:
        """A log in hand does not grow."""


class Api:
    """A match of an API, seen as the token allows; a step that was read once is kept."""

    def __init__(self, match: str, url: str, token: str, eyes: str | None) -> None:
        self.match = match
        self._url = f"{url.rstrip('/')}/v1/matches/{match}"
        self._token = token
        self._base = url
        self._kept: dict[tuple[Step, Viewer, Step | None, Viewer | None], Shown] = {}
        self.renew()
        newest = self._get("steps")
        own, seen = newest["viewer"], newest["view"]["match"]
        try:
            self.game = catalog.find(seen["game"], seen["edition"])
        except Refused as refused:
            hint = "a publisher's edition is brought in with --data DIR"
            raise output.usage(refused.why, hint) from None
        self._seats = len(seen["seats"])
        self.eyes: list[Viewer] = ["auditor", *range(self._seats), "spectator"]
        if own != "auditor":
            self.eyes = list(dict.fromkeys([own, "spectator"]))
        self.viewer = own if eyes is None else source.eyes(eyes)
        self._check(self.viewer)

    def _check(self, viewer: Viewer) -> None:
        """Raises NotTheirs."""
        if viewer not in self.eyes and isinstance(viewer, int) and viewer >= self._seats:
            why = f"there is no seat {viewer}: seats go from 0 to {self._seats - 1}"
            raise export.NotTheirs(why)
        if viewer not in self.eyes:
            why = f"this token does not see through the eyes of {words.name(viewer)}"
            raise export.NotTheirs(why)

    @property
    def positions(self) -> Positions:
        return Positions(self._last, lambda version: int(self._parts(version)))

    def _parts(self, version: int) -> int:
        return int(self.shown(Step(version), self.viewer)["parts"])

    def shown(
        self,
        step: Step,
        viewer: Viewer,
        since: Step | None = None,
        other: Viewer | None = None,
    ) -> Shown:
        self._check(viewer)
        key = (step, viewer, since, other)
        known = self._kept.get(key)
        if known is None:
            if step.version > self._last or not step.version:
                raise NoStep(f"there is no version {step.version}: there are 1 to {self._last}")
            asked: dict[str, Any] = {"as": viewer}
            if since is not None:
                steps.check_earlier(since, step)
                asked["since"] = since
            if other is not None:
                self._check(other)
                asked["compare"] = other
            known = self._kept[key] = self._get(f"steps/{step}", **asked)
        return {**known, "steps": self._last, "unknown": None}

    def views(self, viewer: Viewer, after: int) -> list[Shown]:
        """A page of what the viewer could see after each version from `after` on, excluded:
        `{version, head, view}`. Raises NotTheirs."""
        self._check(viewer)
        lines = self._read("views", **{"after": after, "as": viewer}).splitlines()
        return [msgspec.json.decode(line) for line in lines]

    def find(self, what: Mark, number: int) -> Step:
        return Step.parse(self._get("steps", **{what: number, "as": self.viewer})["step"])

    def story(self) -> Story:
        return source.story(source.find(self.match, self._base, self._token))

    def renew(self) -> None:
        self._last = int(self._get("steps")["version"])

    def _get(self, path: str, **query: Any) -> Shown:
        return dict(msgspec.json.decode(self._read(path, **query)))

    def _read(self, path: str, **query: Any) -> bytes:
        asked = f"?{urlencode(query)}" if query else ""
        return http.request("GET", f"{self._url}/{path}{asked}", self._token)


def narrated(book: Book, viewer: Viewer) -> Iterator[Shown]:
    """Every commit in words: `{step, at, by, rules, says, events}`. Raises NotTheirs."""
    story = book.story()
    for version in range(1, len(story.pages) + 1):
        told = export.told_to(story, version, viewer)
        says = words.sentences(story.game, told["events"], told["by"])
        kept = {name: told[name] for name in ("at", "by", "rules")}
        yield {"step": str(version), **kept, "says": says, "events": told["events"]}
