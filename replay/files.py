"""Logs as files: JSON Lines, one commit a line, written in exactly one way.

A line holds the hashed bytes (public form and openings) and the head they lead to. Beside them
stands the same commit decoded, for people: marked as not hashed, and checked to be equal.
Every line names the match, the viewer and how many there are, so a file cut short is seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from events.log import Opening, Page
from games.sight import HIDDEN, Viewer
from replay.load import Recording, Story

FORMAT: Literal[1] = 1

Count = Annotated[int, Meta(ge=1)]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line; bytes are base64, the head is hex."""

    hallowstream: Literal[1]
    match: str
    viewer: Annotated[int, Meta(ge=0)] | Literal["spectator", "auditor"]
    version: Count
    of: Count
    public: bytes
    openings: tuple[Opening, ...]
    head: str
    not_hashed: Any


class BadLine(Exception):
    """The file is not as it was written; `line` counts from 1, `why` says what is wrong."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


def write(path: Path, story: Story) -> None:
    """Raises OSError."""
    put(path, b"".join(lines(story)))


def put(path: Path, data: bytes) -> None:
    """The whole file at once: nobody ever finds half of it. Raises OSError.

    A link stays one, and what is no file, like a pipe or a device, is written into.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        fresh.write_bytes(data)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def lines(story: Story) -> Iterator[bytes]:
    """The lines of the file, in order, each with its newline."""
    of = len(story.pages)
    for page, told in zip(story.pages, story.told, strict=True):
        yield line(story.match, story.viewer, of, page, told)


def line(match: str, viewer: Viewer, of: int, page: Page, told: Any) -> bytes:
    """The only way in which this commit is written."""
    made = Line(
        FORMAT,
        match,
        viewer,
        page.version,
        of,
        page.public,
        page.openings,
        page.head.hex(),
        told,
    )
    return encoded(made) + b"\n"


def encoded(value: Any) -> bytes:
    """JSON, whatever seals stand in it."""
    return msgspec.json.encode(value, enc_hook=_seal)


def read(data: bytes) -> Recording:
    """What a file holds, as far as it can be told without its game. Raises BadLine.

    Every line must be there, be readable, fit the others and be the very bytes that `line` makes;
    the decoded events are compared by `compare`.
    """
    *texts, rest = data.split(b"\n")
    if not data:
        raise BadLine(1, "the file is empty")
    if rest or not texts:
        raise BadLine(len(texts) + 1, "the file does not end with a whole line: it is cut short")
    found = [_parsed(number, text) for number, text in enumerate(texts, 1)]
    first = found[0]
    for number, each in enumerate(found, 1):
        if (each.match, each.viewer, each.of) != (first.match, first.viewer, first.of):
            raise BadLine(number, "it is of another file: match, viewer or number of lines differ")
        if each.version != number:
            raise BadLine(number, f"version {each.version} stands in the place of {number}")
    if first.of != len(found):
        why = f"the file has {len(found)} of {first.of} lines: the rest is missing"
        raise BadLine(len(found) + 1, why)
    pages = [_page(number, each) for number, each in enumerate(found, 1)]
    return Recording(first.match, first.viewer, tuple(pages))


def compare(data: bytes, story: Story) -> None:
    """Raises BadLine at the first line that is not, byte for byte, what its commit gives."""
    texts = data.split(b"\n")[:-1]
    for number, (got, made) in enumerate(zip(texts, lines(story), strict=True), 1):
        if got + b"\n" != made:
            raise BadLine(number, "its bytes are not those that its commit is written in")


def compare_bare(data: bytes) -> None:
    """The same where the names of its facts are not known here: what is decoded is taken as it is.

    Raises BadLine.
    """
    for number, text in enumerate(data.split(b"\n")[:-1], 1):
        if text != encoded(_parsed(number, text)):
            raise BadLine(number, "its bytes are not those that its commit is written in")


_lines = msgspec.json.Decoder(Line)


def _parsed(number: int, text: bytes) -> Line:
    try:
        return _lines.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(number, f"unreadable: {error}") from None


def _page(number: int, line: Line) -> Page:
    try:
        head = bytes.fromhex(line.head)
    except ValueError:
        raise BadLine(number, "its head is not hex") from None
    return Page(line.version, line.public, line.openings, head)


def _seal(value: Any) -> Any:
    """A seal inside an event of a kind that is not known here."""
    if value is HIDDEN:
        return {"hidden": True}
    raise NotImplementedError
