"""How a screen is divided."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table

WIDE = 100
"""Columns from which on two things stand side by side."""


def pane(title: str, body: RenderableType) -> Panel:
    return Panel(body, title=title, title_align="left")


class Pair:
    """Two panes side by side, or one above the other where there is no room."""

    def __init__(self, left: Panel, right: Panel) -> None:
        self.left = left
        self.right = right

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < WIDE:
            yield self.left
            yield self.right
            return
        grid = Table.grid(expand=True)
        grid.add_column(ratio=1)
        grid.add_column(ratio=1)
        grid.add_row(self.left, self.right)
        yield grid


class Window:
    """A part of something that may be longer than the screen, from line `top` on.

    Once it is drawn, `top` is the line that it could begin with.
    """

    def __init__(self, body: RenderableType, top: int) -> None:
        self.body = body
        self.top = top

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self.body, options.update(height=None), pad=False)
        height = max(1, console.height - 2)
        self.top = max(0, min(self.top, len(lines) - height))
        for line in lines[self.top : self.top + height]:
            yield from line
            yield Segment.line()
