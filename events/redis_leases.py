"""Leases in Redis: signs of life in a slot of the group's own, leases beside each partition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.partitions import leases_key, workers_key
from events.redis_link import OverRedis
from events.scripts import Script
from events.store import Beat, Lease

_BEAT, _LEAVE, _WORKERS = Script("beat"), Script("leave"), Script("workers")
_LEASE, _UNLEASE = Script("lease"), Script("unlease")


class RedisLeases(OverRedis):
    """The port `Leases`."""

    async def beat(self, worker: str, groups: Mapping[str, int], ms: int) -> dict[str, Beat]:
        commands = [
            _BEAT.command([workers_key(group)], worker, number, ms)
            for group, number in groups.items()
        ]
        replies = await self._link.many(commands)
        return {group: _told(*told) for group, told in zip(groups, replies, strict=True)}

    async def leave(self, group: str, worker: str, number: int) -> None:
        await self._link.call(*_LEAVE.command([workers_key(group)], worker, number))

    async def workers(self, group: str) -> tuple[str, ...]:
        return _names(await self._link.call(*_WORKERS.command([workers_key(group)])))

    async def leases(self, group: str) -> dict[int, Lease]:
        numbers = range(self.partitions)
        found = await self._link.many([("HGET", leases_key(number), group) for number in numbers])
        return {number: _lease(value) for number, value in zip(numbers, found, strict=True)}

    async def lease(self, group: str, worker: str, seen: Mapping[int, Lease]) -> dict[int, int]:
        """The script may be sent twice."""
        tokens = await self._link.many(
            [
                _LEASE.command([leases_key(number)], group, worker, _packed(lease))
                for number, lease in seen.items()
            ]
        )
        return {number: token for number, token in zip(seen, tokens, strict=True) if token}

    async def unlease(self, group: str, worker: str, tokens: Mapping[int, int]) -> None:
        await self._link.many(
            [
                _UNLEASE.command([leases_key(number)], group, worker, token)
                for number, token in tokens.items()
            ]
        )

    async def aclose(self) -> None:
        await self._link.aclose()


def _told(number: int, lapsed: int, workers: list[bytes]) -> Beat:
    return Beat(number, bool(lapsed), _names(workers))


def _names(workers: list[bytes]) -> tuple[str, ...]:
    return tuple(sorted(worker.decode() for worker in workers))


def _lease(value: Any) -> Lease:
    if value is None:
        return Lease()
    token, worker = value.decode().split(" ", 1)
    return Lease(int(token), worker)


def _packed(lease: Lease) -> str:
    """As the script wrote it."""
    return f"{lease.token} {lease.worker}" if lease.token else ""
