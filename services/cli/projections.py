"""The commands of `hallowstream projections`, their options and help."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.options import CODES, Data, Json
from services.cli.output import ending

projections = typer.Typer(
    help="What workers keep: how far they are, what is parked; release it, rebuild a read model.",
    invoke_without_command=True,
)

Name = Annotated[str, typer.Argument(help="The group, as `hallowstream projections` lists it.")]


@projections.callback()
@ending
def list_(context: typer.Context, json: Json = False) -> None:
    """Without a command: each group with its version, what waits, who works, what is parked."""
    if context.invoked_subcommand is None:
        from services.cli import projecting

        projecting.overview(json)


@projections.command(epilog=CODES)
@ending
def release(
    name: Annotated[
        str | None, typer.Argument(help="The group that has parked it; every one if not given.")
    ] = None,
    match: Annotated[str | None, typer.Argument(help="The match's id.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All that is parked (by this group).")
    ] = False,
    json: Json = False,
) -> None:
    """Have the workers try a parked match again, after what was wrong has been put right."""
    from services.cli import projecting

    projecting.release(name, match, every, json)


@projections.command(epilog=CODES)
@ending
def rebuild(
    name: Name,
    at_once: Annotated[
        int, typer.Option(min=1, help="How many matches are folded at a time.")
    ] = 16,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Drop what an unfinished rebuild has built.")
    ] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Build a read model anew from the logs, beside the one that is read, then swap the two.

    What was killed is gone on with. The old one is dropped by the workers half a minute later.
    """
    from services.cli import projecting

    projecting.rebuild(name, at_once, give_up, data, json)


@projections.command(epilog=CODES)
@ending
def letters(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")] = 50,
    json: Json = False,
) -> None:
    """Dead letters, the newest first: commits that could not be folded, and why."""
    from services.cli import projecting

    projecting.letters(limit, json)
