"""What a store must be for nothing acknowledged to be lost: looked at, and said plainly."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from redis import Redis
from redis.exceptions import RedisError

from events.redis_store import RedisStore
from events.server import FLOORS
from events.store import Unavailable, Unfit
from projections import disputes
from projections.disputes import Page
from projections.served import Served
from services import condition
from services.condition import Condition, conditions

SKEW = 1.0
"""Seconds by which the clocks may differ."""

BACKLOG = 1000
"""References not worked off that are still no cause for worry."""

STALE = 60.0
"""Seconds that a reference may wait before it is cause for worry."""

SHOWN = 100
"""Disputes that are counted; beyond, there are more."""


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at; `fix` says what to do where it is not well."""

    name: str
    state: Literal["ok", "failed", "unknown"]
    says: str
    fix: str = ""


def found(name: str, well: bool, says: str, fix: str) -> Finding:
    return Finding(name, "ok", says) if well else Finding(name, "failed", says, fix)


def durability(url: str) -> Iterator[Finding]:
    """How the server keeps what it is given. Raises RedisError, ValueError."""
    with Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5, protocol=2) as redis:
        client: Any = redis
        info = client.info()
        yield _version(info)
        yield _clock(client)
        yield _setting(client, "appendonly", "yes", "AOF", "what is acknowledged may be lost")
        yield _setting(client, "appendfsync", "always", "fsync", "a crash may lose a second")
        yield _setting(client, "maxmemory-policy", "noeviction", "eviction", "matches may vanish")
        yield from _replicas(client, info)


def _version(info: dict[str, Any]) -> Finding:
    kind = "valkey" if "valkey_version" in info else "redis"
    text = str(info[f"{kind}_version"])
    version = tuple(int(part) for part in text.split(".")[:2])
    floor = ".".join(map(str, FLOORS[kind]))
    says = f"{kind} {text}"
    return found("version", version >= FLOORS[kind], says, f"update it to {kind} {floor} or newer")


def _clock(client: Any) -> Finding:
    before = time.time()
    seconds, micros = client.time()
    skew = abs(seconds + micros / 1e6 - (before + time.time()) / 2)
    says = f"the store's clock and ours differ by {skew:.3f} s"
    return found("clock", skew <= SKEW, says, "let both machines keep time by NTP")


def _setting(client: Any, name: str, wanted: str, title: str, danger: str) -> Finding:
    try:
        value = client.config_get(name)[name]
    except (RedisError, KeyError):
        says = f"{name} cannot be read here; it must be `{wanted}`, or {danger}"
        return Finding(title, "unknown", says, "ask whoever runs this store")
    if value == wanted:
        return Finding(title, "ok", f"{name} is {value}")
    fix = f"CONFIG SET {name} {wanted}, and the same in the server's own configuration"
    return Finding(title, "failed", f"{name} is {value}, not {wanted}: {danger}", fix)


def _replicas(client: Any, info: dict[str, Any]) -> Iterator[Finding]:
    """Where there are replicas, a write must have reached one of them."""
    if not info.get("connected_slaves"):
        return
    try:
        wanted = int(client.config_get("min-replicas-to-write")["min-replicas-to-write"])
    except (RedisError, KeyError):
        wanted = 0
    says = f"{info['connected_slaves']} replicas, min-replicas-to-write is {wanted}"
    fix = "CONFIG SET min-replicas-to-write 1, or a failover may lose acknowledged commands"
    yield found("replicas", wanted >= 1, says, fix)


async def work(url: str, partitions: int, groups: Sequence[str]) -> list[Finding]:
    """Partitions, and what the workers have left to do. Raises Unavailable."""
    try:
        store = await RedisStore.open(url, partitions)
    except Unfit as error:
        fix = "set HALLOWSTREAM_PARTITIONS to the number that the store was made with"
        return [Finding("partitions", "failed", str(error), fix)]
    try:
        findings = [Finding("partitions", "ok", f"{partitions} partitions")]
        states = await conditions(store, groups)
        waiting = await disputes.waiting(Served(store), "open", limit=SHOWN)
    finally:
        await store.aclose()
    findings += [_workers(states), _lag(states), *_rebuilds(states)]
    return [*findings, _parked(states), _disputes(waiting)]


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


def _parked(states: Sequence[Condition]) -> Finding:
    parked = [one for state in states for one in state.parked]
    if not parked:
        return Finding("parked", "ok", "no match is parked")
    shown = [f"{one.match} (version {one.version}) for {one.name}: {one.why}" for one in parked[:3]]
    more = f" and {len(parked) - 3} more" if len(parked) > 3 else ""
    says = f"{len(parked)} parked: {'; '.join(shown)}{more}"
    fix = (
        "put right what it says, then have them tried again: `hallowstream projections release "
        "NAME MATCH`, or all of them by `hallowstream doctor --release`"
    )
    return Finding("parked", "failed", says, fix)


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
