"""Chance that anyone can check: the same seed, match and place always give the same draws."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

WORDS = 2**256


def commitment(server_seed: bytes) -> str:
    """What is published before play: the SHA-256 of the server's seed, in hex."""
    return sha256(server_seed).hexdigest()


def match_seed(server_seed: bytes, entropies: Iterable[str]) -> bytes:
    """The seed of all draws: HMAC-SHA-256(server seed, the seats' entropies in seat order).

    Each entropy is a text of at most 255 UTF-8 bytes, preceded by its length as one byte.
    """
    return _match_seed(server_seed, tuple(entropies))


@lru_cache(maxsize=4096)
def _match_seed(server_seed: bytes, entropies: tuple[str, ...]) -> bytes:
    parts = [entropy.encode() for entropy in entropies]
    message = b"".join(len(part).to_bytes(1, "big") + part for part in parts)
    return hmac.digest(server_seed, message, "sha256")


class Dice:
    """The chance of one commit.

    Word n is HMAC-SHA-256(seed, "match|place|n"). `place` is 0 for the deal and k for the
    k-th standing answer: answers taken back do not count, so the same answers meet the same
    chance again. `version` is that of the commit being made; it names what is asked in it and
    has no part in chance.
    """

    def __init__(self, seed: bytes, match: str, place: int, version: int) -> None:
        self.seed = seed
        self.match = match
        self.place = place
        self.version = version
        self.drawn = 0

    def below(self, n: int) -> int:
        """0 .. n-1, each equally likely: words above the last whole multiple of n are skipped.

        Raises ValueError where there is nothing to draw from, or more than a word can say.
        """
        if not 0 < n <= WORDS:
            raise ValueError(f"a draw is below 1 to 2**256, not below {n}")
        while True:
            word = self._word()
            if word < WORDS - WORDS % n:
                return word % n

    def roll(self, sides: int) -> int:
        return 1 + self.below(sides)

    def choose(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def take(self, items: Sequence[T], k: int) -> tuple[T, ...]:
        """k of the items, or all if there are fewer, in the order drawn."""
        left = list(items)
        return tuple([left.pop(self.below(len(left))) for _ in range(min(k, len(left)))])

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        return self.take(items, len(items))

    def _word(self) -> int:
        message = f"{self.match}|{self.place}|{self.drawn}".encode()
        self.drawn += 1
        return int.from_bytes(hmac.digest(self.seed, message, "sha256"), "big")
