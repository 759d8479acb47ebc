"""`doctor`: what is not as it must be on this machine, and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from services.cli import output, stores
from services.cli.verifying import MARKS

if TYPE_CHECKING:
    from services.settings import Settings


def run(release: bool, port: int | None, data: Path | None, json: bool) -> None:
    from services.doctor import examine

    settings = stores.settings(port=port, data=data)
    if release:
        _release(settings, json)
        return
    from rich.text import Text

    console = output.console()
    findings = []
    for finding in examine(settings):
        findings.append(finding)
        if not json:
            mark, style = MARKS[finding.state]
            console.print(Text.assemble((mark, style), f" {finding.name:<11}{finding.says}"))
            if finding.fix:
                console.print(Text.assemble(("  fix        ", "bold cyan"), finding.fix))
    ok = all(finding.state != "failed" for finding in findings)
    if json:
        output.as_json({"ok": ok, "findings": findings})
    if not ok:
        raise output.Quiet(output.FAILED)


def _release(settings: Settings, json: bool) -> None:
    from events.server import NoServer
    from events.store import Unavailable, Unfit
    from services.doctor import release

    try:
        count = release(settings)
    except (NoServer, Unavailable, Unfit) as error:
        raise output.no_connection(str(error), stores.REACH) from None
    if json:
        output.as_json({"ok": True, "released": count})
    else:
        output.console().print(f"{count} parked matches are tried again by the workers")
