"""Entries as bytes: packed, read again, and refused where they are none."""

from __future__ import annotations

import msgspec
import pytest

from events.entries import pack, unpack
from events.log import Entry, Span
from events.store import Corrupt
from tests.events.entries import entry

HEAD = bytes(32)


def test_an_entry_is_read_as_it_was_packed() -> None:
    for one in (entry(3), Entry(3, b"", (), HEAD), Entry(3, b"x", (Span(0, 0, ()),), HEAD)):
        assert unpack("m", 3, pack(one)) == one


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        msgspec.msgpack.encode(7),
        msgspec.msgpack.encode((HEAD, (), b"x", 1))[:-3],
        msgspec.msgpack.encode((HEAD[1:], (), b"facts")),
        msgspec.msgpack.encode((HEAD, ((3, 2, ()),), b"facts")),
        msgspec.msgpack.encode((HEAD, ((0, 2, ()), (1, 3, ())), b"facts")),
        msgspec.msgpack.encode((HEAD, ((-1, 2, ()),), b"facts")),
        msgspec.msgpack.encode((HEAD, ((0, 9, ()),), b"facts")),
        msgspec.msgpack.encode((HEAD, ("x",), b"facts")),
    ],
)
def test_28_bytes_that_are_no_entry_name_match_and_version(data: bytes) -> None:
    with pytest.raises(Corrupt) as caught:
        unpack("m", 3, data)
    assert (caught.value.match, caught.value.version) == ("m", 3)


def test_28_no_flipped_bit_is_taken_for_another_kind_of_error() -> None:
    """It reads as an entry, whose hash then fails, or it is corrupt."""
    data = pack(entry(3))
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            try:
                read = unpack("m", 3, bytes(flipped))
            except Corrupt:
                continue
            assert read != entry(3)
