"""A short match and its history as its clients would have recorded it, made by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from events.entries import pack
from events.memory import MemoryStore
from games import catalog
from games.bots import page_of, sent
from games.dice import commitment
from services import commands, keys, told
from services.live import Outcome
from services.matches import Matches
from tests.faults.caller import digest
from tests.faults.history import CellAt, Group, History, Op, Read, RowAt, Run, Stored
from tests.faults.logs import Logs, Told
from tests.faults.models import PROJECTIONS, story_of
from tests.faults.world import KEYS

MATCH = "01J0000000000000000000TEST"
GAME = catalog.GAMES["tricks-and-treats"]
SECRETS = keys.parse(KEYS)


class Made:
    """A short match, and its history as its clients would have recorded it."""

    def __init__(self) -> None:
        self.history = History([Run(1, "by hand", 1.0, KEYS)])
        self.store = MemoryStore(2)
        self.matches = Matches(self.store, SECRETS, clock=lambda: 1_790_000_000_000)
        self.time = 0.0

    async def play(self) -> History:
        options = dict(msgspec.to_builtins(GAME.checked_options({})))
        about = (MATCH, GAME, 2, options, SECRETS.current)
        seed = commitment(SECRETS.seed(SECRETS.current, MATCH))
        made = commands.create(self.key("create"), *about, seed)
        self.note("create", None, {}, await self.matches.create(MATCH, made, GAME))
        for seat in (0, 1):
            await self.send(
                "join", seat, {}, commands.join(self.key(f"join{seat}"), seat, "ann"[seat:])
            )
        await self.send("start", None, {}, commands.start(self.key("start")))
        for number in range(8):
            await self.answer(number)
        self.end()
        return self.history

    def key(self, name: str) -> bytes:
        self.name = f"a key that is {name}"
        return commands.command_id(self.name)

    async def answer(self, number: int) -> None:
        live = await self.matches.load(MATCH)
        seat = live.table.asked[0]
        view = msgspec.json.decode(msgspec.json.encode(live.table.view(seat)))
        question = view["game"]["question"]
        option = sent(page_of(question).sample(lambda n: 0))
        body = {"question": question["id"], "option": option, "seen": live.version}
        command = commands.answer(self.key(f"answer{number}"), seat, question["id"], option)
        await self.send("answer", seat, body, command)

    async def send(self, what: str, seat: int | None, body: Any, command: Any) -> None:
        self.note(what, seat, body, await self.matches.submit(MATCH, command))

    def note(self, what: str, seat: int | None, body: Any, outcome: Outcome) -> None:
        """An acknowledged attempt, the view that came with it, and what a watcher is told."""
        self.time += 1.0
        version, head = outcome.commit.version, outcome.entry.head.hex()
        op = Op("c", MATCH, what, seat, "api0", self.name, body, self.time, self.time + 0.5)
        op.outcome, op.status, op.version, op.head = "ok", 200, version, head
        self.history.add(op)
        view = _json(told.view(outcome.table, outcome.entry.head, "spectator"))
        self.read("view", version, head, digest(view))
        self.read("commit", version, head, *self.message(outcome), line=1)

    def message(self, outcome: Outcome) -> tuple[str, str]:
        return self.told().message(outcome.commit.version, "spectator")

    def told(self) -> Told:
        """The log as it stands now."""
        return Logs.of(History([self.history.run, self.stored()]))[MATCH]

    def stored(self) -> Stored:
        entries = self.store._logs[MATCH]
        packed = [pack(entry) for entry in entries]
        return Stored(MATCH, packed, len(packed), entries[-1].head, "playing")

    def read(
        self, source: Any, version: int, head: str, shown: str, after: str = "", line: int = 0
    ) -> None:
        """What a watcher sees at that moment."""
        at, least = self.time + 0.6, version - 1 if line else 0
        about = ("w", MATCH, "spectator", source, "api1", line, at, least)
        self.history.add(Read(*about, version, head, "e", shown, after))

    def end(self) -> None:
        """Where everything stands when all is at rest."""
        self.history.add(self.stored())
        story = story_of(self.told())
        for projection in PROJECTIONS:
            made = projection.made(story)
            self.history.add(CellAt(projection.name, MATCH, story.version, made.value))
            for row in made.rows or ():
                self.history.add(RowAt(projection.name, *row))
        self.history.add(Group("views", 0, {}))


def _json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
