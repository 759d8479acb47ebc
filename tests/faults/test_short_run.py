"""A short run under faults: nothing that was promised is broken. `make chaos` makes long ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.faults.history import Read
from tests.faults.nemesis import Targets, schedule
from tests.faults.run import Shape, counts, run
from tests.faults.stores import Standalone, binary_for
from tests.faults.verdict import violations

SEED = int(os.environ.get("HALLOWSTREAM_SEED", "7"))


@pytest.mark.timeout(300)
async def test_a_run_under_faults(tmp_path: Path) -> None:
    shape = Shape(seconds=8.0, matches=8, apis=2, workers=1, least=60)
    store = Standalone(tmp_path / "redis", binary_for(SEED))
    history = await run(SEED, shape, store, tmp_path)
    assert violations(history) == [], f"seed {SEED}, {counts(history)}"
    told = counts(history)
    assert told["ok"] >= 60 and told["faults"] > 3, told
    assert {read.source for read in history.of(Read)} >= {"view", "commit", "hello"}


def test_the_same_seed_plans_the_same() -> None:
    targets = Targets(4, 4, Standalone.faults)
    plans = [schedule(seed, 60.0, targets) for seed in (3, 3, 4)]
    assert plans[0] == plans[1] != plans[2]
    assert len(plans[0]) > 10 and plans[0][-1].at < 59.0
    one_at_a_time: dict[tuple[str, int], float] = {}
    for plan in plans[0]:
        assert plan.at >= one_at_a_time.get((plan.kind, plan.number), 0.0)
        one_at_a_time[plan.kind, plan.number] = plan.at + plan.seconds
