"""Bytes in Redis, the logs alone: of a one-event commit, of an event in a match, of a lobby.

Read off `used_memory` before and after, since MEMORY USAGE only estimates the index of a stream.
"""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

from redis.asyncio import Redis

from benchmarks.common import Row
from benchmarks.recorded import record
from events.entries import pack
from events.log import Entry, append, genesis, sealer
from events.partitions import log_key, partition
from events.server import Server
from games import sight
from games.catalog import GAMES
from games.game import Game
from games.history import Commit, Private
from games.match import Resigned

COMMITS, MATCHES, RECORDED = 300, 60, 6


async def run() -> list[Row]:
    with TemporaryDirectory() as folder, Server(Path(folder)) as server:
        redis = Redis.from_url(server.url)
        try:
            rows = [await _one_event(redis), await _lobby(redis)]
            rows += [await _recorded(redis, game) for game in GAMES.values()]
            return rows
        finally:
            await redis.aclose()


async def _kept(redis: Redis, logs: list[list[Entry]], name: str) -> int:
    """Bytes that the server takes for these logs, written as the append script writes them."""
    before = (await redis.info("memory"))["used_memory"]
    for number, entries in enumerate(logs):
        match = f"01SIZE{number:010d}{name:>10.10}"
        pipeline = redis.pipeline(transaction=False)
        for entry in entries:
            key = log_key(partition(match, 64), match)
            pipeline.xadd(key, {"c": pack(entry)}, id=f"{entry.version}-0")
        await pipeline.execute()
    return int((await redis.info("memory"))["used_memory"] - before)


def _single(number: int) -> list[Entry]:
    """A log of commits that hold one small event each."""
    head = genesis("m", "g", "1")
    rng, seal = random.Random(number), sealer(bytes(32), "m")
    entries = []
    for version in range(1, COMMITS + 1):
        private = Private(rng.randbytes(16), 0)
        commit = Commit(version, 1_700_000_000_000, 1, "1.0a1b2c3d", private, (Resigned(1),))
        facts, hidden = sight.encode(commit)
        entries.append(append(head, version, facts, hidden, seal))
        head = entries[-1].head
    return entries


async def _one_event(redis: Redis) -> Row:
    logs = [_single(number) for number in range(20)]
    kept = await _kept(redis, logs, "one")
    return Row("size in Redis", "one-event commit", kept / 20 / COMMITS, "bytes", good="160")


async def _lobby(redis: Redis) -> Row:
    game = next(iter(GAMES.values()))
    logs = [(await record(game, game.least, number, {}))[:1] for number in range(MATCHES)]
    kept = await _kept(redis, logs, "lobby")
    return Row("size in Redis", "a lobby's log", kept / MATCHES, "bytes")


async def _recorded(redis: Redis, game: Game) -> Row:
    played = [await record(game, game.most, number, {}) for number in range(RECORDED)]
    kept = await _kept(redis, [played[n % RECORDED] for n in range(MATCHES)], game.id)
    facts = [len(game.codec.decode(e.facts).events) for entries in played for e in entries]
    events = sum(facts) * MATCHES / RECORDED
    return Row("size in Redis", f"an event of {game.id}", kept / events, "bytes", good="70")
