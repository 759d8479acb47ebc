"""The chain: all viewers' pages prove one head, and what is changed is named."""

from __future__ import annotations

from hashlib import sha256

import pytest

from events.log import (
    SEAL,
    Broken,
    Entry,
    Opening,
    Page,
    append,
    check,
    genesis,
    opened,
    page,
    sealer,
    verify,
)

START = genesis("01J", "toy", "1.0")
FACTS = b"\x93\xa2G1\xa2R2\xa1x"
HIDDEN = ((1, 4, (0, 1)), (4, 7, ()))
SEALS = sealer(b"secret", "01J")


def entries() -> list[Entry]:
    first = append(START, 1, FACTS, HIDDEN, SEALS)
    return [first, append(first.head, 2, b"\x90", (), SEALS)]


def pages(viewer: int | str) -> list[Page]:
    return [page(entry, viewer, SEALS) for entry in entries()]


@pytest.mark.parametrize("viewer", [0, 2, "spectator", "auditor"])
def test_all_pages_prove_the_same_head(viewer: int | str) -> None:
    assert verify(pages(viewer), START) == entries()[-1].head


def test_a_viewer_reads_what_it_may_and_the_auditor_the_stored_bytes() -> None:
    assert opened(pages("auditor")[0]) == FACTS
    seals = [SEALS(1, place, FACTS[a:b])[1] for place, (a, b, _) in enumerate(HIDDEN)]
    assert opened(pages(0)[0]) == FACTS[:4] + SEAL + seals[1] + FACTS[7:]
    assert opened(pages(2)[0]) == FACTS[:1] + SEAL + seals[0] + SEAL + seals[1] + FACTS[7:]
    assert pages("spectator")[0].openings == ()


def test_a_seal_can_be_opened_but_not_guessed() -> None:
    salt, sealed = SEALS(1, 0, b"\xa2B3")
    assert SEALS(1, 1, b"\xa2B3")[1] != sealed != SEALS(2, 0, b"\xa2B3")[1]
    assert sealer(b"secret", "01K")(1, 0, b"\xa2B3")[1] != sealed
    assert sha256(salt + b"\xa2B3").digest() == sealed


def test_genesis_binds_match_game_and_rules() -> None:
    heads = {START, genesis("01K", "toy", "1.0"), genesis("01J", "to", "y1.0")}
    heads.add(genesis("01J", "toy", "1.1"))
    assert len(heads) == 4


def broken(changed: list[Page]) -> Broken:
    with pytest.raises(Broken) as found:
        verify(changed, START)
    return found.value


def test_every_changed_byte_is_named() -> None:
    good = pages("auditor")
    for at in range(len(good[0].public)):
        public = bytearray(good[0].public)
        public[at] ^= 1
        assert broken([good[0]._replace(public=bytes(public)), good[1]]).version == 1
    head = bytes(32)
    assert broken([good[0], good[1]._replace(head=head)]).version == 2


def test_a_false_opening_is_named() -> None:
    good = pages("auditor")
    for lie in (
        good[0].openings[0]._replace(value=b"\xa2G2"),
        good[0].openings[0]._replace(salt=bytes(16)),
        good[0].openings[0]._replace(at=5),
        Opening(0, b"", b""),
    ):
        found = broken([good[0]._replace(openings=(lie,)), good[1]])
        assert found.version == 1
        assert "opening" in found.why


def test_openings_stand_in_their_order_and_once() -> None:
    """Else what is read from a page would not be what its head proves."""
    good = pages("auditor")
    first, second = good[0].openings
    size = len(good[0].public)
    for lie in (
        (second, first),
        (first, first, second),
        (first, second, second),
        (first._replace(at=first.at - size), second),
    ):
        found = broken([good[0]._replace(openings=lie), good[1]])
        assert (found.version, "order" in found.why) == (1, True)


def test_versions_out_of_order_are_named() -> None:
    good = pages("auditor")
    assert broken([good[1], good[0]]).version == 1
    assert broken([good[0], good[0]]).version == 2
    with pytest.raises(Broken, match="version 3: version 2 stands in its place"):
        check(good[0].head, good[1], 3)
