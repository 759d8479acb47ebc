"""The store on Redis or Valkey: one stream a match is the truth, the rest follows from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Self

from events.entries import unpack
from events.log import Entry
from events.partitions import (
    feed_key,
    known_key,
    log_key,
    match_keys,
    meta_key,
    partition,
    unordered_key,
)
from events.redis_append import Appends
from events.redis_cells import RedisCells
from events.redis_connect import connect
from events.redis_deferrals import RedisDeferrals
from events.redis_ear import Ear, Move
from events.redis_feeds import RedisFeeds
from events.redis_lanes import appending
from events.redis_leases import RedisLeases
from events.redis_link import Asker
from events.redis_news import News
from events.redis_shelf import RedisShelf
from events.redis_versions import RedisVersions
from events.scripts import Script
from events.store import Corrupt, Meta, Unfit

_IDS = Script("ids")
_IDS_PAGE = 500
_PAGE = 2000


class RedisStore(RedisFeeds, RedisLeases, RedisCells, RedisDeferrals, RedisVersions, RedisShelf):
    """All ports of `events.store`; made by `open`."""

    def __init__(
        self, link: Asker, appender: Appends, news: News, ear: Ear, partitions: int
    ) -> None:
        self.partitions = partitions
        self._link = link
        self._appender = appender
        self._news = news
        self._ear = ear

    @classmethod
    async def open(
        cls,
        url: str,
        partitions: int = 64,
        patience: float = 3.0,
        reply_within: float = 1.5,
        replicas: int = 0,
    ) -> Self:
        """Connects. Raises Unavailable; Unfit where the store has other partitions.

        An append is tried for `patience` seconds, each try waits `reply_within`, and it counts
        once so many `replicas` have it.
        """
        link = await connect(url, 64, reply_within)
        news = News(link, partitions)
        appender = appending(link, partitions, patience, replicas, news.tell)
        channels = [feed_key(number) for number in range(partitions)]
        store = cls(link, appender, news, Ear(link.sibling(1), channels), partitions)
        try:
            await store._claim_layout()
        except BaseException:
            await store.aclose()
            raise
        return store

    async def _claim_layout(self) -> None:
        """The number of partitions is fixed when a store is made; one that stands is only read,
        so that a process starts while the store takes no writes."""
        place = ("hallowstream", "partitions")
        found = await self._link.call("HGET", *place)
        if found is None:
            write = ("HSETNX", *place, self.partitions)
            found = (await self._link.many([write, ("HGET", *place)]))[1]
        stands = int(found)
        if stands != self.partitions:
            raise Unfit(f"the store was made with {stands} partitions, not {self.partitions}")

    async def append(self, match: str, entry: Entry, status: str, before: bytes = b"") -> None:
        await self._appender.append(match, entry, status, before)

    def begin_append(
        self, match: str, entry: Entry, status: str, before: bytes = b""
    ) -> asyncio.Future[None]:
        return self._appender.append(match, entry, status, before)

    async def confirm(self, match: str) -> None:
        await self._appender.confirm(match)

    def history(self, match: str) -> str:
        return self._link.history(match_keys(match, self.partitions).feed)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        key = log_key(partition(match, self.partitions), match)
        entries: list[Entry] = []
        while True:
            last = after + len(entries)
            page = _PAGE if limit is None else min(_PAGE, limit - len(entries))
            found = await self._link.call("XRANGE", key, f"({last}-0", "+", "COUNT", page)
            for version, (id, fields) in enumerate(found or (), last + 1):
                if id != b"%d-0" % version:
                    raise Corrupt(match, version, f"entry {id.decode()} stands in its place")
                entries.append(unpack(match, version, fields[1]))
            if len(found or ()) < page or page == 0:
                return entries

    async def meta(self, match: str) -> Meta | None:
        return (await self.metas([match]))[0]

    async def metas(self, matches: Sequence[str]) -> list[Meta | None]:
        keys = [meta_key(partition(match, self.partitions), match) for match in matches]
        found = await self._link.many([("HMGET", key, "v", "h", "s", "w") for key in keys])
        return [_meta(*fields) for fields in found]

    async def matches(self, partition: int | None = None, after: str = "") -> AsyncIterator[str]:
        wanted = range(self.partitions) if partition is None else (partition,)
        for number in wanted:
            keys = (known_key(number), unordered_key(number))
            first = f"({after}" if after else "-"
            while found := await self._link.call(*_IDS.command(keys, first, _IDS_PAGE)):
                for match in found:
                    yield match.decode()
                first = b"(" + found[-1]

    def moved(self) -> AsyncIterator[Move]:
        return self._ear.moved()

    def sibling(self) -> RedisLeases:
        leases = RedisLeases()
        leases.partitions = self.partitions
        leases._link = self._link.apart(1)
        return leases

    async def aclose(self) -> None:
        await self._ear.aclose()
        await self._appender.aclose()
        await self._news.aclose()
        await self._link.aclose()


def _meta(v: bytes | None, h: bytes | None, s: bytes | None, w: bytes | None) -> Meta | None:
    """`w` is the version of a match whose log has gone to the archive."""
    version = v or w
    return None if version is None else Meta(int(version), h or b"", (s or b"").decode())
