"""Segments: many packed matches in one object, and an index at its end from which all can be found.

magic, record, record, ..., index (msgpack), tail: SHA-256 and size of the index, magic
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct

import msgspec

from events.shelf import Place

MAGIC = b"HSARCH1\n"
TAIL = Struct(f">32sQ{len(MAGIC)}s")
"""What a segment ends with: digest and size of its index, and the magic once more."""


class Unsound(Exception):
    """An object of the archive is not what it should be; says which, and why."""


class Record(msgspec.Struct, frozen=True, array_like=True):
    """Where a match lies in its segment, and what it is: all that a store must know of it.

    `kind` is a label of the writer's for what is alike, `at` when the match last moved (UTC, ms),
    `digest` the SHA-256 of the packed bytes. Stored by position: fields are added at the end.
    """

    match: str
    kind: str
    offset: int
    length: int
    version: int
    head: bytes
    status: str
    at: int
    digest: bytes

    def place(self, segment: str) -> Place:
        return Place(segment, self.offset, self.length, self.version, self.digest)


class Packed(msgspec.Struct, frozen=True):
    """A match about to go into a segment."""

    match: str
    kind: str
    version: int
    head: bytes
    status: str
    at: int
    data: bytes


_index = msgspec.msgpack.Decoder(list[Record])


def built(matches: Sequence[Packed]) -> tuple[bytes, list[Record]]:
    """A whole segment and its index."""
    parts, records, at = [MAGIC], [], len(MAGIC)
    for one in matches:
        digest = sha256(one.data).digest()
        about = (one.version, one.head, one.status, one.at, digest)
        records.append(Record(one.match, one.kind, at, len(one.data), *about))
        parts.append(one.data)
        at += len(one.data)
    index = msgspec.msgpack.encode(records)
    tail = TAIL.pack(sha256(index).digest(), len(index), MAGIC)
    return b"".join((*parts, index, tail)), records


def index_size(segment: str, tail: bytes) -> int:
    """How long the index before this tail is. Raises Unsound."""
    if len(tail) != TAIL.size or TAIL.unpack(tail)[2] != MAGIC:
        raise Unsound(f"{segment}: it does not end as a segment does")
    size: int = TAIL.unpack(tail)[1]
    return size


def read_index(segment: str, data: bytes) -> list[Record]:
    """From the index and the tail behind it. Raises Unsound."""
    index, tail = data[: -TAIL.size], data[-TAIL.size :]
    size = index_size(segment, tail)
    if len(index) != size or sha256(index).digest() != TAIL.unpack(tail)[0]:
        raise Unsound(f"{segment}: its index is damaged")
    try:
        return _index.decode(index)
    except msgspec.DecodeError as error:
        raise Unsound(f"{segment}: its index cannot be read: {error}") from None
