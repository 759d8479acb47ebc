"""What happened in a run, as its clients saw it, and where everything stood in the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

Outcome = Literal["ok", "refused", "unknown"]
"""In the log; not in the log and never to be by this attempt; nobody can tell yet."""


class Run(msgspec.Struct, frozen=True, tag="run"):
    """How the run was made; with it another can be made like it.

    `lossy`: a failover may take back what was never confirmed.
    """

    seed: int
    setting: str
    seconds: float
    keys: str
    lossy: bool = False
    planted: str = ""


class Op(msgspec.Struct, tag="op"):
    """One attempt of a command; times are seconds since the run began.

    `via` is the process it was sent to, `version` and `head` are what the reply acknowledged.
    """

    client: str
    match: str
    what: str
    seat: int | None
    via: str
    key: str
    body: Any
    invoked: float
    ended: float = 0.0
    outcome: Outcome = "unknown"
    status: int = 0
    code: str = ""
    version: int = 0
    head: str = ""
    again: bool = False
    reverted: bool = False


class Read(msgspec.Struct, frozen=True, tag="read"):
    """Something that a client was shown.

    `line` counts the sockets of the run, 0 for HTTP; `least` is the version that the client said
    it had. `shown` is the SHA-256 of the content, `after` that of what a stream's newest commit
    says of the table. A refused read has a `status` of its own.
    """

    client: str
    match: str
    viewer: str
    source: Literal["view", "log", "hello", "commit", "ping", "closed"]
    via: str
    line: int
    at: float
    least: int = 0
    version: int = 0
    head: str = ""
    epoch: str = ""
    shown: str = ""
    after: str = ""
    status: int = 200
    code: str = ""


class Fault(msgspec.Struct, frozen=True, tag="fault"):
    """Something that the nemesis did, from when to when."""

    what: str
    target: str
    at: float
    until: float


class Complaint(msgspec.Struct, frozen=True, tag="complaint"):
    """An error in the log of a process of ours."""

    process: str
    line: str


class Finding(msgspec.Struct, frozen=True, tag="finding"):
    """A violation found while the run went on, that may be covered up by what came later."""

    check: str
    says: str


class Stored(msgspec.Struct, frozen=True, tag="stored"):
    """One log in the end, entry by entry as packed; `why` says what kept it from being read."""

    match: str
    entries: list[bytes]
    version: int
    head: bytes
    status: str
    why: str = ""


class CellAt(msgspec.Struct, frozen=True, tag="cell"):
    """Where one match stands in one projection in the end."""

    projection: str
    match: str
    cursor: int
    value: bytes


class RowAt(msgspec.Struct, frozen=True, tag="row"):
    """One row of a projection's listings in the end."""

    projection: str
    listing: str
    member: str
    score: int
    value: bytes


class Group(msgspec.Struct, frozen=True, tag="group"):
    """A consumer group in the end: what it has left to do, and what is parked for it."""

    name: str
    lag: int
    parked: dict[str, str]


Record = Run | Op | Read | Fault | Complaint | Finding | Stored | CellAt | RowAt | Group
R = TypeVar("R")

_decode = msgspec.json.Decoder(Record).decode


class History:
    """All records of a run, in the order in which they were made."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.records: list[Record] = list(records)

    def add(self, record: R) -> R:
        self.records.append(record)  # type: ignore[arg-type]
        return record

    def of(self, kind: type[R]) -> Iterator[R]:
        """The records of one kind."""
        return (record for record in self.records if isinstance(record, kind))

    @property
    def run(self) -> Run:
        return next(self.of(Run))

    def save(self, path: Path) -> None:
        """As JSON Lines."""
        path.write_bytes(msgspec.json.Encoder().encode_lines(self.records))

    @classmethod
    def load(cls, path: Path) -> History:
        """Raises OSError, and msgspec.DecodeError where it is no history."""
        return cls(_decode(line) for line in path.read_bytes().splitlines())
