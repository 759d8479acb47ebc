"""Which step a time is, or the beginning of a round or turn; what happened between two steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from games.game import Begun, Game
from replay import words
from replay.load import Story
from replay.steps import NoStep, Step

MOST = 200
"""Commits that are told of between two steps."""


def time_of(text: str, day: str = "") -> int:
    """A time in UTC milliseconds, from such a number or as `2026-10-31 19:00:03`; without the date
    it is of that day. A second is meant to its end, as times are shown. Raises NoStep."""
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    try:
        when = datetime.fromisoformat(f"{day} {text}" if day and len(text) < 10 else text)
    except ValueError:
        why = f"{text!r} is no time: give it as 2026-10-31 19:00:03, in UTC, or in milliseconds"
        raise NoStep(why) from None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return int(when.timestamp() * 1000) + (0 if when.microsecond else 999)


def at(times: Sequence[int], when: int) -> Step:
    """The last version that was there by then; times are UTC in milliseconds. Raises NoStep."""
    version = sum(time <= when for time in times)
    if not version:
        raise NoStep(f"at {words.moment(when)} UTC there was no match yet")
    return Step(version)


def numbered(game: Game, what: Begun, number: int, begun: Iterable[tuple[int, int | None]]) -> Step:
    """Where the round or turn of this number began. `begun` are the versions in which one began, in
    order, with the number that the event holds, if it does. Raises NoStep."""
    for count, (version, own) in enumerate(begun, 1):
        if number == (count if own is None else own):
            return Step(version)
    if what in game.begins:
        raise NoStep(f"no {what} {number} has begun in this match")
    others = " and ".join(f"{each}s" for each in game.begins) or "neither rounds nor turns"
    raise NoStep(f"there is no {what} {number}: {game.title} goes by {others}")


def begun(story: Story, what: Begun, number: int) -> Step:
    """The version at which the round or turn began, as the match stands now. Raises NoStep."""
    kind = story.game.begins.get(what)
    tag = kind and kind.__struct_config__.tag
    told = story.told
    found = [
        (version, event.get(what))
        for version in _standing(story)
        for event in told[version - 1]["events"]
        if kind and isinstance(event, dict) and event.get("type") == tag
    ]
    return numbered(story.game, what, number, found)


def _standing(story: Story) -> list[int]:
    """The versions that led here: each follows the one before it or the one it reverted to."""
    told, found, version = story.told, list[int](), len(story.pages)
    while version > 0:
        found.append(version)
        events = told[version - 1]["events"]
        to = [e["to"] for e in events if isinstance(e, dict) and e.get("type") == "reverted"]
        version = min(to[-1], version - 1) if to else version - 1
    return found[::-1]


def passed(
    game: Game, since: Step, step: Step, told: Callable[[int], dict[str, Any]]
) -> dict[str, Any]:
    """`{omitted, commits}`: what happened after `since`, commit by commit; of many the newest."""
    begin = max(since.version + 1, step.version - MOST + 1)
    commits = []
    for version in range(begin, step.version + 1):
        commit = told(version)
        says = words.sentences(game, commit["events"], commit["by"])
        commits.append({"version": version, "at": commit["at"], "by": commit["by"], "says": says})
    return {"omitted": begin - since.version - 1, "commits": commits}
