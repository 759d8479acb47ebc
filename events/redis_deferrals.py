"""What projections have deferred, in Redis: a hash a partition, by projection."""

from __future__ import annotations

import msgspec

from events.partitions import deferred_key
from events.redis_link import OverRedis
from events.scripts import Script
from events.store import Deferred

_SETTLE = Script("settle")
_encode = msgspec.msgpack.Encoder().encode
_deferred = msgspec.msgpack.Decoder(Deferred).decode


class RedisDeferrals(OverRedis):
    """The port `Deferrals`."""

    async def defer(self, projection: str, partition: int, deferred: Deferred) -> None:
        await self._link.call("HSET", deferred_key(partition), projection, _encode(deferred))

    async def deferred(self, projection: str) -> dict[int, Deferred]:
        numbers = range(self.partitions)
        found = await self._link.many([("HGET", deferred_key(n), projection) for n in numbers])
        return {n: _deferred(data) for n, data in zip(numbers, found, strict=True) if data}

    async def settle(self, projection: str, partition: int, seen: Deferred) -> bool:
        words = projection, _encode(seen)
        return bool(await self._link.call(*_SETTLE.command([deferred_key(partition)], *words)))
