#!/usr/bin/env python3
"""Checks an exported Hallowstream log. Needs Python 3.9 or newer and nothing else.

    python verify.py LOG.jsonl [--head VERSION:HASH] [--checkpoint FILE --key KEY]

It proves: every line is written as its bytes say; each version follows from the one before by the
hash chain; every opened secret fits its seal; the seed that was revealed is the one committed to
before play; and, on the auditor's log, how many random words each command drew. It does not know
the rules of any game: that the commands give these events, `hallowstream verify` shows.
A head or a signed checkpoint from elsewhere proves that it is the log you were shown.

Exit code 0: all of it holds. 1: something does not; the first bad version or line is named.
2: the file can't be read, or the command line is wrong.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

SEAL = object()


class Wrong(Exception):
    """What does not hold, and where."""


class Reader:
    """As much of msgpack as logs use."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise Wrong("the bytes end in the middle of a value")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, kind: str) -> Any:
        return struct.unpack(">" + kind, self.take(struct.calcsize(kind)))[0]

    def value(self) -> Any:
        byte: int = self.number("B")
        if byte <= 0x7F:
            return byte
        if byte <= 0x8F:
            return self.mapping(byte & 0x0F)
        if byte <= 0x9F:
            return self.items(byte & 0x0F)
        if byte <= 0xBF:
            return self.take(byte & 0x1F).decode()
        if byte >= 0xE0:
            return byte - 0x100
        return self.longer(byte)

    def longer(self, byte: int) -> Any:
        simple = {0xC0: None, 0xC2: False, 0xC3: True}
        if byte in simple:
            return simple[byte]
        if byte == 0xC7:
            return self.extension(self.number("B"))
        numbers = {0xCA: "f", 0xCB: "d", 0xCC: "B", 0xCD: "H", 0xCE: "I", 0xCF: "Q"}
        numbers.update({0xD0: "b", 0xD1: "h", 0xD2: "i", 0xD3: "q"})
        if byte in numbers:
            return self.number(numbers[byte])
        sized: dict[int, tuple[str, Callable[[int], Any]]] = {
            0xC4: ("B", self.take),
            0xC5: ("H", self.take),
            0xC6: ("I", self.take),
            0xD9: ("B", self.text),
            0xDA: ("H", self.text),
            0xDB: ("I", self.text),
            0xDC: ("H", self.items),
            0xDD: ("I", self.items),
            0xDE: ("H", self.mapping),
            0xDF: ("I", self.mapping),
        }
        if byte not in sized:
            raise Wrong(f"byte {byte:#x} begins no value")
        kind, read = sized[byte]
        return read(self.number(kind))

    def text(self, count: int) -> str:
        return self.take(count).decode()

    def items(self, count: int) -> list[Any]:
        return [self.value() for _ in range(count)]

    def mapping(self, count: int) -> dict[Any, Any]:
        return {self.value(): self.value() for _ in range(count)}

    def extension(self, count: int) -> object:
        kind = self.number("B")
        self.take(count)
        if (kind, count) != (1, 32):
            raise Wrong("an extension that is no seal")
        return SEAL


def unpacked(data: bytes) -> Any:
    reader = Reader(data)
    value = reader.value()
    if reader.at != len(data):
        raise Wrong("bytes are left over after the commit")
    return value


def opened(public: bytes, openings: list[tuple[int, bytes, bytes]]) -> bytes:
    """The public bytes with the opened secrets in the place of their seals."""
    out, done = b"", 0
    for at, _, value in openings:
        out += public[done : at - 3] + value
        done = at + 32
    return out + public[done:]


def same(data: Any, told: Any) -> bool:
    """Whether the decoded commit beside the bytes says what the bytes say.

    The bytes hold facts by position; beside them the fields have names, in the same order.
    """
    if data is SEAL:
        return bool(told == {"hidden": True})
    if isinstance(data, list):
        values = list(told.values()) if isinstance(told, dict) else told
        return (
            isinstance(values, list) and len(values) == len(data) and all(map(same, data, values))
        )
    if isinstance(data, dict):
        keys = [str(key) for key in data]
        return (
            isinstance(told, dict)
            and list(told) == keys
            and all(same(value, told[str(key)]) for key, value in data.items())
        )
    if isinstance(data, bytes):
        return bool(told == base64.b64encode(data).decode())
    return bool(type(data) is type(told) and data == told)


def base64_of(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise Wrong("its base64 is not written in the one right way")
    return data


class Line:
    """One commit of the file."""

    def __init__(self, text: str) -> None:
        row = json.loads(text)
        if json.dumps(row, ensure_ascii=False, separators=(",", ":")) != text:
            raise Wrong("it is not written in the one right way")
        self.about = (row["hallowstream"], row["match"], row["viewer"], row["of"])
        self.version = row["version"]
        self.public = base64_of(row["public"])
        self.openings = [
            (at, base64_of(salt), base64_of(value)) for at, salt, value in row["openings"]
        ]
        self.head = bytes.fromhex(row["head"])
        if self.head.hex() != row["head"] or len(row) != 9:
            raise Wrong("it is not written in the one right way")
        self.told = row["not_hashed"]
        self.commit = unpacked(opened(self.public, self.openings))

    def check(self, number: int, before: bytes) -> None:
        """What must hold of the line alone and after the one before it."""
        if self.version != number or self.commit[0] != number:
            raise Wrong(f"version {self.version} stands in its place")
        for at, salt, value in self.openings:
            sealed = hashlib.sha256(salt + value).digest()
            if self.public[at - 3 : at] != b"\xc7\x20\x01" or self.public[at : at + 32] != sealed:
                raise Wrong(f"the opening at byte {at} does not fit its seal")
        if hashlib.sha256(before + self.public).digest() != self.head:
            raise Wrong("the chain's head does not follow from the bytes")
        if not same(self.commit, self.told):
            raise Wrong("the decoded commit beside the bytes says something else than they do")


def parsed(number: int, text: str) -> Line:
    try:
        return Line(text)
    except Wrong as wrong:
        raise Wrong(f"line {number}: {wrong}") from None
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise Wrong(f"line {number}: unreadable: {error}") from None


def whole(lines: list[Line]) -> None:
    """All lines are of one file and none is missing."""
    about = lines[0].about
    for number, line in enumerate(lines, 1):
        if line.about != about:
            raise Wrong(f"line {number}: it is of another file")
    if about[3] != len(lines) or about[0] != 1:
        raise Wrong(f"line {len(lines) + 1}: the file has {len(lines)} of {about[3]} lines")


def chain(lines: list[Line]) -> None:
    """Each version follows from the one before, from the match's own beginning on."""
    created = lines[0].commit[5][0]
    if created[0] != "created" or created[1] != lines[0].about[1]:
        raise Wrong("version 1: it does not create this match")
    start = "\0".join(("hallowstream.1", created[1], created[2], created[6]))
    head = hashlib.sha256(start.encode()).digest()
    for number, line in enumerate(lines, 1):
        try:
            line.check(number, head)
        except Wrong as wrong:
            raise Wrong(f"version {number}: {wrong}") from None
        head = line.head


def seed(lines: list[Line]) -> tuple[bytes | None, str]:
    """The seed of all draws, if it was revealed: the server's, and what the seats added."""
    created = lines[0].commit[5][0]
    firsts = [(line.version, line.commit[5][0]) for line in lines]
    closing = [(version, event[1]) for version, event in firsts if _is_closing(event)]
    if not closing:
        return None, "the match is not closed: its seed is not revealed yet"
    version, revealed = closing[0]
    if revealed is SEAL:
        return None, "the seed is for the auditor alone"
    server = bytes.fromhex(revealed)
    if hashlib.sha256(server).hexdigest() != created[8]:
        raise Wrong(f"version {version}: the seed is not the one committed to before play")
    entropies = _entropies(lines, created[5])
    parts = [text.encode() for text in entropies]
    message = b"".join(bytes([len(part)]) + part for part in parts)
    return hmac.new(server, message, "sha256").digest(), "it is the one committed to before play"


def _is_closing(event: Any) -> bool:
    return isinstance(event, list) and event[0] in ("closed", "closed_sealed")


def _entropies(lines: list[Line], seats: int) -> list[str]:
    """What each seat had added when play began."""
    entropies = [""] * seats
    for line in lines:
        event = line.commit[5][0]
        if event is not SEAL and event[0] == "seat_taken":
            entropies[event[1]] = event[3]
        elif event is not SEAL and event[0] in ("left", "kicked"):
            entropies[event[1]] = ""
        elif event is not SEAL and event[0] == "started":
            break
    return entropies


def word(seed_of_match: bytes, match: str, place: int, number: int) -> int:
    """One word of chance: place 0 is the deal, k the k-th standing answer; numbers from 0."""
    message = f"{match}|{place}|{number}".encode()
    return int.from_bytes(hmac.new(seed_of_match, message, "sha256").digest(), "big")


def known_head(lines: list[Line], head: str) -> None:
    version, _, hash_of = head.rpartition(":")
    at = int(version) if version.isdecimal() else 0 if version else len(lines)
    if not 1 <= at <= len(lines) or lines[at - 1].head.hex() != hash_of.lower():
        raise Wrong(f"version {at}: its head is not {hash_of}: rewritten, or the tail is missing")


PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
ROOT = pow(2, (PRIME - 1) // 4, PRIME)
Point = tuple[int, int, int, int]


def added(a: Point, b: Point) -> Point:
    """The sum of two points of Curve25519, as Ed25519 (RFC 8032) has them."""
    low = (a[1] - a[0]) * (b[1] - b[0]) % PRIME
    high = (a[1] + a[0]) * (b[1] + b[0]) % PRIME
    c, d = 2 * a[3] * b[3] * CURVE % PRIME, 2 * a[2] * b[2] % PRIME
    e, f, g, h = high - low, d - c, d + c, high + low
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def times(count: int, point: Point) -> Point:
    total = (0, 1, 1, 0)
    while count:
        if count & 1:
            total = added(total, point)
        point, count = added(point, point), count >> 1
    return total


def point_at(y: int, odd: int) -> Point:
    """The point of that height whose other coordinate is odd, or is not."""
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * ROOT % PRIME
    if y >= PRIME or (x * x - square) % PRIME or (not x and odd):
        raise Wrong("the key or the signature is none")
    x = x if x & 1 == odd else PRIME - x
    return x, y, 1, x * y % PRIME


def read_point(data: bytes) -> Point:
    number = int.from_bytes(data, "little")
    return point_at(number & (1 << 255) - 1, number >> 255)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether it is the Ed25519 signature of the message."""
    if len(public) != 32 or len(signature) != 64:
        return False
    first, number = signature[:32], int.from_bytes(signature[32:], "little")
    digest = hashlib.sha512(first + public + message).digest()
    challenge = int.from_bytes(digest, "little") % ORDER
    one = times(number, point_at(4 * pow(5, -1, PRIME) % PRIME, 0))
    two = added(read_point(first), times(challenge, read_point(public)))
    alike = [(one[n] * two[2] - two[n] * one[2]) % PRIME == 0 for n in (0, 1)]
    return number < ORDER and all(alike)


def checkpoint(note: str, key: str) -> tuple[str, int, bytes]:
    """Match, version and head of a note that is signed by the key, `name+hash+base64`."""
    name, _, rest = key.partition("+")
    public = base64_of(rest.partition("+")[2])
    mark = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    for line in signatures.splitlines():
        sign, by, signature = (*line.split(" "), "", "")[:3]
        if (sign, by) == ("\u2014", name) and base64_of(signature)[:4] == mark:
            if is_signed(public[1:], text.encode(), base64_of(signature)[4:]):
                origin, size, head = text.split("\n")[:3]
                return origin.rpartition("/")[2], int(size), base64_of(head)
            raise Wrong("the checkpoint's signature does not fit it")
    raise Wrong(f"the checkpoint is not signed by {name}")


def known_checkpoint(lines: list[Line], note: str, key: str) -> str:
    try:
        match, version, head = checkpoint(note, key)
    except (ValueError, IndexError) as error:
        raise Wrong(f"the checkpoint or its key is none: {error}") from None
    if match != lines[0].about[1]:
        raise Wrong(f"the checkpoint is one of match {match}")
    known_head(lines, f"{version}:{head.hex()}")
    return f"checkpoint: the key's owner has signed version {version} of this log"


def verify(data: str, head: str = "", note: str = "", key: str = "") -> Iterator[str]:
    """The findings, a line of text each. Raises Wrong at the first thing that does not hold."""
    texts = data.split("\n")
    if texts.pop() or not texts:
        raise Wrong(f"line {len(texts) + 1}: the file does not end with a whole line")
    lines = [parsed(number, text) for number, text in enumerate(texts, 1)]
    whole(lines)
    chain(lines)
    match_seed, says = seed(lines)
    if head:
        known_head(lines, head)
    signed = [known_checkpoint(lines, note, key)] if note or key else []
    viewer = lines[0].about[2]
    yield f"match {lines[0].about[1]}, as seen by {viewer}: {len(lines)} versions"
    yield f"chain: ok, head {lines[-1].head.hex()}"
    yield f"openings: ok, {sum(len(line.openings) for line in lines)} secrets fit their seals"
    yield f"seed: {says}"
    if match_seed is not None:
        yield f"seed of the match: {match_seed.hex()}"
    if viewer == "auditor":
        yield f"draws: {sum(line.commit[4][1] for line in lines)} words of chance were drawn"
    else:
        yield "what others saw, and all draws, only the auditor's log can prove"
    yield from signed


def arguments(words: list[str]) -> tuple[str, dict[str, str]]:
    """The log's path and the options; no path where they make no sense."""
    options = {"--head": "", "--checkpoint": "", "--key": ""}
    paths = []
    rest = iter(words)
    for word in rest:
        if word in options:
            options[word] = next(rest, "")
        else:
            paths.append(word)
    together = bool(options["--checkpoint"]) == bool(options["--key"])
    good = len(paths) == 1 and not paths[0].startswith("-") and together
    return paths[0] if good else "", options


def main(words: list[str]) -> int:
    path, options = arguments(words)
    if not path:
        print(__doc__)
        return 2
    data, note = "", ""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            data = file.read()
        if options["--checkpoint"]:
            path = options["--checkpoint"]
            with open(path, encoding="utf-8", newline="") as file:
                note = file.read()
    except (OSError, UnicodeDecodeError) as error:
        print(f"can't read {path}: {error}", file=sys.stderr)
        return 1 if isinstance(error, UnicodeDecodeError) else 2
    try:
        for finding in verify(data, options["--head"], note, options["--key"]):
            print(finding)
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return 1
    print("all of it holds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
