"""Matches packed and unpacked: the very same bytes, or an error that says what is wrong."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import log
from events.log import Entry, Span
from events.packing import FORMAT, NAME, Dictionary, pack, train, unpack, wanted
from events.store import Corrupt, Locked
from tests.events.archiving import commits, origin


def learnt() -> Dictionary:
    data = train([commits(f"m{n}", 60) for n in range(20)], 4096)
    assert data is not None and len(data) <= 4096
    return Dictionary(sha256(data).digest()[:NAME], data)


def test_what_is_unpacked_is_what_was_packed() -> None:
    entries = commits("m", 40)
    data = pack(entries)
    assert unpack("m", data, origin, entries[-1].head) == entries
    assert wanted("m", data) == b""


def test_a_dictionary_makes_it_smaller() -> None:
    dictionary, entries = learnt(), commits("another", 10)
    data = pack(entries, dictionary)
    assert len(data) < len(pack(entries)) * 0.85
    assert wanted("another", data) == dictionary.name
    assert unpack("another", data, origin, entries[-1].head, dictionary) == entries
    with pytest.raises(Corrupt, match="cannot be read"):
        unpack("another", data, origin, entries[-1].head)


def test_too_little_teaches_nothing() -> None:
    assert train([commits("m", 5)], 4096) is None


def test_most_of_a_commit_is_its_id() -> None:
    """16 bytes of it do not compress: more than as many again would be a waste."""
    entries = commits("m", 500)
    assert len(pack(entries)) < 500 * 16 * 1.6


facts = st.binary(max_size=60) | st.builds(
    lambda lead, id, tail: lead + b"\xc4\x10" + id + tail,
    st.sampled_from([b"", b"\x96\x01\xcf", b"\x96\x01\xcf" + bytes(8), b"\x96\x02\xcf12345678"]),
    st.binary(max_size=20),
    st.binary(max_size=20),
)


@st.composite
def any_entries(draw: Any) -> list[Entry]:
    """Whatever bytes, with whatever parts of them hidden."""
    head, seal = origin("m", b"")
    entries: list[Entry] = []
    for version, row in enumerate(draw(st.lists(facts, min_size=1, max_size=4)), 1):
        edges = sorted(draw(st.lists(st.integers(0, len(row)), max_size=6)))
        hidden = [(a, b, (0, 3)) for a, b in list(pairwise(edges))[::2]]
        entries.append(log.append(head, version, row, hidden, seal))
        head = entries[-1].head
    return entries


@given(any_entries())
@settings(max_examples=300, deadline=None)
def test_any_bytes_come_back(entries: list[Entry]) -> None:
    assert unpack("m", pack(entries), origin, entries[-1].head) == entries


def test_28_no_flipped_bit_is_taken_for_the_match() -> None:
    entries = commits("m", 4)
    data = pack(entries)
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << place % 8
        try:
            read = unpack("m", bytes(flipped), origin, entries[-1].head)
        except Corrupt:
            continue
        assert read == entries


def test_28_the_chain_must_end_in_its_head() -> None:
    entries = commits("m", 4)
    with pytest.raises(Corrupt, match="does not end in the head"):
        unpack("m", pack(entries), origin, entries[2].head)
    other = entries[2]._replace(facts=entries[2].facts.replace(b"oak", b"elm"))
    with pytest.raises(Corrupt, match="does not end in the head"):
        unpack("m", pack([*entries[:2], other, entries[3]]), origin, entries[3].head)


def test_spans_outside_their_facts_are_refused() -> None:
    entries = [Entry(1, b"facts", (Span(2, 9, ()),), bytes(32))]
    with pytest.raises(Corrupt, match="out of order"):
        unpack("m", pack(entries), origin, bytes(32))


def test_a_format_of_the_future_is_named() -> None:
    entries = commits("m", 1)
    later = bytes([FORMAT + 1]) + pack(entries)[1:]
    with pytest.raises(Corrupt, match=f"format {FORMAT + 1}"):
        unpack("m", later, origin, entries[-1].head)
    with pytest.raises(Corrupt, match="are gone"):
        wanted("m", b"")


def test_a_missing_key_is_no_damage() -> None:
    def no_key(match: str, facts: bytes) -> Any:
        raise Locked(match, 1, "server key 'abc' is not here")

    entries = commits("m", 2)
    with pytest.raises(Locked, match="server key 'abc' is not here"):
        unpack("m", pack(entries), no_key, entries[-1].head)


def test_bytes_left_over_are_refused() -> None:
    entries = commits("m", 2)
    with pytest.raises(Corrupt, match="not as long as it says"):
        unpack("m", pack(entries) + b"more", origin, entries[-1].head)
