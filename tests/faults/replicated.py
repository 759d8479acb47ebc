"""Stores with replicas, behind a run: under sentinels, or a cluster; masters fail over."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from events.partitions import feed_key
from tests import redis_servers
from tests.faults.lines import Line
from tests.faults.world import PARTITIONS
from tests.redis_nodes import Node
from tests.redis_servers import Cluster, Sentinels

Setting = TypeVar("Setting", Sentinels, Cluster)

CONFIG = {"min_replicas_to_write": 1, "min_replicas_max_lag": 2}

OVER = 5.0
"""Seconds that a master must be away at least for the others to agree that it is."""


class Replicated:
    """Servers that follow each other; an append counts when one replica has it.

    What was never confirmed, a failover may take back. Clients reach the servers directly, so that
    there are no lines to disturb; `drop_clients` ends all connections.
    """

    name = ""
    lossy = True
    replicas = 1
    settles = 12.0
    faults: tuple[str, ...] = ()

    def __init__(self, seed: int) -> None:
        self.lines: list[Line] = []
        self.setting: Any = None
        self._rng = random.Random(f"store {seed}")
        self._open: AbstractContextManager[Any] | None = None

    def opening(self) -> AbstractContextManager[Any]:
        """The servers, running as long as it is open."""
        raise NotImplementedError

    @property
    def direct(self) -> str:
        return str(self.setting.address)

    async def start(self, processes: int) -> list[str]:
        self._open = self.opening()
        self.setting = await asyncio.to_thread(self._open.__enter__)
        return [self.direct] * processes

    async def healed(self) -> None:
        await asyncio.to_thread(self.setting.healed)

    async def kill(self) -> None:
        for node in self.setting.processes:
            await asyncio.to_thread(node.kill)

    async def stop(self) -> None:
        if self._open is not None:
            await asyncio.to_thread(self._open.__exit__, None, None, None)

    def a_master(self) -> Node:
        """One of them; any server where none says so now."""
        masters: list[Node] = self.setting.masters or self.setting.nodes
        return self._rng.choice(masters)

    async def kill_master(self, seconds: float) -> None:
        await self._away(Node.kill, Node.start, seconds + OVER)

    async def freeze_master(self, seconds: float) -> None:
        """It hangs, is replaced, and wakes up believing that nothing has happened."""
        await self._away(Node.stop, Node.go_on, seconds + OVER)

    async def part_master(self, seconds: float) -> None:
        """No other server hears of it, while clients do."""
        await self._away(Node.cut, Node.heal, seconds + OVER)

    async def _away(
        self, ends: Callable[[Node], None], begins: Callable[[Node], None], seconds: float
    ) -> None:
        node = await asyncio.to_thread(self.a_master)
        await asyncio.to_thread(ends, node)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(begins, node)
        await self._whole()

    async def kill_replica(self, seconds: float) -> None:
        replicas = await asyncio.to_thread(lambda: self.setting.replicas)
        if replicas:
            node: Node = self._rng.choice(replicas)
            await asyncio.to_thread(node.kill)
            await asyncio.sleep(seconds)
            await asyncio.to_thread(node.start)
            await self._whole()

    async def drop_clients(self, seconds: float) -> None:
        for node in self.setting.nodes:
            await asyncio.to_thread(node.ask, "CLIENT", "KILL", "TYPE", "normal")

    async def _whole(self) -> None:
        """One failover at a time: two at once may lose what both have confirmed."""
        until = asyncio.get_running_loop().time() + 30
        while not await asyncio.to_thread(self.setting.is_whole):
            if asyncio.get_running_loop().time() > until:
                return
            await asyncio.sleep(0.2)


class Sentineled(Replicated):
    """A primary with one replica, and three sentinels.

    With more replicas than an append waits for, the sentinels may promote one that does not have
    it: they go by what they were last told of each.
    """

    name = "sentinel"
    faults = (
        "kill_master",
        "freeze_master",
        "part_master",
        "fail_over",
        "kill_replica",
        "drop_clients",
    )

    def __init__(self, directory: Path, kind: str, seed: int) -> None:
        super().__init__(seed)
        self._where = directory, kind

    def opening(self) -> AbstractContextManager[Sentinels]:
        directory, kind = self._where
        return redis_servers.sentinels(directory, 1, kind, parted=True, **CONFIG)

    def a_master(self) -> Node:
        node: Node = self.setting.master or self._rng.choice(self.setting.nodes)
        return node

    async def fail_over(self, seconds: float) -> None:
        """As an operator asks for it."""
        await asyncio.to_thread(self.setting.failover)
        await self._whole()


class Clustered(Replicated):
    """Three masters with a replica each; slots move while they are used."""

    name = "cluster"
    faults = (
        "kill_master",
        "freeze_master",
        "part_master",
        "fail_over",
        "reshard",
        "kill_replica",
        "drop_clients",
    )

    def __init__(self, directory: Path, kind: str, seed: int) -> None:
        super().__init__(seed)
        self._where = directory, kind

    def opening(self) -> AbstractContextManager[Cluster]:
        directory, kind = self._where
        return redis_servers.cluster(directory, 3, 1, kind, parted=True, **CONFIG)

    async def fail_over(self, seconds: float) -> None:
        """As an operator asks a replica for it."""
        await asyncio.to_thread(self._replaced)
        await self._whole()

    def _replaced(self) -> None:
        replicas = self.setting.replicas
        if replicas:
            self.setting.failover(self._rng.choice(replicas))

    async def reshard(self, seconds: float) -> None:
        """A slot with matches in it, to another master, a few keys at a time."""
        await asyncio.to_thread(self._moved)
        await self._whole()

    def _moved(self) -> None:
        key = feed_key(self._rng.randrange(PARTITIONS))
        slot = int(self.setting.nodes[0].ask("CLUSTER", "KEYSLOT", key))
        source = self.setting.owner(slot)
        others = [node for node in self.setting.masters if node is not source]
        if others:
            self.setting.move(slot, self._rng.choice(others), batch=5)
