"""The commands of a table: each gives the events it leads to, or raises Refused."""

from __future__ import annotations

from typing import Literal

from games.match import (
    Aborted,
    BotSeated,
    Closed,
    ClosedSealed,
    Forfeited,
    Kicked,
    Left,
    Match,
    MatchEvent,
    MatchEvents,
    Replaced,
    Resigned,
    SeatTaken,
    Sitting,
    Started,
)
from games.rules import Refused
from games.sight import Seat

ENTROPY_BYTES = 64
PLAYER_BYTES = 64


def take_seat(match: Match, seat: Seat | None, player: str, entropy: str = "") -> MatchEvents:
    """The player sits down on the seat, or on the first open one.

    Raises Refused: `match_over`, `no_such_seat`, `seat_taken`, `no_open_seat`, `already_seated`,
    `bad_entropy`, `bad_player`.
    """
    _open(match)
    if not _fits(entropy, ENTROPY_BYTES):
        raise Refused("bad_entropy", f"entropy is a text of at most {ENTROPY_BYTES} bytes")
    if not _fits(player, PLAYER_BYTES):
        raise Refused("bad_player", f"a player id is a text of at most {PLAYER_BYTES} bytes")
    if player and any(s.player == player and s.plays for s in match.seats):
        raise Refused("already_seated", "you sit in this match already")
    if seat is None:
        free = [s for s, sitting in enumerate(match.seats) if not sitting.plays]
        if not free:
            raise Refused("no_open_seat", "every seat of this match is taken")
        seat = free[0]
    if sitting_on(match, seat).plays:
        raise Refused("seat_taken", f"seat {seat} is taken; choose another or none")
    if match.started:
        return (Replaced(seat, player),)
    return (SeatTaken(seat, player, entropy),)


def seat_bot(match: Match, seat: Seat) -> MatchEvents:
    """Raises Refused: `match_over`, `no_such_seat`, `seat_taken`."""
    _open(match)
    if sitting_on(match, seat).plays:
        raise Refused("seat_taken", f"seat {seat} is taken; kick who sits there first")
    return (BotSeated(seat),)


def leave(match: Match, seat: Seat) -> MatchEvents:
    """Raises Refused: `match_over`, `no_such_seat`, `seat_open`."""
    return _emptied(match, seat, Left(seat))


def kick(match: Match, seat: Seat) -> MatchEvents:
    """Raises Refused: `match_over`, `no_such_seat`, `seat_open`."""
    return _emptied(match, seat, Kicked(seat))


def start(match: Match) -> MatchEvents:
    """Raises Refused: `match_over`, `already_started`, `seats_open`."""
    _open(match)
    if match.started:
        raise Refused("already_started", "the match has started already")
    free = [seat for seat, sitting in enumerate(match.seats) if not sitting.plays]
    if free:
        raise Refused("seats_open", f"seats {free} are open; fill them first", seats=free)
    return (Started(),)


def resign(match: Match, seat: Seat) -> MatchEvents:
    """Raises Refused: `match_over`, `not_started`, `no_such_seat`, `seat_open`,
    `already_resigned`.
    """
    _open(match)
    if not match.started:
        raise Refused("not_started", "the match has not started; leave the seat instead")
    sitting = sitting_on(match, seat)
    if sitting.kind == "open":
        raise Refused("seat_open", f"nobody sits on seat {seat}")
    if sitting.resigned:
        raise Refused("already_resigned", f"seat {seat} has resigned already")
    return _and_forfeit(match, Resigned(seat))


def abort(match: Match, cause: Literal["aborted", "abandoned"]) -> MatchEvents:
    """Raises Refused: `match_over`."""
    _open(match)
    return (Aborted(cause),)


def close(match: Match, seed: str) -> MatchEvents:
    """Raises Refused: `match_closed`."""
    if match.closed:
        raise Refused("match_closed", "the match is closed already")
    return (Closed(seed) if match.reveal == "at_close" else ClosedSealed(seed),)


def _open(match: Match) -> None:
    if match.cause or match.closed:
        raise Refused("match_over", "the match is over; its seats do not change any more")


def sitting_on(match: Match, seat: Seat) -> Sitting:
    """Raises Refused: `no_such_seat`, also where True or a text stands for a number."""
    if type(seat) is not int or not 0 <= seat < len(match.seats):
        raise Refused("no_such_seat", f"seats go from 0 to {len(match.seats) - 1}")
    return match.seats[seat]


def _fits(text: object, most: int) -> bool:
    """Whether it is a text that can be stored, in so many bytes."""
    if not isinstance(text, str) or len(text) > most:
        return False
    try:
        return len(text.encode()) <= most
    except UnicodeEncodeError:
        return False


def _emptied(match: Match, seat: Seat, event: Left) -> MatchEvents:
    _open(match)
    if sitting_on(match, seat).kind == "open":
        raise Refused("seat_open", f"nobody sits on seat {seat}")
    return _and_forfeit(match, event)


def _and_forfeit(match: Match, event: MatchEvent) -> MatchEvents:
    """One seat left in a running match wins it; none left ends it too."""
    after = event.apply(match)
    left = tuple(seat for seat, sitting in enumerate(after.seats) if sitting.plays)
    if match.started and len(left) <= 1 < len(after.seats):
        return (event, Forfeited(left))
    return (event,)
