"""The partitions' feeds: references in consumer groups, claimed, trimmed and measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from events.partitions import feed_key, leases_key, meta_key, partition, workers_key
from events.redis_link import OverRedis
from events.scripts import Script
from events.store import Backlog, Beyond, Position, Reference

_JOINED, _LAG, _REMOVE = Script("joined"), Script("lag"), Script("remove")
_TOUCH, _TRIM, _JOIN = Script("touch"), Script("trim"), Script("join")
_GROUPS, _DISBAND = Script("groups"), Script("disband")
_CLAIM_ROUNDS = 20

Taken = dict[int, list[Reference]]

LOST = Reference("", "", 0)


class RedisFeeds(OverRedis):
    """The port `Feeds`."""

    async def joined(self, group: str) -> bool:
        found = await self._link.many([_JOINED.command([key], group) for key in self._feed_keys()])
        return 0 not in found

    async def join(self, group: str, since: Mapping[int, Position] | None = None) -> None:
        """At the beginning: a reference twice does no harm, one never seen does."""
        ends: Mapping[int, Any] = dict.fromkeys(range(self.partitions), ())
        create = [
            _JOIN.command([feed_key(number)], group, *end)
            for number, end in (ends if since is None else since).items()
        ]
        await self._link.many(create)

    async def take(
        self, group: str, consumer: str, limit: int, partitions: Iterable[int] | None = None
    ) -> Taken:
        taken, missing = await self._read(group, consumer, limit, ">", partitions)
        return taken | {number: [LOST] for number in missing}

    async def beyond(self, positions: Mapping[int, Position], limit: int) -> dict[int, Beyond]:
        """The references first: what comes or goes meanwhile only makes a loss more likely seen."""
        replies = await self._link.many(
            [
                command
                for number, at in positions.items()
                for command in (
                    ("XRANGE", feed_key(number), f"({at.id}", "+", "COUNT", limit),
                    ("XINFO", "STREAM", feed_key(number)),
                )
            ],
            accept=("ERR", "no"),
        )
        pairs = zip(replies[::2], replies[1::2], strict=True)
        return {
            number: _beyond(at, entries, info)
            for (number, at), (entries, info) in zip(positions.items(), pairs, strict=True)
        }

    async def own(self, group: str, consumer: str, limit: int) -> Taken:
        return (await self._read(group, consumer, limit, "0", None))[0]

    async def _read(
        self,
        group: str,
        consumer: str,
        limit: int,
        after: str,
        partitions: Iterable[int] | None,
    ) -> tuple[Taken, list[int]]:
        """References by partition, and the partitions that do not know the group.

        If the reply is lost they are ours all the same: `own` has them, another read would not.
        """
        numbers = list(range(self.partitions) if partitions is None else partitions)
        read = ("XREADGROUP", "GROUP", group, consumer, "COUNT", limit, "STREAMS")
        replies = await self._link.many(
            [(*read, feed_key(n), after) for n in numbers], accept=("NOGROUP",), once=True
        )
        taken: Taken = {}
        missing = []
        for number, reply in zip(numbers, replies, strict=True):
            if isinstance(reply, Exception):
                missing.append(number)
            elif reply and reply[0][1]:
                taken[number] = _references(reply[0][1])
        return taken, missing

    async def claim(
        self,
        group: str,
        consumer: str,
        idle_ms: int,
        limit: int,
        partitions: Iterable[int] | None = None,
    ) -> Taken:
        """One call scans a part of what is pending and may find nothing there: go on, but not
        for ever."""
        taken: Taken = {}
        wanted = range(self.partitions) if partitions is None else partitions
        cursors = dict.fromkeys(wanted, b"0-0")
        for _ in range(_CLAIM_ROUNDS if cursors else 0):
            replies = await self._link.many(
                [
                    ("XAUTOCLAIM", feed_key(n), group, consumer, idle_ms, at, "COUNT", limit)
                    for n, at in cursors.items()
                ],
                accept=("NOGROUP",),
                once=True,
            )
            asked, cursors = list(cursors), {}
            for number, reply in zip(asked, replies, strict=True):
                if isinstance(reply, Exception):
                    continue
                following, entries, *deleted = reply
                found = _references(entries)
                if any(deleted):
                    found.append(LOST)
                if found:
                    taken.setdefault(number, []).extend(found)
                if following != b"0-0" and len(taken.get(number, ())) < limit:
                    cursors[number] = following
            if not cursors:
                break
        return taken

    async def ack(self, group: str, done: Mapping[int, Sequence[Reference]]) -> None:
        commands: list[tuple[Any, ...]] = []
        for number, references in done.items():
            ids = [reference.id for reference in references if reference.id]
            if ids:
                commands.append(("XACK", feed_key(number), group, *ids))
        await self._link.many(commands)

    async def touch(self, match: str) -> None:
        number = partition(match, self.partitions)
        keys = (meta_key(number, match), feed_key(number))
        await self._link.call(*_TOUCH.command(keys, match))

    async def trim(self, gone_ms: int = 3_600_000) -> int:
        gone = await self._link.many([_TRIM.command([key], gone_ms) for key in self._feed_keys()])
        return sum(gone)

    async def lag(self, group: str) -> int:
        return (await self.backlog(group)).references

    async def backlog(self, group: str) -> Backlog:
        """The ages by the server's clock; a clock that went back makes none negative."""
        found = await self._link.many([_LAG.command([key], group) for key in self._feed_keys()])
        return Backlog(sum(count for count, _ in found), max(age for _, age in found))

    async def remove_consumer(self, group: str, consumer: str) -> bool:
        removed = await self._link.many(
            [_REMOVE.command([key], group, consumer) for key in self._feed_keys()],
            accept=("NOGROUP",),
        )
        return 0 not in removed

    async def groups(self) -> set[str]:
        found = await self._link.many([_GROUPS.command([key]) for key in self._feed_keys()])
        return {name.decode() for names in found for name in names}

    async def disband(self, group: str) -> None:
        await self._link.call("UNLINK", workers_key(group))
        keys = [(feed_key(number), leases_key(number)) for number in range(self.partitions)]
        await self._link.many([_DISBAND.command(pair, group) for pair in keys])

    def _feed_keys(self) -> list[str]:
        return [feed_key(number) for number in range(self.partitions)]


def _references(entries: Any) -> list[Reference]:
    """An entry that was trimmed while it was pending comes without its fields."""
    return [
        Reference(id.decode(), fields[0].decode(), int(fields[1]))
        if fields
        else Reference(id.decode(), "", 0)
        for id, fields in entries
    ]


def _beyond(at: Position, entries: Any, info: Any) -> Beyond:
    """What was trimmed is seen by the number of references there have been."""
    if isinstance(info, Exception):
        return Beyond([], False, at)
    told = dict(zip(info[::2], info[1::2], strict=True))
    first, added = told[b"recorded-first-entry-id"].decode(), told[b"entries-added"]
    trimmed = told[b"length"] == 0 or _order(at.id) < _order(first)
    lost = trimmed and added - at.added > told[b"length"]
    return Beyond(_references(entries), lost, Position(told[b"last-generated-id"].decode(), added))


def _order(id: str) -> tuple[int, ...]:
    return tuple(map(int, id.split("-")))
