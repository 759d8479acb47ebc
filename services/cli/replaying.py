"""`replay`: a match step by step, through anyone's eyes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from games.sight import Viewer
from replay import seeking
from replay.export import NotTheirs
from replay.fold import Unequal, fold
from replay.load import Unreadable
from replay.steps import NoStep, Step
from replay.words import name
from services.cli import catalogue, drawing, keyboard, output, source
from services.cli.book import Api, Book, Log, Shown, narrated
from services.cli.reader import Reader


class Named(NamedTuple):
    """Which step is wanted, by one of four ways, and what it is to be compared with."""

    step: str | None = None
    at: str | None = None
    round: int | None = None
    turn: int | None = None
    since: str | None = None
    compare: str | None = None

    def one(self, book: Book) -> Step | None:
        """The step, None where none is named. Raises NoStep."""
        ways = [way for way in self[:4] if way is not None]
        if len(ways) > 1:
            raise NoStep("name a step, a time, a round or a turn, not several of them")
        if self.step is not None:
            return book.positions.check(Step.parse(self.step))
        if self.at is not None:
            return book.find("at", seeking.time_of(self.at))
        if self.round is not None:
            return book.find("round", self.round)
        return None if self.turn is None else book.find("turn", self.turn)


def run(
    where: str,
    named: Named,
    eyes: str | None,
    url: str,
    token: str,
    data: Path | None,
    json: bool,
) -> None:
    catalogue.load(data)
    try:
        book = opened(where, eyes, url, token)
        viewer, step = book.viewer, named.one(book)
        since = book.positions.check(Step.parse(named.since)) if named.since else None
        other = source.eyes(named.compare) if named.compare else None
        if step is None and keyboard.interactive() and not json:
            Reader(book, since, other).read()
        elif step or since or other is not None:
            step = step or Step(book.positions.last)
            _one(book, book.shown(step, viewer, since, other), json)
        elif json:
            every = list(narrated(book, viewer))
            output.as_json({"match": book.match, "game": book.game.id, "steps": every})
        else:
            _whole(book, viewer)
    except (NoStep, NotTheirs) as error:
        raise output.usage(str(error)) from None
    except (Unequal, Unreadable) as error:
        raise output.failed(str(error), "`hallowstream verify` tells what is wrong") from None


def opened(where: str, eyes: str | None, url: str, token: str) -> Book:
    """Raises Stop, Unequal, Unreadable."""
    if url and not source.is_file(where):
        return Api(where, url, token, eyes)
    found = source.find(where, url, token)
    story = source.story(found)
    return Log(story, fold(story, found.seed), source.viewer(eyes, story))


def _one(book: Book, shown: Shown, json: bool) -> None:
    if json:
        output.as_json(shown)
        return
    from rich.text import Text

    console = output.console()
    console.print(drawing.heading(book.game, shown))
    for title, part in drawing.parts(book.game, shown).items():
        console.print()
        console.print(Text(title.capitalize(), "bold underline"))
        console.print(part)


def _whole(book: Book, viewer: Viewer) -> None:
    """Everything that happened, one commit after the other, and the table at the end."""
    from rich.text import Text

    console = output.console()
    shown = book.shown(Step(book.positions.last), viewer)  # whose eyes may not look is told first
    console.print(f"{book.game.title}, match {book.match}, seen by {name(viewer)}")
    for told in narrated(book, viewer):
        console.print(Text(f"{told['step']:>4}  "), drawing.happening(told), sep="", end="")
        console.print()
    console.print(drawing.table(book.game, shown))
