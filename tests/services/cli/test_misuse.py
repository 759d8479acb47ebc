"""What is no API, no URL and no log is told in words, never by a trace."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.cli import http, output, source


@contextmanager
def answering(reply: bytes) -> Iterator[str]:
    """A server that says this to the first who comes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with listening.accept()[0] as caller:
                caller.recv(65_536)
                caller.sendall(reply)

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize(
    "reply",
    [
        b"garbage\r\n\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_what_speaks_no_http_is_no_api(reply: bytes) -> None:
    with answering(reply) as url, pytest.raises(output.Stop) as stop:
        http.request("GET", url)
    assert stop.value.code == 3


@pytest.mark.parametrize("url", ["nonsense", "http://[", "http://a b", "http://127.0.0.1:x"])
def test_what_is_no_url_reaches_no_api(url: str) -> None:
    with pytest.raises(output.Stop) as stop:
        http.request("GET", url)
    assert stop.value.code == 3


def test_what_a_url_cannot_hold_is_escaped() -> None:
    found = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    with answering(found) as url:
        assert http.request("GET", f"{url}/v1/matches/a b\n\u00e9/log") == b"{}"


def test_a_folder_is_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(output.Stop, match="Is a directory") as stop:
        source.find("folder", "", "")
    assert stop.value.code == 2


def test_a_name_that_is_no_id_is_not_looked_for_in_the_store() -> None:
    with pytest.raises(output.Stop, match="neither a file nor the id of a match") as stop:
        source.find("nothing", "", "")
    assert stop.value.code == 2
