"""The interactive replay: where it stands, through whose eyes, and what it is compared with."""

from __future__ import annotations

from typing import Any

from games.sight import Viewer
from replay import seeking
from replay.export import NotTheirs
from replay.steps import NoStep, Step
from replay.words import moment
from services.cli import drawing, keyboard, output, panes
from services.cli.book import Book, Mark, Shown

FOOT = "←→ commit  ↑↓ event  12⏎ jump  s eyes  c compare  m {mark}  ? keys  q quit"

HELP = """\
→ n space     the next commit           ← p    the one before
↓             the next event            ↑      the one before
Home          the first step            End    the newest there is by now
12 Enter      step 12                   12.3 Enter   after its third event
t 5 Enter     where turn 5 began        r 2 Enter    where round 2 began
@ 19:00 Enter   the step at that time of the day, UTC, or with a date before it
s             other eyes to look through
c             another view beside this one: the next eyes, then nobody's
m             mark this step: later ones tell what happened since; again: unmark
PgUp PgDn     scroll                    Esc    leave off typing, or quit
?             this page                 q      quit"""

SCROLL = 10
"""Lines that a page key goes."""

GOALS: dict[str, Mark] = {"t": "turn", "r": "round", "@": "at"}


class Reader:
    """One reader of a book. Raises NoStep, NotTheirs where it has not even a first step."""

    def __init__(self, book: Book, since: Step | None = None, other: Viewer | None = None) -> None:
        self.book = book
        self.viewer = book.viewer
        self.other = other
        self.step = Step(1)
        self.mark = since
        self.goal: Mark | None = None
        self.typed = ""
        self.note = ""
        self.help = False
        self.window = panes.Window("", 0)
        self._seen = self._look()

    def read(self) -> None:
        """Until `q`."""
        with keyboard.keys() as struck, output.console().screen(hide_cursor=True) as screen:
            screen.update(self.page())
            for key in struck:
                if key in ("q", "escape") and not self.typing:
                    break
                self.strike(key)
                screen.update(self.page())

    @property
    def typing(self) -> bool:
        return bool(self.typed or self.goal)

    def strike(self, key: str) -> None:
        """What one key does; where that leads nowhere, it is said, and all stays."""
        stood = self.step, self.viewer, self.other, self.mark
        self.note = ""
        self.help = key == "?" and not self.help
        try:
            if not self._type(key):
                self.typed, self.goal = "", None
                self._move(key)
            self._seen = self._look()
        except (NoStep, NotTheirs, output.Stop) as error:
            self.step, self.viewer, self.other, self.mark = stood
            self.note = str(error)

    def _look(self) -> Shown:
        since = self.mark if self.mark and self.mark.earlier(self.step) else None
        other = None if self.other == self.viewer else self.other
        return self.book.shown(self.step, self.viewer, since, other)

    def _type(self, key: str) -> bool:
        """Whether the key is part of where to jump to."""
        if key.isdigit() or (key == "." and not self.goal) or (self.goal == "at" and key in ":- "):
            self.typed += key
        elif key in GOALS and not self.typing:
            self.goal = GOALS[key]
        elif key == " " and self.goal and not self.typed:
            pass  # `t 5` as it is written down
        elif key == "backspace" and self.typing:
            self.typed, self.goal = self.typed[:-1], self.goal if self.typed else None
        elif key == "escape" and self.typing:
            self.typed, self.goal = "", None
        elif key == "enter":
            self._jump()
        else:
            return False
        return True

    def _jump(self) -> None:
        typed, goal = self.typed.strip(), self.goal
        self.typed, self.goal = "", None
        if typed and goal == "at":
            day = moment(self._seen["at"])[:10]
            self.step = self.book.find("at", seeking.time_of(typed, day))
        elif typed and goal:
            self.step = self.book.find(goal, int(typed))
        elif typed:
            self.step = self.book.positions.check(Step.parse(typed))

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
        elif key == "c":
            self.other = self._next_beside()
        elif key == "m":
            self.mark = None if self.mark else self.step

    def _next_beside(self) -> Viewer | None:
        """The next other eyes, nobody's after the last."""
        others = [eyes for eyes in self.book.eyes if eyes != self.viewer]
        if self.other not in others:
            return others[0] if others else None
        return [*others, None][others.index(self.other) + 1]

    def page(self) -> Any:
        """The whole screen."""
        from rich.console import Group

        body = panes.pane("keys", HELP) if self.help else Group(*self._panes())
        self.window = panes.Window(body, self.window.top)
        heading = drawing.heading(self.book.game, self._seen)
        return Group(heading, self._foot(), self.window)

    def _panes(self) -> list[Any]:
        """All parts; the tables of two viewers side by side."""
        parts = drawing.parts(self.book.game, self._seen)
        made: list[Any] = [panes.pane(title, part) for title, part in parts.items()]
        for at, title in enumerate(parts):
            if title.startswith(f"{drawing.THE_TABLE} as "):
                made[at - 1 : at + 1] = [panes.Pair(made[at - 1], made[at])]
        return made

    def _foot(self) -> Any:
        from rich.text import Text

        if self.typing:
            goal = "time" if self.goal == "at" else self.goal or "step"
            foot = Text(f"go to {goal} {self.typed}▏", "bold")
        elif self.note:
            foot = Text(self.note, "yellow")
        else:
            mark = f"unmark {self.mark}" if self.mark else "mark"
            foot = Text(FOOT.format(mark=mark), "dim")
        foot.no_wrap, foot.overflow = True, "ellipsis"
        return foot
