"""Versions of projections in Redis: which one is read and which one is built."""

from __future__ import annotations

from events.partitions import versions_key
from events.redis_link import OverRedis
from events.scripts import Script
from events.store import Versions

_VERSIONS, _VERSION = Script("versions"), Script("version")


class RedisVersions(OverRedis):
    """The part of the port `Cells` that tells of versions."""

    async def versions(self, projection: str) -> Versions:
        found = await self._link.call(*_VERSIONS.command([versions_key(projection)]))
        return Versions(*found)

    async def build(self, projection: str) -> int:
        return await self._change(projection, "build")

    async def swap(self, projection: str, live: int, building: int) -> bool:
        """If the reply to a swap is lost, the next try finds it done."""
        if await self._change(projection, "swap", live, building):
            return True
        return (await self.versions(projection))[:2] == (building, 0)

    async def give_up(self, projection: str) -> int:
        return await self._change(projection, "give_up")

    async def _change(self, projection: str, *words: str | int) -> int:
        return int(await self._link.call(*_VERSION.command([versions_key(projection)], *words)))
