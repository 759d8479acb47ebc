"""What clients send, checked: keys and JSON."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from games.rules import Refused

T = TypeVar("T")

_UNSEEN = "\\x7f-\\x9f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"
PLAIN = f"^[^\\x00-\\x1f{_UNSEEN}]*$"
"""Texts of one line: nothing that steers a terminal, turns the writing round or is not seen."""

LINES = f"^[^\\x00-\\x08\\x0b-\\x1f{_UNSEEN}]*$"
"""The same with tabs and line ends."""

KEY = r"^[\x21-\x7e]{16,128}$"
_key = re.compile(KEY)


def checked_key(key: str | None) -> str:
    """The key without the quotes that it may stand in. Raises Refused."""
    if key is None:
        raise Refused("key_required", "send an Idempotency-Key, a UUID at best")
    bare = key[1:-1] if len(key) > 1 and key[0] == key[-1] == '"' else key
    if not _key.fullmatch(bare):
        raise Refused("bad_key", "an Idempotency-Key is 16 to 128 printable ASCII characters")
    return bare


def decoded(decoder: msgspec.json.Decoder[T], content_type: str | None, data: bytes) -> T:
    """Raises Refused: `not_json`, `malformed_json`, `bad_body`."""
    if data and content_type not in (None, "application/json"):
        media = content_type.partition(";")[0].strip().lower()
        if media != "application/json" and not media.endswith("+json"):
            raise Refused("not_json", "send the body as application/json")
    try:
        return decoder.decode(data or b"{}")
    except msgspec.ValidationError as error:
        raise bad_body(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed_json", f"the body is not JSON: {error}") from None


def bad_body(error: msgspec.ValidationError) -> Refused:
    """msgspec says where at the end: "... - at `$.option[2]`"."""
    what, _, where = str(error).partition(" - at `")
    path = re.sub(r"\[(\d+)\]|\[\.\.\.\]", r"/\1", where.rstrip("`").lstrip("$")).replace(".", "/")
    return Refused("bad_body", what, errors=[{"pointer": f"#{path}", "detail": what}])
