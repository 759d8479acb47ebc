"""Read model `disputes`: what waits for referees, the oldest first; nothing that is secret."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from events.store import Readable, Row
from games.match import Dispute
from games.sight import Seat
from projections.projection import Made
from projections.story import Story

State = Literal["open", "ruled", "appealed"]


class Waiting(msgspec.Struct, frozen=True):
    """One dispute; times are UTC in milliseconds."""

    match: str
    number: int
    game: str
    seat: Seat
    steps: tuple[str, ...]
    state: State
    upheld: bool | None
    opened: int
    moved: int
    version: int


class Page(NamedTuple):
    """Disputes and where to go on: `after` is an opaque cursor, empty at the end."""

    items: list[Waiting]
    after: str


class Disputes:
    """A dispute stands in the listing of all, in that of its state, in `open` until ruled on."""

    name = "disputes"

    def made(self, story: Story) -> Made:
        rows = []
        for index, dispute in enumerate(story.now.match.disputes):
            waiting = _waiting(story, index, dispute)
            value = msgspec.json.encode(waiting)
            member = f"{waiting.match}/{waiting.number:02d}"
            for listing in _listings(dispute):
                rows.append(Row(listing, member, waiting.opened, value))
        return Made(b"", tuple(rows))


def _listings(dispute: Dispute) -> tuple[str, ...]:
    """An appealed dispute waits for a referee again."""
    if dispute.state == "appealed":
        return "all", "open", "appealed"
    return "all", dispute.state


def _waiting(story: Story, index: int, dispute: Dispute) -> Waiting:
    opened = moved = 0
    before = None
    for table in story.tables:
        now = table.match.disputes[index] if len(table.match.disputes) > index else None
        if now is not None and before is None:
            opened = table.at
        if now != before:
            moved, before = table.at, now
    table = story.now
    word = (dispute.seat, dispute.steps, dispute.state, dispute.upheld)
    return Waiting(table.match.id, index + 1, table.match.game, *word, opened, moved, table.version)


async def waiting(
    cells: Readable, state: State | None = None, after: str = "", limit: int = 50
) -> Page:
    """Disputes of all matches, the oldest first; `open` ones are all that wait for a ruling."""
    rows = await cells.rows(Disputes.name, state or "all", after, limit + 1)
    found = [msgspec.json.decode(row.value, type=Waiting) for row in rows[:limit]]
    return Page(found, rows[limit - 1].position if len(rows) > limit else "")
