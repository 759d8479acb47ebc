"""Read model `lobby`: listed matches by status and game, the newest first."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from events.store import Cells, Row
from games.table import Status
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
        summary = summary_of(story)
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


def _listing(status: str, game: str) -> str:
    return f"{status} {game}"


async def matches(
    cells: Cells,
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
