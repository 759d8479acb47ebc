"""A log entry as the bytes of one field: [head, hidden spans, facts] in msgpack."""

from __future__ import annotations

import msgspec

from events.log import Entry, Span
from events.store import Corrupt

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[bytes, tuple[Span, ...], bytes]).decode


def pack(entry: Entry) -> bytes:
    return _encode((entry.head, entry.hidden, entry.facts))


def unpack(match: str, version: int, data: bytes) -> Entry:
    """Raises Corrupt where the bytes are no entry."""
    try:
        head, hidden, facts = _decode(data)
    except msgspec.DecodeError as error:
        raise Corrupt(match, version, f"the entry cannot be read: {error}") from None
    done = 0
    for start, end, _ in hidden:
        if not done <= start <= end:
            raise Corrupt(match, version, "the hidden spans are out of order")
        done = end
    if done > len(facts) or len(head) != 32:
        raise Corrupt(match, version, "the entry is not whole")
    return Entry(version, facts, hidden, head)
