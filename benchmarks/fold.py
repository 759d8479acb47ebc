"""Folding stored bytes, decoding included, against the rebuild of the `eventsourcing` package."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.common import Row, compared, interleaved
from benchmarks.recorded import record
from events.log import Entry
from games.catalog import GAMES
from games.game import Game
from games.sight import cut
from games.table import Table

MATCHES = 20


class Peer(Aggregate):
    """A match as that package would keep it: an event for each of our facts, with its values.

    Its apply does less than ours: it keeps the newest fact of each kind and plays no game.
    """

    def __init__(self) -> None:
        self.facts = 0
        self.newest: dict[str, dict[str, Any]] = {}

    @event("Happened")
    def happen(self, kind: str, values: dict[str, Any]) -> None:
        self.facts += 1
        self.newest[kind] = values


def _plain(fact: dict[str, Any]) -> dict[str, Any]:
    """Lists for tuples, which that package's JSON would otherwise wrap one by one."""
    return dict(msgspec.json.decode(msgspec.json.encode(fact)))


def _ours(game: Game, logs: list[list[Entry]]) -> tuple[int, float]:
    """Events folded and the seconds it took."""
    events = 0
    begun = time.perf_counter()
    for entries in logs:
        table = Table(game)
        for entry in entries:
            commit = game.codec.decode(entry.facts)
            events += len(commit.events)
            table = table.after(commit)
    return events, time.perf_counter() - begun


def _peer(app: Application[UUID], ids: list[UUID]) -> tuple[int, float]:
    events = 0
    begun = time.perf_counter()
    for id in ids:
        events += app.repository.get(id).version
    return events, time.perf_counter() - begun


async def run(rounds: int) -> list[Row]:
    return [row for game in GAMES.values() for row in await _run(game, rounds)]


async def _run(game: Game, rounds: int) -> list[Row]:
    logs = [await record(game, game.most, number, {}) for number in range(MATCHES)]
    commits = sum(map(len, logs))
    app: Application[UUID] = Application()
    ids = []
    for entries in logs:
        peer = Peer()
        for entry in entries:
            for fact in cut(game.codec.decode(entry.facts), "auditor")["events"]:
                peer.happen(kind=fact.pop("type"), values=_plain(fact))
        app.save(peer)
        ids.append(peer.id)

    async def ours() -> float:
        events, seconds = _ours(game, logs)
        return events / seconds

    async def theirs() -> float:
        events, seconds = _peer(app, ids)
        return events / seconds

    figures = await interleaved({"events": ours, "eventsourcing": theirs}, rounds)
    rows = compared(f"fold {game.id}", figures, "events/s", "eventsourcing", "250k and x15")
    events, _ = _ours(game, logs)
    rate = rows[0].value * commits / events
    rows.append(Row(f"fold {game.id}", "commits", rate, "commits/s"))
    rows.append(Row(f"fold {game.id}", "a commit holds", events / commits, "events"))
    return rows
