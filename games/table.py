"""A match as its log tells it: the table, and the game on it where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from games import seating as commands
from games.dice import Dice, match_seed
from games.forms import NotOffered
from games.game import Game
from games.history import By, Commit, Private, earlier, is_answer
from games.match import (
    Aborted,
    BotSeated,
    Closed,
    ClosedSealed,
    Created,
    Forked,
    Kicked,
    Left,
    Match,
    MatchEvent,
    Replaced,
    Resigned,
    Reverted,
    SeatTaken,
    Started,
)
from games.pieces import Kept, fact_piece
from games.rules import (
    Answer,
    Answered,
    Open,
    Refused,
    Result,
    State,
    act,
    begin,
    decide,
    form_of,
    question,
    view_pieces,
)
from games.rules import view as game_view
from games.sight import Seat, Viewer, cut

Status = Literal["lobby", "playing", "over"]

_seeds = Kept()

_APART = frozenset({"closed", "seed"})
"""What of a match a view does not show in its place."""


class Table(msgspec.Struct, frozen=True, gc=False):
    """Everything a match is after its commit `version`; `answers` counts those that stand."""

    game: Game
    match: Match = Match()
    state: State | None = None
    version: int = 0
    answers: int = 0
    at: int = 0
    since: int = 0
    """When the match was created: UTC in milliseconds, like `at`, the time of the last commit."""

    @property
    def status(self) -> Status:
        if self.match.cause or (self.state is not None and not self.state.pending):
            return "over"
        return "playing" if self.match.started else "lobby"

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that are asked now."""
        if self.status != "playing" or self.state is None:
            return ()
        return tuple(self.state.pending[-1].item.seats)

    @property
    def result(self) -> Result | None:
        """How it ended: by a referee's word, at the table, or in the game."""
        if self.match.correction is not None:
            corrected = self.match.correction
            return Result(corrected.winners, corrected.scores, "corrected")
        if self.match.cause:
            scores = (None,) * len(self.match.seats)
            return Result(self.match.winners, scores, self.match.cause)
        if self.status != "over" or self.state is None:
            return None
        return self.game.result(self.state)

    def after(self, commit: Commit[Any], past: Sequence[Table] = ()) -> Table:
        """The table after one more commit; `past[v]` is the table after v, for a `Reverted`."""
        if not is_answer(commit):
            return self._after_match(commit, past)
        state: Any = self.state
        for event in commit.events:
            state = event.apply(state)
        return self.at_state(commit, state)

    def at_state(self, commit: Commit[Any], state: State) -> Table:
        """`after` of a seat's answer, where the state that its events lead to is at hand."""
        match = self.match if self.match.request is None else self.match.but(request=None)
        answers = self.answers + 1
        return Table(self.game, match, state, commit.version, answers, commit.at, self.since)

    def _after_match(self, commit: Commit[Any], past: Sequence[Table]) -> Table:
        match, state, answers = self.match, self.state, self.answers
        for event in commit.events:
            if isinstance(event, MatchEvent):
                match = event.apply(match)
                if isinstance(event, Started):
                    state = self.game.start(len(match.seats), self._options(match))[0]
                elif isinstance(event, Forked):
                    state = msgspec.msgpack.decode(event.state, type=self.game.state)
                elif isinstance(event, Reverted):
                    then = past[earlier(event.to, commit.version)]
                    state, answers = then.state, then.answers
            else:
                state = event.apply(state)
        since = self.since or commit.at
        return Table(self.game, match, state, commit.version, answers, commit.at, since)

    def _options(self, match: Match) -> Any:
        return self.game.checked_options(match.options)

    def view(self, viewer: Viewer) -> dict[str, Any]:
        """The whole match as the viewer may see it, JSON-ready.

        `{version, status, closed, match, result, game}`; `game` is None before the start.
        """
        match = cut(self.match, viewer)
        for name in _APART:
            del match[name]
        shown = None if self.state is None else game_view(self.state, viewer)
        return self._laid_out(match, shown, msgspec.to_builtins(self.result))

    def pieces(self, viewer: Viewer) -> dict[str, Any]:
        """`view` for msgspec's JSON encoder alone, in pieces that are not made anew each time."""
        shown = None if self.state is None else view_pieces(self.state, viewer)
        return self._laid_out(fact_piece(self.match, viewer, _APART), shown, self.result)

    def _laid_out(self, match: Any, shown: dict[str, Any] | None, result: Any) -> dict[str, Any]:
        status = self.status
        if shown is not None and status == "over":
            shown["question"] = None
        return {
            "version": self.version,
            "at": self.at,
            "status": status,
            "closed": self.match.closed,
            "match": match,
            "result": result,
            "game": shown,
        }

    def dice(self, server_seed: bytes, place: int) -> Dice:
        """The chance of the next commit; `place` as in `games.dice`."""
        seats = self.match.seats
        key = (id(seats), server_seed)
        found = _seeds.young.get(key)
        seed = self._seed(key) if found is None else found[1]
        return Dice(seed, self.match.id, place, self.version + 1)

    def _seed(self, key: tuple[int, bytes]) -> bytes:
        """Of all draws while these sit there, made once."""
        seats = self.match.seats
        made: bytes = _seeds.get(seats, key, lambda: match_seed(key[1], [s.entropy for s in seats]))
        return made

    def picked(self, seat: Seat, id: str, sent: object) -> Any:
        """The option that a client's answer stands for. Raises Refused as `decide` does."""
        return self._offered(seat, id, sent)[2]

    def _offered(self, seat: Seat, id: str, sent: object) -> tuple[State, Open[Any], Any]:
        state = self._playing(seat)
        asked = question(state, seat, id)
        try:
            return state, asked, form_of(state, seat).pick(sent)
        except NotOffered as why:
            raise Refused("not_an_option", str(why)) from None

    def answer_sent(
        self, seat: Seat, id: str, sent: object, server_seed: bytes
    ) -> tuple[list[Any], int, State]:
        """As `answer`, for an option spoken of by its ids; its form is made once.

        With the state that the events lead to, for `at_state`.
        """
        state, asked, option = self._offered(seat, id, sent)
        dice = self.dice(server_seed, self.answers + 1)
        draft = act(state, seat, asked, option, dice)
        return list(draft.events), dice.drawn, draft.state

    def answer(self, seat: Seat, answer: Answer, server_seed: bytes) -> tuple[list[Any], int]:
        """The events of a seat's answer and the words of chance it drew. Raises Refused."""
        state = self._playing(seat)
        dice = self.dice(server_seed, self.answers + 1)
        return list(decide(state, seat, answer, dice)), dice.drawn

    def start(self, server_seed: bytes) -> tuple[list[Any], int]:
        """The events of the start, setup included, and the words drawn. Raises Refused."""
        events: list[Any] = list(commands.start(self.match))
        state, setup = self.game.start(len(self.match.seats), self._options(self.match))
        dice = self.dice(server_seed, 0)
        events += begin(state, setup, dice)
        return events, dice.drawn

    def _playing(self, seat: Seat) -> State:
        if self.status == "over":
            raise Refused("match_over", "the match is over; nothing is asked any more")
        if self.state is None:
            raise Refused("not_started", "the match has not started; nothing is asked yet")
        if not commands.sitting_on(self.match, seat).plays:
            raise Refused("not_seated", "nobody plays on this seat any more")
        return self.state

    def again(self, commit: Commit[Any], server_seed: bytes) -> tuple[list[Any], int]:
        """What the rules of today give for the command that made this commit. Raises Refused."""
        event = commit.events[0]
        match = self.match
        if isinstance(event, Answered):
            return self.answer(event.seat, Answer(event.question, event.option), server_seed)
        if isinstance(event, Started):
            return self.start(server_seed)
        if isinstance(event, SeatTaken):
            return list(commands.take_seat(match, event.seat, event.player, event.entropy)), 0
        if isinstance(event, Replaced):
            return list(commands.take_seat(match, event.seat, event.player)), 0
        if isinstance(event, BotSeated):
            return list(commands.seat_bot(match, event.seat)), 0
        if isinstance(event, Kicked):
            return list(commands.kick(match, event.seat)), 0
        if isinstance(event, Left):
            return list(commands.leave(match, event.seat)), 0
        if isinstance(event, Resigned):
            return list(commands.resign(match, event.seat)), 0
        if isinstance(event, Aborted):
            return list(commands.abort(match, event.cause)), 0
        if isinstance(event, Closed | ClosedSealed):
            if self.status != "over":
                raise Refused("not_over", "a match is closed when play is final")
            return list(commands.close(match, server_seed.hex())), 0
        if isinstance(event, Created) and self.version == 0:
            return [event], 0
        if isinstance(event, Forked) and self.version == 1:
            return [event], 0
        if isinstance(event, Reverted) and self.match.started and 0 < event.to <= self.version:
            return [event], 0
        raise Refused("no_such_command", f"no command leads to {type(event).__name__} here")


def tables(game: Game, commits: Iterable[Commit[Any]]) -> list[Table]:
    """The table after every version, beginning with the empty one before the first."""
    past = [Table(game)]
    for commit in commits:
        past.append(past[-1].after(commit, past))
    return past


def shown_to_all(past: Sequence[Table]) -> int:
    """The newest version that spectators may see; `past[v]` is the table after version v.

    Until the match is over they lag behind play by what the host has set.
    """
    last = len(past) - 1
    if not past[last].match.delay:
        return last
    free = (t.version for t in past if not t.match.started or t.status == "over")
    return max(last - past[last].match.delay, *free)


def committed(
    table: Table, at: int, by: By, command: bytes, draws: int, events: Iterable[Any]
) -> Commit[Any]:
    """The next commit of a table. Time never runs backwards in a log."""
    return Commit(
        table.version + 1,
        max(at, table.at),
        by,
        table.game.version,
        Private(command, draws),
        tuple(events),
    )
