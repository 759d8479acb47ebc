"""The store against a model in plain dicts: whatever is done in whatever order, they agree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from events.log import Entry
from events.memory import MemoryStore
from events.redis_store import RedisStore
from events.store import Cell, Conflict, Row
from tests.events.entries import entry
from tests.servers import PARTITIONS, PATIENT, emptied, running

MATCHES = st.sampled_from(["m0", "m1", "m2"])
GROUPS = ("g", "h")
CONSUMERS = st.sampled_from(["a", "b"])


class Model(RuleBasedStateMachine):
    """Logs, what each group has still to do, cells and rows; `restart` opens the store anew."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        if self.url:
            self.run(emptied(self.url))
        self.store: Any = self.run(self.opened())
        self.logs: dict[str, list[Entry]] = {}
        self.waiting: dict[str, list[tuple[str, int]]] = {group: [] for group in GROUPS}
        self.held: dict[tuple[str, str], list[tuple[str, int]]] = {}
        self.cells: dict[str, Cell] = {}
        self.rows: dict[str, tuple[int, list[Row]]] = {}
        self.number = 0
        for group in GROUPS:
            self.run(self.store.join(group))

    async def opened(self) -> Any:
        if not self.url:
            return MemoryStore(PARTITIONS)
        return await RedisStore.open(self.url, PARTITIONS, **PATIENT)

    def run(self, what: Any) -> Any:
        return self.loop.run_until_complete(what)

    def teardown(self) -> None:
        self.logs_agree()
        self.nothing_is_forgotten()
        self.read_models_agree()
        self.run(self.store.aclose())
        self.loop.close()

    @rule(match=MATCHES, off=st.sampled_from([0, 0, 0, 0, -2, -1, 1, 3]))
    def append(self, match: str, off: int) -> None:
        self.number += 1
        log = self.logs.get(match, [])
        version = max(1, len(log) + 1 + off)
        new = entry(version, str(self.number))
        refused = self.refusal(match, new)
        if version == len(log) + 1:
            assert refused is None
            self.logs.setdefault(match, []).append(new)
            for waiting in self.waiting.values():
                waiting.append((match, version))
        else:
            assert refused is not None and refused.meta.version == len(log)
            assert list(refused.tail) == log[version - 1 :]

    @rule(match=MATCHES)
    def append_the_newest_again(self, match: str) -> None:
        if log := self.logs.get(match):
            refused = self.refusal(match, log[-1])
            assert refused is not None and refused.tail == (log[-1],)

    def refusal(self, match: str, new: Entry) -> Conflict | None:
        try:
            self.run(self.store.append(match, new, "playing"))
        except Conflict as conflict:
            return conflict
        return None

    @rule(group=st.sampled_from(GROUPS), consumer=CONSUMERS, limit=st.integers(1, 4))
    def take(self, group: str, consumer: str, limit: int) -> None:
        taken = self.run(self.store.take(group, consumer, limit))
        held = self.held.setdefault((group, consumer), [])
        for references in taken.values():
            assert len(references) <= limit
            for reference in references:
                self.waiting[group].remove((reference.match, reference.version))
                held.append((reference.match, reference.version))
        if not taken:
            assert self.waiting[group] == []

    @rule(group=st.sampled_from(GROUPS), consumer=CONSUMERS)
    def acknowledge(self, group: str, consumer: str) -> None:
        own = self.run(self.store.own(group, consumer, 1000))
        told = sorted((r.match, r.version) for some in own.values() for r in some)
        assert told == sorted(self.held.get((group, consumer), []))
        self.run(self.store.ack(group, own))
        self.held[group, consumer] = []

    @rule(group=st.sampled_from(GROUPS), consumer=CONSUMERS)
    def claim(self, group: str, consumer: str) -> None:
        claimed = self.run(self.store.claim(group, consumer, 0, 1000))
        told = sorted((r.match, r.version) for some in claimed.values() for r in some)
        assert told == sorted(
            move for one in ("a", "b") for move in self.held.pop((group, one), [])
        )
        self.held[group, consumer] = told

    @rule()
    def trim(self) -> None:
        self.run(self.store.trim())

    @rule(group=st.sampled_from(GROUPS), consumer=CONSUMERS)
    def remove_consumer(self, group: str, consumer: str) -> None:
        removed = self.run(self.store.remove_consumer(group, consumer))
        assert removed == (not self.held.get((group, consumer)))

    @rule(match=MATCHES, base=st.integers(0, 4), step=st.integers(0, 3), shows=st.booleans())
    def put(self, match: str, base: int, step: int, shows: bool) -> None:
        self.number += 1
        cursor = base + step
        cell = Cell(cursor, b"%d" % self.number)
        rows = [Row("all", match, self.number % 5, cell.value)] if shows else []
        done = self.run(self.store.put("p", match, base, cell, rows))
        stands = self.cells.get(match, Cell(0, b"")).cursor
        assert done == (stands == base)
        if done:
            self.cells[match] = cell
        if self.rows.get(match, (0, []))[0] <= cursor:
            self.rows[match] = (cursor, rows)

    @rule()
    def restart(self) -> None:
        if self.url:
            self.run(self.store.aclose())
            self.store = self.run(self.opened())

    @rule()
    def logs_agree(self) -> None:
        for match in ("m0", "m1", "m2"):
            log = self.logs.get(match, [])
            assert self.run(self.store.read(match)) == log
            meta = self.run(self.store.meta(match))
            assert (meta.version, meta.head) == (len(log), log[-1].head) if log else meta is None

    @rule()
    def nothing_is_forgotten(self) -> None:
        for group in GROUPS:
            held = sum(len(h) for (g, _), h in self.held.items() if g == group)
            assert self.run(self.store.lag(group)) == len(self.waiting[group]) + held

    @rule()
    def read_models_agree(self) -> None:
        for match in ("m0", "m1", "m2"):
            assert self.run(self.store.get("p", match)) == self.cells.get(match)
        shown = [row for _, rows in self.rows.values() for row in rows]
        shown.sort(key=lambda row: row.position)
        assert self.run(self.store.rows("p", "all")) == shown
        assert self.run(self.store.rows("p", "all", newest=True)) == shown[::-1]


@contextmanager
def _machine(kind: str, directory: Path) -> Iterator[type[Model]]:
    with running(kind, directory) as url:
        yield type("Machine", (Model,), {"url": url})


@pytest.mark.parametrize(("kind", "examples"), [("memory", 40), ("redis", 6), ("valkey", 6)])
def test_the_store_is_what_the_model_says(kind: str, examples: int, directory: Path) -> None:
    with _machine(kind, directory) as machine:
        run_state_machine_as_test(  # type: ignore[no-untyped-call]
            machine,
            settings=settings(
                max_examples=examples,
                stateful_step_count=25,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
