"""A worker as a process of its own: `python -m tests.projections.worker URL NAME`."""

from __future__ import annotations

import asyncio
import sys

from events.redis_store import RedisStore
from games import catalog
from projections.lobby import Lobby
from projections.runner import Pace, Runner
from projections.story import Library
from projections.views import Views
from tests.servers import PARTITIONS
from tests.toy.pumpkin_patch.game import GAME


async def main(url: str, name: str) -> None:
    catalog.GAMES[GAME.id] = GAME
    store = await RedisStore.open(url, PARTITIONS, 60, 20)
    library = Library(store)
    pace = Pace(sweep=0.05, claim=0.2, trim=0.2, retry=0.05, lease=1.0, idle_ms=300, limit=5)
    runners = [Runner(store, p, name, library, pace) for p in (Lobby(), Views())]
    print("up", flush=True)
    await asyncio.gather(*[runner.run() for runner in runners])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
