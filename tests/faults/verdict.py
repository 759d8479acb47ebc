"""All checks over one history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from events.redis_store import RedisStore
from tests.faults import checks, ending, models, shown
from tests.faults.history import Finding, History
from tests.faults.logs import Logs, Violation


class Check(Protocol):
    """Says what is wrong in a history."""

    __name__: str

    def __call__(self, history: History, logs: Logs, /) -> Iterator[Violation]: ...


CHECKS: tuple[Any, ...] = (
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


MODELS: tuple[Any, ...] = (models.cells, models.rows, models.groups)


def violations(history: History) -> list[Violation]:
    """What is wrong in it; nothing, where everything is as promised."""
    logs = Logs.of(history)
    early = [Violation(finding.check, finding.says) for finding in history.of(Finding)]
    return early + [found for check in CHECKS for found in _found(check, history, logs)]


def _found(check: Check, history: History, logs: Logs) -> Iterator[Violation]:
    """What it finds; a log so broken that it cannot even be looked at is a violation too."""
    try:
        yield from check(history, logs)
    except Exception as error:
        yield Violation(check.__name__, f"it cannot be looked at: {error!r}")


async def found_at_rest(store: RedisStore, history: History) -> None:
    """What is wrong with the models before anybody sends anything again: a new commit would have
    workers look at its match, whatever they had missed before."""
    now = History([history.run])
    await ending.read_all(store, now)
    logs = Logs.of(now)
    for check in MODELS:
        for found in _found(check, now, logs):
            history.add(
                Finding(found.check, f"before what was unknown was sent again, {found.says}")
            )
