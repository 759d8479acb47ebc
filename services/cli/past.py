"""Commands for what has been: taken back, gone on from, looked at. Their options and help."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.options import Api, Bearer, Eyes, Json
from services.cli.output import ending

Match = Annotated[str, typer.Argument(metavar="MATCH", help="The id of a match.")]


@ending
def fork(
    match: Match,
    step: Annotated[str, typer.Option(metavar="V", help="The version to go on from.")],
    eyes: Eyes = None,
    url: Api = "",
    token: Bearer = "",
    json: Json = False,
) -> None:
    """Go on from a step in a new match of its own: as a seat knew it, or as it was.

    For a seat what it can't see is dealt otherwise; an auditor's fork is the truth.
    """
    from services.cli import taking_back

    taking_back.fork(match, step, eyes or "", url, token, json)


@ending
def undo(
    match: Match,
    do: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="`cost`: who would have to agree. `ask` for it. `agree` to what is asked. "
            "`decline` it, or withdraw it. `revert`: an auditor or admin asks nobody.",
        ),
    ],
    to: Annotated[
        int | None,
        typer.Option(
            metavar="V", help="The version to go back to: with `cost`, `ask` and `revert`."
        ),
    ] = None,
    reason: Annotated[
        str, typer.Option(help="Why, with `revert`: it stands in the log, for everybody to read.")
    ] = "",
    url: Api = "",
    token: Bearer = "",
    json: Json = False,
) -> None:
    """Take answers back."""
    from services.cli import taking_back

    taking_back.undo(match, do, to, reason, url, token, json)


@ending
def access(match: Match, url: Api = "", token: Bearer = "", json: Json = False) -> None:
    """List every use of an auditor's eyes on a match."""
    from services.cli import taking_back

    taking_back.access(match, url, token, json)
