"""Commits: what one accepted command added. Their codec, and which of them stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args, get_origin

import msgspec

from games import declared
from games.match import MatchEvent, Reverted
from games.referee import AnyTableEvent
from games.rules import Event
from games.sight import Fact, Seat, nobody

E = TypeVar("E")

By = Seat | Literal["host", "system", "admin"]


class Private(Fact, frozen=True, tag=False):
    """The id of the command, 16 bytes, and how many words of chance it drew."""

    command: bytes
    draws: int


class Commit(Fact, Generic[E], frozen=True, tag=False):
    """What one accepted command added; the option it carried is in its first event alone.

    `at` is UTC in milliseconds, `rules` the rules version that decided it.
    """

    version: int
    at: int
    by: By
    rules: str
    private: Annotated[Private, nobody()]
    events: tuple[E, ...]


class Unknown(Fact, frozen=True, tag=False):
    """An event of a kind that only a newer writer knows: kept as it is, and folds to nothing.

    What of it is hidden only the spans of the stored bytes tell; a cut of it shows nothing.
    """

    raw: Annotated[bytes, nobody()]

    def apply(self, state: Any) -> Any:
        return state


class Upcast(Event[Any], frozen=True):
    """An old form of a stored event; turned into today's when read, its bytes stay as they are."""

    def upcast(self) -> Event[Any]:
        raise NotImplementedError


class Codec:
    """Reads the commits of one game; `event` is the union of its events.

    Raises TypeError where their fields declare what can't be kept (`games.declared`).

    `commit` is the type of its commits, for `sight.named`.
    """

    def __init__(self, event: Any) -> None:
        union: Any = event | AnyTableEvent
        generic: Any = Commit
        self.commit = generic[union]
        declared.check(self.commit)
        self._commit: msgspec.msgpack.Decoder[Commit[Any]]
        self._commit = msgspec.msgpack.Decoder(self.commit)
        self._event: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(union)
        self._loose = msgspec.msgpack.Decoder(Commit[msgspec.Raw])
        members = [get_origin(m) or m for m in get_args(union)]
        self._upcasts = any(issubclass(member, Upcast) for member in members)

    def decode(self, facts: bytes) -> Commit[Any]:
        """Raises msgspec.DecodeError where the bytes are no commit: one without events is none."""
        try:
            commit = self._commit.decode(facts)
        except msgspec.ValidationError:
            loose = self._loose.decode(facts)
            events = tuple([self._known(raw) for raw in loose.events])
            commit = msgspec.structs.replace(loose, events=events)
        if not commit.events:
            raise msgspec.ValidationError("a commit without events")
        if self._upcasts:
            events = tuple([e.upcast() if isinstance(e, Upcast) else e for e in commit.events])
            commit = msgspec.structs.replace(commit, events=events)
        return commit

    def _known(self, raw: msgspec.Raw) -> Any:
        try:
            return self._event.decode(raw)
        except msgspec.ValidationError:
            return Unknown(bytes(raw))


def standing(commits: Sequence[Commit[Any]]) -> list[Commit[Any]]:
    """The commits that led here: each follows the one before it or the one it reverted to.

    Raises ValueError where one reverts to no version before it.
    """
    return list(led_here(commits))[::-1]


def led_here(commits: Sequence[Commit[Any]], version: int | None = None) -> Iterator[Commit[Any]]:
    """The same from the newest, or from `version`, back to the first. Raises as `standing`."""
    version = len(commits) if version is None else version
    while version:
        commit = commits[version - 1]
        yield commit
        to = reverted_to(commit)
        version = version - 1 if to is None else earlier(to, version)


def reverted_to(commit: Commit[Any]) -> int | None:
    """The version an undo went back to, if the commit granted one."""
    for event in reversed(commit.events):
        if isinstance(event, Reverted):
            return event.to
    return None


def earlier(to: int, version: int) -> int:
    """The version an undo in `version` goes back to. Raises ValueError where it can't be."""
    if not 0 < to < version:
        raise ValueError(f"version {version} goes back to version {to}, which is none before it")
    return to


def is_answer(commit: Commit[Any]) -> bool:
    """Whether a seat's answer made it: only those and the start draw.

    The first event tells; where only a newer writer knows it, the first that is known here.
    """
    for event in commit.events:
        of_the_game = _of_games[type(event)]
        if of_the_game is not None:
            return of_the_game
    return False


class _OfGames(dict[type, bool | None]):
    """Whether events of a type are a game's own; None where only a newer writer knows them."""

    def __missing__(self, kind: type) -> bool | None:
        made = None if issubclass(kind, Unknown) else not issubclass(kind, MatchEvent)
        self[kind] = made
        return made


_of_games = _OfGames()
