"""Read model `summary`: what a match is, who sits in it, how it ended and when. All public."""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Readable
from games.dispute import held
from games.rules import Result
from games.table import Status
from projections.projection import Made
from projections.story import Story


class Seating(msgspec.Struct, frozen=True):
    kind: str
    player: str
    resigned: bool


class Summary(msgspec.Struct, frozen=True):
    """Times are UTC in milliseconds; `started` and `ended` are None while it has not."""

    match: str
    game: str
    edition: str
    options: dict[str, Any]
    listed: bool
    seats: tuple[Seating, ...]
    status: Status
    closed: bool
    result: Result | None
    created: int
    started: int | None
    ended: int | None
    moved: int
    version: int
    answers: int
    rules: str
    held: bool = False
    """A dispute waits for a referee: the log is neither archived nor thinned out until then."""


def summary_of(story: Story) -> Summary:
    table = story.now
    match = table.match
    return Summary(
        match=match.id,
        game=match.game,
        edition=match.edition,
        options=match.options,
        listed=match.listed,
        seats=tuple([Seating(s.kind, s.player, s.resigned) for s in match.seats]),
        status=table.status,
        closed=match.closed,
        result=table.result,
        created=table.since,
        started=_since(story, lambda t: t.match.started),
        ended=_since(story, lambda t: t.status == "over"),
        moved=table.at,
        version=table.version,
        answers=table.answers,
        rules=match.rules,
        held=held(match),
    )


def _since(story: Story, holds: Any) -> int | None:
    """Since when something holds without a break; None where it does not."""
    since: int | None = None
    for table in reversed(story.tables):
        if not holds(table):
            break
        since = table.at
    return since


class Summaries:
    """One cell a match, in JSON."""

    name = "summary"

    def made(self, story: Story) -> Made:
        return Made(msgspec.json.encode(summary_of(story)))


async def summary(cells: Readable, match: str) -> Summary | None:
    cell = await cells.get(Summaries.name, match)
    return None if cell is None else msgspec.json.decode(cell.value, type=Summary)
