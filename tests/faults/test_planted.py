"""Known bugs, planted in the processes: the checker finds each of them, for the right reason."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.faults.planted import BUGS
from tests.faults.run import Shape, run
from tests.faults.stores import Standalone
from tests.faults.verdict import violations

pytestmark = pytest.mark.skipif(
    "HALLOWSTREAM_CHAOS" not in os.environ, reason="`make chaos-planted` runs these"
)

FOUND = {
    "no_version_gate": ({"whole"}, ("none",)),
    "ack_before_write": ({"acknowledged"}, ("fill", "restart_killed")),
    "lost_reply_by_tail_read": ({"refused"}, ("deliver_late",)),
    "snapshot_without_ids": ({"repeated"}, ("none",)),
    "feed_outside_the_script": ({"cells"}, ("none",)),
    "broadcast_before_append": ({"prefixes"}, ("fill",)),
}
"""The check that must find each bug, and the faults under which it does."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("bug", FOUND)
def test_it_is_found(bug: str, tmp_path: Path) -> None:
    wanted, faults = FOUND[bug]
    seed = int(os.environ.get("HALLOWSTREAM_SEED", "1"))
    entry = ("tests.faults.planted", bug)
    shape = Shape(8.0, 12, 2, 1, faults, entry=entry, planted=bug, mischief=0.6, least=100)
    history = asyncio.run(run(seed, shape, Standalone(tmp_path / "redis"), tmp_path))
    found = {violation.check for violation in violations(history)}
    assert wanted <= found, f"seed {seed}: {sorted(found)}"


def test_all_are_planted() -> None:
    assert set(FOUND) == set(BUGS)
