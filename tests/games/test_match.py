"""What happens at a table whatever the game: each command, what it leads to, when it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import match as m
from games import seating
from games.match import Match, MatchEvent
from games.rules import Refused
from games.sight import cut


def lobby(seats: int = 3, reveal: Any = "at_close") -> Match:
    created = m.Created("01J", "toy", "", {}, seats, "1.0", "k", "c0ffee", reveal, True)
    return created.apply(Match())


def after(match: Match, *commands: Callable[[Match], tuple[MatchEvent, ...]]) -> Match:
    for command in commands:
        for event in command(match):
            match = event.apply(match)
    return match


def join(seat: int | None = None, player: str = "", entropy: str = "") -> Any:
    return lambda match: seating.take_seat(match, seat, player, entropy)


def full(seats: int = 3) -> Match:
    return after(lobby(seats), *[join(s, f"p{s}", f"luck {s}") for s in range(seats)])


def running(seats: int = 3) -> Match:
    return after(full(seats), seating.start)


def refused(code: str, command: Callable[[], Any]) -> None:
    with pytest.raises(Refused) as refusal:
        command()
    assert refusal.value.code == code
    assert refusal.value.why


def test_a_match_is_created_empty() -> None:
    match = lobby()
    assert (match.id, match.game, match.commitment, match.listed) == ("01J", "toy", "c0ffee", True)
    assert [s.kind for s in match.seats] == ["open"] * 3
    assert not match.started


def test_players_take_seats_in_any_order() -> None:
    match = after(lobby(), join(2, "ann", "dice"), join(None, "bob"))
    assert [s.player for s in match.seats] == ["bob", "", "ann"]
    assert match.seats[2].entropy == "dice"


def test_a_seat_is_refused_with_a_reason() -> None:
    match = after(lobby(), join(0, "ann"))
    refused("seat_taken", lambda: seating.take_seat(match, 0, "bob"))
    refused("no_such_seat", lambda: seating.take_seat(match, 3, "bob"))
    refused("no_such_seat", lambda: seating.take_seat(match, -1, "bob"))
    refused("already_seated", lambda: seating.take_seat(match, 1, "ann"))
    refused("bad_entropy", lambda: seating.take_seat(match, 1, "bob", "x" * 65))
    refused("no_open_seat", lambda: seating.take_seat(full(), None, "dan"))


NO_SEATS: list[Any] = [-1, 3, 10**30, True, False, 1.0, "0", None, [0], float("nan")]


@pytest.mark.parametrize("seat", NO_SEATS, ids=repr)
def test_a_seat_is_a_number_and_there(seat: Any) -> None:
    for command in (seating.seat_bot, seating.kick, seating.leave, seating.resign):
        refused("no_such_seat", lambda command=command: command(running(), seat))  # type: ignore[misc]
    if seat is not None:
        refused("no_such_seat", lambda: seating.take_seat(lobby(), seat, "ann"))


@pytest.mark.parametrize(
    "text", ["\ud800", "\u00e9" * 33, "x" * 10**6, 5, None, b"x", ["x"]], ids=type
)
def test_what_could_not_be_stored_is_refused(text: Any) -> None:
    """A lone surrogate is no UTF-8."""
    refused("bad_entropy", lambda: seating.take_seat(lobby(), 0, "ann", text))
    refused("bad_player", lambda: seating.take_seat(lobby(), 0, text))


def test_the_start_takes_a_full_table_once() -> None:
    refused("seats_open", lambda: seating.start(lobby()))
    assert running().started
    refused("already_started", lambda: seating.start(running()))


def test_who_leaves_before_the_start_takes_its_entropy_along() -> None:
    match = after(full(), lambda x: seating.leave(x, 1))
    assert match.seats[1] == m.Sitting()
    refused("seat_open", lambda: seating.leave(match, 1))


def test_a_kicked_seat_of_a_running_match_keeps_its_part_of_the_seed() -> None:
    match = after(running(), lambda x: seating.kick(x, 1))
    assert match.seats[1] == m.Sitting(entropy="luck 1")
    match = after(match, join(None, "dan"))
    assert match.seats[1] == m.Sitting("player", "dan", "luck 1")


def test_a_bot_sits_where_nobody_plays() -> None:
    refused("seat_taken", lambda: seating.seat_bot(full(), 1))
    match = after(running(), lambda x: seating.resign(x, 1), lambda x: seating.seat_bot(x, 1))
    assert match.seats[1] == m.Sitting("bot", "", "luck 1")


def test_a_resigned_seat_may_be_taken_over() -> None:
    match = after(running(), lambda x: seating.resign(x, 2))
    assert match.seats[2].resigned
    assert seating.take_seat(match, 2, "dan") == (m.Replaced(2, "dan"),)


def test_resigning_is_refused_where_it_makes_no_sense() -> None:
    refused("not_started", lambda: seating.resign(full(), 0))
    once = after(running(), lambda x: seating.resign(x, 0))
    refused("already_resigned", lambda: seating.resign(once, 0))
    gone = after(running(), lambda x: seating.kick(x, 0))
    refused("seat_open", lambda: seating.resign(gone, 0))


def test_the_last_who_plays_wins() -> None:
    match = after(running(), lambda x: seating.resign(x, 0))
    assert seating.resign(match, 2) == (m.Resigned(2), m.Forfeited((1,)))
    over = after(match, lambda x: seating.resign(x, 2))
    assert (over.cause, over.winners) == ("forfeited", (1,))
    refused("match_over", lambda: seating.resign(over, 1))
    refused("match_over", lambda: seating.take_seat(over, 0, "dan"))


def test_an_aborted_match_has_no_winner() -> None:
    over = after(running(), lambda x: seating.abort(x, "aborted"))
    assert (over.cause, over.winners) == ("aborted", ())
    refused("match_over", lambda: seating.abort(over, "aborted"))


def test_the_close_reveals_the_seed_to_all_or_to_the_auditor() -> None:
    assert seating.close(full(), "5eed") == (m.Closed("5eed"),)
    (sealed,) = seating.close(lobby(reveal="auditor_only"), "5eed")
    assert cut(sealed, 0) == {"type": "closed_sealed", "seed": {"hidden": True}}
    assert cut(sealed, "auditor")["seed"] == "5eed"
    closed = sealed.apply(lobby())
    assert closed.closed
    assert closed.seed == "5eed"
    assert after(full(), lambda x: seating.close(x, "5eed")).seed == "5eed"
    refused("match_closed", lambda: seating.close(closed, "5eed"))


def test_an_undo_takes_nothing_of_the_table_back() -> None:
    assert m.Reverted(3).apply(running()) == running()
