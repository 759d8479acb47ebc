"""The interactive replay: where it stands, and whose eyes it looks through."""

from __future__ import annotations

from typing import Any

from replay.steps import NoStep, Step
from services.cli import drawing, keyboard, output
from services.cli.book import Book

HELP = "←→ commit  ↑↓ event  number+enter jump  s eyes  home/end  pgup/dn  q quit"
SCROLL = 10
"""Lines that a page key goes."""


class Reader:
    """One reader of a book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.viewer = book.viewer
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
        at = self.book.positions
        if key in ("right", "n", " "):
            # From inside a commit, the next one is that commit whole.
            version = self.step.version + (0 if self.step.event else 1)
            self.step = Step(min(version, at.last))
        elif key in ("left", "p"):
            self.step = Step(max(self.step.version - 1, 1))
        elif key == "down":
            self.step = at.after(self.step)
        elif key == "up":
            self.step = at.before(self.step)
        elif key == "home":
            self.step = Step(1)
        elif key == "end":
            self.book.renew()
            self.step = Step(self.book.positions.last)
        elif key == "pagedown":
            self.window.top += SCROLL
        elif key == "pageup":
            self.window.top -= SCROLL
        elif key == "s":
            eyes = self.book.eyes
            self.viewer = eyes[(eyes.index(self.viewer) + 1) % len(eyes)]

    def _jump(self) -> None:
        try:
            if self.typed:
                self.step = self.book.positions.check(Step.parse(self.typed))
        except NoStep as error:
            self.note = str(error)
        self.typed = ""

    def page(self) -> Any:
        """The whole screen."""
        from rich.console import Group
        from rich.panel import Panel
        from rich.text import Text

        game = self.book.game
        shown = self.book.shown(self.step, self.viewer)
        foot = Text(f"go to {self.typed}▏" if self.typed else self.note or HELP)
        foot.stylize("bold" if self.typed else "yellow" if self.note else "dim")
        parts = {
            "what was asked": drawing.asked(shown),
            "what happened": drawing.happening(shown),
            "what changed": drawing.changed(shown),
            "the table": drawing.table(game, shown),
        }
        panels = [
            Panel(part, title=title, title_align="left")
            for title, part in parts.items()
            if part.renderables
        ]
        self.window = drawing.Window(Group(*panels), self.window.top)
        return Group(drawing.heading(game, shown), foot, self.window)
