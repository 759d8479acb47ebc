"""The newest commit of a match as streams tell it, made once for all who may see the same."""

from __future__ import annotations

from typing import Any

import msgspec

from games import sight
from games.sight import Viewer
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
        self.version = moved.commit.version
        self.head = moved.entry.head.hex()
        self._live = live
        self._moved = moved
        self._knowing = {seat for span in moved.entry.hidden for seat in span.seats}
        state = moved.table.state
        asking = moved.table.status == "playing" and state is not None and state.pending
        self._item: Any = state.pending[-1].item if asking and state is not None else None
        open_to_all = all(a.seats is None for a in sight.audiences(self._item)) if asking else True
        self._alike = open_to_all
        self._events: dict[Viewer, msgspec.Raw] = {}
        self._question = msgspec.Raw(b"")
        self._messages: dict[Viewer, Message] = {}

    def to(self, viewer: Viewer) -> Message:
        """The message for this viewer."""
        known = self._messages.get(viewer)
        if known is None:
            known = self._messages[viewer] = self._told(viewer)
        return known

    def _told(self, viewer: Viewer) -> Message:
        alike = viewer not in self._knowing and viewer != "auditor"
        if viewer != ANYBODY and alike and self._alike and not self._asks(viewer):
            return self.to(ANYBODY)
        _, commit, table = self._moved
        made = CommitMessage(
            commit.version,
            self.head,
            commit.at,
            commit.by,
            commit.rules,
            self._seen(ANYBODY if alike else viewer),
            table.status,
            self._asked(viewer),
            table.result,
            told.asked_back(table),
        )
        payload = _encode(made)
        return payload, framed(payload)

    def _asks(self, viewer: Viewer) -> bool:
        return self._item is not None and viewer in self._item.seats

    def _seen(self, viewer: Viewer) -> Any:
        """The events, encoded."""
        known = self._events.get(viewer)
        if known is None:
            entry, commit, _ = self._moved
            codec, seal = self._live.codec, self._live.seal
            shown = told.events(codec, entry, commit, viewer, seal)
            known = self._events[viewer] = msgspec.Raw(_encode(shown))
        return known

    def _asked(self, viewer: Viewer) -> Any:
        """The question, encoded where it looks the same to all; who is asked also gets its form."""
        if self._item is None:
            return None
        table = self._moved.table
        if not self._alike:
            return told.question(table, viewer)
        if not self._question:
            self._question = msgspec.Raw(_encode(told.question(table, ANYBODY)))
        if not self._asks(viewer):
            return self._question
        page = _encode(self._item.form(table.state, viewer).page())
        return msgspec.Raw(b"".join((bytes(self._question)[:-1], b',"form":', page, b"}")))
