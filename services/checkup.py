"""What a store must be for nothing acknowledged to be lost: looked at, and said plainly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from redis.exceptions import RedisError

from events.redis_store import RedisStore
from events.store import Unavailable, Unfit
from projections import disputes
from projections.disputes import Page
from projections.served import Served
from services import condition
from services.condition import Condition, conditions
from services.durability import durability
from services.finding import Finding, found

BACKLOG = 1000
"""References not worked off that are still no cause for worry."""

STALE = 60.0
"""Seconds that a reference may wait before it is cause for worry."""

SHOWN = 100
"""Disputes that are counted; beyond, there are more."""


async def work(
    url: str, partitions: int, groups: Sequence[str], *, archived: bool
) -> list[Finding]:
    """Partitions, and what the workers have left to do; `archived` if an archive is set here.

    Raises Unavailable.
    """
    try:
        store = await RedisStore.open(url, partitions)
    except Unfit as error:
        fix = "set HALLOWSTREAM_PARTITIONS to the number that the store was made with"
        return [Finding("partitions", "failed", str(error), fix)]
    try:
        findings = [Finding("partitions", "ok", f"{partitions} partitions")]
        states = await conditions(store, groups)
        waiting = await disputes.waiting(Served(store), "open", limit=SHOWN)
        deleting = sorted(await store.deleting())
        away = {} if archived else await store.tallied()
    finally:
        await store.aclose()
    findings += [_workers(states), _lag(states), *_rebuilds(states)]
    findings += [*_unnamed(away), *_deferred(states), _parked(states), *_deleting(deleting)]
    return [*findings, _disputes(waiting)]


def _workers(states: Sequence[Condition]) -> Finding:
    """That nobody works at all is no trouble by itself: here may be a store at rest."""
    idle = [one.group for one in states if not one.workers]
    if len(idle) == len(states):
        return Finding("workers", "ok", "no worker is at work")
    if idle:
        fix = f"`hallowstream worker --group {' --group '.join(idle)}`"
        return Finding("workers", "failed", f"nobody works for {', '.join(idle)}", fix)
    each = {worker for one in states for worker in one.workers}
    return Finding("workers", "ok", f"{len(each)} at work: {', '.join(sorted(each)[:5])}")


def _lag(states: Sequence[Condition]) -> Finding:
    """References that wait, and since when; a group that has just lost a worker may pause."""
    behind = [
        f"{one.group} {one.waiting} (for {one.oldest_ms / 1000:.0f} s)"
        for one in states
        if one.waiting
    ]
    bad = any(one.waiting >= BACKLOG or one.oldest_ms >= STALE * 1000 for one in states)
    says = f"workers: {', '.join(behind) or 'nothing to do'}"
    fix = "start more workers: `hallowstream worker --group NAME`; what they log says what is amiss"
    return found("lag", not bad, says, fix)


def _rebuilds(states: Sequence[Condition]) -> Iterator[Finding]:
    """A version that is being built is kept up by the workers until it is read or given up."""
    for one in states:
        if one.building:
            says = f"version {one.building} of {one.group} is being built"
            fix = f"`hallowstream projections rebuild {one.group}` goes on with it, --give-up drops"
            left = f"{says}, but nobody is at it"
            yield found("rebuild", one.rebuilding, says if one.rebuilding else left, fix)


def _unnamed(done: Mapping[str, int]) -> Iterator[Finding]:
    """What has gone to an archive that this process was not told of."""
    left = done.get("matches", 0) - done.get("restored", 0) - done.get("deleted", 0)
    if left > 0:
        says = f"matches in an archive: about {left}; HALLOWSTREAM_ARCHIVE is not set"
        fix = "give HALLOWSTREAM_ARCHIVE as it was when they went there, to read them"
        yield Finding("archived", "failed", says, fix)


def _deferred(states: Sequence[Condition]) -> Iterator[Finding]:
    """Workers look again by themselves, but only if they can reach the archive."""
    behind = [f"{one.group} {one.deferred}" for one in states if one.deferred]
    if behind:
        why = next(one.deferred_why for one in states if one.deferred)
        says = f"partitions with archived matches not read yet: {', '.join(behind)}; {why}"
        fix = "have the workers reach the archive; they look again once a minute by themselves"
        yield Finding("deferred", "failed", says, fix)


def _parked(states: Sequence[Condition]) -> Finding:
    parked = [one for state in states for one in state.parked]
    if not parked:
        return Finding("parked", "ok", "no match is parked")
    count = sum(state.parked_count for state in states)
    shown = [f"{one.match} (version {one.version}) for {one.name}: {one.why}" for one in parked[:3]]
    more = f" and {count - 3} more" if count > 3 else ""
    says = f"{count} parked: {'; '.join(shown)}{more}"
    fix = (
        "put right what it says, then have them tried again: `hallowstream projections release "
        "NAME MATCH`, or all of them by `hallowstream doctor --release`"
    )
    return Finding("parked", "failed", says, fix)


def _deleting(matches: Sequence[str]) -> Iterator[Finding]:
    """Nobody can read them any more, but whoever deleted them has died or met an archive away."""
    if matches:
        shown = ", ".join(matches[:3]) + (" ..." if len(matches) > 3 else "")
        says = f"{len(matches)} deleted, but traces of them are left: {shown}"
        fix = "`hallowstream archive delete MATCH` again, or `archive run` for all, finishes it"
        yield Finding("deletions", "failed", says, fix)


def _disputes(waiting: Page) -> Finding:
    """Open disputes are no trouble, but hold their matches' logs."""
    count = f"{len(waiting.items)}{' or more' if waiting.after else ''}"
    if not waiting.items:
        return Finding("disputes", "ok", "no dispute waits for a referee")
    held = ", ".join(dict.fromkeys(item.match for item in waiting.items[:3]))
    says = f"{count} wait for a referee; the logs of their matches are held: {held}"
    return Finding("disputes", "ok", says + (" ..." if len(waiting.items) > 3 else ""))


async def release(url: str, partitions: int, groups: Sequence[str]) -> int:
    """Have every parked match tried again; how many there were. Raises Unavailable, Unfit."""
    store = await RedisStore.open(url, partitions)
    try:
        return await condition.release(store, groups)
    finally:
        await store.aclose()


__all__ = [
    "Finding",
    "RedisError",
    "Unavailable",
    "durability",
    "found",
    "release",
    "work",
]
