"""`projections`: what waits and who works, what is parked and released, rebuilds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis

from events.redis_store import RedisStore
from events.server import Server, candidates
from projections.runner import Runner
from projections.summary import Summaries
from projections.views import Views
from services.checkup import work
from services.condition import SHOWN, condition
from services.worker import GROUPS
from tests.projections.matches import recorded, store_up
from tests.services.cli.conftest import Run

pytestmark = pytest.mark.skipif(
    next(candidates(), None) is None, reason="no Redis or Valkey is here"
)

MATCH = recorded(5)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("p")) as server:
        yield server


@pytest.fixture(autouse=True)
def emptied(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with Redis(unix_socket_path=str(server.socket)) as client:
        client.flushall()
    monkeypatch.setenv("REDIS_URL", server.url)


@pytest.fixture
def on(server: Server) -> Callable[..., Any]:
    """Does something on the store."""

    def on(what: Callable[[Any], Any]) -> Any:
        async def doing() -> Any:
            store = await RedisStore.open(server.url)
            try:
                return await what(store)
            finally:
                await store.aclose()

        return asyncio.run(doing())

    return on


def test_reasons_are_shown_as_they_are(run: Run, on: Callable[..., Any]) -> None:
    """Whatever an error says: it may look like markup."""
    why = "ValueError: [/nope] of [red]x[/red] :bug:"
    on(lambda store: store.park("views", MATCH.id, 3, why))
    for words in (("projections",), ("projections", "letters")):
        told = run(*words)
        assert told.exit_code == 0 and why in told.stdout, told.output


async def kept(store: Any) -> None:
    """The match and its summary, with a worker that lives."""
    await store_up(store, MATCH)
    await Runner(store, Summaries(), "w").drain()
    await store.beat("w", {"summary": 0}, 60_000)
    await store.lease("summary", "w", {0: (await store.leases("summary"))[0]})


async def parked(store: Any) -> None:
    await store_up(store, MATCH, 1, 3)
    for name in ("summary", "views"):
        await store.join(name)
        await store.park(name, MATCH.id, 3, "ValueError: cannot fold this")
        await store.ack(name, await store.take(name, "w", 100))


def test_what_workers_do_and_have_left_to_do(
    on: Callable[..., Any], said: Any, run: Run, server: Server
) -> None:
    on(kept)
    on(lambda store: store.build("lobby"))
    told = {one["group"]: one for one in said("projections")["groups"]}
    assert set(told) == set(GROUPS)
    assert told["summary"]["workers"] == {"w": 1} and told["summary"]["free"] == 63
    assert told["summary"]["waiting"] == 0 and told["views"]["waiting"] == len(MATCH.entries)
    assert told["lobby"]["building"] == 1 and not told["lobby"]["rebuilding"]
    text = run("projections").stdout
    assert "nothing waits; partitions: w 1; 63 partitions free" in text
    assert "1 is being built by nobody" in text and "nobody works" in text
    bad = {f.name: f for f in asyncio.run(work(server.url, 64, list(GROUPS), archived=True))}
    assert bad["workers"].state == "failed" and "--group views" in bad["workers"].fix
    assert bad["rebuild"].state == "failed" and "rebuild lobby" in bad["rebuild"].fix


def test_of_many_that_are_parked_some_are_named(
    on: Callable[..., Any], said: Any, run: Run, server: Server
) -> None:
    async def many(store: Any) -> None:
        for number in range(SHOWN + 5):
            await store.park("views", f"M{number}", 1, "a mistake of ours")

    on(many)
    views = next(one for one in said("projections")["groups"] if one["group"] == "views")
    assert (views["parked_count"], len(views["parked"])) == (SHOWN + 5, SHOWN)
    assert "parked   5 more" in run("projections").stdout
    bad = {f.name: f for f in asyncio.run(work(server.url, 64, ["views"], archived=True))}
    assert f"{SHOWN + 5} parked: M" in bad["parked"].says
    assert f"and {SHOWN + 2} more" in bad["parked"].says


def test_what_waits_for_long_is_told(server: Server) -> None:
    with Redis(unix_socket_path=str(server.socket)) as client:
        client.hset("hallowstream", "partitions", 64)
        client.xadd("{1}:feed", {"m": 1}, id="1-0")
    bad = {f.name: f for f in asyncio.run(work(server.url, 64, ["views"], archived=True))}
    assert bad["lag"].state == "failed" and "views 1 (for" in bad["lag"].says


def test_a_match_is_released(on: Callable[..., Any], said: Any, run: Run) -> None:
    on(parked)
    assert f"{MATCH.id} at version 3: ValueError" in run("projections").stdout
    letters = said("projections", "letters")["letters"]
    assert [letter["why"] for letter in letters] == ["ValueError: cannot fold this"] * 2
    assert "cannot fold this" in run("projections", "letters", "--limit", "1").stdout
    assert said("projections", "release", "summary", MATCH.id) == {"ok": True, "released": 1}
    assert on(lambda store: store.parked("summary")) == {}
    on(lambda store: Runner(store, Summaries(), "w").drain())
    assert on(lambda store: store.get("summary", MATCH.id)).cursor == 3
    assert run("projections", "release", "summary", MATCH.id).exit_code == 2
    assert "1 parked" in run("projections", "release", "--all").stdout
    assert on(lambda store: store.parked("views")) == {}
    on(lambda store: Runner(store, Views(), "w").drain())
    assert on(lambda store: store.get("views", MATCH.id)).cursor == 3


@pytest.mark.parametrize(
    "words", [(), ("summary",), ("summary", "M", "--all"), ("nothing", "M"), ("nothing", "--all")]
)
def test_what_to_release_must_be_said(run: Run, words: tuple[str, ...]) -> None:
    assert run("projections", "release", *words).exit_code == 2


def test_no_letters(run: Run) -> None:
    assert run("projections", "letters").stdout == "no dead letters\n"


def test_a_read_model_is_rebuilt(on: Callable[..., Any], said: Any, run: Run) -> None:
    on(lambda store: store_up(store, MATCH))
    on(lambda store: Runner(store, Summaries(), "w").drain())
    told = said("projections", "rebuild", "summary", "--at-once", "2")
    assert told == {
        "ok": True,
        "version": 1,
        "matches": 1,
        "parked": 0,
        "compared": 1,
        "differ": 0,
    }
    text = run("projections", "rebuild", "summary").stdout
    assert "version 2 of summary is read now: 1 match, 0 of them parked" in text
    assert on(lambda store: condition(store, "summary")).version == 2
    assert on(lambda store: store.get("summary@2", MATCH.id)).cursor == len(MATCH.entries)


def test_what_cannot_be_rebuilt_now_says_why(on: Callable[..., Any], run: Run, said: Any) -> None:
    async def at_it(store: Any) -> None:
        await store.beat("somebody", {"rebuild views": 0}, 60_000)
        await store.lease("rebuild views", "somebody", {0: (await store.leases("x"))[0]})

    on(at_it)
    refused = run("projections", "rebuild", "views")
    assert refused.exit_code == 1 and "being rebuilt by somebody" in refused.stderr
    assert run("projections", "rebuild", "bots").exit_code == 2


def test_a_rebuild_is_given_up(on: Callable[..., Any], run: Run, said: Any) -> None:
    on(lambda store: store.build("views"))
    assert (
        "version 1 of views is given up"
        in run("projections", "rebuild", "views", "--give-up").stdout
    )
    assert said("projections", "rebuild", "views", "--give-up") == {"ok": True, "given_up": 0}
    assert "no version" in run("projections", "rebuild", "views", "--give-up").stdout
