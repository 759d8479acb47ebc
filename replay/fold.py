"""The tables of a log, one after every version, as far as its viewer can know them.

The auditor's log is simply folded. A viewer lacks what is sealed; but once the server's seed is
revealed, it can decide again every command whose answer it sees, and so knows the table up to the
first choice that stays hidden from it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from events import log
from events.log import Page
from games import sight
from games.game import Game
from games.history import By, Commit, Private
from games.referee import AnyTableEvent
from games.sight import HIDDEN, Audience, Fact, Viewer
from games.table import Table
from replay.again import Beyond, Unequal, again
from replay.load import Story, Telling, Unreadable
from replay.words import name


class Fold(NamedTuple):
    """`tables[v]` is the table after version v, `commits[v - 1]` what led there.

    `stop` says why they end before the log does, and is empty where they do not; `outdated` is
    whether that is a commit which other rules decided, so that no log could tell it here.
    """

    tables: list[Table]
    commits: list[Commit[Any]]
    stop: str
    outdated: bool = False

    @property
    def version(self) -> int:
        """The last version that is known."""
        return len(self.commits)


class Stop(Exception):
    """From here on the table cannot be known; the text says why."""

    def __init__(self, why: str, *, outdated: bool = False) -> None:
        super().__init__(why)
        self.outdated = outdated


def fold(story: Story, seed: bytes | None = None) -> Fold:
    """Raises Unreadable where a commit can't be folded, Unequal where a viewer's commit is not
    what the revealed seed gives."""
    seed = seed or story.seed
    tables, commits = [Table(story.game)], list[Commit[Any]]()
    for page, telling in zip(story.pages, story.tellings, strict=True):
        try:
            commit = _whole(story, tables[-1], commits, page, telling, seed)
            table = tables[-1].after(commit, tables)
        except Stop as stop:
            return Fold(tables, commits, str(stop), stop.outdated)
        except Unequal:
            raise
        except Exception as error:  # a forged commit may do anything at all
            why = f"it does not follow from the version before it: {error!r}"
            raise Unreadable(page.version, why) from error
        commits.append(commit)
        tables.append(table)
    return Fold(tables, commits, "")


def _whole(
    story: Story,
    table: Table,
    history: list[Commit[Any]],
    page: Page,
    telling: Telling,
    seed: bytes | None,
) -> Commit[Any]:
    if story.viewer == "auditor":
        return story.game.codec.decode(log.opened(page))
    shown = telling.raw[5]
    if not hides(shown):
        return _commit(telling, [event_of(story.game, raw) for raw in shown])
    if seed is not None and telling.raw[3] != story.game.version:
        why = f"version {page.version} was decided under other rules"
        raise Stop(why, outdated=True)
    first = shown[0]
    if hides(first):
        raise Stop(f"what was chosen in version {page.version} is hidden from {name(story.viewer)}")
    if seed is None:
        raise Stop("the seed is not revealed yet")
    command = _commit(telling, [event_of(story.game, first)])
    try:
        events, draws = again(table, history, command, seed, whole=False)
    except Beyond as beyond:
        raise Stop(f"the events of version {page.version} {beyond}") from None
    commit = _commit(telling, events, draws)
    if not alike(commit, telling, story.viewer):
        raise Unequal(page.version, "the rules and the seed give other events")
    return commit


def alike(commit: Commit[Any], telling: Telling, viewer: Viewer) -> bool:
    """Whether the telling is what the viewer may read of this commit.

    A fact may have been stored before fields were added at its end.
    """

    def cover(audience: Audience, part: Any) -> Any:
        return part if audience.has(viewer) else HIDDEN

    return _agree(sight.covered(commit, cover), telling.raw)


def _agree(made: Any, raw: Any) -> bool:
    if made is HIDDEN or raw is HIDDEN:
        return made is raw
    if isinstance(made, Fact):
        tag = type(made).__struct_config__.tag
        values = [getattr(made, name) for name in made.__struct_fields__]
        fields = [tag, *values] if tag else values
        return isinstance(raw, list) and len(raw) <= len(fields) and all(map(_agree, fields, raw))
    if isinstance(made, tuple):
        return isinstance(raw, list) and len(raw) == len(made) and all(map(_agree, made, raw))
    if isinstance(made, dict):
        same = isinstance(raw, dict) and raw.keys() == made.keys()
        return same and all(_agree(value, raw[key]) for key, value in made.items())
    return bool(made == raw)


def _commit(telling: Telling, events: Any, draws: int = 0) -> Commit[Any]:
    version, at, by, rules = telling.raw[:4]
    by = msgspec.convert(by, By)
    return Commit(version, at, by, rules, Private(bytes(16), draws), tuple(events))


def event_of(game: Game, raw: Any) -> Any:
    """An event that hides nothing. Raises ValidationError."""
    return msgspec.convert(raw, game.event | AnyTableEvent)


def hides(raw: Any) -> bool:
    """Whether a seal stands anywhere in it."""
    if isinstance(raw, list):
        return any(map(hides, raw))
    if isinstance(raw, dict):
        return any(map(hides, raw.values()))
    return raw is HIDDEN


__all__ = ["Fold", "Stop", "Unequal", "alike", "event_of", "fold", "hides"]
