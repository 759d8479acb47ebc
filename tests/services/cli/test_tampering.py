"""A log in Redis that somebody has worked on: verify names the first bad version (FC22)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from redis import Redis

from events.partitions import log_key, meta_key, partition
from events.redis_store import RedisStore
from events.server import Server, candidates
from services.cli.offline import Played, play
from tests.services.cli.conftest import Run
from tests.toy.pumpkin_patch.game import GAME

pytestmark = pytest.mark.skipif(
    next(candidates(), None) is None, reason="no Redis or Valkey is here"
)

Entries = list[tuple[bytes, dict[bytes, bytes]]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("t")) as server:
        yield server


@pytest.fixture
def played(server: Server, monkeypatch: pytest.MonkeyPatch) -> Played:
    """A match in the store, with its server key in the environment."""
    played = asyncio.run(play(GAME, 2, GAME.checked_options({}), "FC22"))
    monkeypatch.setenv("REDIS_URL", server.url)
    monkeypatch.setenv("HALLOWSTREAM_SERVER_KEYS", played.key.hex())

    async def keep() -> None:
        store = await RedisStore.open(server.url)
        for entry in played.entries:
            await store.append(played.match, entry, "closed")
        await store.aclose()

    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.flushall()
    asyncio.run(keep())
    return played


@pytest.fixture
def rewrite(server: Server, played: Played) -> Callable[[Callable[[Entries], Any]], None]:
    """Puts the log back as `work` leaves it."""
    key = log_key(partition(played.match, 64), played.match)

    def rewrite(work: Callable[[Entries], Any]) -> None:
        with Redis(unix_socket_path=str(server.socket)) as client:
            redis: Any = client
            entries = redis.xrange(key)
            work(entries)
            redis.delete(key)
            for version, (_, fields) in enumerate(entries, 1):
                redis.xadd(key, fields, id=f"{version}-0")

    return rewrite


def changed(fields: dict[bytes, bytes], part: int, at: int) -> None:
    """One byte of the head (0), a span (1) or the facts (2) of a stored entry."""
    (name, value), *_ = fields.items()
    parts = msgspec.msgpack.decode(value)
    if part == 1:
        parts[1][0][2] = [0]
    else:
        data = bytearray(parts[part])
        data[at] ^= 1
        parts[part] = bytes(data)
    fields[name] = msgspec.msgpack.encode(parts)


def bad(run: Run, played: Played) -> Any:
    told = run("verify", played.match, "--json")
    assert told.exit_code == 1, told.output
    return msgspec.json.decode(told.stdout)["bad"]


def test_a_log_as_it_was_written(run: Run, played: Played) -> None:
    assert run("verify", played.match).exit_code == 0
    assert run("replay", played.match, "--step", "5", "--as", "0").exit_code == 0


@pytest.mark.parametrize("at", [0, 3, 30, -1])
def test_a_changed_byte(run: Run, played: Played, rewrite: Any, at: int) -> None:
    rewrite(lambda entries: changed(entries[6][1], 2, at))
    assert bad(run, played)["version"] == 7


def test_a_changed_head(run: Run, played: Played, rewrite: Any) -> None:
    rewrite(lambda entries: changed(entries[6][1], 0, 5))
    assert bad(run, played)["version"] == 7


def test_another_seat_let_in(run: Run, played: Played, rewrite: Any) -> None:
    """Who may see a hidden part is no part of the hash, but every event says who may."""
    rewrite(lambda entries: changed(entries[3][1], 1, 0))
    assert run("verify", played.match).exit_code == 0
    told = run("export", played.match, "--as", "0", "--out", "zero.jsonl")
    assert told.exit_code == 0 and run("verify", "zero.jsonl").exit_code == 0


def test_two_commits_swapped(run: Run, played: Played, rewrite: Any) -> None:
    def swap(entries: Entries) -> None:
        entries[5], entries[6] = entries[6], entries[5]

    rewrite(swap)
    assert bad(run, played)["version"] == 6


def test_a_commit_taken_out(run: Run, played: Played, rewrite: Any) -> None:
    rewrite(lambda entries: entries.pop(4))
    assert bad(run, played)["version"] == 5


def test_a_tail_cut_off(run: Run, played: Played, rewrite: Any) -> None:
    rewrite(lambda entries: [entries.pop() for _ in range(3)])
    why = bad(run, played)
    assert why["version"] == len(played.entries) - 3 and "tail is missing" in why["why"]


def test_a_tail_cut_off_and_covered_up(
    run: Run, played: Played, rewrite: Any, server: Server
) -> None:
    """Who can write everything can cover this up from the store, but not from who holds a head."""
    rewrite(lambda entries: [entries.pop() for _ in range(3)])
    head = played.entries[-4].head
    with Redis(unix_socket_path=str(server.socket)) as redis:
        key = meta_key(partition(played.match, 64), played.match)
        redis.hset(key, mapping={"v": len(played.entries) - 3, "h": head})
    assert run("verify", played.match).exit_code == 0
    held = played.entries[-1].head.hex()
    assert run("verify", played.match, "--head", held).exit_code == 1


def test_an_entry_that_is_none(run: Run, played: Played, rewrite: Any) -> None:
    """The report is as ever; what is not there to be verified is refused by other commands."""
    rewrite(lambda entries: entries[6][1].update({next(iter(entries[6][1])): b"nothing"}))
    assert "✗ read" in run("verify", played.match).stdout
    assert bad(run, played)["version"] == 7
    told = run("replay", played.match)
    assert told.exit_code == 1 and "version 7" in told.stderr


@pytest.mark.parametrize("at", [1, 5])
def test_an_entry_that_is_gone(run: Run, played: Played, server: Server, at: int) -> None:
    with Redis(unix_socket_path=str(server.socket)) as redis:
        redis.xdel(log_key(partition(played.match, 64), played.match), f"{at}-0")
    assert bad(run, played)["version"] == at
