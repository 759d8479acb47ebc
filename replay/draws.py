"""Draws whose outcome a cut log shows, beyond the table that its viewer can know.

Where an event tells all that it was drawn from (`Event.redrawn`), the revealed seed gives it again:
its place is told by the answers that stand, its words by the draws before it in its commit.
"""

from __future__ import annotations

from typing import Any, NamedTuple, get_args, get_origin

import msgspec

from games import sight
from games.dice import Dice
from games.game import Game
from games.history import earlier
from games.match import Match, MatchEvent, Reverted, Started
from games.rules import Event, Refused
from games.table import Table
from replay.again import Unequal
from replay.fold import Fold, event_of, hides
from replay.load import Story


class Draws(NamedTuple):
    """How many events gave the same again, how many others chance may have had a part in, and the
    versions that were decided under other rules."""

    same: int
    unproved: int
    outdated: list[int]


class Told(NamedTuple):
    """One event of a commit: its kind, where that is known here, and itself, where it is open."""

    kind: type[Event[Any]] | type[MatchEvent] | None
    event: Any


def drawn_again(story: Story, known: Fold, seed: bytes) -> Draws:
    """Beyond where the fold ends. Raises Unequal where the seed gives another outcome."""
    match, opening = known.tables[-1].match, _opening(story.game, known.tables[-1].match)
    standing = [table.answers for table in known.tables]
    same, unproved, outdated = 0, 0, list[int]()
    for telling in story.tellings[known.version :]:
        version, rules = len(standing), telling.raw[3]
        ours = rules == story.game.version
        told = [_told(story.game, raw, version, ours) for raw in telling.raw[5]]
        place = _place(told, standing[-1])
        dice = Table(story.game, match).dice(seed, place or 0)
        sure = ours and place is not None and opening is not None
        again, open_still = _again(told, dice, opening, version, sure)
        same, unproved = same + again, unproved + open_still
        outdated += [] if ours else [version]
        standing.append(_answers(told, standing, version))
        match = _after(match, told, version)
    return Draws(same, unproved, outdated)


def _opening(game: Game, match: Match) -> Any:
    """The state before the set-up; None where the rules of today know no such match."""
    try:
        return game.start(len(match.seats), game.checked_options(match.options))[0]
    except Refused:
        return None


def _again(told: list[Told], dice: Dice, opening: Any, version: int, sure: bool) -> tuple[int, int]:
    """Of one commit, the draws that gave the same again and the unproved; the first as long as it
    is `sure` how many words came before. Raises Unequal."""
    same = unproved = 0
    for kind, event in told:
        if kind is None:
            sure = False
        elif issubclass(kind, Event) and kind.chance:
            made = event.redrawn(dice, opening) if sure and event is not None else None
            if made is None:
                sure, unproved = False, unproved + 1
            elif made != event:
                raise Unequal(version, "the seed gives another outcome of chance")
            else:
                same += 1
    return same, unproved


def _told(game: Game, raw: Any, version: int, ours: bool) -> Told:
    """Raises Unequal where it is no event of any rules."""
    tag = raw[0] if isinstance(raw, list) and raw else ""
    if not isinstance(tag, str):
        raise Unequal(version, "what stands for the kind of an event is no name")
    (kinds,) = get_args(game.codec.commit)
    member = sight.tags(kinds).get(tag)
    kind = get_origin(member) or member
    if kind is None or hides(raw):
        return Told(kind, None)
    try:
        return Told(kind, event_of(game, raw))
    except msgspec.ValidationError as error:
        if ours:
            raise Unequal(version, f"no rules give such an event: {error}") from None
        return Told(kind, None)


def _is_answer(told: list[Told]) -> bool:
    """As `games.history.is_answer`: the first event whose kind is known tells."""
    kind = next((kind for kind, _ in told if kind is not None), None)
    return kind is not None and not issubclass(kind, MatchEvent)


def _place(told: list[Told], answers: int) -> int | None:
    """Where the commit draws, after so many answers; None for one that draws nothing."""
    if _is_answer(told):
        return answers + 1
    return 0 if told[0].kind is Started else None


def _answers(told: list[Told], standing: list[int], version: int) -> int:
    """How many answers stand after it."""
    if _is_answer(told):
        return standing[-1] + 1
    back = [event.to for _, event in told if isinstance(event, Reverted)]
    try:
        return standing[earlier(back[-1], version)] if back else standing[-1]
    except ValueError as error:
        raise Unequal(version, str(error)) from None


def _after(match: Match, told: list[Told], version: int) -> Match:
    """The table that the game is played at, which everybody sees."""
    try:
        for _, event in told:
            match = event.apply(match) if isinstance(event, MatchEvent) else match
    except (IndexError, TypeError) as error:
        why = f"it does not follow from the version before it: {error!r}"
        raise Unequal(version, why) from None
    return match


__all__ = ["Draws", "drawn_again"]
