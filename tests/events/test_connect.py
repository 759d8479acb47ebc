"""Links by the address that is given: what they share, and what a server says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ReadOnlyError

from events.redis_address import BadAddress
from events.redis_cluster import ClusterLink
from events.redis_connect import Later, connect
from events.redis_errors import NotSent
from events.redis_link import Link, Told
from events.redis_sentinel import SentinelLink
from events.store import Unavailable
from tests.redis_servers import Standalone, cluster, sentinels, standalone


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    with standalone(tmp_path_factory.mktemp("alone")) as servers:
        yield servers


@pytest.mark.parametrize(
    ("made", "kind"), [(standalone, Link), (sentinels, SentinelLink), (cluster, ClusterLink)]
)
async def test_every_link_leads_there(made: Any, kind: type, tmp_path: Path) -> None:
    """What is learnt of servers is shared by siblings, and by none for another thread."""
    with made(tmp_path) as servers:
        link = await connect(servers.address, 2, 20.0)
        assert isinstance(link, kind)
        sibling, apart = link.sibling(1), link.apart(1)
        for one in (link, sibling, apart):
            assert type(one) is kind
            assert await one.call("SET", "x", "y") == b"OK"
            async with one.connection() as connection:
                assert connection.is_connected
        assert link.history("x") == sibling.history("x") != ""
        assert (apart.history("x") == link.history("x")) is (kind is not Link)
        for one in (link, sibling, apart):
            await one.aclose()


async def test_later_connects_when_it_is_used(alone: Standalone) -> None:
    link = Later(alone.address, 2, 20.0)
    assert link.history("x") == ""
    assert await link.call("PING") == b"PONG"
    assert link.history("x") != ""
    async with link.connection() as connection:
        assert connection.is_connected
    for other in (link.sibling(1), link.apart(1)):
        assert await other.call("PING") == b"PONG"
        await other.aclose()
    await link.aclose()


async def test_later_is_too_late_for_a_server_that_is_away(tmp_path: Path) -> None:
    link = Later(f"unix://{tmp_path}/nobody", 1, 0.1)
    with pytest.raises(Unavailable):
        await link.call("PING")
    with pytest.raises(NotSent):
        async with link.connection():
            pass
    await link.aclose()
    with pytest.raises(BadAddress):
        Later("somewhere", 1, 0.1)


async def test_a_server_that_says_nothing_of_itself(alone: Standalone) -> None:
    """It may be used alone, but no sentinel's word is taken for it."""
    node = alone.nodes[0]
    node.ask("ACL", "SETUSER", "shy", "on", "nopass", "~*", "+@all", "-info")
    url = f"redis://shy:any@127.0.0.1:{node.port}"
    told = Told()
    link = Link(url, 1, 20.0, told)
    assert await link.call("PING") == b"PONG"
    assert link.history("x") == ""
    await link.aclose()
    link = Link(url, 1, 20.0, Told(primary=True))
    with pytest.raises(Unavailable, match="NOPERM"):
        await link.call("PING")
    await link.aclose()


def test_a_replica_is_no_primary() -> None:
    with pytest.raises(ReadOnlyError):
        Told(primary=True).note(b"role:slave\r\nmaster_replid:abc\r\n")
