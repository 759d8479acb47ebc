"""What happens to a match whatever its game, by position and for ever: a storage format."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, Literal, Self

from msgspec.structs import replace

from games.sight import Fact, Seat, nobody

Sitter = Literal["open", "player", "bot"]
Reveal = Literal["at_close", "auditor_only"]
UndoPolicy = Literal["never", "consent", "free_own"]


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

    @property
    def awaited(self) -> tuple[Seat, ...]:
        return tuple([seat for seat in self.needs if seat not in self.agreed])


class Correction(Fact, frozen=True, tag=False):
    """A result that a referee put in the place of the game's own."""

    winners: tuple[Seat, ...]
    scores: tuple[int | None, ...]


class Dispute(Fact, frozen=True, tag=False):
    """A seat's claim about some steps. Texts are kept elsewhere; here are their SHA-256, in hex."""

    seat: Seat
    steps: tuple[str, ...]
    claim: str
    state: Literal["open", "ruled", "appealed"] = "open"
    upheld: bool | None = None


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
    disputes: tuple[Dispute, ...] = ()
    correction: Correction | None = None
    origin: str = ""
    """Of a fork: the match and the step it was made from, as `match@step`."""
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

    def stood_up(self, seat: Seat, sitting: Sitting) -> Self:
        """Who sat there plays no more: the undo that it asks for, or has still to agree to, falls.

        Nobody's leave is taken for granted; what it takes by then is settled by asking anew.
        """
        match = self.seated(seat, sitting)
        request = self.request
        if request is None or (seat != request.seat and seat not in request.awaited):
            return match
        return match.but(request=None)


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
        return match.stood_up(self.seat, Sitting(entropy=entropy))


class Kicked(Left, frozen=True):
    """The host emptied the seat."""


class Started(MatchEvent, frozen=True):
    """Play begins; the game's setup follows in the same commit."""

    def apply(self, match: Match) -> Match:
        return match.but(started=True)


class Forked(MatchEvent, frozen=True):
    """Play goes on from a step of another match, `origin` being `match@step`; seats are empty.

    `state` is the game's state in msgpack, for the auditor alone: views are cut from it.
    """

    origin: str
    state: Annotated[bytes, nobody()]

    def apply(self, match: Match) -> Match:
        return match.but(started=True, origin=self.origin)


class Resigned(MatchEvent, frozen=True):
    seat: Seat

    def apply(self, match: Match) -> Match:
        return match.stood_up(self.seat, replace(match.seats[self.seat], resigned=True))


class Forfeited(MatchEvent, frozen=True):
    """All others have resigned or are gone: the match ends, won by who is left."""

    winners: tuple[Seat, ...]

    def apply(self, match: Match) -> Match:
        return match.but(cause="forfeited", winners=self.winners, request=None)


class Aborted(MatchEvent, frozen=True):
    """Ended without a result: `aborted` by the host or an admin, `abandoned` by everybody."""

    cause: Literal["aborted", "abandoned"]

    def apply(self, match: Match) -> Match:
        return match.but(cause=self.cause, request=None)


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
    """The game goes on from an earlier version; versions and seats do not go back.

    Where a referee took it back, `author` is its opaque id, and `reason` is for all to read.
    """

    to: int
    author: str = ""
    reason: str = ""

    def apply(self, match: Match) -> Match:
        return match.but(request=None)


class Closed(MatchEvent, frozen=True):
    """Play is final and the server's seed is revealed, in hex: every draw can be checked."""

    seed: str

    def apply(self, match: Match) -> Match:
        return match.but(closed=True, seed=self.seed, request=None)


class ClosedSealed(MatchEvent, frozen=True):
    """Play is final; the seed is for the auditor alone (option `reveal`)."""

    seed: Annotated[str, nobody()]

    def apply(self, match: Match) -> Match:
        return match.but(closed=True, seed=self.seed, request=None)


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
    | Forked
)

MatchEvents = tuple[MatchEvent, ...]
