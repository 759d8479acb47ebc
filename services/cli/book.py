"""A match to leaf through: from a log in hand, or step by step through an API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol
from urllib.parse import urlencode

import msgspec

from games import catalog
from games.game import Game
from games.rules import Refused
from games.sight import Viewer
from replay import export, steps, words
from replay.fold import Fold
from replay.load import Story
from replay.steps import NoStep, Positions, Step
from services.cli import http, output, source

Shown = dict[str, Any]
"""What `replay.steps.shown` gives."""


class Book(Protocol):
    """A match, whose eyes it can be seen through, and its steps."""

    match: str
    game: Game
    viewer: Viewer
    eyes: list[Viewer]

    @property
    def positions(self) -> Positions: ...

    def shown(self, step: Step, viewer: Viewer) -> Shown:
        """Raises NoStep, NotTheirs."""

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

    def shown(self, step: Step, viewer: Viewer) -> Shown:
        return steps.shown(self._story, self._folded, step, viewer)

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
        self._kept: dict[tuple[Step, Viewer], Shown] = {}
        self.renew()
        newest = self._get("steps")
        own, seen = newest["viewer"], newest["view"]["match"]
        try:
            self.game = catalog.find(seen["game"], seen["edition"])
        except Refused as refused:
            hint = "a publisher's edition is brought in with --data DIR"
            raise output.usage(refused.why, hint) from None
        seats = range(len(seen["seats"]))
        self.eyes: list[Viewer] = ["auditor", *seats, "spectator"]
        if own != "auditor":
            self.eyes = list(dict.fromkeys([own, "spectator"]))
        self.viewer = own if eyes is None else source.eyes(eyes)
        if self.viewer not in self.eyes:
            raise output.usage(f"this token does not see through the eyes of {eyes}")

    @property
    def positions(self) -> Positions:
        return Positions(self._last, lambda version: int(self._parts(version)))

    def _parts(self, version: int) -> int:
        return int(self.shown(Step(version), self.viewer)["parts"])

    def shown(self, step: Step, viewer: Viewer) -> Shown:
        known = self._kept.get((step, viewer))
        if known is None:
            if step.version > self._last or not step.version:
                raise NoStep(f"there is no version {step.version}: there are 1 to {self._last}")
            known = self._get(f"steps/{step}", **{"as": viewer})
            self._kept[step, viewer] = known
        return {**known, "steps": self._last, "unknown": None}

    def story(self) -> Story:
        return source.story(source.find(self.match, self._base, self._token))

    def renew(self) -> None:
        self._last = int(self._get("steps")["version"])

    def _get(self, path: str, **query: Any) -> Shown:
        asked = f"?{urlencode(query)}" if query else ""
        reply = http.request("GET", f"{self._url}/{path}{asked}", self._token)
        return dict(msgspec.json.decode(reply))


def narrated(book: Book, viewer: Viewer) -> Iterator[Shown]:
    """Every commit in words: `{step, at, by, rules, says, events}`. Raises NotTheirs."""
    story = book.story()
    for version in range(1, len(story.pages) + 1):
        told = export.told_to(story, version, viewer)
        says = words.sentences(story.game, told["events"])
        kept = {name: told[name] for name in ("at", "by", "rules")}
        yield {"step": str(version), **kept, "says": says, "events": told["events"]}
