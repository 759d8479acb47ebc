"""Read model `views`: the newest version of a match as each seat and a spectator may see it."""

from __future__ import annotations

import msgspec

from events.store import Cell, Readable
from games.sight import Viewer
from projections.projection import Made
from projections.story import Story


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """All views of a match as of one version, each the JSON that its viewer may get."""

    head: bytes
    views: dict[str, bytes]


class View(msgspec.Struct, frozen=True):
    """What one viewer may see: `json` is served as it is."""

    version: int
    head: bytes
    json: bytes


class Views:
    """One cell a match holds the views of all: whoever reads it must ask for one viewer only."""

    name = "views"

    def made(self, story: Story) -> Made:
        table = story.now
        viewers: tuple[Viewer, ...] = (*range(len(table.match.seats)), "spectator")
        views = {str(viewer): msgspec.json.encode(table.pieces(viewer)) for viewer in viewers}
        return Made(msgspec.msgpack.encode(Stored(story.head, views)))


async def view(cells: Readable, match: str, viewer: Viewer) -> View | None:
    """The view of a seat or a spectator, as far as the worker has come; None where there is none.

    It does not check who asks: that is the caller's.
    """
    cell: Cell | None = await cells.get(Views.name, match)
    if cell is None:
        return None
    stored = msgspec.msgpack.decode(cell.value, type=Stored)
    shown = stored.views.get(str(viewer))
    return None if shown is None else View(cell.cursor, stored.head, shown)
