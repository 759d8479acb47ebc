"""A match under test: kept only as stored bytes, loaded again after every answer."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec

from events import log
from games import rules, sight
from games.bots import random_bot
from games.dice import Dice, commitment, match_seed
from games.forms import OneOf
from games.game import Game
from games.history import Commit, Private
from games.match import Created, Reverted, SeatTaken
from games.rules import Answer, Result, State
from games.sight import Viewer
from games.table import Table

SEED, SECRET, MATCH = b"seed of the match", b"secret of the match", "01J0TEST"


class Match:
    """A whole match of one game: every commit goes through msgpack, JSON and the fold."""

    thorough = True
    """Whether the state goes through JSON and msgpack after every commit: once a match will do."""

    def __init__(self, game: Game, seats: int, seed: bytes = SEED, **options: Any) -> None:
        self.game = game
        self.seed = seed
        self.options = game.checked_options(options)
        self.seal = log.sealer(SECRET, MATCH)
        self.entries: list[log.Entry] = []
        self.commits: list[Commit[Any]] = []
        self.past = [Table(game)]
        self.taste: dict[type, int] = {}
        given = msgspec.to_builtins(self.options)
        self.commit(
            "host",
            Created(
                MATCH,
                game.id,
                "",
                given,
                seats,
                game.version,
                "test",
                commitment(seed),
                "at_close",
                True,
            ),
        )
        for seat in range(seats):
            self.commit(seat, SeatTaken(seat, f"p{seat}", f"luck {seat}"))

    @classmethod
    def started(cls, game: Game, seats: int, seed: bytes = SEED, **options: Any) -> Match:
        match = cls(game, seats, seed, **options)
        events, draws = match.table.start(seed)
        match.commit("host", *events, draws=draws)
        return match

    @property
    def table(self) -> Table:
        return self.past[-1]

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def asked(self) -> Any:
        """The open question, or None."""
        return self.state.pending[-1].item if self.state.pending else None

    @property
    def seats(self) -> int:
        return len(self.table.match.seats)

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (*range(self.seats), "spectator")

    def form(self, seat: int) -> Any:
        return self.asked.form(self.state, seat)

    def any_answer(self, seat: int, below: Callable[[int], int]) -> Any:
        """An answer by chance, where each kind of option is often or hardly ever taken all match
        long: else a game that can be ended at any moment would hardly be seen to its end. In a
        long match chance has no taste any more: else it might shun what ends the game for ever.
        """
        form = self.form(seat)
        kinds = dict.fromkeys(map(type, form.options)) if isinstance(form, OneOf) else {}
        if len(kinds) < 2 or len(self.commits) > 400:
            return form.sample(below)
        for kind in kinds:
            self.taste.setdefault(kind, (1, 30, 900)[below(3)])
        at = below(sum(self.taste[kind] for kind in kinds))
        for kind in kinds:
            at -= self.taste[kind]
            if at < 0:
                break
        return OneOf(tuple(o for o in form.options if type(o) is kind)).sample(below)

    def commit(self, by: Any, *events: Any, draws: int = 0) -> list[Any]:
        version = len(self.commits) + 1
        command = version.to_bytes(16, "big")
        commit: Commit[Any] = Commit(
            version, version, by, self.game.version, Private(command, draws), events
        )
        facts, hidden = sight.encode(commit)
        head = self.entries[-1].head if self.entries else self.genesis
        self.entries.append(log.append(head, version, facts, hidden, self.seal))
        stored = self.game.codec.decode(facts)
        assert stored == commit
        self.commits.append(stored)
        after = self.table.after(stored, self.past)
        if self.thorough:
            in_json = msgspec.json.encode(commit)
            assert msgspec.json.decode(in_json, type=self.game.codec.commit) == commit
            after = msgspec.structs.replace(after, state=self._loaded(after.state))
        self.past.append(after)
        return list(events)

    def _loaded(self, state: State | None) -> Any:
        """The state through JSON and through msgpack."""
        if state is None:
            return None
        in_json = msgspec.json.decode(msgspec.json.encode(state), type=self.game.state)
        loaded = msgspec.msgpack.decode(msgspec.msgpack.encode(in_json), type=self.game.state)
        assert loaded == state
        return loaded

    @property
    def genesis(self) -> bytes:
        return log.genesis(MATCH, self.game.id, self.game.version)

    def answer(self, seat: int, option: Any, question: str | None = None) -> list[Any]:
        """One answer; the events it led to. Raises Refused."""
        id = question or (self.state.pending[-1].id if self.state.pending else "none")
        events, draws = self.table.answer(seat, Answer(id, option), self.seed)
        return self.commit(seat, *events, draws=draws)

    def undo(self, to: int) -> None:
        self.commit("host", Reverted(to))

    def lay(self, **changes: Any) -> None:
        """Set fields of the state by hand, for a scenario's `given`. The log no longer tells it."""
        laid = self._loaded(self.state.but(**changes))
        self.past[-1] = msgspec.structs.replace(self.table, state=laid)

    def view(self, viewer: Viewer) -> dict[str, Any]:
        """The game's part of the view, as a client gets it."""
        return dict(msgspec.json.decode(msgspec.json.encode(rules.view(self.state, viewer))))

    def pages(self, viewer: Viewer) -> list[log.Page]:
        return [log.page(entry, viewer, self.seal) for entry in self.entries]

    def dice(self) -> Dice:
        return self.table.dice(self.seed, self.table.answers + 1)

    def play(self, below: Callable[[int], int], limit: int = 5000, undo: float = 0.0) -> Match:
        """Random answers to the end, or so many; now and then an undo."""
        first = len(self.commits)
        for _ in range(limit):
            if not self.state.pending:
                break
            seats = self.asked.seats
            seat = seats[below(len(seats))]
            self.answer(seat, self.any_answer(seat, below))
            if undo and below(1000) < undo * 1000:
                now = len(self.commits)
                self.undo(max(first, now - below(4)))
        return self


def random_match(game: Game, number: int, **kwargs: Any) -> Match:
    """Match `number`: seats, options and answers follow from it."""
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    options = random_options(game, seats, rng)
    seed = match_seed(SEED, [str(number)])
    return Match.started(game, seats, seed, **options).play(rng.randrange, **kwargs)


def against_chance(game: Game, number: int) -> tuple[int, Result]:
    """Match `number` with the game's bot on one seat and chance on the others.

    Gives the bot's seat and the result. Nothing is stored: it is for many matches.
    """
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    mine = rng.randrange(seats)
    state, setup = game.start(seats, game.checked_options(random_options(game, seats, rng)))
    seed, place = str(number).encode(), 0
    state = rules.fold(state, rules.begin(state, setup, Dice(seed, "m", place, 1)))
    while state.pending:
        place += 1
        open = state.pending[-1]
        seat = open.item.seats[0]
        seen = rules.view(state, seat)
        player = game.bot if seat == mine else random_bot
        option = open.item.form(state, seat).pick(player(seen, seen["question"], rng.randrange))
        dice = Dice(seed, "m", place, place + 1)
        state = rules.fold(state, rules.decide(state, seat, Answer(open.id, option), dice))
    result = game.result(state)
    assert result is not None
    return mine, result


def random_options(game: Game, seats: int, rng: random.Random) -> dict[str, Any]:
    """Each option of the game at random, as its schema allows and the game accepts."""
    schema = msgspec.json.schema(game.options)
    fields = next(iter(schema["$defs"].values()))["properties"]
    while True:
        given = {name: _any_of(field, seats, rng) for name, field in fields.items()}
        try:
            game.start(seats, game.checked_options(given))
        except rules.Refused:
            continue
        return given


def _any_of(field: dict[str, Any], seats: int, rng: random.Random) -> Any:
    if "enum" in field:
        return rng.choice(field["enum"])
    if "anyOf" in field:
        return _any_of(rng.choice(field["anyOf"]), seats, rng)
    if field.get("type") == "boolean":
        return rng.random() < 0.5
    if field.get("type") == "integer":
        return rng.randint(field.get("minimum", 0), field.get("maximum", seats - 1))
    return field.get("default")
