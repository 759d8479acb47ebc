"""What logs take in Redis: the bars, a little above what is measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.entries import pack
from events.redis_link import Link
from events.server import Server
from tests.events.entries import entries
from tests.servers import binary


@pytest.fixture(params=("redis", "valkey"))
def server(request: pytest.FixtureRequest, directory: Path) -> Iterator[Server]:
    with Server(directory, binary(request.param)) as server:
        yield server


async def _used(link: Link) -> int:
    info = (await link.call("INFO", "memory")).decode()
    return int(info.split("used_memory:")[1].split("\r")[0])


@pytest.mark.parametrize(("logs", "commits", "most"), [(1000, 1, 1500), (40, 300, 160)])
async def test_bytes_of_a_commit_of_one_event(
    server: Server, logs: int, commits: int, most: int
) -> None:
    """65 bytes of facts, with the command's id and a time as they are stored in earnest."""
    link = Link(server.url, 1, 10)
    made = [one._replace(facts=one.facts.ljust(65, b".")) for one in entries(commits)]
    await link.call("SET", "warm", "up")
    before = await _used(link)
    commands = [
        ("XADD", f"{{{n % 64}}}:match:01J{n:023d}:log", f"{one.version}-0", "c", pack(one))
        for n in range(logs)
        for one in made
    ]
    for first in range(0, len(commands), 100):
        await link.many(commands[first : first + 100])
    assert (await _used(link) - before) / (logs * commits) <= most
    await link.aclose()
