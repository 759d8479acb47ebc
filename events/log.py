"""A match's log: one set of stored bytes, one hash chain, a page of it for every viewer."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple, Protocol

SEAL = b"\xc7\x20\x01"
"""What stands before a seal in the public bytes: a msgpack extension of 32 bytes, type 1."""


BLOCK = 64
"""Bytes that SHA-256 takes at once."""

_INNER, _OUTER = (bytes([byte ^ pad for byte in range(256)]) for pad in (0x36, 0x5C))


class Span(NamedTuple):
    """A hidden stretch of the stored bytes and the seats which may see it."""

    start: int
    end: int
    seats: tuple[int, ...]


class Entry(NamedTuple):
    """A commit as stored: its facts whole, where the secrets in them lie, and the chain's head."""

    version: int
    facts: bytes
    hidden: tuple[Span, ...]
    head: bytes


class Opening(NamedTuple):
    """A secret shown to one viewer: its seal stands at `at` in the public bytes."""

    at: int
    salt: bytes
    value: bytes


class Page(NamedTuple):
    """A commit as one viewer gets it: the same public bytes for all, and its own openings."""

    version: int
    public: bytes
    openings: tuple[Opening, ...]
    head: bytes


class Broken(Exception):
    """The log is not what was sealed; `version` is the first bad one, `why` says what is wrong."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(f"version {version}: {why}")
        self.version = version
        self.why = why


class Seal(Protocol):
    """(version, place, value) to (salt, seal); `place` counts the hidden spans of a commit."""

    def __call__(self, version: int, place: int, value: bytes, /) -> tuple[bytes, bytes]: ...


def genesis(match: str, game: str, rules: str) -> bytes:
    """The head before the first commit: SHA-256 of the three, joined by zero bytes."""
    return sha256("\0".join(("hallowstream.1", match, game, rules)).encode()).digest()


def sealer(secret: bytes, match: str) -> Seal:
    """Seal: SHA-256(salt, value). Salt: HMAC-SHA-256(secret, "match|version|place")[:16]."""
    key = (secret if len(secret) <= BLOCK else sha256(secret).digest()).ljust(BLOCK, b"\0")
    within = sha256(key.translate(_INNER) + f"{match}|".encode())
    around = sha256(key.translate(_OUTER))

    def seal(version: int, place: int, value: bytes) -> tuple[bytes, bytes]:
        # As RFC 2104 has it: half of what a copy of an `hmac` costs.
        inner, outer = within.copy(), around.copy()
        inner.update(f"{version}|{place}".encode())
        outer.update(inner.digest())
        salt = outer.digest()[:16]
        return salt, sha256(salt + value).digest()

    return seal


def append(
    head: bytes,
    version: int,
    facts: bytes,
    hidden: Iterable[tuple[int, int, tuple[int, ...]]],
    seal: Seal,
) -> Entry:
    """The next entry after `head`; its own head is SHA-256(head, public form)."""
    spans = tuple([Span(*span) for span in hidden])
    parts, done = [head], 0
    for place, (start, end, _) in enumerate(spans):
        parts += (facts[done:start], SEAL, seal(version, place, facts[start:end])[1])
        done = end
    parts.append(facts[done:])
    return Entry(version, facts, spans, sha256(b"".join(parts)).digest())


def page(entry: Entry, viewer: int | str, seal: Seal) -> Page:
    """Public bytes, every hidden span replaced by its seal, and the openings for the viewer."""
    if not entry.hidden:
        return Page(entry.version, entry.facts, (), entry.head)
    parts: list[bytes] = []
    openings, done, length = [], 0, 0
    for place, (start, end, seats) in enumerate(entry.hidden):
        value = entry.facts[start:end]
        salt, sealed = seal(entry.version, place, value)
        length += start - done + len(SEAL)
        if viewer == "auditor" or viewer in seats:
            openings.append(Opening(length, salt, value))
        parts += (entry.facts[done:start], SEAL, sealed)
        length += len(sealed)
        done = end
    parts.append(entry.facts[done:])
    return Page(entry.version, b"".join(parts), tuple(openings), entry.head)


def opened(page: Page) -> bytes:
    """The commit in msgpack as far as the viewer may read it; the rest stays sealed."""
    out: list[bytes] = []
    done = 0
    for at, _, value in page.openings:
        out += (page.public[done : at - len(SEAL)], value)
        done = at + 32
    out.append(page.public[done:])
    return b"".join(out)


def check(head: bytes, page: Page, version: int) -> bytes:
    """The head after this page. Raises Broken where it does not follow on `head`."""
    if page.version != version:
        raise Broken(version, f"version {page.version} stands in its place")
    done = 0
    for at, salt, value in page.openings:
        if at - len(SEAL) < done:
            raise Broken(version, f"the opening at byte {at} is not in its order")
        done = at + 32
        sealed = page.public[at:done]
        if page.public[at - 3 : at] != SEAL or sealed != sha256(salt + value).digest():
            raise Broken(version, f"the opening at byte {at} does not fit its seal")
    head = sha256(head + page.public).digest()
    if head != page.head:
        raise Broken(version, "the chain's head does not follow from the bytes")
    return head


def verify(pages: Iterable[Page], start: bytes) -> bytes:
    """The head that these pages prove, from `genesis` on. Raises Broken."""
    head = start
    for version, page in enumerate(pages, 1):
        head = check(head, page, version)
    return head
