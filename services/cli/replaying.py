"""`replay`: a match step by step, through anyone's eyes."""

from __future__ import annotations

from pathlib import Path

from games.sight import Viewer
from replay.export import NotTheirs
from replay.fold import Unequal, fold
from replay.load import Unreadable
from replay.steps import NoStep, Step
from replay.words import name
from services.cli import catalogue, drawing, keyboard, output, source
from services.cli.book import Api, Book, Log, narrated
from services.cli.reader import Reader


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
    try:
        book = opened(where, eyes, url, token)
        viewer = book.viewer
        if at is not None:
            _one(book, Step.parse(at), viewer, json)
        elif json:
            every = list(narrated(book, viewer))
            output.as_json({"match": book.match, "game": book.game.id, "steps": every})
        elif keyboard.interactive():
            Reader(book).read()
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


def _one(book: Book, step: Step, viewer: Viewer, json: bool) -> None:
    shown = book.shown(book.positions.check(step), viewer)
    if json:
        output.as_json(shown)
        return
    console = output.console()
    console.print(drawing.heading(book.game, shown))
    console.print(drawing.happening(shown))
    console.print(drawing.table(book.game, shown))


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
