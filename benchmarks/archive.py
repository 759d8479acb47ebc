"""The archive: bytes an event, and the time to open any step of an archived match.

    python -m benchmarks.archive --matches 100000 --folder /somewhere/with/room

plays so many matches of all games in turn, each another one, archives them from a real Redis as a
server would, and opens random steps of random ones.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from redis.asyncio import Redis

from benchmarks.common import Row, save, show
from events import log
from events.archive import Archive
from events.archived import archived
from events.bucket import opened
from events.log import Entry
from events.redis_store import RedisStore
from events.server import Server
from events.shelf import Place
from events.store import Store
from games import catalog, seating, sight
from games.dice import commitment
from games.forms import OneOf
from games.game import Game
from games.match import Created
from games.rules import Answer
from games.table import Table, committed
from services.archive import derivation
from services.archivist import Archivist
from services.ids import match_id
from services.keys import Keys
from services.live import Live
from services.pasts import Pasts, first
from services.settings import Settings
from tests.play import random_options

KEYS = Keys([b"the server key of the archive's benchmark"])
BEGIN = 1_760_000_000_000
ROUND = 2000
"""Matches that are in Redis at once."""

OPENED = 1000


class Played(NamedTuple):
    """One whole match, as it would have been stored; `events` counts them."""

    match: str
    game: str
    entries: list[Entry]
    events: int


class Playing:
    """A match under way, played by chance; everything follows from its number."""

    def __init__(self, game: Game, number: int) -> None:
        self.rng = random.Random(number)
        self.at = BEGIN + number * 60_000
        self.match = match_id(self.at, self.rng.randbytes(10))
        self.seed = KEYS.seed(KEYS.current, self.match)
        self.seal = log.sealer(KEYS.seal_secret(KEYS.current, self.match), self.match)
        self.head = log.genesis(self.match, game.id, game.version)
        self.table = Table(game)
        self.entries: list[Entry] = []
        self.events = 0
        self.taste: dict[type, int] = {}

    def put(self, by: Any, events: list[Any], draws: int = 0) -> None:
        """People take their time, and their commands have ids by chance."""
        self.at += min(int(self.rng.lognormvariate(8.3, 1.0)), 600_000)
        id = self.rng.randbytes(16)
        commit = committed(self.table, self.at, by, id, draws, events)
        facts, hidden = sight.encode(commit)
        self.entries.append(log.append(self.head, commit.version, facts, hidden, self.seal))
        self.head = self.entries[-1].head
        self.table = self.table.after(commit)
        self.events += len(events)

    def open(self, game: Game) -> None:
        seats = self.rng.randint(game.least, game.most)
        options = random_options(game, seats, self.rng)
        names = (self.match, game.id, "", options, seats, game.version, KEYS.current)
        self.put("host", [Created(*names, commitment(self.seed), "at_close", True)])
        for seat in range(seats):
            self.put("host", list(seating.seat_bot(self.table.match, seat)))
        self.put("host", *self.table.start(self.seed))

    def answer(self) -> None:
        assert self.table.state is not None
        open = self.table.state.pending[-1]
        seat = open.item.seats[self.rng.randrange(len(open.item.seats))]
        option = self._option(open.item.form(self.table.state, seat))
        self.put(seat, *self.table.answer(seat, Answer(open.id, option), self.seed))

    def _option(self, form: Any) -> Any:
        """Each kind of option is often or hardly ever taken all match long, for matches to end."""
        kinds = list(dict.fromkeys(map(type, form.options))) if isinstance(form, OneOf) else []
        if len(kinds) < 2 or len(self.entries) > 400:
            return form.sample(self.rng.randrange)
        for kind in kinds:
            self.taste.setdefault(kind, self.rng.choice((1, 30, 900)))
        (chosen,) = self.rng.choices(kinds, [self.taste[kind] for kind in kinds])
        options = tuple(option for option in form.options if type(option) is chosen)
        return OneOf(options).sample(self.rng.randrange)


def played(game: Game, number: int) -> Played:
    """Match `number`, closed."""
    playing = Playing(game, number)
    playing.open(game)
    while playing.table.status == "playing":
        playing.answer()
    playing.put("system", list(seating.close(playing.table.match, playing.seed.hex())))
    return Played(playing.match, game.id, playing.entries, playing.events)


class Sizes:
    """What was archived, by game."""

    def __init__(self) -> None:
        self.events: dict[str, int] = {}
        self.matches: dict[str, tuple[str, int]] = {}

    def add(self, one: Played) -> None:
        self.events[one.game] = self.events.get(one.game, 0) + one.events
        self.matches[one.match] = one.game, len(one.entries)


async def stored(store: Store, one: Played) -> None:
    """In the store as if it had been played there, without the feeds that others would read."""
    place = Place("none", 0, 0, len(one.entries), b"")
    await store.adopt(one.match, place, one.entries[-1].head, "closed")
    await store.unshelve(one.match, place, one.entries, 1)


async def filled(archivist: Archivist, matches: int, minutes: float) -> Sizes:
    """Plays and archives so many matches, or as many as there is time for."""
    sizes, games = Sizes(), list(catalog.GAMES.values())
    until = time.monotonic() + minutes * 60
    for start in range(0, matches, ROUND):
        if time.monotonic() > until:
            break
        for number in range(start, min(start + ROUND, matches)):
            one = played(games[number % len(games)], number)
            await stored(archivist.store, one)
            sizes.add(one)
        done = await archivist.run(now=True)
        print(f"{start + done.matches:>8} archived, {done.left} left", flush=True)
    return sizes


async def _rows(archive: Archive, sizes: Sizes, folder: Path, named: str) -> list[Row]:
    """Bytes an event: of each game's records, and of all there is in the bucket."""
    lengths: dict[str, int] = {}
    for segment in await archive.segments():
        for record in await archive.index(segment):
            game = sizes.matches[record.match][0]
            lengths[game] = lengths.get(game, 0) + record.length
    events = sum(sizes.events.values())
    whole = _size(folder)
    group = f"archive, {named}"
    rows = [
        Row(group, f"an event of {game}", lengths[game] / count, "bytes", good="16")
        for game, count in sizes.events.items()
    ]
    rows += [
        Row(group, "an event, indexes and all", whole / events, "bytes", good="16"),
        Row(group, "matches", len(sizes.matches), ""),
        Row(group, "events", events, ""),
        Row(group, "commits", sum(count for _, count in sizes.matches.values()), ""),
        Row(group, "segments", len(await archive.segments()), ""),
        Row(group, "all of it", whole / 1e6, "MB"),
    ]
    return rows


def _size(folder: Path) -> int:
    """Bytes of all files below it."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


async def _opened(store: Store, sizes: Sizes, named: str) -> list[Row]:
    """From nothing in memory to the view of an auditor at a random step, nothing kept."""
    rng = random.Random(1)
    matches = list(sizes.matches)
    times, spent = [], []
    for _ in range(OPENED):
        match = rng.choice(matches)
        version = rng.randint(1, sizes.matches[match][1])
        begun, busy = time.perf_counter(), time.process_time()
        (entry,) = await store.read(match, 0, 1)
        made = first(match, entry)
        (last,) = await store.standings([match])
        assert last is not None
        live = Live(match, made.game.codec, made.tables[0], last.head, KEYS)
        live.table = Table(made.game, version=last.version)
        past = await Pasts(store).of(live)
        past.tables[version].view("auditor")
        times.append((time.perf_counter() - begun) * 1000)
        spent.append((time.process_time() - busy) * 1000)
    times.sort()
    group = f"archive, {named}"
    return [
        Row(group, "opening a step, p50", median(times), "ms"),
        Row(group, "opening a step, p99", times[int(len(times) * 0.99)], "ms"),
        Row(group, "opening a step, slowest", times[-1], "ms", good="200"),
        Row(group, "opening a step, most CPU", max(spent), "ms"),
    ]


async def measured(matches: int, folder: Path, minutes: float = 600) -> list[Row]:
    """All figures of so many matches, kept in the folder."""
    bucket = folder / "bucket"
    archive = Archive(opened(f"file://{bucket.absolute()}"), derivation(lambda: KEYS), keep=0)
    with TemporaryDirectory() as data, Server(Path(data)) as server:
        redis: Any = Redis.from_url(server.url)
        await redis.config_set("appendonly", "no")
        own = await RedisStore.open(server.url)
        store = archived(own, archive)
        try:
            before = (await redis.info("memory"))["used_memory"]
            clock = iter(range(2 * BEGIN, 3 * BEGIN))
            archivist = Archivist(store, archive, Settings(), lambda: next(clock))
            sizes = await filled(archivist, matches, minutes)
            named = f"{len(sizes.matches):,} matches"
            gc.collect()
            gc.freeze()
            kept = (await redis.info("memory"))["used_memory"] - before
            rows = await _rows(archive, sizes, bucket, named)
            rows += await _opened(store, sizes, named)
            return [*rows, _left(rows[0].group, kept / len(sizes.matches))]
        finally:
            await own.aclose()
            await redis.aclose()


async def run(rounds: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        return await measured(100 * rounds, Path(folder))


def _left(group: str, size: float) -> Row:
    return Row(group, "left in Redis", size, "bytes a match")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.archive", description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=600, help="play no longer than this")
    parser.add_argument("--folder", type=Path, required=True)
    given = parser.parse_args()
    rows = asyncio.run(measured(given.matches, given.folder, given.minutes))
    show(rows)
    print(f"written to {save(rows)}")


if __name__ == "__main__":
    main()
