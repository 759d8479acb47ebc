"""What the API and the workers show of the workers' work, for Prometheus."""

from __future__ import annotations

import asyncio
import socket
import struct
import urllib.error
import urllib.request
from typing import Any

import pytest

from events.memory import MemoryStore
from events.store import Unavailable
from projections.heart import Heart
from projections.runner import Pace
from projections.story import Library
from projections.summary import Summaries
from projections.upkeep import Upkeep
from services import bots
from services.exporter import Exporter
from services.worker import runners
from tests.projections.matches import recorded, store_up
from tests.services.api import KEYS, Client

MATCH = recorded(6)


def figures(text: str) -> dict[str, float]:
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


async def shown(api: Client) -> dict[str, float]:
    return figures((await api.get("/metrics")).text)


class TestApi:
    async def test_shows_what_waits_and_who_works(self, api: Client) -> None:
        store = api.desk.store
        await store_up(store, MATCH)
        await store.park("views", MATCH.id, 1, "bad")
        await store.beat("w", {"views": 0}, 60_000)
        await store.lease("views", "w", {0: (await store.leases("views"))[0]})
        await store.build("lobby")
        found = await shown(api)
        assert found['hallowstream_lag_references{group="views"}'] == len(MATCH.entries)
        assert found['hallowstream_lag_seconds{group="bots"}'] >= 0
        assert found['hallowstream_parked_matches{group="views"}'] == 1
        assert found['hallowstream_parked_matches{group="inbox"}'] == 0
        assert found['hallowstream_workers{group="views"}'] == 1
        assert found['hallowstream_leases{group="views",worker="w"}'] == 1
        assert found['hallowstream_partitions_free{group="views"}'] == 3
        assert found['hallowstream_projection_building{group="lobby"}'] == 1
        assert found["hallowstream_store_up"] == 1

    async def test_asks_the_store_once_in_a_while(self, api: Client, monkeypatch: Any) -> None:
        await shown(api)
        await store_up(api.desk.store, MATCH)
        name = 'hallowstream_lag_references{group="views"}'
        assert (await shown(api))[name] == 0
        monkeypatch.setattr(api.desk.gauges, "_due", 0.0)
        assert (await shown(api))[name] == len(MATCH.entries)

    async def test_outlives_the_store(self, api: Client, monkeypatch: Any) -> None:
        async def away(*words: Any) -> Any:
            raise Unavailable("gone")

        monkeypatch.setattr(api.desk.store, "versions", away)
        found = await shown(api)
        assert found["hallowstream_store_up"] == 0
        assert not any(name.startswith("hallowstream_lag") for name in found)

    async def test_does_not_wait_for_a_store_that_stands_still(
        self, api: Client, monkeypatch: Any
    ) -> None:
        async def still(*words: Any) -> Any:
            await asyncio.Event().wait()

        monkeypatch.setattr(api.desk.store, "versions", still)
        monkeypatch.setattr(api.desk.gauges, "_patience", 0.01)
        assert (await shown(api))["hallowstream_store_up"] == 0


def asked(port: int, token: str = "") -> str:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers=headers)
    with urllib.request.urlopen(request, timeout=5) as reply:
        return str(reply.read().decode())


async def test_a_worker_shows_what_it_has_done() -> None:
    store = MemoryStore(4)
    pace = Pace(sweep=0.02, lease=2)
    async with Heart(store, "w", pace.lease) as heart:
        upkeep = Upkeep(store, Summaries(), Library(store), pace, heart)
        jobs: dict[str, Any] = {
            "summary": upkeep,
            "bots": bots.runner(store, KEYS, "w", pace, heart),
            "other": object(),
        }
        tasks = [asyncio.create_task(jobs[name].run()) for name in ("summary", "bots")]
        await store_up(store, MATCH)
        async with asyncio.timeout(20):
            while (  # noqa: ASYNC110 - what is waited for happens in the store
                await store.lag("summary")
                or 0 not in upkeep.runners
                or len(upkeep.runners[0].shares.held) < 4
                or len(jobs["bots"].shares.held) < 4
            ):
                await asyncio.sleep(0.01)
        with Exporter("127.0.0.1", 0, "", lambda: runners(jobs)) as exporter:
            found = figures(await asyncio.to_thread(asked, exporter.port))
        for name in ("summary", "bots"):
            jobs[name].stop()
        await asyncio.gather(*tasks)
    count = found['hallowstream_worker_references_total{group="summary"}']
    assert count == len(MATCH.entries)
    assert found['hallowstream_worker_cells_written_total{group="summary"}'] >= 1
    assert found['hallowstream_worker_cells_fenced_total{group="summary"}'] == 0
    assert found['hallowstream_worker_leases{group="summary"}'] == 4
    assert found['hallowstream_worker_leases{group="bots"}'] == 4


def test_a_workers_metrics_ask_for_the_token() -> None:
    with Exporter("127.0.0.1", 0, "a secret", lambda: ()) as exporter:
        for token in ("", "another"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                asked(exporter.port, token)
            assert refused.value.code == 401
            refused.value.close()
        assert "hallowstream_worker_references" in asked(exporter.port, "a secret")


def test_who_asks_and_says_nothing_holds_up_neither_the_others_nor_the_end() -> None:
    with Exporter("127.0.0.1", 0, "", lambda: ()) as exporter:
        silent = socket.create_connection(("127.0.0.1", exporter.port))
        gone = socket.create_connection(("127.0.0.1", exporter.port))
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        gone.sendall(b"GET /metrics HTTP/1.1\r\n")
        gone.close()
        assert "hallowstream_worker_references" in asked(exporter.port)
    with silent, pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", exporter.port))


def test_a_worker_says_to_anybody_whether_it_lives() -> None:
    awake = [True]
    with Exporter("127.0.0.1", 0, "a secret", lambda: (), lambda: awake[0]) as exporter:
        where = f"http://127.0.0.1:{exporter.port}/livez"
        with urllib.request.urlopen(where, timeout=5) as reply:
            assert reply.status == 200
        awake[0] = False
        with pytest.raises(urllib.error.HTTPError) as asleep:
            urllib.request.urlopen(where, timeout=5)
        assert asleep.value.code == 503
        asleep.value.close()


async def test_a_heart_knows_whether_the_work_stands_still() -> None:
    for patience, awake in ((60.0, True), (-1.0, False)):
        async with Heart(MemoryStore(1), "w", 1, patience) as heart:
            assert heart.awake is awake


def test_a_workers_metrics_are_shown_on_ipv6_too() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("there is no IPv6 here")
    with Exporter("::1", 0, "", lambda: ()) as exporter:
        where = f"http://[::1]:{exporter.port}/livez"
        assert urllib.request.urlopen(where, timeout=5).read() == b"alive\n"
