"""Signed checkpoints: a server's word for where a match stood, as C2SP signed notes have it.

A note is three lines (origin, version, head in base64), an empty one, and the signature with the
name of its key. Key and signature are Ed25519; a verifier's key is `name+hash+base64`.
"""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\x01"
ORIGIN = "hallowstream/match/"


class BadCheckpoint(Exception):
    """It is no checkpoint, or not signed by that key; the text says why."""


class BadKey(BadCheckpoint):
    """The key is none."""


class Checkpoint(NamedTuple):
    """Where a match stood: its newest version and the head there."""

    match: str
    version: int
    head: bytes

    @property
    def text(self) -> str:
        """What is signed."""
        head = base64.b64encode(self.head).decode()
        return f"{ORIGIN}{self.match}\n{self.version}\n{head}\n"

    @property
    def known(self) -> str:
        """The same for `--head`."""
        return f"{self.version}:{self.head.hex()}"


def signed(point: Checkpoint, name: str, secret: bytes) -> str:
    """The note. `secret` is the 32 bytes that an Ed25519 key is made from."""
    key = Ed25519PrivateKey.from_private_bytes(secret)
    mark = _mark(name, key.public_key().public_bytes_raw())
    signature = base64.b64encode(mark + key.sign(point.text.encode())).decode()
    return f"{point.text}\n— {name} {signature}\n"


def verifier(name: str, secret: bytes) -> str:
    """The public key, as it is given to whoever checks notes."""
    public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    return f"{name}+{_mark(name, public).hex()}+{base64.b64encode(ED25519 + public).decode()}"


def checked(note: str, key: str) -> Checkpoint:
    """What the note says, once the signature by that key is found right. Raises BadCheckpoint."""
    name, public = _public(key)
    text, parted, signatures = note.rpartition("\n\n")
    text += "\n"
    mark = _mark(name, public)
    for line in signatures.splitlines() if parted else ():
        sign, _, rest = line.partition(" ")
        by, _, encoded = rest.partition(" ")
        data = _decoded(encoded)
        if (sign, by) == ("—", name) and data[:4] == mark:
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(data[4:], text.encode())
            except InvalidSignature:
                raise BadCheckpoint("the signature does not fit the checkpoint") from None
            return _parsed(text)
    raise BadCheckpoint(f"the checkpoint is not signed by {name}")


def _parsed(text: str) -> Checkpoint:
    lines = text.split("\n")
    if len(lines) < 4 or not lines[0].startswith(ORIGIN) or not lines[1].isdecimal():
        raise BadCheckpoint("the note is no checkpoint of a match")
    head = _decoded(lines[2])
    if len(head) != 32:
        raise BadCheckpoint("its head is not 32 bytes")
    return Checkpoint(lines[0].removeprefix(ORIGIN), int(lines[1]), head)


def _public(key: str) -> tuple[str, bytes]:
    name, _, rest = key.strip().partition("+")
    mark, _, encoded = rest.partition("+")
    none = BadKey("the key is none: give `name+hash+base64`, as `GET /v1/keys` has it")
    try:
        data = _decoded(encoded)
    except BadCheckpoint:
        raise none from None
    if len(data) != 33 or data[:1] != ED25519 or _mark(name, data[1:]).hex() != mark:
        raise none
    return name, data[1:]


def _mark(name: str, public: bytes) -> bytes:
    """The short id of a key."""
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise BadCheckpoint("it holds base64 that is none") from None
