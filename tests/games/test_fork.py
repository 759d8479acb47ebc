"""A fork goes on from another match's step; a seat's fork knows no more than the seat."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from games.catalog import GAMES
from games.fork import fork
from games.game import Game
from games.match import BotSeated, Created, Forked
from games.rules import Answer, Refused, view
from games.sight import cut
from games.table import Table, committed, tables
from tests.play import Match, random_match
from tests.toy.pumpkin_patch.game import GAME

every_game = pytest.mark.parametrize("game", [*GAMES.values(), GAME], ids=lambda g: g.id)


def forked(origin: Table, viewer: Any) -> Table:
    game, seats = origin.game, len(origin.match.seats)
    options = origin.match.options
    created = Created("01F", game.id, "", options, seats, game.version, "", "", "at_close", False)
    table = Table(game).after(committed(Table(game), 1, "host", b"1", 0, [created]))
    events = fork(origin, str(origin.version), viewer, random.Random(3).randrange)
    return table.after(committed(table, 2, "host", b"2", 0, events))


@every_game
def test_the_auditors_fork_is_the_very_game(game: Game) -> None:
    match = random_match(game, 3, limit=12)
    if not match.state.pending:
        match = random_match(game, 3, limit=2)
    table = forked(match.table, "auditor")
    assert (table.status, table.asked) == ("playing", match.table.asked)
    assert table.match.origin == f"01J0TEST@{match.table.version}"
    ids = {pending.id for pending in table.state.pending}  # type: ignore[union-attr]
    assert all(id.startswith("0.") for id in ids)
    assert table.state.but(pending=()) == match.state.but(pending=())  # type: ignore[union-attr]


@every_game
def test_a_seats_fork_looks_the_same_to_it_and_goes_on(game: Game) -> None:
    match = random_match(game, 5, limit=8)
    if not match.state.pending:
        match = random_match(game, 5, limit=1)
    table = forked(match.table, 1)
    here, there = (view(state, 1) for state in (table.state, match.state))  # type: ignore[arg-type]
    assert here["question"]["kind"] == there["question"]["kind"]
    here["question"]["id"] = there["question"]["id"]
    assert here == there
    for seat in range(len(table.match.seats)):
        table = table.after(committed(table, 3, "host", b"3", 0, [BotSeated(seat)]))
    seat = table.asked[0]
    top = table.state.pending[-1]  # type: ignore[union-attr]
    option = top.item.form(table.state, seat).sample(random.Random(1).randrange)
    events = table.answer(seat, Answer(top.id, option), b"x" * 32)[0]
    after = table.after(committed(table, 4, seat, b"4", 0, events))
    assert after.state != table.state


def test_the_state_is_for_the_auditor_alone() -> None:
    (event,) = fork(Match.started(GAME, 2).table, "4", "auditor", lambda n: 0)
    assert cut(event, "spectator")["state"] == {"hidden": True}
    assert isinstance(cut(event, "auditor")["state"], bytes)


def test_where_there_is_nothing_to_go_on_from() -> None:
    with pytest.raises(Refused, match="no game yet"):
        fork(Match(GAME, 2).table, "3", 0, lambda n: 0)
    with pytest.raises(Refused, match="is over"):
        fork(random_match(GAME, 1).table, "9", 0, lambda n: 0)


def test_a_fork_is_taken_as_it_is_and_only_at_the_beginning() -> None:
    match = Match(GAME, 2)
    events = fork(Match.started(GAME, 2).table, "4", "auditor", lambda n: 0)
    first = tables(GAME, match.commits[:1])[-1]
    commit = committed(first, 2, "host", b"2", 0, events)
    assert first.again(commit, match.seed) == (list(events), 0)
    with pytest.raises(Refused, match="Forked"):
        match.table.again(commit, match.seed)
    assert isinstance(events[0], Forked)


def test_nothing_goes_on_from_inside_a_commit() -> None:
    """There the rules are half way through what they do; what is left of it is nowhere."""
    match = Match.started(GAME, 2)
    before = match.past[-2]
    part = msgspec.structs.replace(match.commits[-1], events=match.commits[-1].events[:2])
    table = before.after(part)
    with pytest.raises(Refused) as refused:
        fork(table, "4.2", "auditor", lambda n: 0)
    assert refused.value.code == "inside_commit"
