"""Read model `inbox`: for each player its matches, and the questions that wait for it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from events.store import Readable, Row
from games.sight import Seat
from games.table import Status
from projections.projection import Made
from projections.story import Story

_ASKED, _MATCHES = "asked", "matches"


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match of a player; `question` and `prompt` are what waits for it, if anything does.

    `since` is when it began to wait or, where nothing does, when the match last moved.
    """

    match: str
    game: str
    seat: Seat
    status: Status
    version: int
    since: int
    question: str = ""
    prompt: str = ""


class Page(NamedTuple):
    """Items and where to go on: `after` is an opaque cursor, empty at the end."""

    items: list[Item]
    after: str


class Inbox:
    """Two listings a player: matches, and those of them that wait for it."""

    name = "inbox"

    def made(self, story: Story) -> Made:
        rows: list[Row] = []
        for seat, sitting in enumerate(story.now.match.seats):
            if sitting.kind == "player" and sitting.player:
                rows += _rows(story, seat, sitting.player)
        return Made(b"", tuple(rows))


def _rows(story: Story, seat: Seat, player: str) -> list[Row]:
    table = story.now
    item = Item(table.match.id, table.match.game, seat, table.status, table.version, table.at)
    if seat not in table.asked or not table.match.seats[seat].plays:
        return [_row(_MATCHES, player, item)]
    assert table.state is not None
    top = table.state.pending[-1]
    item = msgspec.structs.replace(
        item,
        since=_asked_since(story, seat, top.id),
        question=top.id,
        prompt=top.item.prompt(table.state),
    )
    return [_row(_MATCHES, player, item), _row(_ASKED, player, item)]


def _asked_since(story: Story, seat: Seat, question: str) -> int:
    """When this question began to wait for the seat."""
    since = story.now.at
    for table in reversed(story.tables):
        if seat not in table.asked or _open(table.state) != question:
            break
        since = table.at
    return since


def _open(state: object) -> str:
    pending = getattr(state, "pending", ())
    return pending[-1].id if pending else ""


def _row(listing: str, player: str, item: Item) -> Row:
    return Row(f"{listing} {player}", f"{item.match}.{item.seat}", item.since, _json(item))


def _json(item: Item) -> bytes:
    return msgspec.json.encode(item)


async def waiting(cells: Readable, player: str, after: str = "", limit: int = 50) -> Page:
    """The questions that wait for a player, the oldest first."""
    return await _page(cells, _ASKED, player, after, limit, newest=False)


async def matches_of(
    cells: Readable, player: str, after: str = "", limit: int = 50, newest: bool = True
) -> Page:
    """The matches that a player sits in, over or not, those that moved last first; not `newest`:
    last, so that who goes through all of them misses none that moves meanwhile."""
    return await _page(cells, _MATCHES, player, after, limit, newest)


async def _page(
    cells: Readable, listing: str, player: str, after: str, limit: int, newest: bool
) -> Page:
    name = f"{listing} {player}"
    rows = await cells.rows(Inbox.name, name, after, limit + 1, newest=newest)
    items = [msgspec.json.decode(row.value, type=Item) for row in rows[:limit]]
    return Page(items, rows[limit - 1].position if len(rows) > limit else "")
