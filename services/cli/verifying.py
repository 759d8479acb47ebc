"""`verify`: what a log proves, check by check."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from replay.verify import Report, verify, verify_file
from services.cli import catalogue, http, output, source
from services.problems import UNFOLDED

if TYPE_CHECKING:
    from replay.checkpoint import Checkpoint


HEAD = re.compile(r"([0-9]{1,15}:)?[0-9a-fA-F]{64}")


def run(
    where: str,
    head: str,
    checkpoint: Checkpoint | None,
    url: str,
    token: str,
    data: Path | None,
    json: bool,
) -> None:
    catalogue.load(data)
    if head and not HEAD.fullmatch(head):
        hint = "give all of it, as a reply, a message or a checkpoint has it"
        raise output.usage("--head is HASH or V:HASH, the hash being 64 hex digits", hint)
    if source.is_file(where):
        report = verify_file(source.contents(Path(where)), head, checkpoint)
    elif url:
        report = _from_api(where, url, token, head, checkpoint)
    else:
        from services.cli.remote import readable

        found, unread = readable(where)
        known: dict[str, Any] = {"seed": found.seed, "newest": found.newest, "unread": unread}
        report = verify(found.recording, head, checkpoint, **known)
    if json:
        output.as_json(report)
    else:
        show(report)
    if not report.ok:
        raise output.Quiet(output.FAILED)


def _from_api(match: str, url: str, token: str, head: str, checkpoint: Checkpoint | None) -> Report:
    """Of the log that the API gives or, where it cannot give it, what it says itself of it.

    Raises Stop.
    """
    try:
        return verify_file(source.lines(match, url, token), head, checkpoint)
    except http.Problem as problem:
        # What a server signed can't be compared without the log.
        if problem.named not in UNFOLDED or checkpoint is not None:
            raise
        query = f"?head={head.rpartition(':')[2].lower()}" if head else ""
        said = http.request("GET", f"{url.rstrip('/')}/v1/matches/{match}/verify{query}", token)
        report = msgspec.json.decode(said, type=Report)
        if report.ok and problem.named == "corrupt_log":
            raise
        return report


def signed(checkpoint: Path | None, key: str) -> Checkpoint | None:
    """A checkpoint whose signature is found right. Raises Stop."""
    if checkpoint is None and not key:
        return None
    if checkpoint is None or not key:
        hint = "`hallowstream keys` prints the key, there or with --url"
        raise output.usage("--checkpoint and --key go together", hint)
    from replay.checkpoint import BadCheckpoint, BadKey, checked

    note = source.contents(checkpoint, "give the path of a checkpoint's file")
    try:
        return checked(note.decode("utf-8", "replace"), key)
    except BadKey as bad:
        raise output.usage(str(bad), "`hallowstream keys` prints it, there or with --url") from None
    except BadCheckpoint as bad:
        raise output.failed(str(bad)) from None


MARKS = {"ok": ("✓", "green"), "failed": ("✗", "bold red"), "unknown": ("·", "yellow")}


def show(report: Report) -> None:
    from rich.text import Text

    console = output.console()
    if report.match:
        eyes = f"seat {report.viewer}" if isinstance(report.viewer, int) else report.viewer
        what = f"{report.game} " if report.game else ""
        versions = output.counted(report.versions, "version")
        console.print(f"{what}match {report.match}, {versions}, log of: {eyes}")
    width = max(len(check.name) for check in report.checks) + 1
    for check in report.checks:
        mark, style = MARKS[check.state]
        console.print(Text.assemble((mark, style), f" {check.name:<{width}}{check.says}"))
    if report.ok:
        console.print(Text.assemble(("verified", "bold green"), f", head {report.head}"))
        return
    bad = report.bad
    assert bad is not None
    where = f"line {bad.line}" if bad.line else f"version {bad.version}"
    console.print(Text.assemble(("not verified: ", "bold red"), f"{where}: {bad.why}"))
