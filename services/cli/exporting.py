"""`export`: the log of one viewer, in a file."""

from __future__ import annotations

from pathlib import Path

from replay import files
from replay.export import NotTheirs, export
from replay.load import Unreadable
from services.cli import catalogue, output, source


def run(
    where: str,
    out: Path,
    eyes: str | None,
    url: str,
    token: str,
    data: Path | None,
    json: bool,
) -> None:
    catalogue.load(data)
    story = source.story(source.find(where, url, token))
    viewer = source.viewer(eyes, story)
    try:
        files.write(out, export(story, viewer))
    except NotTheirs as error:
        raise output.usage(str(error)) from None
    except Unreadable as error:
        raise output.failed(str(error), "update hallowstream and export again") from None
    except OSError as error:
        raise output.usage(f"cannot write {out}: {error.strerror}") from None
    versions = len(story.pages)
    if json:
        output.as_json({"ok": True, "file": str(out), "viewer": viewer, "versions": versions})
    else:
        output.console().print(f"{out}: {versions} versions as seen by {viewer}")
