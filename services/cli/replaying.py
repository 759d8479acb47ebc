"""`replay`: a match step by step, through anyone's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from games.sight import Viewer
from replay import steps
from replay.export import NotTheirs
from replay.fold import Fold, Unequal, fold
from replay.load import Story, Unreadable
from replay.steps import NoStep, Step
from replay.words import name
from services.cli import catalogue, drawing, keyboard, output, source


def run(
    where: str,
    at: str | None,
    eyes: str | None,
    url: str,
    token: str,
    data: Path | None,
    json: bool,
) -> None:
    catalogue.load(data)
    found = source.find(where, url, token)
    story = source.story(found)
    viewer = source.viewer(eyes, story)
    try:
        folded = fold(story, found.seed)
        if at is not None:
            _one(story, folded, Step.parse(at), viewer, json)
        elif json:
            every = [_at(story, folded, n, viewer) for n in range(1, len(story.pages) + 1)]
            output.as_json({"match": story.match, "game": story.game.id, "steps": every})
        elif keyboard.interactive():
            Reader(story, folded, viewer).read()
        else:
            _whole(story, folded, viewer)
    except (NoStep, NotTheirs) as error:
        raise output.usage(str(error)) from None
    except (Unequal, Unreadable) as error:
        raise output.failed(str(error), "`hallowstream verify` tells what is wrong") from None


def _at(story: Story, folded: Fold, version: int, viewer: Viewer) -> dict[str, Any]:
    shown = steps.shown(story, folded, Step(version), viewer)
    return {k: shown[k] for k in ("step", "at", "by", "rules", "says", "events")}


def _one(story: Story, folded: Fold, step: Step, viewer: Viewer, json: bool) -> None:
    shown = steps.shown(story, folded, step, viewer)
    if json:
        output.as_json(shown)
        return
    console = output.console()
    console.print(drawing.heading(story.game, shown))
    console.print(drawing.happening(shown))
    console.print(drawing.table(story.game, shown))


def _whole(story: Story, folded: Fold, viewer: Viewer) -> None:
    """Everything that happened, one commit after the other, and the table at the end."""
    from rich.text import Text

    console = output.console()
    for version in range(1, len(story.pages) + 1):
        shown = steps.shown(story, folded, Step(version), viewer)
        if version == 1:
            console.print(f"{story.game.title}, match {story.match}, seen by {name(viewer)}")
        console.print(Text(f"{version:>4}  "), drawing.happening(shown), sep="", end="")
        console.print()
    console.print(drawing.table(story.game, shown))


HELP = "←/→ commit  ↑/↓ event  number+enter jump  s eyes  home/end  pgup/pgdn scroll  q quit"
SCROLL = 10
"""Lines that a page key goes."""


class Reader:
    """The interactive replay: where it stands, and whose eyes it looks through."""

    def __init__(self, story: Story, folded: Fold, viewer: Viewer) -> None:
        self.story = story
        self.folded = folded
        self.eyes = _eyes(story, viewer)
        self.viewer = viewer
        self.step = Step(1)
        self.typed = ""
        self.note = ""
        self.window = drawing.Window("", 0)

    def read(self) -> None:
        """Until `q`."""
        with keyboard.keys() as struck, output.console().screen(hide_cursor=True) as screen:
            screen.update(self.page())
            for key in struck:
                if key in ("q", "escape"):
                    break
                self.strike(key)
                screen.update(self.page())

    def strike(self, key: str) -> None:
        """What one key does."""
        self.note = ""
        if key.isdigit() or key == ".":
            self.typed += key
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            self._jump()
        else:
            self.typed = ""
            self._move(key)

    def _move(self, key: str) -> None:
        last = len(self.story.pages)
        if key in ("right", "n", " "):
            # From inside a commit, the next one is that commit whole.
            version = self.step.version + (0 if self.step.event else 1)
            self.step = Step(min(version, last))
        elif key in ("left", "p"):
            self.step = Step(max(self.step.version - 1, 1))
        elif key == "down":
            self.step = steps.after(self.story, self.step)
        elif key == "up":
            self.step = steps.before(self.story, self.step)
        elif key == "home":
            self.step = Step(1)
        elif key == "end":
            self.step = Step(last)
        elif key == "pagedown":
            self.window.top += SCROLL
        elif key == "pageup":
            self.window.top -= SCROLL
        elif key == "s":
            at = self.eyes.index(self.viewer)
            self.viewer = self.eyes[(at + 1) % len(self.eyes)]

    def _jump(self) -> None:
        try:
            if self.typed:
                self.step = steps.check(self.story, Step.parse(self.typed))
        except NoStep as error:
            self.note = str(error)
        self.typed = ""

    def page(self) -> Any:
        """The whole screen."""
        from rich.console import Group
        from rich.panel import Panel
        from rich.text import Text

        shown = steps.shown(self.story, self.folded, self.step, self.viewer)
        foot = Text(f"go to {self.typed}▏" if self.typed else self.note or HELP)
        foot.stylize("bold" if self.typed else "yellow" if self.note else "dim")
        body = Group(
            Panel(drawing.happening(shown), title="what happened", title_align="left"),
            Panel(drawing.table(self.story.game, shown), title="the table", title_align="left"),
        )
        heading = drawing.heading(self.story.game, shown)
        self.window = drawing.Window(body, self.window.top)
        return Group(heading, foot, self.window)


def _eyes(story: Story, viewer: Viewer) -> list[Viewer]:
    """Whose eyes this log can be seen through."""
    if story.viewer == "auditor":
        return ["auditor", *range(story.created["seats"]), "spectator"]
    return list(dict.fromkeys([viewer, story.viewer, "spectator"]))
