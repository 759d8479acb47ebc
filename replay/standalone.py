#!/usr/bin/env python3
"""Checks an exported Hallowstream log. Needs Python 3.10 or newer and nothing else.

    python verify.py LOG.jsonl [--head VERSION:HASH] [--checkpoint FILE --key KEY]

It proves: every line is written as its bytes say, names of fields included; each version follows
from the one before by the hash chain; every opened secret fits its seal, and all that is due to the
log's viewer is open and no more; the seed that was revealed is the one committed to before play.
It does not know the rules of any game: that the commands give these events and draws,
`hallowstream verify` shows. A head or a signed checkpoint from elsewhere proves that it is the log
you were shown.

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

FORMAT = 1
MEMBERS = (
    "hallowstream",
    "match",
    "viewer",
    "version",
    "of",
    "public",
    "openings",
    "head",
    "not_hashed",
)
MOST = 2**63
SEAL = object()


class Wrong(Exception):
    """What does not hold, and where: the text begins with the line or version."""


class Off(Exception):
    """What does not hold, in words; who catches it knows where."""


UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, Off)


class Reader:
    """As much of msgpack as logs use."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise Off("the bytes end in the middle of a value")
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
            raise Off(f"byte {byte:#x} begins no value")
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
            raise Off("an extension that is no seal")
        return SEAL


def unpacked(data: bytes) -> Any:
    reader = Reader(data)
    value = reader.value()
    if reader.at != len(data):
        raise Off("bytes are left over after the commit")
    return value


def opened(public: bytes, openings: list[tuple[int, bytes, bytes]]) -> bytes:
    """The public bytes with the opened secrets in the place of their seals."""
    out, done = b"", 0
    for at, _, value in openings:
        out += public[done : at - 3] + value
        done = at + 32
    return out + public[done:]


def plain(data: Any) -> Any:
    """As JSON has it."""
    if data is SEAL:
        return {"hidden": True}
    if isinstance(data, bytes):
        return base64.b64encode(data).decode()
    if isinstance(data, list):
        return [plain(item) for item in data]
    if isinstance(data, dict):
        return {str(key): plain(item) for key, item in data.items()}
    return data


def parts(text: str, mark: str) -> list[str]:
    """The text parted at the marks that stand in no brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "({") - (letter in ")}")
        if letter == mark and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found


class Field:
    """One field of a fact: what it may hold, and the fields that name who sees it."""

    def __init__(self, text: str) -> None:
        rest, _, self.type = text.partition(":")
        self.name, self.seen = name_and_sight(rest)


Sight = tuple[str, tuple[str, ...]]
"""`*` for everybody, `!` for the seats that these fields name, `!!` for each its own entry, too."""


def name_and_sight(text: str) -> tuple[str, Sight | None]:
    name, marked, by = text.partition("!")
    if not marked:
        return name, None
    each = by.startswith("!")
    fields = by[1:] if each else by
    kind = "*" if fields == "*" else "!!" if each else "!"
    return name, (kind, tuple(fields.split(",")) if fields else ())


class Names:
    """The facts of one game by name, for one viewer; `amiss` counts what is sealed though it is
    due to the viewer, or open though it is not."""

    def __init__(self, game: str, viewer: Any) -> None:
        self.viewer = viewer
        self.amiss = 0
        self.facts: dict[str, tuple[Sight | None, list[Field]]] = {}
        for section in FACTS.split("\n[")[1:]:
            title, _, lines = section.partition("]\n")
            if title in ("every game", game):
                for line in lines.replace("\n  ", " ").replace("| ", "|").splitlines():
                    name, *fields = line.split()
                    kind, veil = name_and_sight(name)
                    self.facts[kind] = veil, [Field(field) for field in fields]
        self.known = "Commit" in self.facts

    def named(self, type_: str, data: Any) -> Any:
        """The data with the names that its type has for it; a fact of a kind that is not known
        here, from a newer writer, is left as the list it is."""
        if data is SEAL:
            return {"hidden": True}
        members = parts(type_, "|")
        if isinstance(data, list):
            kind = self.kind(members, data)
            if kind:
                return self.fact(kind, data)
        for member in members:
            if isinstance(data, list) and member[:1] in ("*", "("):
                inner = member[2:-1] if member[0] == "*" else member[1:-1]
                each = [inner] * len(data) if member[0] == "*" else parts(inner, ",")
                return [self.named(inner, item) for inner, item in zip(each, data, strict=False)]
            if isinstance(data, dict) and member[:1] == "{":
                return {str(key): self.named(member[1:-1], item) for key, item in data.items()}
        return plain(data)

    def kind(self, members: list[str], data: list[Any]) -> str:
        """The fact that a list is of; empty where it is none."""
        if len(members) == 1:
            return members[0] if members[0] in self.facts else ""
        tag = data[0] if data and isinstance(data[0], str) else None
        for member in members:
            if member in self.facts and tag == (member if member[0].islower() else None):
                return member
        return ""

    def fact(self, kind: str, data: list[Any]) -> dict[str, Any]:
        veil, fields = self.facts[kind]
        tagged = kind[0].islower()
        values = data[1:] if tagged else data
        by_name = {field.name: value for field, value in zip(fields, values, strict=False)}
        if veil:
            self.check(self.seats(veil, by_name), False)
        out: dict[str, Any] = {"type": kind} if tagged else {}
        for field, value in zip(fields, values, strict=False):
            if field.seen:
                self.look(field.seen, by_name, value)
            out[field.name] = self.named(field.type, value)
        return out

    def look(self, seen: Sight, by_name: dict[str, Any], value: Any) -> None:
        """Whether the value is open to whom it is due."""
        seats = self.seats(seen, by_name)
        if seen[0] != "!!":
            self.check(seats, value is SEAL)
            return
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for seat, item in items:
            self.check((seats or set()) | {int(seat)}, item is SEAL)

    def seats(self, seen: Sight, by_name: dict[str, Any]) -> set[int] | None:
        """Who sees it; None for everybody."""
        if seen[0] == "*":
            return None
        found: set[int] = set()
        for value in map(by_name.__getitem__, seen[1]):
            found.update((value,) if isinstance(value, int) else value or ())
        return found

    def check(self, seats: set[int] | None, hidden: bool) -> None:
        due = self.viewer == "auditor" or seats is None or self.viewer in seats
        self.amiss += hidden is due


def base64_of(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def is_count(value: Any) -> bool:
    return type(value) is int and 1 <= value < MOST


class Line:
    """One commit of the file."""

    def __init__(self, text: str) -> None:
        self.text = text
        row = json.loads(text)
        if not isinstance(row, dict) or set(row) != set(MEMBERS):
            raise Off("it has other members than a line has")
        self.match, self.viewer, self.of = row["match"], row["viewer"], row["of"]
        self.version, self.head = row["version"], row["head"]
        self.public = base64_of(row["public"])
        self.openings = [
            (at, base64_of(salt), base64_of(value)) for at, salt, value in row["openings"]
        ]
        self.hash = bytes.fromhex(self.head)
        self.commit: list[Any] = []
        self.told: Any = None
        self.amiss = 0
        good = row["hallowstream"] == FORMAT and is_count(self.version) and is_count(self.of)
        seat = type(self.viewer) is int and 0 <= self.viewer < MOST
        sees = seat or self.viewer in ("spectator", "auditor")
        good = good and all(type(at) is int for at, _, _ in self.openings)
        if not good or not sees or not isinstance(self.match, str):
            raise Off("its members are of other kinds than a line has")

    @property
    def about(self) -> tuple[Any, ...]:
        return self.match, self.viewer, self.of

    @property
    def first(self) -> list[Any]:
        """The first event: its kind and its fields."""
        first = self.commit[5][0]
        return first if isinstance(first, list) and first else [None]

    def read(self) -> None:
        """The commit. Raises what is in UNREADABLE."""
        self.commit = unpacked(opened(self.public, self.openings))
        version, at, _, rules, _, events = self.commit[:6]
        if not isinstance(version, int) or not isinstance(at, int) or not isinstance(rules, str):
            raise Off("version, time or rules are missing")
        if not isinstance(events, list) or not events:
            raise Off("it has no events")

    def name(self, names: Names) -> None:
        """The commit by name. Raises what is in UNREADABLE."""
        names.amiss = 0
        self.told = names.named("Commit", self.commit)
        self.amiss = names.amiss

    def written(self) -> str:
        """The only way in which this commit is written."""
        values = (
            FORMAT,
            self.match,
            self.viewer,
            self.version,
            self.of,
            plain(self.public),
            [[at, plain(salt), plain(value)] for at, salt, value in self.openings],
            self.hash.hex(),
            self.told,
        )
        return written(dict(zip(MEMBERS, values, strict=True)))

    def follow(self, number: int, before: bytes) -> None:
        """Whether it follows from the head before it. Raises Off."""
        if self.version != number:
            raise Off(f"version {self.version} stands in its place")
        done = 0
        for at, salt, value in self.openings:
            if at - 3 < done:
                raise Off(f"the opening at byte {at} is not in its order")
            done = at + 32
            sealed = hashlib.sha256(salt + value).digest()
            if self.public[at - 3 : at] != b"\xc7\x20\x01" or self.public[at:done] != sealed:
                raise Off(f"the opening at byte {at} does not fit its seal")
        if hashlib.sha256(before + self.public).digest() != self.hash:
            raise Off("the chain's head does not follow from the bytes")


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_lines(data: bytes) -> list[Line]:
    """The lines, all of one file and none missing. Raises Wrong."""
    texts = data.split(b"\n")
    if texts.pop() or not texts:
        raise Wrong(f"line {len(texts) + 1}: the file does not end with a whole line")
    lines = []
    for number, text in enumerate(texts, 1):
        try:
            lines.append(Line(text.decode()))
        except UNREADABLE as error:
            raise Wrong(f"line {number}: unreadable: {error}") from None
    for number, line in enumerate(lines, 1):
        if line.about != lines[0].about:
            raise Wrong(f"line {number}: it is of another file")
        if line.version != number:
            raise Wrong(f"line {number}: version {line.version} stands in its place")
    if lines[0].of != len(lines):
        raise Wrong(f"line {len(lines) + 1}: the file has {len(lines)} of {lines[0].of} lines")
    return lines


def read_commits(lines: list[Line]) -> Names:
    """The names of the game's facts, with which every commit has been read. Raises Wrong."""
    names = Names("", lines[0].viewer)
    for number, line in enumerate(lines, 1):
        try:
            line.read()
            if number == 1:
                kind, *created = line.first[:7]
                match, game, edition, _, seats, rules = created
                texts = all(isinstance(text, str) for text in (match, game, edition, rules))
                if kind != "created" or not texts or type(seats) is not int:
                    raise Off("it does not create a match")
                names = Names(game, line.viewer)
            if names.known:
                line.name(names)
        except UNREADABLE as error:
            if number > 1:
                chain(lines)  # a broken chain is the better reason, and may be broken before
            raise Wrong(f"version {number}: unreadable: {error}") from None
    return names


def chain(lines: list[Line]) -> None:
    """Each version follows from the one before, from the match's own beginning on. Raises Wrong."""
    created = lines[0].first
    head = hashlib.sha256(
        "\0".join(("hallowstream.1", created[1], created[2], created[6])).encode()
    ).digest()
    for number, line in enumerate(lines, 1):
        try:
            line.follow(number, head)
        except Off as off:
            raise Wrong(f"version {number}: {off}") from None
        head = line.hash


def order(lines: list[Line]) -> None:
    """The commits say which match and version they are, and time never runs back."""
    if lines[0].first[1] != lines[0].match:
        raise Wrong("version 1: it does not create this match")
    chain(lines)
    latest = 0
    for number, line in enumerate(lines, 1):
        version, at = line.commit[:2]
        if version != number:
            raise Wrong(f"version {number}: its commit says it is version {version}")
        if at < latest:
            raise Wrong(f"version {number}: its time lies before that of the version before")
        latest = at


def compare(lines: list[Line], names: Names) -> None:
    """Every line is written as its commit gives it, and open is what is due to the viewer."""
    for number, line in enumerate(lines, 1):
        if not names.known:
            line.told = json.loads(line.text)["not_hashed"]
        if line.written() != line.text:
            raise Wrong(f"line {number}: it is not written as its bytes say")
    for number, line in enumerate(lines, 1):
        if line.amiss:
            raise Wrong(f"version {number}: what its viewer may see is not what is open here")


def seed(lines: list[Line]) -> tuple[bytes | None, str]:
    """The seed of all draws, if it was revealed: the server's, and what the seats added."""
    created = lines[0].first
    closing = [line for line in lines if line.first[0] in ("closed", "closed_sealed")]
    if not closing:
        return None, "the match is not closed: its seed is not revealed yet"
    shown = [line for line in closing if line.first[1] is not SEAL]
    if not shown:
        return None, "the seed is for the auditor alone"
    version = shown[0].version
    try:
        server = bytes.fromhex(shown[0].first[1])
    except (ValueError, TypeError):
        raise Wrong(f"version {version}: the seed that it reveals is none") from None
    if hashlib.sha256(server).hexdigest() != created[8]:
        raise Wrong(f"version {version}: the seed is not the one committed to before play")
    parts = [text.encode() for text in _entropies(lines, created[5])]
    message = b"".join(bytes([len(part)]) + part for part in parts)
    return hmac.new(server, message, "sha256").digest(), "it is the one committed to before play"


def _entropies(lines: list[Line], seats: int) -> list[str]:
    """What each seat had added when play began."""
    entropies = [""] * seats
    for line in lines:
        kind, *fields = line.first
        if kind == "seat_taken":
            entropies[fields[0]] = fields[2]
        elif kind in ("left", "kicked"):
            entropies[fields[0]] = ""
        elif kind == "started":
            break
    return entropies


def word(seed_of_match: bytes, match: str, place: int, number: int) -> int:
    """One word of chance: place 0 is the deal, k the k-th standing answer; numbers from 0."""
    message = f"{match}|{place}|{number}".encode()
    return int.from_bytes(hmac.new(seed_of_match, message, "sha256").digest(), "big")


def known_head(lines: list[Line], known: str) -> None:
    """Raises Wrong where a head known from elsewhere is not in the log."""
    version, _, hash_of = known.rpartition(":")
    last = len(lines)
    heads = [line.head for line in lines]
    if not version and hash_of.lower() in heads:
        return
    at = int(version) if version.isascii() and version.isdigit() and len(version) < 19 else 0
    if not 1 <= at <= last:
        raise Wrong(f"version {last}: {known} is no head of this log: its tail is missing")
    if heads[at - 1] != hash_of.lower():
        raise Wrong(f"version {at}: its head is not {hash_of}: the log was rewritten")


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
        raise Off("the key or the signature is none")
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
            raise Off("the checkpoint's signature does not fit it")
    raise Off(f"the checkpoint is not signed by {name}")


def known_checkpoint(lines: list[Line], note: str, key: str) -> str:
    try:
        match, version, head = checkpoint(note, key)
    except UNREADABLE as error:
        raise Wrong(f"the checkpoint or its key is none: {error}") from None
    if match != lines[0].match:
        raise Wrong(f"version 1: the checkpoint is one of match {match}")
    known_head(lines, f"{version}:{head.hex()}")
    return f"checkpoint: the key's owner has signed version {version} of this log"


def verify(data: bytes, head: str = "", note: str = "", key: str = "") -> Iterator[str]:
    """The findings, a line of text each. Raises Wrong at the first thing that does not hold."""
    lines = read_lines(data)
    names = read_commits(lines)
    order(lines)
    compare(lines, names)
    match_seed, says = seed(lines)
    signed = [known_checkpoint(lines, note, key)] if note or key else []
    if head:
        known_head(lines, head)
    viewer, last = lines[0].viewer, lines[-1]
    yield f"match {lines[0].match}, as seen by {viewer}: {len(lines)} versions"
    yield f"chain: ok, head {last.head}"
    yield f"openings: ok, {sum(len(line.openings) for line in lines)} secrets fit their seals"
    yield f"seed: {says}"
    if match_seed is not None:
        yield f"seed of the match: {match_seed.hex()}"
    yield from left_open(lines, names)
    yield from signed


def left_open(lines: list[Line], names: Names) -> Iterator[str]:
    """What this log can't tell."""
    if not names.known:
        yield "names: this verifier does not know the game, and has not read the names of fields"
    if lines[0].viewer == "auditor":
        yield f"draws: {sum(line.commit[4][1] for line in lines)} words of chance were drawn"
    else:
        yield "what others saw, and all draws, only the auditor's log can prove"
    if not any(line.first[0] in ("closed", "closed_sealed") for line in lines):
        yield f"end: whole up to version {len(lines)}, later commits unknown"


def arguments(words: list[str]) -> tuple[str, dict[str, str]]:
    """The log's path and the options; no path where they make no sense."""
    options = {"--head": "", "--checkpoint": "", "--key": ""}
    paths = []
    rest = iter(words)
    for word in rest:
        if word in options:
            options[word] = next(rest, "")
            paths += [] if options[word] else ["-"]
        else:
            paths.append(word)
    together = bool(options["--checkpoint"]) == bool(options["--key"])
    good = len(paths) == 1 and not paths[0].startswith("-") and together
    return paths[0] if good else "", options


def main(words: list[str]) -> int:
    path, options = arguments(words)
    if not path:
        print(__doc__)
        return 0 if words in (["-h"], ["--help"]) else 2
    note = ""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if options["--checkpoint"]:
            path = options["--checkpoint"]
            with open(path, encoding="utf-8", newline="") as text:
                note = text.read()
    except (OSError, UnicodeDecodeError) as error:
        print(f"can't read {path}: {error}", file=sys.stderr)
        return 2
    try:
        for finding in verify(data, options["--head"], note, options["--key"]):
            print(finding)
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return 1
    print("all of it holds")
    return 0


FACTS = r"""
[every game]
Private command draws
stepped
created match game edition options seats rules key commitment reveal listed undo undo_window delay
seat_taken seat player entropy
bot_seated seat
replaced seat player
left seat
kicked seat
started
resigned seat
forfeited winners
aborted cause
undo_asked seat to needs
undo_agreed seat
undo_declined seat
undo_expired
reverted to author reason
closed seed
closed_sealed seed!
forked origin state!
dispute_opened seat steps claim
dispute_noted dispute author note
ruled dispute author upheld reason correction:Correction|
appealed dispute seat claim
words_removed dispute version author
Correction winners scores
[tricks-and-treats]
Commit version at by rules private!:Private events:*(asked| answered| chosen| stepped|
  starter_chosen| line_laid_out| candy_shuffled| hands_dealt| times_up_buried| letters_dealt|
  opening_exchange| turn_started| candy_drawn| candy_played| tattle_made| secret_letter_shown|
  secret_letter_handed_over| player_eliminated| guess_written| line_changed| candy_moved|
  candy_traded| candy_removed| candy_doubled| resolution_ordered| special_resolved|
  secret_letters_revealed| guesses_revealed| scored| ties_struck_out| game_ended| created|
  seat_taken| bot_seated| replaced| left| kicked| started| resigned| forfeited| aborted| undo_asked|
  undo_agreed| undo_declined| undo_expired| reverted| closed| closed_sealed| forked| dispute_opened|
  dispute_noted| ruled| appealed| words_removed)
asked id item:setup| give_highest| give_lowest| before_draw| play| after_play| end_turn|
  write_guess| swap_basket| jump_basket| move_candy| trade_candy
answered question seat option!*:give| draw| put| end| tattle| guess| write| swap| jump| move| trade|
  decline
chosen question seat option!seat:give| draw| put| end| tattle| guess| write| swap| jump| move|
  trade| decline
starter_chosen seat
line_laid_out line
candy_shuffled deck!
hands_dealt hands!! deck_left
times_up_buried bottom!
letters_dealt letters!! undealt!
opening_exchange first last high!first,last low!first,last
turn_started seat turn
candy_drawn seat card!seat deck_left times_up!*
candy_played seat card!* basket slot
tattle_made accuser target letter correct!*
secret_letter_shown owner viewer letter!owner,viewer
secret_letter_handed_over owner holder letter!*
player_eliminated seat cause
guess_written guesser target letter!guesser
line_changed cause op line
candy_moved cause moves:*(Moved)
candy_traded cause seat basket slot given!* taken
candy_removed cause cards:*(Lying)
candy_doubled cause cards:*(Lying)
resolution_ordered specials
special_resolved basket slot count outcome
secret_letters_revealed letters!*
guesses_revealed guesses!*:*(Verdict)
scored rows!*:{Score}
ties_struck_out score seats
game_ended cause winner
Score candy letters guesses total
Verdict guesser target letter correct
Lying card slot index
Moved card source index to
give card
draw
put card basket
end
tattle target letter
guess target
write letter
swap side
jump side
move source to
trade card basket
decline
setup seats first specials exchange
give_highest seat to
give_lowest seat to high!to
before_draw seat
play seat
after_play seat
end_turn seat
write_guess seat target
swap_basket seat basket
jump_basket seat basket
move_candy seat basket
trade_candy seat basket
[trickn-treat]
Commit version at by rules private!:Private events:*(asked| answered| chosen| stepped|
  colour_removed| zeros_removed| dealt| dummy_dealt| starter_chosen| tokens_prepared| token_taken|
  teams_formed| lead_shown| trick_started| skipped| card_played| dummy_played| effect_set|
  ghost_idle| cards_swapped| dummy_swapped| pile_searched| dummy_pile_searched| exchange_begun|
  cards_exchanged| dummy_exchanged| trick_won| candy_scored| trick_taken| dummy_took| game_ended|
  hands_shown| scored| created| seat_taken| bot_seated| replaced| left| kicked| started| resigned|
  forfeited| aborted| undo_asked| undo_agreed| undo_declined| undo_expired| reverted| closed|
  closed_sealed| forked| dispute_opened| dispute_noted| ruled| appealed| words_removed)
asked id item:setup| choose_token| play_card| next| score_candy| swap_or_stop| search_pile|
  search_dummy_pile| choose_target| exchange| exchange_with_dummy| trade_with_dummy
answered question seat option!*:take_token| play| swap| stop| take| leave| target| give| trade|
  score
chosen question seat option!seat:take_token| play| swap| stop| take| leave| target| give| trade|
  score
colour_removed colour by_lot cards
zeros_removed cards
dealt hands!! out!
dummy_dealt row
starter_chosen candies!* seat!* by_lot!*
tokens_prepared free boxed
token_taken seat token
teams_formed dark light
lead_shown seat able!*
trick_started order
skipped place
card_played seat card!*
dummy_played card
effect_set reversed extra
ghost_idle place ghost why
cards_swapped seat put!* took
dummy_swapped put took
pile_searched seat taken!* card!seat
dummy_pile_searched taken
exchange_begun place target
cards_exchanged a b from_a!a,b from_b!a,b
dummy_exchanged seat gave!* took!*
trick_won place card
candy_scored place cards
trick_taken seat ghosts rest
dummy_took kept lost rest
game_ended place why
hands_shown ghosts!* discarded!* row
scored winners points why
take_token token
play card
swap put take
stop
take card
leave
target place
give card
trade give take
score cards
setup advanced removed_colour
choose_token seat
play_card seat place
next
score_candy seat place
swap_or_stop seat place
search_pile seat
search_dummy_pile seat
choose_target seat place
exchange seats chosen!!:{give}
exchange_with_dummy seats chosen!!:{give}
trade_with_dummy seat
[trick-or-treat]
Commit version at by rules private!:Private events:*(asked| answered| answered_many| stepped|
  dropped| table_laid| sets_shuffled| cards_shuffled| house_stocked| carnival_stocked| kid_chosen|
  turn_started| trick_played| kid_moved| kid_stayed| free_move_spent| free_move_granted|
  bully_moved| kid_chased| card_stolen| victim_spared| card_drawn| house_card_taken|
  carnival_card_taken| cards_discarded| fear_given| fear_returned| set_claimed| set_revealed|
  discards_reshuffled| hands_thinned| draw_skipped| game_ended| created| seat_taken| bot_seated|
  replaced| left| kicked| started| resigned| forfeited| aborted| undo_asked| undo_agreed|
  undo_declined| undo_expired| reverted| closed| closed_sealed| forked| dispute_opened|
  dispute_noted| ruled| appealed| words_removed)
asked id item:setup| choose_kid| first_turn| move| end_turn| hand_limit| mansion| house| carnival|
  carnival_extra| alley| haunted_house| scare_with| calm_with| home| turn_in
answered question seat option!*:pick| go| sneak| stay| send| bully| proceed| take| swap| stop|
  scare| calm| brave| claim| give| pass| end
answered_many question seat option!*:*(discard)
dropped why ids
table_laid players houses row first
sets_shuffled middle!* deck! removed!
cards_shuffled deck!
house_stocked house card!*
carnival_stocked slot card!*
kid_chosen seat face
turn_started seat turn
trick_played seat trick!*
kid_moved seat left to via
kid_stayed seat at
free_move_spent seat
free_move_granted seat
bully_moved seat left to cause
kid_chased seat left
card_stolen thief victim card!thief,victim
victim_spared by seat
card_drawn seat card!seat
house_card_taken seat house card
carnival_card_taken seat slot card
cards_discarded seat cards!* why
fear_given seat amount
fear_returned seat amount
set_claimed seat set points eggs
set_revealed set!*
discards_reshuffled deck!
hands_thinned lost!*
draw_skipped seat purpose missing
game_ended scores winners
discard card
pick face
go to
sneak to
stay
send to spare
bully to spare
proceed
take slot card
swap discard slot card
stop
scare
calm
brave
claim set
give cards eggs
pass
end
setup players houses sets_removed first
choose_kid seat
first_turn seat
move seat
end_turn seat
hand_limit seat
mansion seat
house seat
carnival seat
carnival_extra seat
alley seat
haunted_house seat
scare_with seat
calm_with seat
home seat
turn_in seat set given:*(give)
[masked-mischief]
Commit version at by rules private!:Private events:*(asked| answered| answered_many| chosen|
  chosen_many| stepped| dropped| board_laid| character_chosen| mask_chosen| spare_kept|
  starting_rolled| starter_decided| turn_started| turn_skipped| turn_ended| bought| candy_moved|
  cauldrons_filled| cauldron_taken| masks_changed| die_rolled| roll_withheld| status_set| faced|
  walked| player_passed| relocated| house_visited| house_entered_uncounted| haunted_set|
  ltgb_placed| ltgb_taken| race_started| haunted_house_reached| game_ended| tricks_drawn|
  treats_drawn| hand_lifted| tiles_laid| tricks_put_back| treats_put_back| treats_kept|
  trick_flipped| trick_ignored| trick_returned| trick_cleared| tricks_moved| treat_taken|
  treat_stolen| treat_played| treat_spent| hands_shown| hands_rearranged| created| seat_taken|
  bot_seated| replaced| left| kicked| started| resigned| forfeited| aborted| undo_asked|
  undo_agreed| undo_declined| undo_expired| reverted| closed| closed_sealed| forked| dispute_opened|
  dispute_noted| ruled| appealed| words_removed)
asked id item:setup| choose_character| choose_mask| spares| starting_roll| draw| lay_around| turn|
  end_turn| treat_or_roll| after_treat| shopping| shop| buy_for| pay| pay_split| buy_tricks_now|
  buy_treats_now| keep_treats| choose_tricks| lay_all| lay_one| direction| walk| pass| swap_masks|
  land| return| spend| race| nearest_skull| empty| pick_cauldron| place_ltgb| pick_ltgb| go_home|
  ltgb_pay| pay_down| swap_victim| swap_victims_mask| swap_with_victim| move_figure| jump_figure|
  take_candy| assign_masks| abduct| turn_over| move_tricks| disarming| disarm_one| pick_arm| haunt|
  steal_and_use| juggle| window| extra_treat| steal| howl_at| nearest_trick| howl_at_all| aim_at|
  howl_flip| howl_ends| take_mask
answered question seat option!*:character| mask| lay| go| pick| play| roll| end| stop| face| swap|
  buy_tricks| buy_treats| buy_mask| done| cauldron
answered_many question seat option!*:*(tile_face| mask| go| back| pick| )
chosen question seat option!seat:character| mask| lay| go| pick| play| roll| end| stop| face| swap|
  buy_tricks| buy_treats| buy_mask| done| cauldron
chosen_many question seat option!seat:*(tile_face| mask| go| back| pick| )
dropped why ids
board_laid board spaces
character_chosen seat character home
mask_chosen seat mask
spare_kept mask
starting_rolled rolls
starter_decided seat
turn_started seat turn
turn_skipped seat skips
turn_ended seat
bought seat item count
candy_moved src dst candy
cauldrons_filled payer amounts
cauldron_taken seat cauldron candy
masks_changed masks spares
die_rolled seat die steps
roll_withheld seat
status_set seat status value
faced facings
walked seat path facing
player_passed seat passed opposite
relocated seat to facing home
house_visited seat mask house visits by
house_entered_uncounted seat house
haunted_set value
ltgb_placed seat space
ltgb_taken seat space
race_started to deposits counted
haunted_house_reached seat
game_ended mask house scores winner by_age
tricks_drawn seat codes!seat
treats_drawn seat codes!seat
hand_lifted seat
tiles_laid seat kind spaces!* codes!seat
tricks_put_back seat codes!seat
treats_put_back seat codes!seat
treats_kept seat codes!seat
trick_flipped space owner victim code!*
trick_ignored seat space ignores
trick_returned space why
trick_cleared space owner why code!owner
tricks_moved owner moves
treat_taken seat space layer code!seat,layer
treat_stolen thief victim slot known code!known
treat_played seat slot code!*
treat_spent seat
hands_shown to hands!!to
hands_rearranged by hands!!by
tile_face code
mask mask
go space
back
pick seat
character name home
lay code space
play slot code
roll
end
stop
face way
swap yes
buy_tricks count
buy_treats count
buy_mask mask
done
cauldron number
setup
choose_character seat user
choose_mask seat user
spares
starting_roll rolling
draw kind
lay_around kind laid
turn seat
end_turn seat
treat_or_roll seat user may_play
after_treat user was_replaced
shopping user
shop seat user
buy_for seat user payer
pay user chooser payer total
pay_split seat user payer total
buy_tricks_now user count
buy_treats_now user count
keep_treats user
choose_tricks seat user count
lay_all seat user kind
lay_one seat user kind
direction seat user steps back
walk user seat steps back main path ways
pass user seat other opposite
swap_masks seat user other
land user seat by
return user space
spend user
race user to deposit
nearest_skull seat user moved to deposit
empty user seat
pick_cauldron seat user
place_ltgb user seat
pick_ltgb seat user
go_home user seat
ltgb_pay seat user
pay_down user lander payers
swap_victim seat user victim
swap_victims_mask seat user victim
swap_with_victim user victim
move_figure seat user steps
jump_figure seat user steps
take_candy seat user
assign_masks seat user
abduct seat user
turn_over user
move_tricks seat user
disarming user owner
disarm_one seat user owner
pick_arm seat user
haunt user
steal_and_use user victim
juggle seat user
window user left
extra_treat seat user left
steal user victim
howl_at user victim
nearest_trick seat user victim
howl_at_all user victims aims
aim_at seat user victim victims aims
howl_flip user victim space
howl_ends user
take_mask seat user
[ghosts-love-candy-too]
Commit version at by rules private!:Private events:*(asked| answered| answered_many| chosen|
  chosen_many| stepped| cravings_dealt| deck_shuffled| kid_revealed| bag_filled| bag_mixed|
  bag_refilled| placed| placement_stopped| drawn| start_kept| round_started| ghosts_shown|
  ghosts_picked| own_tie_ordered| tie_card_drawn| tie_won| tie_by_lot| turns_ordered| haunted|
  haunt_skipped| treats_taken| ability_used| kid_scared| slot_left_empty| candy_given_back|
  cravings_shown| scored| junk_valued| tallied| tie_compared| won| held_tossed| held_settled|
  treats_tossed| treats_moved| traded_with_kid| traded_with_seat| treats_laid| treats_shifted|
  treats_returned| treat_passed| ghost_moved| ghost_discarded| ghost_exchanged| pile_reordered|
  kids_exchanged| kid_slid| row_kid_discarded| stash_kid_moved| stash_kid_dropped| craving_peeked|
  ties_granted| created| seat_taken| bot_seated| replaced| left| kicked| started| resigned|
  forfeited| aborted| undo_asked| undo_agreed| undo_declined| undo_expired| reverted| closed|
  closed_sealed| forked| dispute_opened| dispute_noted| ruled| appealed| words_removed)
asked id item:use_ability| pick_kid| pick_target| pick_treat| pick_own_treat| toss_treat|
  pick_player| pick_receiver| pick_ghost| order_pile| keep_drawn| discard_drawn| name_candy|
  pick_stash_kid| pick_hand_ghost| return_treats| pick_end| pass_treat| use_kid| setup|
  starting_treats| keep_treats| choose_ghosts| order_own_tie| scares| give_back| finish| count|
  round| choosing| turn| haunt| leave_treat
answered question seat option!*:treat| play| first| kid| stash_kid| player| pile_ghost| hand_ghost|
  place| end| use
answered_many question seat option!*:*(treat| play| first| kid| stash_kid| player| pile_ghost|
  hand_ghost| place| end| use)
chosen question seat option!seat:treat| play| first| kid| stash_kid| player| pile_ghost| hand_ghost|
  place| end| use
chosen_many question seat option!seat:*(treat| play| first| kid| stash_kid| player| pile_ghost|
  hand_ghost| place| end| use)
cravings_dealt cards!! boxed!
deck_shuffled order!
kid_revealed slot kid!*
bag_filled order!
bag_mixed order!
bag_refilled order!
placed slot treats!* due
placement_stopped slot
drawn seat treats!* held
start_kept seat kept!*
round_started round
ghosts_shown seat values!*
ghosts_picked seat values
own_tie_ordered seat first!*
tie_card_drawn seat value kid!*
tie_won seat value
tie_by_lot value order
turns_ordered order:*(Ghost)
haunted seat slot kid ghost:Ghost
haunt_skipped seat ghost:Ghost
treats_taken seat slot treats
ability_used kid of when
kid_scared slot kid to stay
slot_left_empty slot
candy_given_back seat treat
cravings_shown cards!*
scored seat points
junk_valued seat worth
tallied scores:*(Score)
tie_compared value counts left
won winners
held_tossed seat treat
held_settled seat kept rest to slot
treats_tossed seat treats
treats_moved giver to treats random
traded_with_kid seat slot gave got
traded_with_seat seat other gave got
treats_laid seat slot treats
treats_shifted source to treats
treats_returned seat treats
treat_passed giver to treat!*
ghost_moved source to ghost:Ghost
ghost_discarded slot ghost:Ghost
ghost_exchanged seat slot out:Ghost into:Ghost
pile_reordered slot order:*(Ghost)
kids_exchanged a b
kid_slid source to
row_kid_discarded slot kid
stash_kid_moved giver to kid
stash_kid_dropped seat kid to
craving_peeked by whose card!by,whose
ties_granted seat round
Ghost seat value of weak
Score candy junk kids bonus
treat token
play values
first set
kid slot kid
stash_kid seat kid
player seat
pile_ghost slot position seat value
hand_ghost value
place position
end slot
use yes
use_ability seat ability:Frame
pick_kid seat ability:Frame
pick_target seat ability:Frame
pick_treat seat ability:Frame
pick_own_treat seat ability:Frame
toss_treat seat ability:Frame
pick_player seat ability:Frame
pick_receiver seat ability:Frame
pick_ghost seat ability:Frame
order_pile seat ability:Frame
keep_drawn seat ability:Frame
discard_drawn seat ability:Frame
name_candy seat ability:Frame
pick_stash_kid seat ability:Frame
pick_hand_ghost seat ability:Frame
return_treats seat ability:Frame
pick_end seat ability:Frame
pass_treat seats chosen!!:{treat} ability:Frame
use_kid kid when you
setup
starting_treats
keep_treats seats chosen!!:{*(treat)}
choose_ghosts seats chosen!!:{play}
order_own_tie seats chosen!!:{first}
scares seat kid
give_back seat
finish
count
round number
choosing
turn
haunt seat
leave_treat seat slot
Frame kid when you todo:*(Unit) picks:*(treat| play| first| kid| stash_kid| player| pile_ghost|
  hand_ghost| place| end| use) moved last returned new used scare:Scare|
Unit of at do on
Scare slot owners receiver
"""
"""The facts of every game, a section each; a line a fact: its kind, and its fields as they are
stored. `name!a,b` is for the seats that fields `a` and `b` name, `!` for nobody, `!*` for all on
purpose, `!!` for each seat its own; behind the kind it is for the whole fact. `:` tells which facts
a field holds: `a|b` one of them, `*(x)` many, `(x,y)` a pair, `{x}` by key."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
