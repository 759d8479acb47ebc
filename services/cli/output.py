"""What a command prints, and how it ends.

Exit codes: 0 done, 1 a check failed, 2 used wrongly, 3 cannot connect, 130 interrupted.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

P = ParamSpec("P")

FAILED, USAGE, NO_CONNECTION, INTERRUPTED = 1, 2, 3, 130


class Stop(Exception):
    """Ends the command: what is wrong, and what to do next."""

    def __init__(self, code: int, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.hint = hint


class Quiet(Exception):
    """Ends the command with this code; all is said already."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def failed(why: str, hint: str = "") -> Stop:
    return Stop(FAILED, why, hint)


def usage(why: str, hint: str = "") -> Stop:
    return Stop(USAGE, why, hint)


def no_connection(why: str, hint: str = "") -> Stop:
    return Stop(NO_CONNECTION, why, hint)


def ending(command: Callable[P, None]) -> Callable[P, None]:
    """Turns a `Stop` into a message and its exit code; with `--json` the message is JSON."""

    @functools.wraps(command)
    def ended(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except Stop as stop:
            if kwargs.get("json"):
                as_json({"ok": False, "error": stop.why, "hint": stop.hint, "exit": stop.code})
            else:
                complain(stop)
            raise typer.Exit(stop.code) from None
        except Quiet as quiet:
            raise typer.Exit(quiet.code) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # Who reads us has seen enough (`| head`).
            sys.stderr.close()
            raise typer.Exit(0) from None

    return ended


MISUSED: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises where a command line is none; it has no public name for it."""


class Commands(TyperGroup):
    """All commands; with `--json` also what typer itself refuses is told as JSON."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **named: Any) -> Any:
        given = sys.argv[1:] if args is None else list(args)
        if "--json" not in given:
            return super().main(args, *more, **named)
        try:
            code = super().main(given, *more, **{**named, "standalone_mode": False})
        except MISUSED as error:
            why = getattr(error, "format_message", error.__str__)()
            hint = "--help tells what a command takes"
            as_json({"ok": False, "error": why, "hint": hint, "exit": USAGE})
            code = USAGE
        sys.exit(code)


def show_scores(winners: Sequence[int], scores: Iterable[int | None]) -> None:
    """How a match ended, a line a seat."""
    from rich.text import Text

    from replay.words import points

    for seat, score in enumerate(scores):
        won = seat in winners
        line = f"  seat {seat}  {points(score):>4}" + ("  wins" if won else "")
        console().print(Text(line, "bold green" if won else ""))


def counted(number: int, one: str, many: str = "") -> str:
    """`1 match`, `1,000 matches`; `many` where it takes more than an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def as_json(data: Any) -> None:
    """One JSON document on stdout; indented where somebody reads along."""
    import msgspec

    text = msgspec.json.encode(data)
    if sys.stdout.isatty():
        text = msgspec.json.format(text, indent=2)
    sys.stdout.write(text.decode() + "\n")


@contextmanager
def logged_aside() -> Iterator[None]:
    """What is logged meanwhile goes to stderr: stdout is for what was asked."""
    import structlog

    before = structlog.get_config()
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
    try:
        yield
    finally:
        structlog.configure(**before)


UNSEEN = {
    **{code: "\ufffd" for code in (*range(32), *range(127, 160)) if code not in (9, 10)},
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"),
}
"""What steers a terminal or turns the writing round, and what is shown in its place."""


def console(**more: Any) -> Console:
    """Where people read; plain and unbroken lines where nobody does. NO_COLOR is kept.

    A log is anybody's words: nothing in it can steer the terminal, or is taken for markup.
    """
    from rich.console import Console
    from rich.segment import Segment

    class Safe(Console):
        def render(self, *args: Any, **kwargs: Any) -> Iterable[Segment]:
            for segment in super().render(*args, **kwargs):
                if not segment.control:
                    segment = segment._replace(text=segment.text.translate(UNSEEN))
                yield segment

    plain = {"highlight": False, "markup": False, "emoji": False}
    return Safe(**{**plain, "soft_wrap": not sys.stdout.isatty(), **more})


def complain(stop: Stop) -> None:
    from rich.text import Text

    err = console(stderr=True, soft_wrap=True)
    err.print(Text.assemble(("error: ", "bold red"), stop.why))
    if stop.hint:
        err.print(Text.assemble((" next: ", "bold cyan"), stop.hint))


def sentence(said: str) -> Text:
    """What happened, its seats standing out."""
    from rich.text import Text

    text = Text(said)
    text.highlight_regex(r"\b[Ss]eat \d+", "cyan")
    return text
