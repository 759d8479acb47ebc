"""The commands of a match: each knows who sent it, what it leads to and when it is sent again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple
from uuid import UUID

from games import seating as rules
from games.forms import wire
from games.game import Game
from games.history import By, Commit
from games.match import (
    Aborted,
    BotSeated,
    Closed,
    ClosedSealed,
    Created,
    Kicked,
    Left,
    Replaced,
    Resigned,
    SeatTaken,
    Started,
    UndoPolicy,
)
from games.rules import Answered, Refused, State
from games.sight import Seat
from games.table import Table
from games.undo import History


class Decided(NamedTuple):
    """The events of a command and the words of chance they drew; of an answer, the game's state
    after them too."""

    events: list[Any]
    draws: int = 0
    state: State | None = None


class Command(NamedTuple):
    """One command: `id` is 16 bytes, `decide` is pure and raises Refused.

    `same(commit, before)` tells whether a commit that carries this id was made by this very
    command, `before` being the table it was decided on;
    `seen` is the version its sender had seen, 0 if it should have said so and didn't, None where
    the command does not hang on what is on the table; `prepare` is awaited with the
    events before each try to append them; `review` stands in the place of `decide` where what is
    decided follows from all commits of the match; what `ends` something, or is about a match and
    not of it, may come after as many commits as a match may have.
    """

    id: bytes
    by: By
    decide: Callable[[Table, bytes], Decided]
    same: Callable[[Commit[Any], Table], bool]
    seen: int | None = None
    prepare: Callable[[Sequence[Any]], Awaitable[None]] | None = None
    review: Callable[[Table, History], Iterable[Any]] | None = None
    ends: bool = False

    def before(self, undo: int) -> bool:
        """Whether its sender may not know of the undo of this version (0: there was none)."""
        return self.seen is not None and self.seen < undo

    @property
    def shown(self) -> str:
        """For logs: where the command gives a token, its id would give it again."""
        if self.prepare is None:
            return self.id.hex()
        return f"sha256:{sha256(self.id).hexdigest()[:16]}"

    def checked(self, check: Callable[[Table], None]) -> Command:
        """The same command, refused where the check on the table it is decided on refuses."""
        decide, review = self.decide, self.review

        def checked(table: Table, seed: bytes) -> Decided:
            check(table)
            return decide(table, seed)

        def reviewed(table: Table, history: History) -> Iterable[Any]:
            check(table)
            return review(table, history) if review is not None else ()

        return self._replace(decide=checked, review=None if review is None else reviewed)


def reviewed(table: Table, seed: bytes) -> Decided:
    """Stands where what is decided follows from all commits: `review` decides it."""
    raise NotImplementedError


def at_version(version: int | None) -> Callable[[Table], None]:
    """A check that the match stands there, for `If-Match`; None is content with any."""

    def check(table: Table) -> None:
        if version is not None and table.version != version:
            raise Refused(
                "version_mismatch",
                f"the match stands at version {table.version}, not {version}",
                current_version=table.version,
            )

    return check


def still_seated(seat: Seat, player: str) -> Callable[[Table], None]:
    """A check that who sends the command still sits there."""

    def check(table: Table) -> None:
        _check_seated(table, seat, player)

    return check


def _check_seated(table: Table, seat: Seat, player: str) -> None:
    if table.match.seats[seat].player != player:
        raise Refused("not_seated", f"you do not sit on seat {seat} any more")


def command_id(key: str) -> bytes:
    """16 bytes of a client's key: a UUID as it is, anything else by its SHA-256."""
    return _plain_uuid(key) or _any_id(key)


def _plain_uuid(key: str) -> bytes | None:
    """What `UUID` would make of it too, at a tenth of the price."""
    try:
        plain = bytes.fromhex(key.replace("-", ""))
    except ValueError:
        return None
    return plain if len(plain) == 16 else None


def _any_id(key: str) -> bytes:
    try:
        return UUID(key).bytes
    except ValueError:
        return sha256(key.encode()).digest()[:16]


def _plain(events: Iterable[Any]) -> Decided:
    return Decided(list(events))


def answer(
    id: bytes,
    seat: Seat,
    question: str,
    option: Any,
    seen: int = 0,
    player: str | None = None,
) -> Command:
    """Seat S answers question Q with option O; the option is spoken of by its ids.

    Refused where `player`, if one is named, does not sit on the seat any more.
    """

    def decide(table: Table, seed: bytes) -> Decided:
        if player is not None:
            _check_seated(table, seat, player)
        return Decided(*table.answer_sent(seat, question, option, seed))

    def same(commit: Commit[Any], before: Table) -> bool:
        first = commit.events[0]
        return (
            isinstance(first, Answered)
            and (first.seat, first.question) == (seat, question)
            and (wire(first.option) == option or _means(before, first, option))
        )

    return Command(id, seat, decide, same, seen)


def _means(before: Table, first: Answered[Any, Any], option: Any) -> bool:
    """Whether what was sent stands for what is stored: a subset may be sent in any order."""
    try:
        return bool(before.picked(first.seat, first.question, option) == first.option)
    except Refused:
        return False


def create(
    id: bytes,
    match: str,
    game: Game,
    seats: int,
    options: dict[str, Any],
    key: str,
    commitment: str,
    reveal: Literal["at_close", "auditor_only"] = "at_close",
    listed: bool = True,
    undo: UndoPolicy = "consent",
    undo_window: int = 0,
    delay: int = 0,
) -> Command:
    """The first command of a match. `options` are as `Game.checked_options` accepted them."""
    event = Created(
        match,
        game.id,
        game.edition,
        options,
        seats,
        game.version,
        key,
        commitment,
        reveal,
        listed,
        undo,
        undo_window,
        delay,
    )

    def decide(table: Table, seed: bytes) -> Decided:
        return _plain([event])

    def same(commit: Commit[Any], before: Table) -> bool:
        first = commit.events[0]
        return isinstance(first, Created) and _wished(first) == _wished(event)

    return Command(id, "host", decide, same)


def _wished(made: Created) -> tuple[Any, ...]:
    """What of a new match its host has chosen."""
    played = (made.game, made.edition, made.options, made.seats)
    return (*played, made.reveal, made.listed, made.undo, made.undo_window, made.delay)


def join(id: bytes, seat: Seat | None, player: str, entropy: str = "") -> Command:
    """`seat` None takes the first that is free; which it was is in the commit's first event."""

    def decide(table: Table, seed: bytes) -> Decided:
        return _plain(rules.take_seat(table.match, seat, player, entropy))

    def same(commit: Commit[Any], before: Table) -> bool:
        first = commit.events[0]
        if not isinstance(first, SeatTaken | Replaced) or first.player != player:
            return False
        return seat in (None, first.seat) and entropy == getattr(first, "entropy", entropy)

    return Command(id, "system", decide, same)


def _of(kind: type[Any], seat: Seat | None = None) -> Callable[[Commit[Any], Table], bool]:
    def same(commit: Commit[Any], before: Table) -> bool:
        first = commit.events[0]
        return type(first) is kind and seat in (None, getattr(first, "seat", None))

    return same


def leave(id: bytes, seat: Seat) -> Command:
    decide = _on_match(lambda table: rules.leave(table.match, seat))
    return Command(id, seat, decide, _of(Left, seat), ends=True)


def kick(id: bytes, seat: Seat) -> Command:
    decide = _on_match(lambda table: rules.kick(table.match, seat))
    return Command(id, "host", decide, _of(Kicked, seat))


def seat_bot(id: bytes, seat: Seat) -> Command:
    decide = _on_match(lambda table: rules.seat_bot(table.match, seat))
    return Command(id, "host", decide, _of(BotSeated, seat))


def start(id: bytes) -> Command:
    return Command(id, "host", lambda table, seed: Decided(*table.start(seed)), _of(Started))


def resign(id: bytes, seat: Seat) -> Command:
    decide = _on_match(lambda table: rules.resign(table.match, seat))
    return Command(id, seat, decide, _of(Resigned, seat), ends=True)


def abort(id: bytes, by: By, cause: Literal["aborted", "abandoned"]) -> Command:
    def decide(table: Table, seed: bytes) -> Decided:
        if table.status == "over":
            raise Refused("match_over", "the match is over already")
        return _plain(rules.abort(table.match, cause))

    return Command(id, by, decide, _of(Aborted), ends=True)


def close(id: bytes) -> Command:
    """Play is final: the seed is revealed."""

    def decide(table: Table, seed: bytes) -> Decided:
        if table.status != "over":
            raise Refused("not_over", "a match is closed when play is final")
        return _plain(rules.close(table.match, seed.hex()))

    def same(commit: Commit[Any], before: Table) -> bool:
        return isinstance(commit.events[0], Closed | ClosedSealed)

    return Command(id, "system", decide, same)


def _on_match(
    act: Callable[[Table], Iterable[Any]],
) -> Callable[[Table, bytes], Decided]:
    def decide(table: Table, seed: bytes) -> Decided:
        if table.status == "over":
            raise Refused("match_over", "the match is over; its seats do not change any more")
        return _plain(act(table))

    return decide
