"""What the workers of a store have left to do, who does it, and what is parked: for operators."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from events.store import Store
from projections.versions import named

SHOWN = 20
"""Parked matches of a version that are named: a mistake of ours may park them all."""


class Parked(msgspec.Struct, frozen=True):
    """A match that a group leaves alone since this version, and why; `name` has the group's
    version."""

    name: str
    match: str
    version: int
    why: str


class Condition(msgspec.Struct, frozen=True):
    """One group.

    `version` is the one that is read, `building` the next one, 0 for none; `waiting` references
    are not acknowledged, the oldest for `oldest_ms`. `workers` live, each with so many partitions;
    `free` partitions are nobody's. So many have something `deferred`: matches in an archive that is
    away. Of `parked_count` parked matches some are shown.
    """

    group: str
    version: int
    building: int
    rebuilding: bool
    waiting: int
    oldest_ms: int
    workers: dict[str, int]
    free: int
    parked_count: int
    parked: tuple[Parked, ...]
    deferred: int
    deferred_why: str


async def conditions(store: Store, groups: Sequence[str]) -> list[Condition]:
    """Raises Unavailable."""
    return [await condition(store, group) for group in groups]


async def condition(store: Store, group: str) -> Condition:
    """Raises Unavailable."""
    versions = await store.versions(group)
    name = named(group, versions.live)
    backlog, living, leases, rebuilders = await asyncio.gather(
        store.backlog(name),
        store.workers(name),
        store.leases(name),
        store.workers(f"rebuild {group}"),
    )
    workers = dict.fromkeys(living, 0)
    for lease in leases.values():
        if lease.worker in workers:
            workers[lease.worker] += 1
    names = sorted({named(group, version) for version in versions.kept})
    parked = [
        Parked(name, match, *found)
        for name in names
        for match, found in sorted((await store.parked(name, SHOWN)).items())
    ]
    deferred = [found for name in names for found in (await store.deferred(name)).values()]
    return Condition(
        group=group,
        version=versions.live,
        building=versions.building,
        rebuilding=bool(rebuilders),
        waiting=backlog.references,
        oldest_ms=backlog.oldest_ms,
        workers=workers,
        free=store.partitions - sum(workers.values()),
        parked_count=sum([await store.count_parked(name) for name in names]),
        parked=tuple(parked),
        deferred=len(deferred),
        deferred_why=deferred[0].why if deferred else "",
    )


async def release(store: Store, groups: Sequence[str], match: str | None = None) -> int:
    """Have what is parked (this match alone) tried again by the workers; how many there were.

    Raises Unavailable.
    """
    released = 0
    for group in groups:
        for version in (await store.versions(group)).kept:
            name = named(group, version)
            for parked in await _parked(store, name, match):
                await store.release(name, parked)
                await store.touch(parked)
                released += 1
    return released


async def _parked(store: Store, name: str, match: str | None) -> list[str]:
    """All of them, or this one if it is."""
    if match is None:
        return list(await store.parked(name))
    return [match] if (await store.is_parked(name, [match]))[0] else []
