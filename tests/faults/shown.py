"""The checks of what was shown: every read is a piece of the log, and none goes back in time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tests.faults.history import History, Read
from tests.faults.logs import Logs, Told, Violation

LOST = 4409
"""How a stream is closed whose history was lost."""


def prefixes(history: History, logs: Logs) -> Iterator[Violation]:
    """Every version that anybody was shown is in the log, under the same head, with what that
    viewer may see of it.

    Where a failover may take back what was never confirmed, a reader of such a version must
    have been told so: its stream was closed as lost, or its epoch is another one now.
    """
    memory: dict[tuple[str, ...], bool] = {}
    what: tuple[str, ...]
    for read in history.of(Read):
        if not read.version or read.source == "closed":
            continue
        told = logs.get(read.match)
        if told is None:
            yield _of(read, "prefixes", "there is no such match")
        elif told.head(read.version) != read.head:
            if not (history.run.lossy and _heard(history, told, read)):
                known = "another head" if told.head(read.version) else "no such version"
                yield _of(read, "prefixes", f"the log has {known}")
        elif read.shown and told.past is not None:
            what = (read.match, read.source, read.viewer, str(read.version))
            what += (read.shown, read.after)
            if what not in memory:
                memory[what] = _right(told, read)
            if not memory[what]:
                yield _of(read, "prefixes", "it shows something else than the log tells")


def _right(told: Told, read: Read) -> bool:
    """Whether the content is what the log gives for this viewer."""
    if read.source == "view":
        return told.view(read.version, read.viewer) == read.shown
    if read.source == "log":
        return told.line(read.version, read.viewer) == read.shown
    shown, after = told.message(read.version, read.viewer)
    return shown == read.shown and read.after in ("", after)


def _heard(history: History, told: Told, read: Read) -> bool:
    """Whether the reader of a version that is gone was told, or never came back to see: its stream
    has not gone on with what is in the log now."""
    later = [
        other
        for other in history.of(Read)
        if other.client == read.client and other.match == read.match and other.at > read.at
    ]
    if not read.line:
        return True
    same = [other for other in later if other.line == read.line]
    beyond = [
        other
        for other in same
        if other.source == "commit"
        and other.epoch == read.epoch
        and other.version > read.version
        # What it went on with may be gone as well.
        and other.head == told.head(other.version)
    ]
    if beyond:
        return False
    closed = [other for other in same if other.source == "closed"]
    return not same or bool(closed)


def unbroken(history: History, logs: Logs) -> Iterator[Violation]:
    """A stream tells every commit after its cursor, once, in order, and pings where it stands."""
    for reads in _streams(history).values():
        at = reads[0].least
        for read in reads:
            if read.source == "commit":
                if read.version != at + 1:
                    yield _of(read, "unbroken", f"it stood at version {at}")
                at = read.version
            elif read.source == "ping" and read.version != at:
                yield _of(read, "unbroken", f"a ping of a stream that stands at version {at}")


def forward(history: History, logs: Logs) -> Iterator[Violation]:
    """Nobody is shown less than it says that it has seen, or told that there is no such thing."""
    if history.run.lossy:
        return
    for read in history.of(Read):
        if read.source == "view" and read.status == 200 and read.version < read.least:
            yield _of(read, "forward", f"it had seen version {read.least}")
        elif read.code == "version_ahead":
            yield _of(read, "forward", f"version {read.least} is said not to be there yet")
        elif read.source == "closed" and read.status == LOST:
            yield _of(read, "forward", f"history is said to be lost behind version {read.least}")


def seated(history: History, logs: Logs) -> Iterator[Violation]:
    """Who sits in a match may look at it: nobody is ever sent away here."""
    for read in history.of(Read):
        if read.status in (401, 403, 404, 4401, 4403, 4404):
            yield _of(read, "seated", f"{read.status} {read.code}")


def _streams(history: History) -> dict[int, list[Read]]:
    """What each socket said, in order."""
    found: dict[int, list[Read]] = defaultdict(list)
    for read in history.of(Read):
        if read.line:
            found[read.line].append(read)
    return found


def _of(read: Read, check: str, says: str) -> Violation:
    what = f"{read.source} of version {read.version} by {read.via} to {read.client}"
    return Violation(check, f"{what} in {read.match}, {read.at:.2f} s: {says}")
