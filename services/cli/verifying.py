"""`verify`: what a log proves, check by check."""

from __future__ import annotations

from pathlib import Path

from replay.verify import Report, verify, verify_file
from services.cli import catalogue, output, source


def run(where: str, head: str, url: str, token: str, data: Path | None, json: bool) -> None:
    catalogue.load(data)
    if source.is_file(where):
        report = verify_file(source.contents(Path(where)), head)
    elif url:
        report = verify_file(source.lines(where, url, token), head)
    else:
        found = source.find(where, url, token)
        report = verify(found.recording, head, seed=found.seed, newest=found.newest)
    if json:
        output.as_json(report)
    else:
        show(report)
    if not report.ok:
        raise output.Quiet(output.FAILED)


MARKS = {"ok": ("✓", "green"), "failed": ("✗", "bold red"), "unknown": ("·", "yellow")}


def show(report: Report) -> None:
    from rich.text import Text

    console = output.console()
    if report.match:
        eyes = f"seat {report.viewer}" if isinstance(report.viewer, int) else report.viewer
        what = f"{report.game} " if report.game else ""
        console.print(f"{what}match {report.match}, {report.versions} versions, log of: {eyes}")
    for check in report.checks:
        mark, style = MARKS[check.state]
        console.print(Text.assemble((mark, style), f" {check.name:<9}{check.says}"))
    if report.ok:
        console.print(Text.assemble(("verified", "bold green"), f", head {report.head}"))
        return
    bad = report.bad
    assert bad is not None
    where = f"line {bad.line}" if bad.line else f"version {bad.version}"
    console.print(Text.assemble(("not verified: ", "bold red"), f"{where}: {bad.why}"))
