"""What reaches a viewer, byte for byte, where seals are ideal: functions of their place alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from events import log
from games import sight
from games.history import Commit
from games.sight import Audience, Viewer, covered


def blind(version: int, place: int, value: bytes) -> tuple[bytes, bytes]:
    """An ideal seal: it stands at its place and says nothing of the value."""
    return bytes(16), f"{version}.{place}".encode().ljust(32, b"-")


def received(commits: Sequence[Commit[Any]], viewer: Viewer) -> bytes:
    """Every byte of these commits that reaches the viewer."""
    head, pages = bytes(32), []
    for commit in commits:
        facts, hidden = sight.encode(commit)
        entry = log.append(head, commit.version, facts, hidden, blind)
        head = entry.head
        pages.append(log.page(entry, viewer, blind))
    return msgspec.msgpack.encode(pages)


def same(a: Commit[Any], b: Commit[Any], viewer: Viewer) -> bool:
    """Two commits from tables the viewer can't tell apart, as it sees them.

    They may differ first in a value declared as shown to it: then it has learned
    something lawfully, and False is returned. Any other difference is a leak.
    """
    for one, other in zip(a.events, b.events, strict=False):
        told = [msgspec.msgpack.encode(covered(e, _untold(viewer))) for e in (one, other)]
        assert told[0] == told[1], f"{viewer} can tell {one} from {other}"
        if sight.cut(one, viewer) != sight.cut(other, viewer):
            return False
    assert received([a], viewer) == received([b], viewer)
    return True


def _untold(viewer: Viewer) -> sight.Cover:
    def cover(audience: Audience, part: Any) -> Any:
        return "shown" if audience.has(viewer) else "hidden"

    return cover
