"""Commands for who checks matches: their options and help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from services.cli.options import Data, Json, Ours, Source, Token, Url
from services.cli.output import ending, usage


@ending
def verify(
    source: Annotated[
        str, typer.Argument(metavar="FILE|MATCH", help="A log file, or the id of a match.")
    ] = "",
    head: Annotated[
        str,
        typer.Option(
            metavar="[V:]HASH",
            help="A head in hex that you hold from elsewhere: it must be in the log, at version V.",
        ),
    ] = "",
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A signed checkpoint; takes --key.")
    ] = None,
    key: Annotated[
        str, typer.Option(help="The server's public key, as `hallowstream keys` prints it.")
    ] = "",
    all: Annotated[
        bool, typer.Option("--all", help="Every stored match against the rules of today.")
    ] = False,
    url: Url = "",
    token: Token = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Check a log: chain, seals, seed, and that the rules give the same events again.

    With --all, before a deploy: which stored matches today's rules decide otherwise or cannot read.
    """
    if all == bool(source):
        raise usage("give a log file, the id of a match, or --all")
    if all:
        from services.cli import surveying

        surveying.run(data, json)
        return
    from services.cli import verifying

    signed = verifying.signed(checkpoint, key)
    verifying.run(source, head, signed, url, token, data, json)


class Mode(StrEnum):
    public = "public"
    seat = "seat"
    full = "full"


@ending
def bundle(
    source: Source,
    out: Annotated[Path, typer.Option(help="The zip to write.")],
    dispute: Annotated[
        int | None, typer.Option(min=1, help="Only this dispute; all of the match if not given.")
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="What everybody may see, what one seat may, or everything.")
    ] = Mode.public,
    seat: Annotated[
        int | None, typer.Option("--as", metavar="SEAT", min=0, help="The seat of mode `seat`.")
    ] = None,
    url: Url = "",
    token: Token = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Pack a match or a dispute for review: a zip that anybody can check, with how to check it."""
    from services.cli import bundling

    bundling.run(source, out, dispute or 0, mode.value, seat, url, token, data, json)


@ending
def keys(url: Ours = "", json: Json = False) -> None:
    """Print the public keys that checkpoints are signed by, the current one first."""
    from services.cli import keying

    keying.run(url, json)
