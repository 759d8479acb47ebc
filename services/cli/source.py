"""Where a log comes from: a file, a store, or the API."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, cast

from games.rules import Refused
from games.sight import Viewer
from replay import files, load
from replay.load import Recording, Story
from services.cli import http, output


class Source(NamedTuple):
    """A recording; `data` are the bytes of its file, `seed` and `newest` what only its own server
    knows: the secret of its chance, and the head that its store keeps beside the log."""

    recording: Recording
    data: bytes | None = None
    seed: bytes | None = None
    newest: str = ""


def is_file(source: str) -> bool:
    return "/" in source or "." in source or Path(source).exists()


def contents(path: Path, hint: str = "give the path of a log file, or the id of a match") -> bytes:
    """Raises Stop."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise output.usage(f"cannot read {path}: {error.strerror}", hint) from None


def find(source: str, url: str, token: str) -> Source:
    """Raises Stop, a file that was changed being a failed check."""
    if is_file(source):
        return _of_lines(contents(Path(source)))
    if url:
        return _of_lines(lines(source, url, token))
    from services.cli.remote import from_store

    return from_store(source)


def lines(match: str, url: str, token: str) -> bytes:
    """The log as the API gives it: the lines of a file."""
    return http.request("GET", f"{url.rstrip('/')}/v1/matches/{match}/log", token)


def _of_lines(data: bytes) -> Source:
    try:
        return Source(files.read(data), data)
    except files.BadLine as bad:
        raise output.failed(str(bad), "`hallowstream verify` tells what is wrong") from None


def story(source: Source) -> Story:
    """Raises Stop."""
    try:
        read = load.read(source.recording)
        if source.data is not None:
            files.compare(source.data, read)
        return read
    except (load.Unreadable, files.BadLine) as bad:
        raise output.failed(str(bad), "`hallowstream verify` tells what is wrong") from None
    except Refused as refused:
        hint = "a publisher's edition is brought in with --data DIR"
        raise output.usage(refused.why, hint) from None


def viewer(word: str | None, story: Story) -> Viewer:
    """Whose eyes a word names; those of the log itself if there is none."""
    return story.viewer if word is None else eyes(word)


def eyes(word: str) -> Viewer:
    """Raises Stop."""
    if word in ("spectator", "auditor"):
        return cast(Viewer, word)
    if word.isascii() and word.isdigit():
        return int(word)
    raise output.usage(f"--as {word!r} is neither a seat, nor `spectator`, nor `auditor`")
