"""What taking back costs, and how it is asked for, agreed to, declined and granted."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from games import match as m
from games import seating, undo
from games.fork import fork
from games.match import Reverted, UndoAgreed, UndoAsked, UndoDeclined, UndoExpired
from games.rules import Event, Refused
from games.sight import seen_by
from games.undo import Cost
from tests.play import Match
from tests.toy.pumpkin_patch.game import GAME
from tests.toy.pumpkin_patch.turns import Draw, Pass

FREE = Cost("free")


def begun(policy: str = "consent", seats: int = 3) -> Match:
    match = Match.started(GAME, seats)
    policed = match.table.match.but(undo=policy)
    match.past[-1] = msgspec.structs.replace(match.table, match=policed)
    return match


def show(match: Match, *seats: int) -> Match:
    for seat in seats:
        match.answer(seat, match.form(seat).options[0])
    return match


def cost(match: Match, to: int, asker: int) -> Cost:
    return undo.cost(match.commits, to, asker, match.seats)


def consent(*seats: int) -> Cost:
    return Cost("consent", frozenset(seats))


def refusal(code: str, command: Any) -> None:
    with pytest.raises(Refused) as refused:
        command()
    assert refused.value.code == code


def ask(match: Match, seat: int, to: int) -> list[Any]:
    return match.commit(seat, *undo.ask(match.table, match.commits, seat, to))


def agree(match: Match, seat: int) -> list[Any]:
    return match.commit(seat, *undo.agree(match.table, seat))


def test_a_secret_choice_not_yet_revealed_is_free() -> None:
    match = begun()
    start = len(match.commits)
    show(match, 1)
    assert cost(match, start, asker=1) == FREE
    assert cost(match, start, asker=0) == consent(1)


def test_once_choices_are_shown_all_have_learned() -> None:
    match = begun()
    start = len(match.commits)
    show(match, 1, 0, 2)
    assert cost(match, start, asker=1) == consent(0, 2)
    assert cost(match, start + 2, asker=2) == consent(0, 1)


def test_passing_is_free_and_a_secret_draw_is_the_referees() -> None:
    match = show(begun(), 0, 1, 2)
    before = len(match.commits)
    match.answer(0, Pass())
    assert cost(match, before, asker=0) == FREE
    match.answer(1, Draw())
    assert cost(match, before, asker=0) == Cost("referee")
    assert cost(match, before + 1, asker=1) == Cost("referee")


def test_what_was_taken_back_costs_nothing_any_more() -> None:
    match = show(begun(), 0, 1, 2)
    before = len(match.commits)
    match.answer(0, Draw())
    match.undo(before)
    match.answer(0, Pass())
    assert cost(match, before, asker=0) == FREE


def test_a_free_undo_is_granted_at_once_where_the_host_allows_it() -> None:
    match = show(begun("free_own"), 1)
    start = len(match.commits) - 1
    then = match.past[start]
    assert ask(match, 1, start) == [UndoAsked(1, start, ()), Reverted(start)]
    assert match.state == then.state
    assert match.table.match.request is None


def test_under_consent_everybody_else_is_asked() -> None:
    match = show(begun(), 1)
    start = len(match.commits) - 1
    ask(match, 1, start)
    assert match.table.match.request == m.UndoRequest(1, start, (0, 2))
    assert agree(match, 2) == [UndoAgreed(2)]
    refusal("not_asked", lambda: undo.agree(match.table, 2))
    refusal("not_asked", lambda: undo.agree(match.table, 1))
    assert agree(match, 0) == [UndoAgreed(0), Reverted(start)]
    assert match.asked.seats == (0, 1, 2)


def test_bots_and_empty_seats_need_not_agree() -> None:
    match = begun()
    match.commit("host", *seating.kick(match.table.match, 0))
    match.commit("host", *seating.seat_bot(match.table.match, 0))
    match.commit(2, *seating.resign(match.table.match, 2))
    start = len(match.commits)
    show(match, 1)
    assert ask(match, 1, start)[-1] == Reverted(start)


@pytest.mark.parametrize("gone", ["who asked", "who has to agree"])
@pytest.mark.parametrize("how", [seating.leave, seating.kick, seating.resign])
def test_it_falls_where_one_of_them_plays_no_more(gone: str, how: Any) -> None:
    """Nobody waits for the leave of who is gone; asked anew it takes that of those who are here."""
    match = show(begun(seats=4), 1)
    start = len(match.commits) - 1
    ask(match, 1, start)
    agree(match, 3)
    match.commit(3, *how(match.table.match, 3))
    assert match.table.match.request is not None, "who has agreed already is not waited for"
    match.commit(0, *how(match.table.match, 1 if gone == "who asked" else 0))
    assert match.table.match.request is None
    refusal("no_undo", lambda: undo.agree(match.table, 2))
    if gone == "who has to agree":
        assert ask(match, 1, start) == [UndoAsked(1, start, (2,))]
        assert agree(match, 2)[-1] == Reverted(start)


def test_an_answer_cancels_the_request() -> None:
    match = show(begun(), 1)
    ask(match, 1, len(match.commits) - 1)
    show(match, 0)
    assert match.table.match.request is None
    refusal("no_undo", lambda: undo.agree(match.table, 0))
    refusal("no_undo", lambda: undo.decline(match.table, 0))
    refusal("no_undo", lambda: undo.expire(match.table))


@pytest.mark.parametrize("seat", [0, 1])
def test_who_is_asked_or_asks_may_end_it(seat: int) -> None:
    match = show(begun(), 1)
    ask(match, 1, len(match.commits) - 1)
    refusal("undo_pending", lambda: ask(match, 0, 5))
    match.commit(seat, *undo.decline(match.table, seat))
    assert match.table.match.request is None


def test_nobody_else_may_end_it_but_time_does() -> None:
    match = begun(seats=4)
    match.commit("host", *seating.kick(match.table.match, 3))
    show(match, 1)
    ask(match, 1, len(match.commits) - 1)
    refusal("not_asked", lambda: undo.decline(match.table, 3))
    assert undo.expire(match.table) == (UndoExpired(),)
    match.commit("system", UndoExpired())
    assert match.table.match.request is None


def test_no_leave_is_given_once_the_match_has_ended() -> None:
    match = show(begun(), 1)
    ask(match, 1, len(match.commits) - 1)
    match.commit("host", *seating.abort(match.table.match, "aborted"))
    refusal("no_undo", lambda: undo.agree(match.table, 0))


@pytest.mark.parametrize(
    "end", [m.Closed("00"), m.ClosedSealed("00"), m.Aborted("aborted"), m.Forfeited((1,))]
)
def test_a_request_ends_with_the_match(end: m.MatchEvent) -> None:
    """Nobody is shown a request that can be granted no more."""
    match = show(begun(), 0, 1)
    ask(match, 0, match.table.version - 1)
    assert match.table.match.request is not None
    match.commit("system", end)
    assert match.table.match.request is None


@pytest.mark.parametrize("to", [True, 4.0, "4", None, -1, 10**30], ids=repr)
def test_a_step_is_the_number_of_a_version(to: Any) -> None:
    match = show(begun(), 1)
    refusal("no_such_step", lambda: undo.ask(match.table, match.commits, 1, to))


@pytest.mark.parametrize("seat", [-1, 3, True, "0"], ids=repr)
def test_a_seat_of_the_match_asks(seat: Any) -> None:
    match = show(begun(), 1)
    start = len(match.commits) - 1
    refusal("no_such_seat", lambda: undo.ask(match.table, match.commits, seat, start))


def test_what_the_system_brought_about_is_everybodys() -> None:
    """A newer writer may have game events that no seat's answer led to."""
    match = show(begun(), 0, 1, 2)
    before = len(match.commits)
    match.answer(0, Pass())
    match.commits[-1] = msgspec.structs.replace(match.commits[-1], by="system")
    assert cost(match, before, asker=0) == consent(1, 2)


def test_leave_given_twice_or_late_changes_nothing() -> None:
    table = begun().table.match
    assert UndoAgreed(0).apply(table) == table
    assert UndoDeclined(0).apply(table) == table


def test_where_nothing_is_taken_back() -> None:
    lobby = Match(GAME, 2)
    refusal("not_started", lambda: ask(lobby, 0, 1))
    refusal("undo_never", lambda: ask(show(begun("never"), 1), 1, 5))
    match = show(begun(), 1)
    refusal("no_such_step", lambda: ask(match, 1, 1))
    refusal("no_such_step", lambda: ask(match, 1, len(match.commits)))
    refusal("no_such_step", lambda: ask(begun(), 1, 5))
    drawn = show(begun("free_own"), 0, 1, 2)
    before = len(drawn.commits)
    drawn.answer(0, Draw())
    refusal("undo_referee", lambda: ask(drawn, 0, before))
    assert undo.revert(drawn.table, drawn.commits, before) == (Reverted(before),)
    signed = undo.revert(drawn.table, drawn.commits, before, "ref_1", "a wrong card")
    assert signed == (Reverted(before, "ref_1", "a wrong card"),)


def test_an_undo_that_was_stored_before_referees_signed_for_theirs_is_read() -> None:
    codec = GAME.codec
    stored = codec.decode(
        msgspec.msgpack.encode([5, 9, "admin", "1", [bytes(16), 0], [["reverted", 4]]])
    )
    assert stored.events == (Reverted(4),)


def test_an_undo_of_an_undo_takes_everybodys_leave() -> None:
    match = show(begun("free_own"), 1)
    shown = match.state
    gone = len(match.commits)
    ask(match, 1, gone - 1)
    assert cost(match, gone, asker=1) == consent(0, 2)
    ask(match, 1, gone)
    agree(match, 0)
    agree(match, 2)
    assert match.state == shown


def test_an_undo_of_an_undo_forgets_no_secret_that_chance_told() -> None:
    """The next answer there would meet the chance that somebody has seen here."""
    match = show(begun("free_own"), 0, 1, 2)
    before = len(match.commits)
    match.answer(0, Pass())
    match.undo(before)
    match.answer(0, Pass())
    assert cost(match, before + 1, asker=1) == consent(0, 2)
    match.answer(1, Draw())
    assert cost(match, before + 1, asker=1) == Cost("referee")
    refusal("undo_referee", lambda: ask(match, 1, before + 1))


def told(match: Match, by: int, event: Any) -> None:
    """An answer that tells no more than this; no draw."""
    match.commits.append(
        msgspec.structs.replace(
            match.commits[-1], version=len(match.commits) + 1, by=by, events=(event,)
        )
    )


class Whispered(Event[Any], frozen=True):
    """`of` tells `to` a secret."""

    of: int
    to: int
    word: Annotated[str, seen_by("to", of="of")]

    def apply(self, state: Any) -> Any:
        return state


def test_those_agree_who_acted_learned_or_were_told_of() -> None:
    match = show(begun(seats=4), 0, 1, 2)
    before = len(match.commits)
    told(match, 0, Whispered(1, 2, "pumpkin"))
    assert cost(match, before, asker=0) == consent(1, 2)
    told(match, 0, Whispered(0, 3, "pumpkin"))
    assert cost(match, before, asker=0) == consent(1, 2), "its own secret is its own to tell"
    told(match, 0, Whispered(2, 0, "pumpkin"))
    assert cost(match, before, asker=0) == consent(1, 2, 3), "the asker has learned something"


def test_a_fork_goes_back_to_where_it_began_and_no_further() -> None:
    origin = show(begun(), 1)
    match = Match(GAME, 3)
    match.commit("host", *fork(origin.table, "8", "auditor", lambda n: 0))
    start = len(match.commits)
    then = match.state
    show(match, 0)
    refusal("no_such_step", lambda: undo.revert(match.table, match.commits, start - 1))
    match.commit("host", *undo.revert(match.table, match.commits, start))
    assert match.state == then


def test_a_referee_may_take_back_until_the_end_at_the_table() -> None:
    match = show(begun(), 1)
    shown = match.state
    match.undo(len(match.commits) - 1)
    show(match, 1)
    assert match.state.hands == shown.hands
    match.commit("host", *seating.abort(match.table.match, "aborted"))
    refusal("match_over", lambda: undo.revert(match.table, match.commits, 5))
    match.commit("system", *seating.close(match.table.match, "00"))
    refusal("match_closed", lambda: undo.revert(match.table, match.commits, 5))
