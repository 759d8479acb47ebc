"""What reaches a viewer, byte for byte, where seals are ideal: functions of their place alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from events import log
from games import sight
from games.history import Commit
from games.sight import Audience, Fact, Viewer, covered


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


def kept_back(value: Any, viewer: Viewer, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every part hidden from the viewer, and which field it stands in."""
    if isinstance(value, tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from kept_back(item, viewer, path)
    if not isinstance(value, Fact):
        return
    for name, seen in sight.sights(type(value)):
        part, where = getattr(value, name), f"{path}.{name}"
        if seen is None:
            yield from kept_back(part, viewer, where)
            continue
        told: list[tuple[Audience, Any]] = []
        seen.cover(value.__getattribute__, part, lambda *each, told=told: told.append(each))
        for audience, entry in told:
            if audience.has(viewer):
                yield from kept_back(entry, viewer, where)
            else:
                yield where, entry


def _untold(viewer: Viewer) -> sight.Cover:
    def cover(audience: Audience, part: Any) -> Any:
        return "shown" if audience.has(viewer) else "hidden"

    return cover
