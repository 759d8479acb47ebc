"""What happens to a match whatever its game: seats, host, start, end. Names and fields are stored.

The functions at the foot are its commands: each gives the events it leads to, or raises Refused.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, Literal, Self

from msgspec.structs import replace

from games.rules import Refused
from games.sight import Fact, Seat, nobody

Sitter = Literal["open", "player", "bot"]
Reveal = Literal["at_close", "auditor_only"]
UndoPolicy = Literal["never", "consent", "free_own"]

ENTROPY_BYTES = 64
PLAYER_BYTES = 64


class Sitting(Fact, frozen=True, tag=False):
    """Who sits on one seat; `player` is an opaque id."""

    kind: Sitter = "open"
    player: str = ""
    entropy: str = ""
    resigned: bool = False

    @property
    def plays(self) -> bool:
        return self.kind != "open" and not self.resigned


class UndoRequest(Fact, frozen=True, tag=False):
    """An undo that was asked for: open until all of `needs` have agreed, or somebody answers."""

    seat: Seat
    to: int
    needs: tuple[Seat, ...]
    agreed: tuple[Seat, ...] = ()


class Match(Fact, frozen=True, kw_only=True, tag=False):
    """The table that a game is played at, folded over all commits: no undo takes it back."""

    id: str = ""
    game: str = ""
    edition: str = ""
    options: dict[str, Any] = {}
    seats: tuple[Sitting, ...] = ()
    rules: str = ""
    key: str = ""
    commitment: str = ""
    reveal: Reveal = "at_close"
    listed: bool = True
    undo: UndoPolicy = "consent"
    undo_window: int = 0
    delay: int = 0
    request: UndoRequest | None = None
    started: bool = False
    cause: str = ""
    """Why it ended before the game did: `forfeited`, `aborted`, `abandoned`; empty otherwise."""
    winners: tuple[Seat, ...] = ()
    closed: bool = False
    seed: Annotated[str, nobody()] = ""

    def but(self, **changes: Any) -> Self:
        return replace(self, **changes)

    def seated(self, seat: Seat, sitting: Sitting) -> Self:
        return self.but(seats=(*self.seats[:seat], sitting, *self.seats[seat + 1 :]))


class MatchEvent(Fact, frozen=True):
    """A fact about the match; `apply` never fails and never decides."""

    @abstractmethod
    def apply(self, match: Match) -> Match: ...


class Created(MatchEvent, frozen=True):
    """The first event of every log. `key` names the server key, `commitment` seals its seed.

    `undo_window` is in seconds after the end, `delay` in commits that a spectator lags behind.
    """

    match: str
    game: str
    edition: str
    options: dict[str, Any]
    seats: int
    rules: str
    key: str
    commitment: str
    reveal: Reveal
    listed: bool
    undo: UndoPolicy = "consent"
    undo_window: int = 0
    delay: int = 0

    def apply(self, match: Match) -> Match:
        return Match(
            id=self.match,
            game=self.game,
            edition=self.edition,
            options=self.options,
            seats=(Sitting(),) * self.seats,
            rules=self.rules,
            key=self.key,
            commitment=self.commitment,
            reveal=self.reveal,
            listed=self.listed,
            undo=self.undo,
            undo_window=self.undo_window,
            delay=self.delay,
        )


class SeatTaken(MatchEvent, frozen=True):
    """A player sits down; `entropy` is its part of the seed, for all to see."""

    seat: Seat
    player: str
    entropy: str

    def apply(self, match: Match) -> Match:
        return match.seated(self.seat, Sitting("player", self.player, self.entropy))


class BotSeated(MatchEvent, frozen=True):
    """A bot sits down, in the lobby or in the place of who is gone."""

    seat: Seat

    def apply(self, match: Match) -> Match:
        return match.seated(self.seat, Sitting("bot", "", match.seats[self.seat].entropy))


class Replaced(MatchEvent, frozen=True):
    """A player takes over an empty or resigned seat of a running match."""

    seat: Seat
    player: str

    def apply(self, match: Match) -> Match:
        entropy = match.seats[self.seat].entropy
        return match.seated(self.seat, Sitting("player", self.player, entropy))


class Left(MatchEvent, frozen=True):
    """The player stood up. Before the start its entropy goes with it."""

    seat: Seat

    def apply(self, match: Match) -> Match:
        entropy = match.seats[self.seat].entropy if match.started else ""
        return match.seated(self.seat, Sitting(entropy=entropy))


class Kicked(Left, frozen=True):
    """The host emptied the seat."""


class Started(MatchEvent, frozen=True):
    """Play begins; the game's setup follows in the same commit."""

    def apply(self, match: Match) -> Match:
        return match.but(started=True)


class Resigned(MatchEvent, frozen=True):
    seat: Seat

    def apply(self, match: Match) -> Match:
        return match.seated(self.seat, replace(match.seats[self.seat], resigned=True))


class Forfeited(MatchEvent, frozen=True):
    """All others have resigned or are gone: the match ends, won by who is left."""

    winners: tuple[Seat, ...]

    def apply(self, match: Match) -> Match:
        return match.but(cause="forfeited", winners=self.winners)


class Aborted(MatchEvent, frozen=True):
    """Ended without a result: `aborted` by the host or an admin, `abandoned` by everybody."""

    cause: Literal["aborted", "abandoned"]

    def apply(self, match: Match) -> Match:
        return match.but(cause=self.cause)


class UndoAsked(MatchEvent, frozen=True):
    """The seat asks to go back to version `to`; `needs` are the seats whose leave it takes."""

    seat: Seat
    to: int
    needs: tuple[Seat, ...]

    def apply(self, match: Match) -> Match:
        return match.but(request=UndoRequest(self.seat, self.to, self.needs))


class UndoAgreed(MatchEvent, frozen=True):
    seat: Seat

    def apply(self, match: Match) -> Match:
        request = match.request
        if request is None:
            return match
        return match.but(request=replace(request, agreed=(*request.agreed, self.seat)))


class UndoDeclined(MatchEvent, frozen=True):
    """A seat said no, or the asker thought better of it."""

    seat: Seat

    def apply(self, match: Match) -> Match:
        return match.but(request=None)


class UndoExpired(MatchEvent, frozen=True):
    def apply(self, match: Match) -> Match:
        return match.but(request=None)


class Reverted(MatchEvent, frozen=True):
    """The game goes on from an earlier version; versions and seats do not go back."""

    to: int

    def apply(self, match: Match) -> Match:
        return match.but(request=None)


class Closed(MatchEvent, frozen=True):
    """Play is final and the server's seed is revealed, in hex: every draw can be checked."""

    seed: str

    def apply(self, match: Match) -> Match:
        return match.but(closed=True, seed=self.seed)


class ClosedSealed(MatchEvent, frozen=True):
    """Play is final; the seed is for the auditor alone (option `reveal`)."""

    seed: Annotated[str, nobody()]

    def apply(self, match: Match) -> Match:
        return match.but(closed=True, seed=self.seed)


AnyMatchEvent = (
    Created
    | SeatTaken
    | BotSeated
    | Replaced
    | Left
    | Kicked
    | Started
    | Resigned
    | Forfeited
    | Aborted
    | UndoAsked
    | UndoAgreed
    | UndoDeclined
    | UndoExpired
    | Reverted
    | Closed
    | ClosedSealed
)

MatchEvents = tuple[MatchEvent, ...]


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
