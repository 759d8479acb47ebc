"""The same log for somebody else: never more than that viewer was shown during play."""

from __future__ import annotations

from typing import Any

from events import log
from events.log import Opening, Page
from games import sight
from games.game import Game
from games.referee import AnyTableEvent
from games.sight import HIDDEN, Audience, Viewer
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
    return page._replace(openings=due(story.game, page, viewer))


def due(game: Game, whole: Page, viewer: Viewer) -> tuple[Opening, ...]:
    """Those of the auditor's openings that the viewer was given. Raises Unreadable.

    Each is asked for its audience by being left out: what is then hidden says who may see it. So
    the bytes need not be made again, and an older form of a fact is as good as today's.
    """
    theirs = []
    for opening in whole.openings:
        rest = whole._replace(openings=tuple([o for o in whole.openings if o is not opening]))
        if _audience(game, whole, rest).has(viewer):
            theirs.append(opening)
    return tuple(theirs)


def _audience(game: Game, whole: Page, lacking: Page) -> Audience:
    """Of the one part that the second page lacks."""
    found: list[tuple[Audience, bool]] = []

    def check(audience: Audience, hidden: bool) -> None:
        found.append((audience, hidden))

    seen = sight.read(log.opened(lacking))
    sight.named(game.codec.commit, seen, check)
    for audience, hidden in found:
        if hidden:
            return audience
    found.clear()
    for event, left in zip(sight.read(log.opened(whole))[5], seen[5], strict=True):
        if left is HIDDEN:
            # The whole event is sealed; it says itself, and first of all, who may see it.
            sight.named(game.event | AnyTableEvent, event, check)
            return found[0][0]
    why = "a newer version made it, and only that can say who sees what in it"
    raise Unreadable(whole.version, why)


def allowed(story: Story, viewer: Viewer) -> None:
    """Raises NotTheirs where the log doesn't hold what that viewer would see."""
    seats = story.created["seats"]
    if isinstance(viewer, int) and not 0 <= viewer < seats:
        raise NotTheirs(f"there is no seat {viewer}: seats go from 0 to {seats - 1}")
    if story.viewer not in ("auditor", viewer) and viewer == "auditor":
        why = f"this is the log as {name(story.viewer)} got it; only the auditor's shows everything"
        raise NotTheirs(why)
    if story.viewer not in ("auditor", viewer) and viewer != "spectator":
        raise NotTheirs(
            f"this is the log as {name(story.viewer)} got it; for {name(viewer)} take that one's "
            "own log or the auditor's"
        )
