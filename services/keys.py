"""The server's keys and what is derived from them: nothing of it is ever stored with a match.

Seed, seal secret and tokens are HMAC-SHA-256(server key, purpose, match id ...). A match names the
key it was made with, so a key may be replaced while old ones are kept for old matches.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

KEY_BYTES = 32


class UnknownKey(Exception):
    """A match was made with a server key that is not here; the text names its id."""


class Keys:
    """Server keys by id; the first one given makes new matches."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        if not keys or any(len(key) < KEY_BYTES for key in keys):
            raise ValueError(f"give at least one server key of {KEY_BYTES} bytes or more")
        self._keys = {key_id(key): key for key in keys}
        self.current = key_id(keys[0])

    def seed(self, key: str, match: str) -> bytes:
        """The server's part of the match's chance; committed at creation, revealed at the close."""
        return self._derive(key, "seed", match)

    def seal_secret(self, key: str, match: str) -> bytes:
        """What salts come from; never revealed."""
        return self._derive(key, "seal", match)

    def token(self, key: str, *parts: str | int) -> bytes:
        """32 bytes that only this server can make for these parts."""
        return self._derive(key, "token", *parts)

    @property
    def ids(self) -> list[str]:
        """All keys there are, the current one first."""
        return list(self._keys)

    def signing(self, key: str) -> tuple[str, bytes]:
        """The name of the Ed25519 key that signs for this server key, and the secret it is made
        from."""
        return f"hallowstream/{key}", self._derive(key, "sign")

    def _derive(self, key: str, purpose: str, *parts: str | int) -> bytes:
        if key not in self._keys:
            raise UnknownKey(f"server key {key!r} is not here; add it to the keys of this server")
        message = "\0".join((purpose, *map(str, parts))).encode()
        return hmac.digest(self._keys[key], message, "sha256")


def key_id(key: bytes) -> str:
    """A short public name of a key, from which it can't be found."""
    return sha256(b"hallowstream key id\0" + key).hexdigest()[:8]


def parse(text: str) -> Keys:
    """Keys in hex, the current one first, parted by commas or white space. Raises ValueError."""
    return Keys([bytes.fromhex(word) for word in text.replace(",", " ").split()])


def load(path: Path) -> Keys:
    """The keys of a file beside the data, made on first use and readable by its owner alone."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_hex(KEY_BYTES) + "\n")
        with suppress(FileExistsError):
            path.hardlink_to(fresh)
        fresh.unlink()
    return parse(path.read_text())
