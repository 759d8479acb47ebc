"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CODES = "Exit codes: 0 done, 1 a check failed, 2 used wrongly, 3 cannot connect."

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
Api = Annotated[str, typer.Option(envvar="HALLOWSTREAM_URL", help="The API that has the match.")]
Ours = Annotated[
    str, typer.Option(envvar="HALLOWSTREAM_URL", help="The API; this machine's if not given.")
]
Bearer = Annotated[
    str, typer.Option(envvar="HALLOWSTREAM_TOKEN", help="Who asks: a seat's token, or a referee's.")
]
Eyes = Annotated[
    str | None, typer.Option("--as", metavar="SEAT|spectator|auditor", help="Through whose eyes.")
]
