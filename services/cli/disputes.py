"""The commands of `hallowstream disputes`, their options and help."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from services.cli.options import CODES, Json
from services.cli.output import ending

disputes = typer.Typer(
    help="Disputes, through an API: seats claim and appeal, referees note and rule.",
    no_args_is_help=True,
)


class State(StrEnum):
    open = "open"
    appealed = "appealed"
    ruled = "ruled"


Url = Annotated[str, typer.Option(envvar="HALLOWSTREAM_URL", help="The API.")]
Token = Annotated[
    str, typer.Option(envvar="HALLOWSTREAM_TOKEN", help="A seat's, an auditor's or admin's token.")
]
Match = Annotated[str, typer.Argument(metavar="MATCH", help="The id of a match.")]
Number = Annotated[
    int, typer.Argument(metavar="NUMBER", min=1, help="The dispute's number in its match.")
]


@disputes.command("list", epilog=CODES)
@ending
def list_(
    state: Annotated[
        State | None, typer.Option(help="`open`: all that wait for a ruling; all if not given.")
    ] = None,
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """The referees' queue: disputes of all matches, the oldest first."""
    from services.cli import disputing

    disputing.queue(url, token, state or "", json)


@disputes.command(epilog=CODES)
@ending
def show(
    match: Match,
    number: Annotated[
        int | None,
        typer.Argument(metavar="NUMBER", min=1, help="Only this one; all if not given."),
    ] = None,
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """The disputes of a match, with the words that the token may read."""
    from services.cli import disputing

    disputing.show(match, number, url, token, json)


@disputes.command("open", epilog=CODES)
@ending
def open_(
    match: Match,
    step: Annotated[
        list[str], typer.Option(metavar="V[.K]", help="A step in question; as often as needed.")
    ],
    text: Annotated[str, typer.Option(help="What was wrong: for referees to read.")],
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """Dispute what happened at some steps, by a seat's token."""
    from services.cli import disputing

    content = {"steps": disputing.steps(step), "text": disputing.text(text)}
    disputing.send("POST", match, "disputes", content, url, token, json)


@disputes.command(epilog=CODES)
@ending
def note(
    match: Match,
    number: Number,
    text: Annotated[str, typer.Option(help="What referees are to know.")],
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """Note something on a dispute, for referees."""
    from services.cli import disputing

    content = {"text": disputing.text(text)}
    disputing.send("POST", match, f"disputes/{number}/notes", content, url, token, json)


@disputes.command(epilog=CODES)
@ending
def rule(
    match: Match,
    number: Number,
    reason: Annotated[str, typer.Option(help="Why: everybody reads it.")],
    upheld: Annotated[bool, typer.Option("--upheld/--rejected", help="The claim was right.")],
    winner: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT|none", help="Who has won; as often as needed, or nobody."),
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBER|none", help="The scores, once a seat and in their order."),
    ] = None,
    vacate: Annotated[
        int | None, typer.Option(metavar="SEAT", help="Empty this seat of a running match.")
    ] = None,
    end: Annotated[
        bool, typer.Option("--end", help="End a running match, won by --winner.")
    ] = False,
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """Rule on a dispute, and say what follows."""
    from services.cli import disputing

    content: dict[str, object] = {"upheld": upheld, "vacate": vacate}
    content["reason"] = disputing.text(reason, "--reason")
    if end or winner:
        content["end" if end else "winners"] = disputing.winners(winner or ["none"])
    if score:
        content["scores"] = disputing.scores(score)
    disputing.send("POST", match, f"disputes/{number}/ruling", content, url, token, json)


@disputes.command(epilog=CODES)
@ending
def appeal(
    match: Match,
    number: Number,
    text: Annotated[str, typer.Option(help="Why another look is needed.")],
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """Appeal against a ruling, by a seat's token."""
    from services.cli import disputing

    content = {"text": disputing.text(text)}
    disputing.send("POST", match, f"disputes/{number}/appeal", content, url, token, json)


@disputes.command(epilog=CODES)
@ending
def forget(
    match: Match,
    number: Number,
    version: Annotated[
        int, typer.Argument(metavar="VERSION", min=1, help="The version it was said in.")
    ],
    url: Url = "",
    token: Token = "",
    json: Json = False,
) -> None:
    """Forget words, by an admin's token; the log goes on proving the rest."""
    from services.cli import disputing

    path = f"disputes/{number}/texts/{version}"
    disputing.send("DELETE", match, path, None, url, token, json)
