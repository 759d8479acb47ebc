"""Matches to archive: chained and sealed, of no game; and archives to put them in."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from events import log
from events.archive import Archive
from events.bucket import Bucket, opened
from events.log import Entry
from events.packing import Origin, pack
from events.segments import Packed, Record

SECRET = b"the secret of the matches that tests archive"


def origin(match: str, facts: bytes) -> Origin:
    return Origin(log.genesis(match, "a game", "1"), log.sealer(SECRET, match))


def commits(match: str, last: int, seed: int = 0) -> list[Entry]:
    """Entries as commits are: version, time, an id of 16 bytes that nobody sees, and events."""
    rng = random.Random(f"{match} {seed}")
    head, seal = origin(match, b"")
    entries: list[Entry] = []
    at = 1_700_000_000_000
    for version in range(1, last + 1):
        at += rng.randrange(30_000)
        private = (rng.randbytes(16), rng.randrange(4))
        events = [["walked", rng.randrange(6), "oak street"] for _ in range(rng.randint(1, 4))]
        facts = msgspec.msgpack.encode((version, at, rng.randrange(3), "1.0a1b", private, events))
        hidden = msgspec.msgpack.encode(private)
        start = facts.index(hidden)
        entries.append(log.append(head, version, facts, [(start, start + len(hidden), ())], seal))
        head = entries[-1].head
    return entries


def packed(match: str, entries: list[Entry]) -> Packed:
    return Packed(match, "kind", len(entries), entries[-1].head, "closed", 7, pack(entries))


def folder(path: Path) -> Bucket:
    return opened(f"file://{path}")


def archive(path: Path, keep: int = 1_000_000) -> Archive:
    return Archive(folder(path), origin, keep)


async def written(archive: Archive, segment: str, *matches: str) -> list[Record]:
    """A segment of these matches, of 5 versions each."""
    return await archive.write(segment, [packed(match, commits(match, 5)) for match in matches])
