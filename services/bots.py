"""Bots: a worker that answers for the seats that bots sit on.

A bot sees what a client on its seat would see, its view and the open question, and its answer
takes the way of every answer. What it chooses follows from its command id: two workers that
answer for the same bot at once send the same command.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import structlog

from events.store import Store
from games.rules import Refused
from games.sight import Seat
from projections.heart import Heart
from projections.runner import Pace
from services import commands
from services.acting import ActingRunner
from services.keys import Keys
from services.live import Live
from services.matches import Matches

_logger = structlog.get_logger()

OVERTAKEN = (
    "stale_question",
    "not_asked",
    "match_over",
    "not_seated",
    "key_reused",
    "undone_since",
)
"""Refusals that say only that another worker or a host was faster."""


class Bots:
    """Answers as long as a bot of the match is asked."""

    name = "bots"

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def act(self, match: str) -> None:
        live = await self._matches.refresh(match)
        while (seat := asked(live)) is not None:
            try:
                await self._matches.submit(match, self._answer(live, seat))
            except Refused as refused:
                if refused.code not in OVERTAKEN:
                    raise
                before = live.version
                live = await self._matches.refresh(match)
                if live.version == before:
                    return

    def _answer(self, live: Live, seat: Seat) -> commands.Command:
        """The command of the bot: from its view and its question alone."""
        view = seen(live, seat)
        question = view["game"]["question"]
        key = live.table.match.key
        parts = ("bot", live.id, seat, question["id"], live.reverted)
        id = self._matches.keys.token(key, *parts)[:16]
        chance = random.Random(id)
        option = live.table.game.bot(view["game"], question, chance.randrange)
        return commands.answer(id, seat, question["id"], option, live.version)


def asked(live: Live) -> Seat | None:
    """A bot that is asked now, if there is one; while an undo is asked for, bots wait."""
    if live.table.match.request is not None:
        return None
    seats = live.table.match.seats
    for seat in live.table.asked:
        if seats[seat].kind == "bot":
            return seat
    return None


def seen(live: Live, seat: Seat) -> dict[str, Any]:
    """What a client on this seat gets, through JSON as it would."""
    return dict(msgspec.json.decode(msgspec.json.encode(live.table.view(seat))))


def runner(
    store: Store, keys: Keys, consumer: str, pace: Pace | None = None, heart: Heart | None = None
) -> ActingRunner:
    """The worker of group `bots`."""
    return ActingRunner(store, Bots(Matches(store, keys)), consumer, pace, heart)
