"""Opening any step of a match of about 2,000 events in a running process, and going to the next.

The log is in Redis, and a step is all that the API shows of it: view, question, answer and patch.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.common import Row
from benchmarks.recorded import record
from events.log import Entry
from events.redis_store import RedisStore
from events.server import Server
from games import catalog
from games.sight import Viewer
from services.keys import Keys
from services.looking import Look
from services.matches import Matches

EVENTS = 2000
STEPS = 30
"""Steps of each round."""


async def run(rounds: int) -> list[Row]:
    number, entries, events = await _long()
    match = str(catalog.created(entries[0].facts)["match"])
    keys = Keys([random.Random(number).randbytes(32)])
    with TemporaryDirectory() as folder, Server(Path(folder)) as server:
        store = await RedisStore.open(server.url)
        try:
            for entry in entries:
                await store.append(match, entry, "closed")
            figures: dict[str, list[float]] = {"open any step": [], "the next step": []}
            for seed in range(rounds):
                rng = random.Random(seed)
                figures["open any step"].append(await _opened(store, keys, match, rng))
                figures["the next step"].append(await _next(store, keys, match, rng))
        finally:
            await store.aclose()
    goods = {"open any step": "15", "the next step": "2"}
    rows = [
        Row("replay", what, median(values), "ms", tuple(values), good=goods[what])
        for what, values in figures.items()
    ]
    return [*rows, Row("replay", "the match holds", events, "events")]


async def _long() -> tuple[int, list[Entry], int]:
    """The match whose number of events is nearest to what is wanted, with its number."""
    found: list[tuple[int, int, list[Entry], int]] = []
    for game in catalog.GAMES.values():
        for number in range(4):
            entries = await record(game, game.most, number, {})
            events = sum(len(game.codec.decode(entry.facts).events) for entry in entries)
            found.append((abs(events - EVENTS), number, entries, events))
    return min(found, key=lambda each: each[0])[1:]


async def _opened(store: RedisStore, keys: Keys, match: str, rng: random.Random) -> float:
    """Milliseconds from knowing nothing of the match to the bytes of a step; the median."""
    times = []
    for _ in range(STEPS):
        begun = time.perf_counter()
        matches = Matches(store, keys)
        version = rng.randrange(2, (await matches.load(match)).version)
        await _shown(matches, match, version, rng.choice([0, "spectator", "auditor"]))
        times.append(time.perf_counter() - begun)
    return median(times) * 1000


async def _next(store: RedisStore, keys: Keys, match: str, rng: random.Random) -> float:
    """Milliseconds from step to step, the newest version looked for each time."""
    matches = Matches(store, keys)
    live = await matches.load(match)
    first = rng.randrange(2, live.version - STEPS)
    await _shown(matches, match, first, 0)
    times = []
    for version in range(first + 1, first + STEPS):
        begun = time.perf_counter()
        await _shown(matches, match, version, 0)
        times.append(time.perf_counter() - begun)
    return median(times) * 1000


async def _shown(matches: Matches, match: str, version: int, viewer: Viewer) -> bytes:
    live = await matches.refresh(match)
    past = await matches.pasts.of(live)
    return msgspec.json.encode(Look(live, past, str(version), viewer).shown())
