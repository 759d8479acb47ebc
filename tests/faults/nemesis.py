"""What goes wrong in a run, and when: all of it follows from the seed."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tests.faults.caller import Clock
from tests.faults.history import Fault, History
from tests.faults.lines import Line
from tests.faults.world import Process, World

PROCESS = ("kill", "kill", "pause")
LINE = ("cut", "delay", "halve", "hold", "lose_replies", "deliver_late", "refuse")


class Plan(NamedTuple):
    """One fault: what happens to whom, when it begins and how long it lasts, in seconds."""

    at: float
    what: str
    kind: str
    number: int
    seconds: float


class Targets(NamedTuple):
    """What there is to hurt: so many processes and lines, and what can be done to the store,
    which takes `settles` seconds longer than the fault to be itself again."""

    processes: int
    lines: int
    store: tuple[str, ...]
    settles: float = 0.0


def schedule(seed: int, seconds: float, targets: Targets, only: tuple[str, ...] = ()) -> list[Plan]:
    """Faults until shortly before the end; none begins where another still lasts."""
    rng = random.Random(f"nemesis {seed}")
    kinds = {
        "process": (targets.processes, PROCESS),
        "line": (targets.lines, LINE),
        "store": (1, targets.store),
    }
    menu = [(kind, what) for kind, (count, all) in kinds.items() for what in all if count]
    if only:
        menu = [choice for choice in menu if choice[1] in only]
    plans: list[Plan] = []
    free: dict[tuple[str, int], float] = {}
    at = 1.0
    while menu and at < seconds - 1.0:
        kind, what = rng.choice(menu)
        number = rng.randrange(kinds[kind][0])
        lasts = rng.choice((0.2, 0.5, 0.5, 1.0, 2.0, 4.0))
        lasts = min(lasts, seconds - 0.5 - at)
        until = at + lasts + (targets.settles if kind == "store" else 0.0)
        if free.get((kind, number), 0.0) <= at and until < seconds:
            plans.append(Plan(round(at, 2), what, kind, number, lasts))
            free[kind, number] = until + 1.0
        at += rng.uniform(0.4, 2.0)
    return plans


class Nemesis:
    """Does what was planned; each fault ends by itself."""

    def __init__(self, world: World, history: History, clock: Clock) -> None:
        self._world = world
        self._history = history
        self._clock = clock
        self._busy: set[tuple[str, int]] = set()

    async def run(self, plans: list[Plan]) -> None:
        began = self._clock()
        running = []
        for plan in plans:
            await asyncio.sleep(max(0.0, began + plan.at - self._clock()))
            running.append(asyncio.create_task(self._do(plan)))
        await asyncio.gather(*running)

    async def _do(self, plan: Plan) -> None:
        """One fault; none where the one before on the same target has not ended yet."""
        where = plan.kind, plan.number
        if where in self._busy:
            return
        self._busy.add(where)
        try:
            await self._done(plan)
        finally:
            self._busy.discard(where)

    async def _done(self, plan: Plan) -> None:
        at = self._clock()
        acts: dict[str, Callable[[Plan], Awaitable[str]]] = {
            "process": self._process,
            "line": self._line,
            "store": self._store,
        }
        try:
            target = await acts[plan.kind](plan)
        except (AssertionError, OSError, ValueError) as error:
            target = f"nothing: {error}"
        self._history.add(Fault(plan.what, target, at, self._clock()))

    async def _process(self, plan: Plan) -> str:
        process: Process = self._world.processes[plan.number]
        if plan.what == "kill":
            await asyncio.to_thread(process.kill)
            await asyncio.sleep(plan.seconds / 4)
            process.start()
        else:
            process.signal(signal.SIGSTOP)
            await asyncio.sleep(plan.seconds)
            process.signal(signal.SIGCONT)
        return process.name

    async def _line(self, plan: Plan) -> str:
        line: Line = self._world.store.lines[plan.number]
        if plan.what == "cut":
            line.cut()
        elif plan.what == "halve":
            line.halve()
        elif plan.what == "lose_replies":
            line.lost = 3
        elif plan.what == "deliver_late":
            line.late = 3
        else:
            await self._for_a_while(line, plan)
        return line.name

    async def _for_a_while(self, line: Line, plan: Plan) -> None:
        if plan.what == "delay":
            line.delay = 0.05
        elif plan.what == "hold":
            line.hold()
        else:
            line.refusing = True
            line.cut()
        await asyncio.sleep(plan.seconds)
        line.heal()

    async def _store(self, plan: Plan) -> str:
        await getattr(self._world.store, plan.what)(plan.seconds)
        return self._world.store.name
