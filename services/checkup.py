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

SKEW = 1.0
"""Seconds by which the clocks may differ."""

BACKLOG = 1000
"""References not worked off that are still no cause for worry."""

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
        lags = {group: await store.lag(group) for group in groups}
        parked = {group: await store.parked(group) for group in groups}
        waiting = await disputes.waiting(store, "open", limit=SHOWN)
    finally:
        await store.aclose()
    return [*findings, _lag(lags), _parked(parked), _disputes(waiting)]


def _lag(lags: dict[str, int]) -> Finding:
    behind = ", ".join(f"{group} {lag}" for group, lag in lags.items() if lag) or "nothing to do"
    fix = "start more workers: `hallowstream worker --group NAME --name OWN-NAME`"
    return found("lag", max(lags.values()) < BACKLOG, f"workers: {behind}", fix)


def _parked(parked: dict[str, dict[str, tuple[int, str]]]) -> Finding:
    found_here = [
        f"{match} (version {version}) for {group}: {why}"
        for group, matches in parked.items()
        for match, (version, why) in matches.items()
    ]
    if not found_here:
        return Finding("parked", "ok", "no match is parked")
    more = f" and {len(found_here) - 3} more" if len(found_here) > 3 else ""
    says = f"{len(found_here)} parked: {'; '.join(found_here[:3])}{more}"
    fix = "put right what it says, then `hallowstream doctor --release` has them tried again"
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
    released = 0
    try:
        for group in groups:
            for match in await store.parked(group):
                await store.release(group, match)
                await store.touch(match)
                released += 1
    finally:
        await store.aclose()
    return released


__all__ = [
    "Finding",
    "RedisError",
    "Unavailable",
    "durability",
    "found",
    "release",
    "work",
]
