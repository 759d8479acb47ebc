"""The archive in S3-compatible storage: a real server on loopback, spoken to over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from events.archive import Archive
from events.archived import archived
from events.bucket import RETRY, Missing, opened
from events.memory import MemoryStore
from events.store import ArchiveAway, Corrupt, Unavailable
from tests.events.archiving import commits, origin
from tests.events.test_archived import shelved

AWS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": "us-east-1",
    "AWS_ALLOW_HTTP": "true",
}


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in AWS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    client: Any = boto3.client("s3", region_name="us-east-1", endpoint_url=f"http://{host}:{port}")
    client.create_bucket(Bucket="matches")
    try:
        yield "s3://matches/halloween"
    finally:
        client.close()
        server.stop()


async def test_a_match_goes_to_s3_and_comes_back(s3: str) -> None:
    store, shelves = MemoryStore(2), Archive(opened(s3), origin, keep=0)
    entries = await shelved(store, shelves)
    whole: Any = archived(store, shelves)
    assert await whole.read("m") == entries
    assert await shelves.segments() == ["s"]
    assert [record.match for record in await shelves.index("s")] == ["m"]
    assert await whole.restore("m")
    await store.append("m", commits("m", 6)[5], "closed")
    await shelves.drop("s")
    assert await shelves.segments() == []


async def test_objects_in_s3_are_never_replaced(s3: str) -> None:
    bucket = opened(s3)
    assert await bucket.put("a/b", b"first")
    assert not await bucket.put("a/b", b"second")
    assert await bucket.part("a/b", 1, 3) == b"irs"
    assert await bucket.size("a/b") == 5
    with pytest.raises(Missing):
        await bucket.get("a/c")
    await bucket.delete("a/b")
    assert await bucket.keys("a") == []


async def test_a_bucket_that_is_not_there(s3: str) -> None:
    store = opened("s3://nobody-made-it")
    with pytest.raises((Unavailable, Missing, Corrupt)):
        await store.put("a/b", b"x")


async def test_a_reader_does_not_wait_for_an_archive_that_fails_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    class Failing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(503)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Failing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        for name, value in AWS.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        with pytest.raises(ArchiveAway, match="cannot be reached"):
            await opened("s3://matches").get("a/b")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert len(asked) == RETRY["max_retries"] + 1
