"""Read model `lobby`: listed matches by status and game, the newest first."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from events.store import Readable, Row
from games.dispute import held
from games.table import Status, shown_to_all
from projections.projection import Made
from projections.story import Story
from projections.summary import Summary, summary_of

_ANY = "*"
_ALL = "all"


class Page(NamedTuple):
    """Matches and where to go on: `after` is an opaque cursor, empty at the end."""

    matches: list[Summary]
    after: str


class Lobby:
    """A match stands in four listings: of its status and of all, of its game and of any."""

    name = "lobby"

    def made(self, story: Story) -> Made:
        summary = _public(summary_of(story), story)
        if not summary.listed:
            return Made(b"", ())
        value = msgspec.json.encode(summary)
        listings = [
            _listing(status, game)
            for status in (summary.status, _ALL)
            for game in (summary.game, _ANY)
        ]
        rows = [Row(name, summary.match, summary.created, value) for name in listings]
        return Made(b"", tuple(rows))


def _public(summary: Summary, story: Story) -> Summary:
    """Who lags behind play learns from a list no more than from the match: who sits there and
    whether it is over, but neither how far it is nor when it moved."""
    if not story.now.match.delay:
        return summary
    seen = story.tables[shown_to_all(story.tables)]
    lagging = {"version": seen.version, "answers": seen.answers, "moved": seen.at}
    return replace(summary, **lagging, held=held(seen.match))


def _listing(status: str, game: str) -> str:
    return f"{status} {game}"


async def matches(
    cells: Readable,
    status: Status | None = None,
    game: str | None = None,
    after: str = "",
    limit: int = 50,
) -> Page:
    """Listed matches, the newest first; at most `limit`."""
    listing = _listing(status or _ALL, game or _ANY)
    rows = await cells.rows(Lobby.name, listing, after, limit + 1, newest=True)
    found = [msgspec.json.decode(row.value, type=Summary) for row in rows[:limit]]
    return Page(found, rows[limit - 1].position if len(rows) > limit else "")
