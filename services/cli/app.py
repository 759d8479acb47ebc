"""All commands, their options and help; what each does is in a module that it imports."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from services.cli import past, review
from services.cli.archive import archive
from services.cli.disputes import disputes
from services.cli.forgetting import forget
from services.cli.options import CODES, Data, Eyes, Json, Ours, Source, Token, Url
from services.cli.output import Commands, ending
from services.cli.projections import projections

app = typer.Typer(
    cls=Commands,
    help="Turn-based tabletop games on an event log: play, watch, replay, verify.",
    epilog=CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Bots(StrEnum):
    heuristic = "heuristic"
    random = "random"


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
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Its id, as `hallowstream games` lists them.")
    ],
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
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help='The step at a time: "2026-10-31 19:00:03", in UTC.'),
    ] = None,
    round: Annotated[
        int | None, typer.Option(metavar="N", help="The step at which a round began.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option(metavar="N", help="The step at which a turn began.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="V[.K]", help="What has happened since this step, until --step or now."
        ),
    ] = None,
    eyes: Eyes = None,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT|spectator|auditor", help="Put what these eyes could see beside it."
        ),
    ] = None,
    url: Url = "",
    token: Token = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Step through a match: what happened, in words, and the view at any step.

    On a terminal keys leaf through it, unless a step is named; elsewhere all of it is told.
    """
    from services.cli import replaying

    named = replaying.Named(step, at, round, turn, since, compare)
    replaying.run(source, named, eyes, url, token, data, json)


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
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="One of them, with its options.")
    ] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """List the games, or show one: players, options with defaults, data digest."""
    from services.cli import catalogue

    catalogue.run(game, data, json)


@app.command(epilog=CODES)
@ending
def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; HALLOWSTREAM_HOST, or 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on, 0 takes a free one; HALLOWSTREAM_PORT, or 8000."),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Worker processes; with 0, the API alone.")
    ] = 1,
    data: Data = None,
) -> None:
    """Serve the API, with its workers, until it is stopped.

    Without REDIS_URL it starts a Redis of its own and keeps its data under ./.hallowstream/.
    """
    from services.cli import serving

    serving.serve(workers, {"host": host, "port": port, "editions": data})


@app.command(epilog=CODES)
@ending
def worker(
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GROUP",
            help="A group to work for, as often as needed: views, lobby, inbox, summary, disputes, "
            "bots, keeper, archive; all of them if none is given.",
        ),
    ] = None,
    name: Annotated[
        str,
        typer.Option(help="Its own name from start to start; host and process id if not given."),
    ] = "",
    metrics_port: Annotated[
        int | None, typer.Option(help="Show metrics on this port; 0 takes a free one.")
    ] = None,
) -> None:
    """Keep read models and play bots, until it is stopped."""
    from services.cli import serving

    serving.worker(group or [], name, metrics_port)


class Scope(StrEnum):
    audit = "audit"
    player = "player"
    view = "view"
    admin = "admin"


@app.command(epilog=CODES)
@ending
def tokens(
    scope: Annotated[
        Scope | None,
        typer.Argument(
            metavar="SCOPE", help="For an auditor, a player, a watcher of one match, or an admin."
        ),
    ] = None,
    player: Annotated[str, typer.Option(help="The player's opaque id; made up if absent.")] = "",
    match: Annotated[str, typer.Option(help="The match that a watcher's token is for.")] = "",
    hours: Annotated[
        float | None, typer.Option(help="How long it is good; for good if absent.")
    ] = None,
    revoke: Annotated[str, typer.Option(metavar="ID", help="Revoke the token of this id.")] = "",
    url: Ours = "",
    json: Json = False,
) -> None:
    """Make or revoke tokens, with the admin key of the environment or of this machine's server."""
    from services.cli import granting

    granting.run(scope or "", player, match, hours, revoke, url, json)


@app.command(epilog=CODES)
@ending
def demo(
    game: Annotated[str, typer.Option(help="What is played.")] = "tricks-and-treats",
    seats: Annotated[
        int | None, typer.Option(help="How many sit at the table; as few as may be if not given.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Go on serving until Ctrl-C.")] = False,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 0,
    data: Data = None,
    json: Json = False,
) -> None:
    """See everything at work: a server, a match played through the API, its log verified.

    Needs nothing: it starts its own Redis and keeps its data under ./.hallowstream/.
    """
    from services.cli import demonstrating

    demonstrating.run(game, seats, keep, port, data, json)


@app.command(epilog=CODES)
@ending
def doctor(
    release: Annotated[
        bool, typer.Option("--release", help="Have parked matches tried again by the workers.")
    ] = False,
    port: Annotated[int | None, typer.Option(help="The port that is to be listened on.")] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="This machine's own data; ./.hallowstream/.")
    ] = None,
    json: Json = False,
) -> None:
    """Look whether all is well here, and say how to put right what is not."""
    from services.cli import doctoring

    doctoring.run(release, port, folder, json)


app.command(epilog=CODES)(review.verify)
app.command(epilog=CODES)(review.bundle)
app.command(epilog=CODES)(review.keys)
for made in (past.fork, past.undo, past.access):
    app.command(epilog=CODES)(made)
app.command(epilog=CODES)(forget)
app.add_typer(disputes, name="disputes", epilog=CODES)
app.add_typer(projections, name="projections", epilog=CODES)
app.add_typer(archive, name="archive", epilog=CODES)
