"""A match as its store holds it, also where it cannot be folded: so that it can be verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from events.log import Entry
from events.shelf import DELETED
from events.store import Corrupt, Locked, Log, Meta
from games import sight
from games.match import Match, MatchEvent
from games.referee import AnyTableEvent
from games.sight import Viewer
from replay.report import Bad
from services import tokens
from services.vault import Grant


class Stored(NamedTuple):
    """The entries up to the first that cannot be read, which `unread` names, and the head that the
    store keeps beside them, in hex: empty where none can be compared."""

    entries: list[Entry]
    newest: str = ""
    unread: Bad | None = None


async def as_stored(store: Log, match: str) -> Stored:
    """Raises Unavailable, Locked."""
    meta = await store.meta(match)
    try:
        entries = await store.read(match)
    except Locked:
        raise
    except Corrupt as corrupt:
        entries = await _before(store, match, corrupt.version)
        return Stored(entries, unread=Bad(corrupt.why, corrupt.version))
    if meta is None or len(entries) > meta.version:
        # It moved between the two reads; what the chain itself proves is enough.
        return Stored(entries)
    return Stored(entries, meta.head.hex())


async def _before(store: Log, match: str, version: int) -> list[Entry]:
    try:
        return await store.read(match, 0, version - 1) if version > 1 else []
    except Corrupt:
        return []


def reaches(match: str, meta: Meta | None, version: int, head: bytes) -> None:
    """Raises Corrupt where a log that ends here is not what the store keeps beside it, `meta` being
    as of before it was read."""
    if meta is None or version > meta.version:
        return
    if version < meta.version:
        why = f"the store knows version {meta.version}: the tail of the log is missing"
        raise Corrupt(match, version, why)
    if meta.head and head != meta.head:
        raise Corrupt(match, version, "the store knows another head of it")


async def still_none(store: Log, match: str, meta: Meta | None) -> None:
    """Raises Corrupt where the store knows a match of which it has no log; `meta` is as of before
    that was read, and the match may have been deleted since."""
    if meta is not None and meta.status != DELETED:
        meta = await store.meta(match)
        if meta is not None and meta.status != DELETED:
            why = f"the store knows version {meta.version}: all of the log is missing"
            raise Corrupt(match, 1, why)


def key_of(entries: Sequence[Entry]) -> str:
    """The id of the server key that a match was made with; nothing where that is unreadable."""
    try:
        created: Any = sight.read(entries[0].facts)[5][0]
        return str(created[7])
    except Exception:  # damaged bytes may be anything; verify says what is wrong with them
        return ""


class Seating(NamedTuple):
    """What of a match tells who may see what, without its game: `begun` is the version that
    started play, 0 for none; `known` is the last version of which that can be read."""

    match: Match
    begun: int
    known: int

    def viewer(self, grant: Grant, match: str) -> Viewer:
        """Whose eyes the grant gives; where the seats cannot be read, nobody's own. Raises Refused:
        `wrong_match`, `not_seated`."""
        players = [sitting.player for sitting in self.match.seats]
        if grant.seat is not None and grant.match == match and grant.seat >= len(players):
            return "spectator"
        return tokens.seen_as(grant, match, players)

    def reach(self, version: int) -> int:
        """What spectators may see of so many versions, at least."""
        if not self.known:
            return 0
        if not self.match.delay or self.match.closed:
            return version
        return max(self.begun - 1, version - self.match.delay) if self.begun else self.known


def seating(entries: list[Entry]) -> Seating:
    """As far as the entries can be read."""
    match, begun, known = Match(), 0, 0
    for entry in entries:
        try:
            for event in _table_events(entry):
                match = event.apply(match)
        except Exception:  # damaged bytes may be anything
            break
        known = entry.version
        begun = begun or (known if match.started else 0)
    return Seating(match, begun, known)


def _table_events(entry: Entry) -> list[MatchEvent]:
    found = []
    for raw in sight.read(entry.facts)[5]:
        try:
            found.append(msgspec.convert(raw, AnyTableEvent))
        except msgspec.ValidationError:
            continue
    return found


__all__ = ["Seating", "Stored", "as_stored", "key_of", "reaches", "seating", "still_none"]
