"""Chance: fair, repeatable, and the same for the same answers."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256

import pytest

from games.dice import Dice, commitment, match_seed


def dice(place: int = 1, version: int = 9) -> Dice:
    return Dice(b"seed", "01J", place, version)


def test_a_word_is_what_the_documents_say() -> None:
    word = int.from_bytes(hmac.digest(b"seed", b"01J|1|0", "sha256"), "big")
    assert dice().below(2**64) == word % 2**64


def test_the_version_has_no_part_in_chance_and_the_place_has() -> None:
    assert dice(version=9).below(10**9) == dice(version=12).below(10**9)
    assert dice(place=0).below(10**9) != dice(place=1).below(10**9)


def test_draws_are_counted_and_each_is_new() -> None:
    some = dice()
    assert len({some.below(2**64) for _ in range(100)}) == 100
    assert some.drawn == 100


def test_every_number_is_equally_likely() -> None:
    some = dice()
    counts = Counter(some.roll(6) for _ in range(6000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert all(850 < n < 1150 for n in counts.values())


def test_a_word_above_the_last_whole_multiple_is_skipped() -> None:
    huge = 2**255 + 1
    some = dice()
    assert all(some.below(huge) < huge for _ in range(20))
    assert some.drawn > 20


@pytest.mark.parametrize("n", [0, -1, 2**256 + 1])
def test_there_must_be_something_to_draw_from(n: int) -> None:
    some = dice()
    with pytest.raises(ValueError, match="below"):
        some.below(n)
    assert some.drawn == 0
    assert some.below(1) == 0
    assert some.below(2**256) < 2**256


def test_shuffle_take_and_choose() -> None:
    some = dice()
    assert sorted(some.shuffle("abc")) == list("abc")
    assert len(some.take("abc", 2)) == 2
    assert len(some.take("abc", 5)) == 3
    assert some.choose("abc") in "abc"


def test_the_seed_is_everybodys() -> None:
    seed = match_seed(b"server", ["x", "yz"])
    assert seed == hmac.digest(b"server", b"\x01x\x02yz", "sha256")
    assert match_seed(b"server", ["xy", "z"]) != seed, "where one ends counts"
    assert commitment(b"server") == sha256(b"server").hexdigest()
