"""The newest commit of a match as streams tell it, made once for all who may see the same."""

from __future__ import annotations

from typing import Any

import msgspec

from games import sight
from games.pieces import form_piece
from games.rules import asked, form_of
from games.sight import Seat, Viewer
from services import told
from services.fastws import framed
from services.live import Live, Moved
from services.outs import Message
from services.shapes import CommitMessage

_encode = msgspec.json.Encoder().encode

ANYBODY: Viewer = "spectator"


class Telling:
    """One commit for each viewer.

    A viewer sees what a spectator sees of the events unless a hidden stretch of the commit is its
    own, and of the question unless it is asked or the question hides something: an auditor, and
    whoever it is that is different, is told in a message of its own.
    """

    def __init__(self, live: Live, moved: Moved) -> None:
        entry, commit, table = moved
        self.version = commit.version
        self.head = entry.head.hex()
        self._live = live
        self._moved = moved
        self._knowing = [seat for span in entry.hidden for seat in span.seats]
        self._status = table.status
        state = table.state
        pending = state.pending if state is not None and self._status == "playing" else ()
        item: Any = pending[-1].item if pending else None
        self._item = item
        self._asking: tuple[Seat, ...] = item.seats if pending else ()
        self._alike = self._item is None or sight.alike(self._item)
        self._apart: tuple[Viewer, ...] = (*self._knowing, *self._asking, "auditor")
        self._result = table.result
        self._undo = told.asked_back(table)
        self._events: dict[Viewer, msgspec.Raw] = {}
        self._question = b""
        self.messages: dict[Viewer, Message] = {}

    def to(self, viewer: Viewer) -> Message:
        """The message for this viewer."""
        if self._alike and viewer not in self._apart:
            viewer = ANYBODY
        known = self.messages.get(viewer)
        if known is None:
            known = self.messages[viewer] = self._told(viewer)
        return known

    def _told(self, viewer: Viewer) -> Message:
        knowing = viewer in self._knowing or viewer == "auditor"
        commit = self._moved.commit
        made = CommitMessage(
            commit.version,
            self.head,
            self._live.epoch,
            commit.at,
            commit.by,
            commit.rules,
            self._seen(viewer if knowing else ANYBODY),
            self._status,
            self._asked(viewer),
            self._result,
            self._undo,
        )
        payload = _encode(made)
        return payload, framed(payload)

    def _seen(self, viewer: Viewer) -> Any:
        """The events, encoded."""
        known = self._events.get(viewer)
        if known is None:
            shown = told.events(self._live, self._moved.entry, self._moved.commit, viewer)
            known = self._events[viewer] = msgspec.Raw(_encode(shown))
        return known

    def _asked(self, viewer: Viewer) -> Any:
        """The question, encoded where it looks the same to all; who is asked also gets its form."""
        if self._item is None:
            return None
        table = self._moved.table
        if not self._alike or table.state is None:
            return told.question(table, viewer)
        if not self._question:
            self._question = _encode(asked(table.state, ANYBODY))
        if not isinstance(viewer, int) or viewer not in self._asking:
            return msgspec.Raw(self._question)
        page = _encode(form_piece(form_of(table.state, viewer)))
        return msgspec.Raw(b"".join((self._question[:-1], b',"form":', page, b"}")))
