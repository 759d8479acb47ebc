"""Leases, versions and late groups keep to one slot a command: the contract on a cluster."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from events.redis_store import RedisStore
from tests.events import test_contract_leases, test_contract_versions
from tests.redis_servers import cluster
from tests.servers import PARTITIONS


def _contract() -> list[Any]:
    found = []
    for module in (test_contract_leases, test_contract_versions):
        for name, test in inspect.getmembers(module, inspect.iscoroutinefunction):
            if name.startswith("test_") and list(inspect.signature(test).parameters) == ["store"]:
                found.append(test)
    return found


async def test_the_contract_on_a_cluster(tmp_path: Path) -> None:
    """`CROSSSLOT`, `MOVED` or a key that is not declared would be an error."""
    tests = _contract()
    assert len(tests) > 15
    with cluster(tmp_path, replicas=0) as servers:
        for test in tests:
            servers.emptied()
            store = await RedisStore.open(servers.address, PARTITIONS, 20, 5)
            try:
                await test(store)
            finally:
                await store.aclose()
