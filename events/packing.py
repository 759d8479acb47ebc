"""A whole match in few bytes, and back to the very bytes its log held.

What follows from the rest is left out: heads and seals are made again on reading, and the last
head must come out as the archive's index has it. What does not compress (the ids of commands) lies
apart from what does, which is zstd's, with a dictionary where there is one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from struct import Struct
from typing import Any, NamedTuple

import msgspec

from events.log import Entry, Seal, Span, append
from events.store import Corrupt

FORMAT = 1
"""The first byte of a packed match; a reader keeps reading every format there ever was."""

LEVEL = 15
"""Of zstd: 19 saves half a percent more in twice the time."""

NAME = 16
"""Bytes of its SHA-256 that name a dictionary."""

PIECE = 2000
"""Bytes of a match that a dictionary learns from as one piece."""

zstd: Any = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")

_LEAD = Struct(f">B{NAME}sI")
"""Format, the dictionary's name (zeros for none), and how many bytes zstd's part has."""

_ID = b"\xc4\x10"
"""What stands before 16 bytes in msgpack: the first in a commit are the id of its command."""

_LATEST = 2**53
"""No commit is made that late; what looks like a time beyond is none."""

_ENVELOPE, _CUT = 1, 2
"""Of a row: its version and time are kept elsewhere; so are 16 bytes of it."""


class Origin(NamedTuple):
    """What a match's heads follow from: the one before its first commit, and its seals."""

    head: bytes
    seal: Seal


Derive = Callable[[str, bytes], Origin]
"""(match, facts of its first commit) to its origin. Raises Corrupt where that is none, Locked."""

Hidden = list[tuple[int, int, tuple[int, ...]]]


class Body(msgspec.Struct, array_like=True):
    """What is compressed, a commit after the other in each: its time since the one before, its
    size and marks, its hidden spans from where the last one ended, and its facts."""

    times: list[int]
    sizes: list[int]
    spans: list[Hidden]
    rows: bytes


class Dictionary:
    """What zstd knows beforehand, under a name that follows from it."""

    def __init__(self, name: bytes, data: bytes) -> None:
        self.name = name
        self.zstd = zstd.ZstdDict(data)


def pack(entries: Sequence[Entry], dictionary: Dictionary | None = None) -> bytes:
    """The match, at least one entry from version 1 on, without its heads."""
    body, apart = _taken_apart(entries)
    name, given = bytes(NAME), None
    if dictionary is not None:
        name, given = dictionary.name, dictionary.zstd.as_digested_dict
    packed = zstd.compress(body, LEVEL, zstd_dict=given)
    return b"".join((_LEAD.pack(FORMAT, name, len(packed)), packed, apart))


def train(matches: Sequence[Sequence[Entry]], size: int) -> bytes | None:
    """A dictionary of at most so many bytes; None where there is too little to learn from."""
    pieces = []
    for entries in matches:
        body = _taken_apart(entries)[0]
        pieces += [body[at : at + PIECE] for at in range(0, len(body), PIECE)]
    if sum(map(len, pieces)) < 4 * size:
        return None
    return bytes(zstd.train_dict(pieces, size).dict_content)


def wanted(match: str, data: bytes) -> bytes:
    """The name of the dictionary it takes to unpack, empty for none. Raises Corrupt."""
    name = _lead(match, data)[0]
    return name if any(name) else b""


def unpack(
    match: str, data: bytes, derive: Derive, head: bytes, dictionary: Dictionary | None = None
) -> list[Entry]:
    """The entries, whose last head must be `head`. Raises Corrupt, Locked."""
    size = _lead(match, data)[1]
    end = _LEAD.size + size
    try:
        given = dictionary.zstd if dictionary else None
        body = _decode(zstd.decompress(data[_LEAD.size : end], zstd_dict=given))
        rows = list(_put_together(body, data[end:]))
    except (zstd.ZstdError, msgspec.DecodeError, ValueError, OverflowError) as error:
        raise Corrupt(match, 1, f"its archived bytes cannot be read: {error}") from None
    entries = _chained(match, rows, derive)
    if entries[-1].head != head:
        raise Corrupt(match, len(entries), "the archived chain does not end in the head it should")
    return entries


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Body).decode


def _lead(match: str, data: bytes) -> tuple[bytes, int]:
    """The dictionary's name and the size of what zstd packed. Raises Corrupt."""
    if len(data) < _LEAD.size or data[0] != FORMAT:
        known = f"archived in format {data[0]}" if data else "its archived bytes are gone"
        raise Corrupt(match, 1, f"{known}; format {FORMAT} is read here")
    _, name, size = _LEAD.unpack_from(data)
    return name, size


def _taken_apart(entries: Sequence[Entry]) -> tuple[bytes, bytes]:
    """What compresses, and what does not."""
    body, rows, apart, last = Body([], [], [], b""), [], [], 0
    for entry in entries:
        row, marks = entry.facts, 0
        lead = _envelope(entry.version)
        at = int.from_bytes(row[len(lead) : len(lead) + 8], "big")
        if row.startswith(lead) and len(row) >= len(lead) + 8 and at < _LATEST:
            row, marks = row[len(lead) + 8 :], _ENVELOPE
            body.times.append(at - last)
            last = at
        place = row.find(_ID) + len(_ID)
        if place >= len(_ID) and len(row) >= place + 16:
            apart.append(row[place : place + 16])
            row, marks = row[:place] + row[place + 16 :], marks | _CUT
        body.sizes.append(len(row) << 2 | marks)
        body.spans.append(_relative(entry.hidden))
        rows.append(row)
    body.rows = b"".join(rows)
    return _encode(body), b"".join(apart)


def _envelope(version: int) -> bytes:
    """What a commit begins with up to its time: six parts, the version, eight bytes follow."""
    return b"\x96" + _encode(version) + b"\xcf"


def _relative(hidden: Sequence[Span]) -> Hidden:
    ends = [0, *(span.end for span in hidden)]
    return [
        (span.start - before, span.end - span.start, span.seats)
        for before, span in zip(ends, hidden, strict=False)
    ]


def _absolute(hidden: Hidden) -> Iterator[Span]:
    end = 0
    for gap, length, seats in hidden:
        start, end = end + gap, end + gap + length
        yield Span(start, end, seats)


def _put_together(body: Body, apart: bytes) -> Iterator[tuple[bytes, tuple[Span, ...]]]:
    """Facts and hidden spans of one commit after the other. Raises ValueError, OverflowError."""
    at, ids, last = 0, 0, 0
    times = iter(body.times)
    for version, (marked, hidden) in enumerate(zip(body.sizes, body.spans, strict=True), 1):
        row = body.rows[at : at + (marked >> 2)]
        at += marked >> 2
        if marked & _CUT:
            place = row.find(_ID) + len(_ID)
            row = row[:place] + apart[ids : ids + 16] + row[place:]
            ids += 16
        if marked & _ENVELOPE:
            last += next(times, 0)
            row = _envelope(version) + last.to_bytes(8, "big") + row
        yield row, tuple(_absolute(hidden))
    if at != len(body.rows) or ids != len(apart) or not body.sizes:
        raise ValueError("it is not as long as it says")


def _chained(
    match: str, rows: Sequence[tuple[bytes, tuple[Span, ...]]], derive: Derive
) -> list[Entry]:
    """With their heads. Raises Corrupt where a span lies outside its facts."""
    head, seal = derive(match, rows[0][0])
    entries = []
    for version, (facts, hidden) in enumerate(rows, 1):
        edges = [0, *(edge for span in hidden for edge in span[:2]), len(facts)]
        if any(a > b for a, b in pairwise(edges)):
            raise Corrupt(match, version, "the hidden spans are out of order")
        entries.append(append(head, version, facts, hidden, seal))
        head = entries[-1].head
    return entries
