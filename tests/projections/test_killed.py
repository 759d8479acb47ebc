"""Workers that are processes, killed while matches move; views are right in the end."""

from __future__ import annotations

import asyncio
import random
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

import pytest

from projections.lobby import Lobby
from projections.views import Views
from tests.projections.matches import recorded, store_up, wrong, wrong_rows

ROOT = Path(__file__).parents[2]
KILLS = 2


async def _worker(url: str, name: str) -> Process:
    command = (sys.executable, "-m", "tests.projections.worker", url, name)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"up\n"
    return process


async def test_fc18_workers_killed_at_any_moment(store: Any, url: str) -> None:
    if not url:
        pytest.skip("a process of its own needs a server")
    matches = [recorded(n) for n in range(60, 72)]
    longest = max(len(match.entries) for match in matches)
    rng = random.Random(18)
    names = ("w1", "w2")
    started = await asyncio.gather(*[_worker(url, name) for name in names])
    workers = dict(zip(names, started, strict=True))
    for step in range(1, longest + 1):
        await asyncio.gather(*[store_up(store, m, step, step) for m in matches])
        if step % (longest // KILLS) == 0:
            name = rng.choice(list(workers))
            workers[name].kill()
            await workers[name].wait()
            workers[name] = await _worker(url, name)
    async with asyncio.timeout(60):
        while any([await store.lag(p.name) for p in (Lobby(), Views())]):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    for worker in workers.values():
        worker.kill()
        await worker.wait()
    for projection in (Lobby(), Views()):
        assert await wrong(store, projection, matches) == []
        assert await wrong_rows(store, projection, matches) == []
