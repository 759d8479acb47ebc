"""All checks over one history."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.faults import checks, models, shown
from tests.faults.history import History
from tests.faults.logs import Logs, Violation

CHECKS: tuple[Callable[[History, Logs], Iterator[Violation]], ...] = (
    checks.whole,
    checks.acknowledged,
    checks.one_winner,
    checks.once,
    checks.refused,
    checks.repeated,
    checks.resolved,
    checks.in_time,
    checks.no_mistake,
    shown.prefixes,
    shown.unbroken,
    shown.forward,
    shown.seated,
    models.cells,
    models.rows,
    models.groups,
)


def violations(history: History) -> list[Violation]:
    """What is wrong in it; nothing, where everything is as promised."""
    logs = Logs.of(history)
    return [found for check in CHECKS for found in check(history, logs)]
