"""A worker killed before or after every single call to its store; another finishes the work."""

from __future__ import annotations

from typing import Any

import pytest

from events.memory import MemoryStore
from projections.inbox import Inbox
from projections.lobby import Lobby
from projections.projection import Projection
from projections.runner import Pace, Runner
from projections.views import Views
from tests.projections.matches import recorded, store_up, wrong, wrong_rows

AT_ONCE = Pace(idle_ms=0, limit=7)
MATCHES = [recorded(n) for n in (31, 32, 33)]
CALLS = frozenset(
    {
        "beyond",
        "joined",
        "join",
        "take",
        "own",
        "claim",
        "ack",
        "put",
        "cursors",
        "is_parked",
        "metas",
        "read",
    }
)


class Killed(BaseException):
    """No handler of errors sees it, as none sees SIGKILL."""


class Mortal:
    """A store whose user dies at call number `at`, before it is done or after."""

    def __init__(self, store: Any, at: int, after: bool) -> None:
        self._store = store
        self._left = at
        self._after = after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        return self._mortal(found) if name in CALLS else found

    def _mortal(self, method: Any) -> Any:
        async def call(*args: Any, **kwargs: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                raise Killed
            done = await method(*args, **kwargs)
            if self._left <= 0:
                raise Killed
            return done

        return call


async def _filled(projection: Projection, start: str) -> MemoryStore:
    """`late`: the group is new, and the feeds no longer hold what there was."""
    store = MemoryStore(2)
    if start == "joined":
        await store.join(projection.name)
    for match in MATCHES:
        await store_up(store, match, 1, 4)
    if start == "late":
        await store.join("other")
        await store.ack("other", await store.take("other", "x", 100))
        await store.trim()
    return store


async def _steps(projection: Projection, start: str) -> int:
    """How many calls an undisturbed run makes."""
    counting = Mortal(await _filled(projection, start), 10**9, False)
    await Runner(counting, projection, "w", pace=AT_ONCE).drain()
    return 10**9 - counting._left


@pytest.mark.parametrize("start", ["joined", "new", "late"])
@pytest.mark.parametrize("moves", [4, 5], ids=["quiet", "goes-on"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("name", ["w", "other"], ids=["same-name", "other-name"])
@pytest.mark.parametrize("projection", [Views(), Lobby(), Inbox()], ids=lambda p: p.name)
async def test_08_every_step(
    projection: Projection, name: str, after: bool, moves: int, start: str
) -> None:
    """Whether the matches go on after that or not: nothing but what it had taken calls it back."""
    steps = await _steps(projection, start)
    assert steps > 15
    for at in range(1, steps + 1):
        store = await _filled(projection, start)
        with pytest.raises(Killed):
            await Runner(Mortal(store, at, after), projection, "w", pace=AT_ONCE).drain()
        for match in MATCHES:
            await store_up(store, match, 5, None if moves > 4 else 4)
        second = Runner(store, projection, name, pace=AT_ONCE)
        await second.drain()
        assert await store.lag(projection.name) == 0, f"killed at step {at}"
        assert await wrong(store, projection, MATCHES) == [], f"killed at step {at}"
        assert await wrong_rows(store, projection, MATCHES) == [], f"killed at step {at}"
