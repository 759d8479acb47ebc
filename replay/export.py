"""The same log for somebody else: never more than that viewer was shown during play."""

from __future__ import annotations

from typing import Any

from events import log
from events.log import Page
from games import sight
from games.sight import Viewer
from replay.load import Recording, Story, Unreadable, telling
from replay.words import name


class NotTheirs(Exception):
    """This log cannot be seen through those eyes; the text says what would be needed."""


def export(story: Story, viewer: Viewer) -> Story:
    """The log as that viewer got it. Raises NotTheirs, and Unreadable for a commit that a newer
    writer made."""
    pages = [page_for(story, version, viewer) for version in range(1, len(story.pages) + 1)]
    tellings = [telling(story.game, viewer, page) for page in pages]
    return Story(Recording(story.match, viewer, tuple(pages)), story.game, tellings)


def told_to(story: Story, version: int, viewer: Viewer) -> dict[str, Any]:
    """One commit by name as that viewer may read it. Raises as `export`."""
    if viewer == story.viewer:
        return story.tellings[version - 1].named
    return telling(story.game, viewer, page_for(story, version, viewer)).named


def page_for(story: Story, version: int, viewer: Viewer) -> Page:
    """The public form with the openings of that viewer alone."""
    allowed(story, viewer)
    page = story.pages[version - 1]
    if viewer == story.viewer:
        return page
    if viewer == "spectator":
        return page._replace(openings=())
    facts = log.opened(page)
    made, hidden = sight.encode(story.game.codec.decode(facts))
    if made != facts or len(hidden) != len(page.openings):
        raise Unreadable(version, "a newer writer made it: only that can say who sees what in it")
    theirs = [o for o, (_, _, seats) in zip(page.openings, hidden, strict=True) if viewer in seats]
    return page._replace(openings=tuple(theirs))


def allowed(story: Story, viewer: Viewer) -> None:
    """Raises NotTheirs where the log doesn't hold what that viewer would see."""
    seats = story.created["seats"]
    if isinstance(viewer, int) and not 0 <= viewer < seats:
        raise NotTheirs(f"there is no seat {viewer}: seats go from 0 to {seats - 1}")
    if story.viewer not in ("auditor", viewer) and viewer != "spectator":
        raise NotTheirs(
            f"this is the log as {name(story.viewer)} got it; for {name(viewer)} take that one's "
            "own log or the auditor's"
        )
