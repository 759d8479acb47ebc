"""Ids of matches and players: opaque, URL-safe; those of matches sort by time."""

from __future__ import annotations

import re
import secrets

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

MATCH = r"^[0-9A-HJKMNP-TV-Z]{26}$"
PLAYER = r"^[A-Za-z0-9_-]{1,64}$"

_match = re.compile(MATCH)
PLAYER_ID = re.compile(PLAYER)


def match_id(ms: int, chance: bytes | None = None) -> str:
    """26 characters: 48 bits of time and 80 of chance, as in a ULID."""
    number = (ms << 80) | int.from_bytes(chance or secrets.token_bytes(10), "big")
    return "".join(_CROCKFORD[(number >> shift) & 31] for shift in range(125, -1, -5))


def is_match_id(text: str) -> bool:
    return _match.fullmatch(text) is not None


def is_player_id(text: str) -> bool:
    """Ids that seats get for themselves begin with `anon_` and are nobody's to choose."""
    return PLAYER_ID.fullmatch(text) is not None and not text.startswith("anon_")


def base62(data: bytes) -> str:
    """Fixed width: 43 characters for 32 bytes."""
    width = -(-len(data) * 8 * 1000 // 5954)
    number = int.from_bytes(data, "big")
    digits = []
    for _ in range(width):
        number, digit = divmod(number, 62)
        digits.append(_BASE62[digit])
    return "".join(reversed(digits))
