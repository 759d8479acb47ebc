"""Which partition a match lies in, and how its keys are called."""

from __future__ import annotations

from binascii import crc_hqx
from functools import lru_cache
from typing import NamedTuple


def partition(match: str, partitions: int) -> int:
    """CRC-16 of the match's id, as Redis Cluster counts slots."""
    return crc_hqx(match.encode(), 0) % partitions


class Keys(NamedTuple):
    """The keys of a match; the tag puts them into one slot with its partition's feed and index."""

    log: str
    meta: str
    feed: str
    known: str


ARCHIVE_KEY = "archive"
"""A hash: what was done in the archive so far."""


def feed_key(number: int) -> str:
    return f"{{{number}}}:feed"


def known_key(number: int) -> str:
    """The ids of all matches in a partition, in order."""
    return f"{{{number}}}:ids"


def unordered_key(number: int) -> str:
    """A set of such ids, as an older release keeps them."""
    return f"{{{number}}}:matches"


def leases_key(number: int) -> str:
    """A hash by group: who has this partition to itself."""
    return f"{{{number}}}:leases"


def workers_key(group: str) -> str:
    """A hash by worker: when it last gave a sign of life."""
    return f"{{{group}}}:workers"


def deferred_key(number: int) -> str:
    """A hash by projection: what it has to look at again in this partition, and when."""
    return f"{{{number}}}:deferred"


def deleting_key(number: int) -> str:
    """A hash by match: where it lay in the archive, until all traces of it are gone."""
    return f"{{{number}}}:deleting"


def versions_key(projection: str) -> str:
    """A hash: which version of a projection is read, and which one is built."""
    return f"{{{projection}}}:versions"


def waited_key(number: int) -> str:
    """Written before a WAIT for what may have been written before."""
    return f"{{{number}}}:waited"


def log_key(number: int, match: str) -> str:
    return f"{{{number}}}:match:{match}:log"


def meta_key(number: int, match: str) -> str:
    return f"{{{number}}}:match:{match}:meta"


@lru_cache(maxsize=8192)
def match_keys(match: str, partitions: int) -> Keys:
    number = partition(match, partitions)
    return Keys(
        log_key(number, match), meta_key(number, match), feed_key(number), known_key(number)
    )
