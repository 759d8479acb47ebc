"""What one viewer is told of a match: commits, views and questions, for msgspec's JSON encoder.

Nothing else may read them: what stood unchanged is in them as pieces of JSON.
"""

from __future__ import annotations

from typing import Any

from events import log
from events.log import Entry
from games import sight
from games.history import Commit, Unknown
from games.match import MatchEvent
from games.pieces import form_piece, new_pieces
from games.rules import asked
from games.sight import Viewer
from games.table import Table
from services.live import Live, Moved, Outcome
from services.shapes import CommitMessage, Committed, OpenUndo


def events(live: Live, entry: Entry, commit: Commit[Any], viewer: Viewer) -> Any:
    """The events by name, cut for the viewer.

    Where a newer writer's kind is among them, only the bytes know what is hidden: they are cut.
    """
    if Unknown in map(type, commit.events):
        opened = sight.read(log.opened(log.page(entry, viewer, live.seal)))
        return plain(sight.named(live.codec.commit, opened)["events"])
    return new_pieces(commit.events, viewer)


def plain(value: Any) -> Any:
    """Ready for JSON, seals in events of unknown kinds included."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return {"hidden": True} if value is sight.HIDDEN else value


def committed(live: Live, entry: Entry, commit: Commit[Any], viewer: Viewer) -> Committed:
    return Committed(
        commit.version,
        entry.head.hex(),
        commit.at,
        commit.by,
        commit.rules,
        events(live, entry, commit, viewer),
    )


def outcome(outcome: Outcome, viewer: Viewer) -> Committed:
    """The commit; to who lags behind play, only what it says on the match."""
    told = committed(outcome.live, outcome.entry, outcome.commit, viewer)
    if outcome.live.reach(viewer) >= outcome.commit.version:
        return told
    pairs = zip(outcome.commit.events, told.events, strict=True)
    told.events[:] = [shown for event, shown in pairs if isinstance(event, MatchEvent)]
    return told


def view_after(outcome: Outcome, viewer: Viewer) -> Any:
    """The view that the command led to, or how far the viewer may see by now."""
    if outcome.live.reach(viewer) >= outcome.commit.version:
        return view(outcome.table, outcome.entry.head, viewer)
    now = outcome.live.shown(viewer)
    return view(now.table, now.entry.head, viewer)


def view(table: Table, head: bytes, viewer: Viewer) -> Any:
    """The whole match as the viewer may see it."""
    return {"viewer": viewer, "head": head.hex(), **table.pieces(viewer)}


def message(live: Live, moved: Moved, viewer: Viewer) -> CommitMessage:
    """A commit for a stream, that the match has moved on from since; `telling` has the newest."""
    entry, commit, _ = moved
    return CommitMessage(
        commit.version,
        entry.head.hex(),
        live.epoch,
        commit.at,
        commit.by,
        commit.rules,
        events(live, entry, commit, viewer),
    )


def asked_back(table: Table) -> OpenUndo | None:
    """The undo that is asked for now."""
    request = table.match.request
    if request is None:
        return None
    return OpenUndo(request.seat, request.to, list(request.needs), list(request.agreed))


def question(table: Table, viewer: Viewer) -> Any:
    """What is asked now, as the viewer may see it, or None."""
    if table.status != "playing" or table.state is None:
        return None
    return asked(table.state, viewer, form_piece)
