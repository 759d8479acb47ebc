"""A folded match: status, who is asked, results, and what today's rules make of old commands."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games import match as m
from games import seating
from games.history import Commit, Private
from games.match import Created, Forfeited, Resigned
from games.rules import Answer, Refused, Result
from games.table import Table, committed, shown_to_all, tables
from tests.play import Match
from tests.toy.pumpkin_patch.game import GAME
from tests.toy.pumpkin_patch.turns import Show


def refusal(code: str, command: Any) -> None:
    with pytest.raises(Refused) as refused:
        command()
    assert refused.value.code == code


def test_a_match_goes_from_the_lobby_to_its_end() -> None:
    match = Match(GAME, 2)
    assert match.table.status == "lobby"
    assert match.table.asked == ()
    assert match.table.view("spectator")["game"] is None
    refusal("not_started", lambda: match.answer(0, Show(1), "1.1"))
    match = Match.started(GAME, 2)
    assert (match.table.status, match.table.asked) == ("playing", (0, 1))
    assert match.table.result is None
    match.play(lambda n: 0)
    assert (match.table.status, match.table.asked) == ("over", ())
    result = match.table.result
    assert isinstance(result, Result)
    assert match.table.view(0)["result"]["winners"] == result.winners
    refusal("match_over", lambda: match.answer(0, Show(1)))


def test_a_view_shows_the_table_and_no_seed() -> None:
    match = Match.started(GAME, 2)
    shown = match.table.view(1)
    assert (shown["version"], shown["status"], shown["closed"]) == (4, "playing", False)
    assert [s["player"] for s in shown["match"]["seats"]] == ["p0", "p1"]
    assert "seed" not in shown["match"]
    assert shown["game"]["question"]["kind"] == "show_together"


def test_who_has_resigned_is_asked_no_more() -> None:
    match = Match.started(GAME, 3)
    match.commit(0, *seating.resign(match.table.match, 0))
    refusal("not_seated", lambda: match.answer(0, match.form(0).options[0]))
    match.commit(1, *seating.resign(match.table.match, 1))
    assert match.table.status == "over"
    assert match.table.result == Result((2,), (None, None, None), "forfeited")
    assert match.table.view(2)["game"]["question"] is None


def test_an_option_of_a_client_is_picked_or_refused() -> None:
    match = Match.started(GAME, 2)
    id = match.state.pending[-1].id
    option = match.form(0).options[0]
    assert match.table.picked(0, id, f"show:{option.pumpkin}") == option
    refusal("not_an_option", lambda: match.table.picked(0, id, "show:9"))
    refusal("stale_question", lambda: match.table.picked(0, "1.1", "show:9"))


@pytest.mark.parametrize("seat", [-2, 2, True, "0", None, 0.0, [0]], ids=repr)
def test_an_answer_comes_from_a_seat_of_the_match(seat: Any) -> None:
    match = Match.started(GAME, 2)
    id = match.state.pending[-1].id
    option = match.form(0).options[0]
    refusal("no_such_seat", lambda: match.table.picked(seat, id, f"show:{option.pumpkin}"))
    refusal("no_such_seat", lambda: match.table.answer(seat, Answer(id, option), match.seed))


@pytest.mark.parametrize("id", [None, 5, [], "x" * 10**6, "\ud800", {"id": "5.1"}], ids=type)
def test_a_question_that_is_none_is_refused_in_few_words(id: Any) -> None:
    match = Match.started(GAME, 2)
    with pytest.raises(Refused) as refused:
        match.table.picked(0, id, "show:1")
    assert refused.value.code == "stale_question"
    assert len(refused.value.why) < 200
    assert refused.value.why.isprintable()


@pytest.mark.parametrize("to", [-1, 0, 5, 6])
def test_a_log_that_reverts_to_no_version_before_is_none(to: int) -> None:
    match = Match.started(GAME, 2)
    assert len(match.commits) == 4
    wrong = Commit(5, 5, "host", GAME.version, Private(bytes(16), 0), (m.Reverted(to),))
    with pytest.raises(ValueError, match="version 5 goes back to version"):
        tables(GAME, [*match.commits, wrong])


def test_every_kind_of_command_is_decided_again_from_its_commit() -> None:
    match = Match(GAME, 3)
    match.commit("host", *seating.kick(match.table.match, 2))
    match.commit("host", *seating.seat_bot(match.table.match, 2))
    match.commit(1, *seating.leave(match.table.match, 1))
    match.commit(1, *seating.take_seat(match.table.match, 1, "ann", "x"))
    events, draws = match.table.start(match.seed)
    match.commit("host", *events, draws=draws)
    match.play(lambda n: 0, limit=2)
    to = len(match.commits)
    match.play(lambda n: 0, limit=1)
    match.undo(to)
    match.commit(0, *seating.resign(match.table.match, 0))
    match.commit(0, *seating.take_seat(match.table.match, 0, "dan"))
    match.commit("host", *seating.abort(match.table.match, "aborted"))
    match.commit("system", *seating.close(match.table.match, match.seed.hex()))
    past = tables(GAME, match.commits)
    for before, commit in zip(past, match.commits, strict=False):
        assert before.again(commit, match.seed)[0] == list(commit.events)
    assert past[-1].match.closed


def test_spectators_lag_behind_play_by_what_the_host_has_set() -> None:
    played = Match.started(GAME, 2)
    begun = played.table.version
    played.answer(0, Show(1))
    played.answer(1, Show(1))
    assert shown_to_all(tables(GAME, played.commits)) == begun + 2
    created, *rest = played.commits
    lagging = msgspec.structs.replace(created.events[0], delay=1)
    commits = [msgspec.structs.replace(created, events=(lagging,)), *rest]
    assert shown_to_all(tables(GAME, commits)) == begun + 1
    assert shown_to_all(tables(GAME, commits[:begun])) == begun - 1, "it has hardly begun"
    assert shown_to_all(tables(GAME, commits[: begun - 1])) == begun - 1, "nor is a lobby hidden"


def test_a_close_before_the_end_and_a_second_creation_are_not_decided_again() -> None:
    match = Match.started(GAME, 2)
    early = Commit(5, 5, "system", GAME.version, Private(bytes(16), 0), (m.Closed("00"),))
    refusal("not_over", lambda: match.table.again(early, match.seed))
    created = match.commits[0]
    assert Table(GAME).again(created, match.seed) == (list(created.events), 0)
    refusal("no_such_command", lambda: match.table.again(created, match.seed))


def test_time_never_runs_backwards_in_a_log() -> None:
    match = Match(GAME, 2)
    late = msgspec.structs.replace(match.table, at=1000)
    commit = committed(late, 900, "host", bytes(16), 0, [Resigned(0), Forfeited((1,))])
    assert (commit.version, commit.at, commit.rules) == (4, 1000, GAME.version)
    assert committed(late, 1100, "host", bytes(16), 0, []).at == 1100


def test_options_and_seats_are_checked() -> None:
    refusal("bad_option", lambda: GAME.checked_options({"colour": "orange"}))
    refusal("bad_seats", lambda: GAME.checked_seats(5))
    assert GAME.checked_seats(2) == 2


def test_an_answer_needs_its_question() -> None:
    match = Match.started(GAME, 2)
    answer = Answer("9.9", Show(1))
    refusal("stale_question", lambda: match.table.answer(0, answer, match.seed))


def test_the_first_event_names_the_game() -> None:
    first = Match(GAME, 2).commits[0].events[0]
    assert isinstance(first, Created)
    assert (first.game, first.rules) == ("pumpkin-patch", GAME.version)
