"""What `doctor` says of a store on several servers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis.exceptions import RedisError

from services import doctor
from services.durability import durability
from services.finding import Finding
from services.settings import Settings
from tests.redis_nodes import wait_for
from tests.redis_servers import Cluster, Sentinels, cluster, sentinels


@pytest.fixture(scope="module")
def sentineled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sentinels]:
    with sentinels(tmp_path_factory.mktemp("watched"), 2, min_replicas_to_write=1) as servers:
        yield servers


@pytest.fixture
def watched(sentineled: Sentinels) -> Sentinels:
    sentineled.healed()
    return sentineled


@pytest.fixture(scope="module")
def clustered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("sharded"), min_replicas_to_write=1) as servers:
        yield servers


@pytest.fixture
def sharded(clustered: Cluster) -> Cluster:
    """As it was made, whatever the test before has done: also by what its servers tell."""
    clustered.healed()
    wait_for(lambda: bad(told(clustered.address, 1)) == [], "each has its replica")
    return clustered


def told(url: str, replicas: int) -> dict[str, Finding]:
    return {finding.name: finding for finding in durability(url, replicas)}


def bad(findings: dict[str, Finding]) -> list[str]:
    return [name for name, finding in findings.items() if finding.state != "ok"]


def test_sentinels_where_all_is_well(watched: Sentinels) -> None:
    found = told(watched.address, 2)
    assert bad(found) == []
    assert watched.master is not None
    assert found["sentinels"].says == (
        f"3 sentinels watch over hallowstream, primary 127.0.0.1:{watched.master.port}"
    )
    assert found["WAIT"].says.startswith("2 of 2 replicas")
    assert "one of the others" in told(watched.address, 1)["WAIT"].says


def test_replicas_that_nobody_waits_for(watched: Sentinels) -> None:
    found = told(watched.address, 0)
    assert bad(found) == ["WAIT"] and "HALLOWSTREAM_REPLICAS to 2" in found["WAIT"].fix
    found = told(watched.address, 3)
    assert bad(found) == ["WAIT"] and "nothing is confirmed" in found["WAIT"].says


def test_a_primary_that_goes_on_alone(watched: Sentinels) -> None:
    assert watched.master is not None
    watched.master.ask("CONFIG", "SET", "min-replicas-to-write", 0)
    try:
        assert bad(told(watched.address, 2)) == ["replicas"]
    finally:
        watched.master.ask("CONFIG", "SET", "min-replicas-to-write", 1)


def test_sentinels_that_are_too_few_or_away(watched: Sentinels) -> None:
    one = watched.watchers[0]
    address = f"redis+sentinel://127.0.0.1:{one.port},127.0.0.1:1/hallowstream"
    found = told(address, 2)
    assert bad(found) == ["sentinels"]
    assert "127.0.0.1:1 does not answer" in found["sentinels"].says
    assert "2 sentinels are too few" in found["sentinels"].says
    with pytest.raises(RedisError, match="No such master"):
        told(address.replace("/hallowstream", "/other"), 2)


def test_a_cluster_where_all_is_well(sharded: Cluster) -> None:
    found = told(sharded.address, 1)
    assert bad(found) == []
    assert found["cluster"].says == "cluster of 3 masters, state ok, 16384 slots"
    assert told(sharded.nodes[4].url, 1)["cluster"].state == "ok"


def test_one_server_of_a_cluster_that_is_not_like_the_others(sharded: Cluster) -> None:
    odd = sharded.masters[1]
    odd.ask("CONFIG", "SET", "appendfsync", "everysec")
    try:
        found = told(sharded.address, 1)
    finally:
        odd.ask("CONFIG", "SET", "appendfsync", "always")
    assert bad(found) == ["fsync"] and found["fsync"].says.startswith(f"{odd.url}: ")


def test_a_master_without_a_replica(sharded: Cluster) -> None:
    master = sharded.masters[0]
    for node in sharded.followers(master):
        node.kill()
    wait_for(lambda: not master.info().get("connected_slaves"), "the replica is missed")
    wait_for(lambda: "cluster" in bad(told(sharded.address, 1)), "the cluster says so")
    found = told(sharded.address, 1)
    assert f"without a replica: 127.0.0.1:{master.port}" in found["cluster"].says
    assert "nothing is confirmed" in found["WAIT"].says
    settings = Settings(redis_url=sharded.address, port=0, replicas=1)
    assert "cluster" in [f.name for f in doctor.examine(settings) if f.state == "failed"]


def test_nobody_answers() -> None:
    with pytest.raises(RedisError):
        told("redis+cluster://127.0.0.1:1,127.0.0.1:2", 1)
    with pytest.raises(RedisError):
        told("redis+sentinel://127.0.0.1:1/games", 1)
