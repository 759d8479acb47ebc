"""All commands, their options and help; what each does is in a module that it imports."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from services.cli.output import ending

CODES = "Exit codes: 0 done, 1 a check failed, 2 used wrongly, 3 cannot connect."

app = typer.Typer(
    help="Turn-based tabletop games on an event log: play, watch, replay, verify.",
    epilog=CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Bots(StrEnum):
    heuristic = "heuristic"
    random = "random"


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        envvar="HALLOWSTREAM_EDITIONS",
        help="Folder of publishers' editions, `<game>/<edition>.json`.",
    ),
]
Source = Annotated[
    str, typer.Argument(metavar="FILE|MATCH", help="A log file, or the id of a match.")
]
Url = Annotated[
    str, typer.Option(envvar="HALLOWSTREAM_URL", help="Read the match through this API.")
]
Token = Annotated[
    str,
    typer.Option(
        envvar="HALLOWSTREAM_TOKEN", help="Whose log to read there: a seat's or an auditor's token."
    ),
]
Eyes = Annotated[
    str | None, typer.Option("--as", metavar="SEAT|spectator|auditor", help="Through whose eyes.")
]


@app.callback(invoke_without_command=True)
def hallowstream(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Turn-based tabletop games on an event log: play, watch, replay, verify."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"hallowstream {installed('hallowstream')}")
        raise typer.Exit


@app.command(epilog=CODES)
@ending
def play(
    game: Annotated[str, typer.Argument(help="Its id, as `hallowstream games` lists them.")],
    seats: Annotated[
        int | None, typer.Option(help="How many sit at the table; as few as may be if not given.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="Any text; the same one gives the same bytes everywhere.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the auditor's log to this file.")] = None,
    bots: Annotated[Bots, typer.Option(help="Who plays.")] = Bots.random,
    edition: Annotated[str, typer.Option(help="A publisher's edition, from --data.")] = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Play a whole match offline, by bots, and keep its log."""
    from services.cli import playing

    playing.run(game, seats, seed, option or [], out, bots.value, edition, data, json)


@app.command(epilog=CODES)
@ending
def replay(
    source: Source,
    step: Annotated[
        str | None, typer.Option(metavar="V[.K]", help="After version V, or its event K.")
    ] = None,
    eyes: Eyes = None,
    url: Url = "",
    token: Token = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Step through a match: what happened, in words, and the view at any step.

    On a terminal and without --step it is interactive: arrow keys step, a number jumps, `s`
    switches eyes. Elsewhere it tells the whole match.
    """
    from services.cli import replaying

    replaying.run(source, step, eyes, url, token, data, json)


@app.command(epilog=CODES)
@ending
def verify(
    source: Source,
    head: Annotated[
        str, typer.Option(help="A head in hex that you hold from elsewhere: it must be in the log.")
    ] = "",
    url: Url = "",
    token: Token = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Check a log: chain, seals, seed, and that the rules give the same events again."""
    from services.cli import verifying

    verifying.run(source, head, url, token, data, json)


@app.command(epilog=CODES)
@ending
def export(
    source: Source,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    eyes: Eyes = None,
    url: Url = "",
    token: Token = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Write a match's log to a file, as a viewer may have it."""
    from services.cli import exporting

    exporting.run(source, out, eyes, url, token, data, json)


@app.command(epilog=CODES)
@ending
def games(
    game: Annotated[str | None, typer.Argument(help="One of them, with its options.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """List the games, or show one: players, options with defaults, data digest."""
    from services.cli import catalogue

    catalogue.run(game, data, json)
