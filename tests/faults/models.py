"""The checks of what workers keep: when all is at rest, every model equals the fold of its log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from events.store import Row
from projections.disputes import Disputes
from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.projection import Projection
from projections.story import Story
from projections.summary import Summaries
from projections.views import Stored as StoredViews
from projections.views import Views
from services.bots import asked
from tests.faults.history import CellAt, Group, History, RowAt
from tests.faults.logs import Logs, Told, Violation

PROJECTIONS: tuple[Projection, ...] = (Views(), Lobby(), Inbox(), Summaries(), Disputes())


def cells(history: History, logs: Logs) -> Iterator[Violation]:
    """Each cell stands at the newest version of its log and holds what that gives."""
    stand = {(cell.projection, cell.match): cell for cell in history.of(CellAt)}
    for projection in PROJECTIONS:
        for told in logs.values():
            if told.past is None:
                continue
            story = story_of(told)
            cell = stand.get((projection.name, told.match))
            where = f"{projection.name} of {told.match}"
            if cell is None or cell.cursor != story.version:
                stands = cell.cursor if cell else "nowhere"
                says = f"it stands at {stands}, the log at {story.version}"
                yield Violation("cells", f"{where}: {says}")
            elif _plain(cell.value) != _plain(projection.made(story).value):
                yield Violation("cells", f"{where}: it holds something else than the log gives")


def rows(history: History, logs: Logs) -> Iterator[Violation]:
    """The listings are the rows of all matches together, no more and no less."""
    for projection in PROJECTIONS:
        wanted = {
            (row.listing, row.member): row
            for told in logs.values()
            if told.past is not None
            for row in projection.made(story_of(told)).rows or ()
        }
        stand = {
            (row.listing, row.member): Row(row.listing, row.member, row.score, row.value)
            for row in history.of(RowAt)
            if row.projection == projection.name
        }
        for key in sorted(wanted.keys() | stand.keys()):
            if wanted.get(key) != stand.get(key):
                what = "missing" if key not in stand else "wrong" if key in wanted else "too many"
                yield Violation("rows", f"{projection.name}: row {' / '.join(key)} is {what}")


def groups(history: History, logs: Logs) -> Iterator[Violation]:
    """Nothing is left to do, nothing is parked, and those that act have acted."""
    for group in history.of(Group):
        if group.lag:
            yield Violation("groups", f"{group.name} has {group.lag} references left")
        for match, why in group.parked.items():
            yield Violation("groups", f"{group.name} has parked {match}: {why}")
    for told in logs.values():
        if told.past is None:
            continue
        table = told.past.tables[-1]
        if asked(told.live) is not None:
            yield Violation("groups", f"a bot is still asked in {told.match}")
        # An undo asked for between the end and the close keeps the match open until it is answered.
        final = table.match.request is None or table.match.cause
        if table.status == "over" and final and not table.match.closed:
            yield Violation("groups", f"{told.match} is over and was never closed")


def story_of(told: Told) -> Story:
    """What projections are made of."""
    assert told.past is not None
    return Story(told.past.tables, told.entries[-1].head)


def _plain(value: bytes) -> Any:
    """Views are compared by what they hold, not by the order of their members."""
    try:
        return msgspec.msgpack.decode(value, type=StoredViews)
    except msgspec.DecodeError:
        return value
