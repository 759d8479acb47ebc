"""The commands of `hallowstream archive`, their options and help."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from services.cli import output
from services.cli.output import ending

archive = typer.Typer(
    help="Finished matches in HALLOWSTREAM_ARCHIVE: moved there, looked after, brought back.",
    no_args_is_help=True,
)


def _shelving() -> Any:
    """What does the work, once it is sure that what it takes is installed. Raises Stop."""
    from services.cli import stores

    if stores.archive_of(stores.settings()) is None:
        hint = "set HALLOWSTREAM_ARCHIVE, to file:///folder or s3://bucket/prefix"
        raise output.usage("no archive is set", hint)
    from services.cli import shelving

    return shelving


Match = Annotated[str, typer.Argument(help="The match's id.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@archive.command()
@ending
def run(json: Json = False) -> None:
    """Archive at once all that may go, and delete what is kept no longer."""
    _shelving().run(json)


@archive.command()
@ending
def status(json: Json = False) -> None:
    """What is in the archive, and what has been done there."""
    _shelving().status(json)


@archive.command()
@ending
def show(match: Match, json: Json = False) -> None:
    """Where a match is kept."""
    _shelving().show(match, json)


@archive.command()
@ending
def restore(match: Match, json: Json = False) -> None:
    """Bring a match back into the store; it is archived again after its grace."""
    _shelving().restore(match, json)


@archive.command()
@ending
def delete(
    match: Match,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Delete an archived match for good: its log, its views, the words of its disputes."""
    _shelving().delete(match, yes, json)


@archive.command()
@ending
def verify(json: Json = False) -> None:
    """Unpack every match of every segment, and check its chain to the last head."""
    _shelving().verify(json)


@archive.command()
@ending
def reindex(json: Json = False) -> None:
    """Make all that the archive holds known to a store that has lost it."""
    _shelving().reindex(json)
