"""Opaque cursors of lists: what they hold is nobody's business but ours."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TypeVar

import msgspec

from games.rules import Refused

T = TypeVar("T")


def sealed(position: object) -> str:
    return urlsafe_b64encode(msgspec.msgpack.encode(position)).rstrip(b"=").decode()


def opened(cursor: str, type: type[T]) -> T:
    """Raises Refused(`bad_cursor`)."""
    try:
        data = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        return msgspec.msgpack.decode(data, type=type)
    except (ValueError, msgspec.DecodeError):
        raise Refused("bad_cursor", "take `next` of the page before, or none at all") from None
