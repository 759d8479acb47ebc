"""The logs of a history as they stood in the end, folded, and who is to be shown what of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from events import log
from events.entries import unpack
from events.log import Entry
from games import rules, sight
from games.match import UndoRequest
from replay import files, load
from services import keys
from services.live import Live
from services.pasts import Past, first, more
from tests.faults.caller import commit_digests, digest
from tests.faults.history import History, Stored


class Violation(NamedTuple):
    """What a check found: its name, and what is wrong, in words."""

    check: str
    says: str


class Told:
    """One log. `past` is None where it does not fold; then `why` says so."""

    def __init__(self, stored: Stored, secrets: keys.Keys) -> None:
        self.stored = stored
        self.match = stored.match
        self.why = stored.why
        self.entries: list[Entry] = []
        self.past: Past | None = None
        self._secrets = secrets
        try:
            for version, packed in enumerate(stored.entries, 1):
                self.entries.append(unpack(stored.match, version, packed))
            self.past = more(self.match, first(self.match, self.entries[0]), self.entries)
        except Exception as error:
            self.why = self.why or f"{type(error).__name__}: {error}"

    @cached_property
    def commands(self) -> list[bytes]:
        """The id of the command that made each version."""
        return [bytes(sight.read(entry.facts)[4][0]) for entry in self.entries]

    def versions_of(self, command: bytes) -> list[int]:
        return [version for version, id in enumerate(self.commands, 1) if id == command]

    def head(self, version: int) -> str:
        """In hex; empty for a version that the log does not have."""
        known = 0 < version <= len(self.entries)
        return self.entries[version - 1].head.hex() if known else ""

    @cached_property
    def live(self) -> Live:
        """The match as a server would hold it."""
        assert self.past is not None
        past = self.past
        live = Live(self.match, past.game.codec, past.tables[0], b"", self._secrets)
        for entry, commit, table in zip(past.entries, past.commits, past.tables[1:], strict=True):
            live.follow(entry, commit, table)
        return live

    def view(self, version: int, viewer: str) -> str:
        """The digest of the view after that version."""
        assert self.past is not None
        head = self.entries[version - 1].head.hex()
        table = self.past.tables[version].view(eyes(viewer))
        return digest(_json({"viewer": eyes(viewer), "head": head, **table}))

    def line(self, version: int, viewer: str) -> str:
        """The digest of what a page of the log says of that version."""
        assert self.past is not None
        page = log.page(self.entries[version - 1], eyes(viewer), self.live.seal)
        named = load.telling(self.past.game, eyes(viewer), page).named
        written = msgspec.json.decode(
            files.line(self.match, eyes(viewer), len(self.entries), page, named)
        )
        return digest({name: written[name] for name in ("public", "openings", "not_hashed")})

    def message(self, version: int, viewer: str) -> tuple[str, str]:
        """The digests of what a stream says of that version, and of the table after it."""
        assert self.past is not None
        entry, commit = self.past.entries[version - 1], self.past.commits[version - 1]
        table = self.past.tables[version]
        request = table.match.request
        state = table.state if table.status == "playing" else None
        message = {
            "version": version,
            "head": entry.head.hex(),
            "at": commit.at,
            "by": commit.by,
            "rules": commit.rules,
            "events": sight.cut(commit.events, eyes(viewer)),
            "status": table.status,
            "question": None if state is None else rules.asked(state, eyes(viewer)),
            "result": table.result,
            "undo": None if request is None else _request(request),
        }
        return commit_digests(_json(message))


class Logs(dict[str, Told]):
    """All logs of a history by match."""

    @classmethod
    def of(cls, history: History) -> Logs:
        secrets = keys.parse(history.run.keys)
        return cls({stored.match: Told(stored, secrets) for stored in history.of(Stored)})


def eyes(viewer: str) -> sight.Viewer:
    return int(viewer) if viewer.isdigit() else viewer  # type: ignore[return-value]


def _request(request: UndoRequest) -> dict[str, Any]:
    return {name: getattr(request, name) for name in ("seat", "to", "needs", "agreed")}


def _json(value: Any) -> Any:
    """As a client gets it."""
    return msgspec.json.decode(msgspec.json.encode(value))
