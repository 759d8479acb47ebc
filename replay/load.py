"""A log as one viewer has it, wherever it comes from, and what can be read out of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events import log
from events.log import Entry, Page, Seal
from games import catalog, sight
from games.game import Game
from games.referee import AnyTableEvent
from games.sight import HIDDEN, Audience, Viewer

CLOSING = ("closed", "closed_sealed")


class Recording(NamedTuple):
    """The pages of one match as one viewer got them: from a file, a store or the API."""

    match: str
    viewer: Viewer
    pages: tuple[Page, ...]


def stored(match: str, entries: Iterable[Entry], seal: Seal) -> Recording:
    """A match as its store holds it, seen by the auditor."""
    return Recording(match, "auditor", tuple([log.page(e, "auditor", seal) for e in entries]))


class Unreadable(Exception):
    """A commit is not what its game can read; `version` names it."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(f"version {version}: {why}")
        self.version = version
        self.why = why


class Telling(NamedTuple):
    """One commit as far as its viewer may read it.

    `raw` is positional as stored, `named` has the names of its fields; `amiss` counts the parts
    that are sealed though they are due to the viewer, or open though they are not.
    """

    raw: list[Any]
    named: dict[str, Any]
    amiss: int

    @property
    def first(self) -> list[Any]:
        """The first event as stored: its kind and its fields."""
        first = self.raw[5][0]
        return first if isinstance(first, list) and first else [None]

    @property
    def events(self) -> list[Any]:
        """The events by name; a list where the kind is of a newer writer."""
        return list(self.named["events"])


class Story:
    """A recording with its game: every commit by name. Nothing in it has been verified."""

    def __init__(self, recording: Recording, game: Game, tellings: Sequence[Telling]) -> None:
        self.match = recording.match
        self.viewer = recording.viewer
        self.pages = recording.pages
        self.game = game
        self.tellings = tuple(tellings)

    def until(self, version: int) -> Story:
        """The same, as it was at that version."""
        cut = Recording(self.match, self.viewer, self.pages[:version])
        return Story(cut, self.game, self.tellings[:version])

    @property
    def told(self) -> list[dict[str, Any]]:
        return [telling.named for telling in self.tellings]

    @property
    def created(self) -> dict[str, Any]:
        """The first event by name."""
        return dict(self.tellings[0].events[0])

    @property
    def revealed(self) -> int:
        """The version that revealed the server's seed to this viewer, 0 for none."""
        for page, telling in zip(self.pages, self.tellings, strict=True):
            kind, *fields = telling.first
            if kind in CLOSING and fields[0] is not HIDDEN:
                return page.version
        return 0

    @property
    def seed(self) -> bytes | None:
        """The server's seed, once a commit that this viewer can read has revealed it.

        Raises Unreadable where a forged one is none.
        """
        if not self.revealed:
            return None
        try:
            return bytes.fromhex(self.tellings[self.revealed - 1].first[1])
        except (ValueError, TypeError):
            raise Unreadable(self.revealed, "the seed that it reveals is none") from None

    @property
    def closed(self) -> bool:
        """Whether play is final, so that no commit of play can be missing at the end."""
        return any(telling.first[0] in CLOSING for telling in self.tellings)


def read(recording: Recording) -> Story:
    """The recording with the names of things. Raises Unreadable, and Refused for a game that
    is not here (`unknown_game`, `unknown_edition`)."""
    if not recording.pages:
        raise Unreadable(1, "the log is empty")
    if recording.pages[0].version != 1:
        raise Unreadable(1, f"version {recording.pages[0].version} stands in its place")
    return _read(recording, catalog.find(*_made(recording.pages[0])))


def bare(recording: Recording) -> Story:
    """The same where the game or edition is not here: nothing of it can be folded or decided.

    The facts of an edition are those of its game; of another game only those that all games share
    have names. Raises Unreadable.
    """
    id, edition = _made(recording.pages[0])
    game = catalog.GAMES.get(id)
    if game is None:
        # Any of those here, for what all games share.
        game = replace(next(iter(catalog.GAMES.values())), id=id, title=id, event=AnyTableEvent)
    return _read(recording, replace(game, edition=edition, rules=0, data=b""))


def _read(recording: Recording, game: Game) -> Story:
    tellings = [telling(game, recording.viewer, page) for page in recording.pages]
    return Story(recording, game, tellings)


def _made(first: Page) -> tuple[str, str]:
    """The game and the edition that the first commit names."""
    try:
        made = catalog.created(log.opened(first))
        game, edition = msgspec.convert([made["game"], made["edition"]], tuple[str, str])
        msgspec.convert([made["match"], made["rules"], made["seats"]], tuple[str, str, int])
    except (ValueError, msgspec.MsgspecError) as error:
        raise Unreadable(1, f"unreadable: {error}") from None
    return game, edition


def telling(game: Game, viewer: Viewer, page: Page) -> Telling:
    amiss = 0

    def check(audience: Audience, hidden: bool) -> None:
        nonlocal amiss
        amiss += hidden is audience.has(viewer)

    try:
        raw = sight.read(log.opened(page))
        _shaped(raw)
        named = sight.named(game.codec.commit, raw, check)
    except Exception as error:  # a forged commit may be anything at all
        raise Unreadable(page.version, f"unreadable: {error}") from None
    return Telling(raw, named, amiss)


def _shaped(raw: Any) -> None:
    """Raises ValueError where it is no commit with at least one event."""
    version, at, _, rules, _, events, *_ = raw
    if not (isinstance(version, int) and isinstance(at, int) and isinstance(rules, str)):
        raise ValueError("version, time or rules are missing")
    if not isinstance(events, list) or not events:
        raise ValueError("it has no events")
