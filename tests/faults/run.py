"""One run: a world, clients, a nemesis; then peace, and everything that happened."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.faults import ending
from tests.faults.caller import Caller, Clock
from tests.faults.clients import Table
from tests.faults.history import Fault, History, Op, Run
from tests.faults.nemesis import Nemesis, Targets, schedule
from tests.faults.stores import Backing
from tests.faults.verdict import found_at_rest
from tests.faults.world import KEYS, World

GRACE = 5.0
"""Seconds that clients get to finish what they are at when the load ends."""


SLOWEST = 120.0
"""Seconds of load after which a run goes on with what there is."""


class Shape(NamedTuple):
    """How large a run is.

    So many `seconds` of load and faults, and as many more as it takes until `least` commands were
    acknowledged. `only` are the faults there may be, all if none are named. In the end all
    processes are killed (`crash`), the store too (`killed`).
    """

    seconds: float
    matches: int = 16
    apis: int = 2
    workers: int = 2
    only: tuple[str, ...] = ()
    crash: bool = True
    killed: bool = False
    entry: Sequence[str] = ("services.cli",)
    planted: str = ""
    mischief: float = 0.25
    least: int = 0


Between = Callable[[], None]
"""What happens to the store's files between the kill of everything and the new start."""


async def run(
    seed: int, shape: Shape, store: Backing, directory: Path, between: Between = lambda: None
) -> History:
    """The history of a run with this seed; all is stopped when it ends."""
    world = World(directory, store, shape.apis, shape.workers, shape.entry)
    history = History()
    history.add(Run(seed, store.name, shape.seconds, KEYS, store.lossy, shape.planted))
    try:
        await world.start()
        caller = Caller(world.apis, history, Clock())
        try:
            tables = await _loaded(seed, shape, world, caller, between)
            await world.healed()
            await _ended(seed, store, caller, tables)
        finally:
            await caller.aclose()
        ending.complaints(world, history)
    finally:
        await world.stop()
    return history


async def _loaded(
    seed: int, shape: Shape, world: World, caller: Caller, between: Between
) -> list[Table]:
    """Load and faults; in the end everything is down, or at least was disturbed."""
    stop, tables = asyncio.Event(), list[Table]()
    load = [
        asyncio.create_task(_matches(seed, number, shape, caller, stop, tables))
        for number in range(shape.matches)
    ]
    store = world.store
    hurt = Targets(len(world.processes), len(store.lines), store.faults, store.settles)
    plans = schedule(seed, shape.seconds, hurt, shape.only)
    tending = asyncio.create_task(world.tend())
    disturbing = asyncio.create_task(Nemesis(world, caller.history, caller.clock).run(plans))
    try:
        await asyncio.sleep(shape.seconds)
        await disturbing
        await _enough(shape, caller)
        await _crashed(shape, world, caller, between)
    finally:
        stop.set()
        for task in (tending, disturbing):
            task.cancel()
        await asyncio.gather(tending, disturbing, return_exceptions=True)
        _, late = await asyncio.wait(load, timeout=GRACE)
        for task in late:
            task.cancel()
        results = await asyncio.gather(*load, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
    return tables


async def _enough(shape: Shape, caller: Caller) -> None:
    """On a slow machine so much takes longer."""
    while caller.clock() < SLOWEST:
        if sum(op.outcome == "ok" for op in caller.history.of(Op)) >= shape.least:
            break
        await asyncio.sleep(0.2)


async def _crashed(shape: Shape, world: World, caller: Caller, between: Between) -> None:
    """The last fault, in the middle of the load: what it interrupts, nothing comes after."""
    at = caller.clock()
    if shape.killed:
        await world.kill()
        between()
        caller.history.add(Fault("kill", "everything", at, caller.clock()))
    elif shape.crash:
        for process in world.processes:
            process.kill()
        caller.history.add(Fault("kill", "all processes", at, caller.clock()))


async def _matches(
    seed: int,
    number: int,
    shape: Shape,
    caller: Caller,
    stop: asyncio.Event,
    tables: list[Table],
) -> None:
    """One match after the other, as long as there is load."""
    rng = random.Random(f"{seed} table {number}")
    await asyncio.sleep(rng.uniform(0, 1.5))
    count = 0
    while not stop.is_set():
        name, chance = f"{number}.{count}", random.Random(rng.random())
        table = Table(caller, name, chance, stop, shape.mischief)
        tables.append(table)
        await table.run()
        count += 1


async def _ended(seed: int, store: Backing, caller: Caller, tables: Sequence[Table]) -> None:
    """All comes to rest, twice: before and after what nobody knew is sent again."""
    tokens = {name: token for table in tables for name, token in table.tokens.items()}
    reading = await ending.opened(store.direct)
    try:
        await ending.at_rest(reading)
        await found_at_rest(reading, caller.history)
        await ending.resolve(caller, tokens, random.Random(f"{seed} resolve"))
        await ending.at_rest(reading)
        await ending.read_all(reading, caller.history)
    finally:
        await reading.aclose()


def counts(history: History) -> dict[str, int]:
    """How many attempts ended how, and how many faults there were."""
    told = {"ok": 0, "refused": 0, "unknown": 0}
    for op in history.of(Op):
        told[op.outcome] += 1
    return {**told, "faults": sum(1 for _ in history.of(Fault))}
