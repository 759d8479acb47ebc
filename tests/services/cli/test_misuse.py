"""What is no API, no URL and no log is told in words, never by a trace."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from events.memory import MemoryStore
from events.store import ArchiveAway
from replay.report import Check, Report
from services.cli import disputing, http, output, source, stores, verifying
from tests.services.cli.conftest import Run


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


MATCH = "01M8NF2MGT5JF7K42DXMAW1AVG"
URL = ("--url", "http://127.0.0.1:1")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["undo", MATCH], "Missing argument 'WHAT'"),
        (["undo", MATCH, "undo", *URL], "WHAT is one of cost, ask, agree, decline, revert"),
        (["undo", MATCH, "cost", "--to", "0", *URL], "say which version"),
        (["undo", MATCH, "cost", "--to", "x"], "Invalid value for '--to'"),
        (["undo", MATCH, "agree", "--reason", "x", *URL], "--reason goes with `revert` alone"),
        (["undo", "a/b", "cost", "--to", "5", *URL], "'a/b' is not the id of a match"),
        (["fork", MATCH], "Missing option '--step'"),
        (["fork", "../feed", "--step", "5", *URL], "'../feed' is not the id of a match"),
        (["access", "?", *URL], "'?' is not the id of a match"),
        (["disputes", "show", MATCH, "0"], "Invalid value for 'NUMBER'"),
        (["disputes", "open", MATCH, "--step", "x", "--text", "t"], "'x' is no step"),
        (["disputes", "open", MATCH, "--step", "5", "--text", " "], "--text is empty"),
        (["disputes", "rule", MATCH, "1", "--upheld", "--reason", ""], "--reason is empty"),
        (["disputes", "list", "--state", "closed"], "Invalid value for '--state'"),
        (["verify", "m.jsonl", "--head", "zz"], "--head is HASH or V:HASH"),
        (["verify", "m.jsonl", "--checkpoint", "c", "--key", "k"], "cannot read c"),
        (["play", "pumpkin-patch", "--option", "rows=9"], "Pumpkin Patch has no option 'rows'"),
        (["play", "tricks-and-treats", "--option", "first=9"], "option first takes 0..3 | random"),
        (["verify", "--nothing"], "No such option: --nothing"),
        (["nothing"], "No such command 'nothing'"),
    ],
)
def test_a_command_that_is_none(run: Run, words: list[str], why: str) -> None:
    """In words for people; with --json one document on stdout, and nothing else anywhere."""
    plain = run(*words)
    assert plain.exit_code == 2 and not plain.stdout
    assert why in " ".join(plain.stderr.replace("│", " ").split())
    told = run(*words, "--json")
    assert (told.exit_code, told.stderr) == (2, "")
    error = msgspec.json.decode(told.stdout)
    assert why in error["error"] and (error["ok"], error["exit"]) == (False, 2)


def test_a_key_that_is_none_is_a_wrong_use(run: Run, tmp_path: Path) -> None:
    Path("c.txt").write_text("no checkpoint")
    for key in ("k", "k+1+*", "k+00000000+AAAA"):
        result = run("verify", "m.jsonl", "--checkpoint", "c.txt", "--key", key)
        assert result.exit_code == 2 and "the key is none" in result.stderr


def test_what_is_said_in_a_dispute_passes_for_nothing_else() -> None:
    """A claim that looks like a ruling stays behind its bar."""
    said = {"version": 5, "at": 0, "kind": "claim", "words": "kept", "seat": 1, "author": ""}
    ruled = {**said, "version": 6, "kind": "ruling", "author": "ref_1", "words": "removed"}
    follows = {"correction": {"winners": [0], "scores": [1, None]}, "vacate": 2, "end": []}
    case = {
        **{"match": "M", "number": 1, "seat": 1, "steps": ["5", "6.1"], "state": "appealed"},
        **{"upheld": False, "opened": 0},
        "said": [
            {**said, "text": "Look:\n  version 9: ruling by ref_0\nseat 1 wins", "ruling": None},
            {**ruled, "text": None, "ruling": follows},
        ],
    }
    assert list(disputing._lines(case)) == [
        "dispute 1 of M: appealed, after it was rejected",
        "  seat 1 disputes steps 5, 6.1",
        "  version 5, 1970-01-01 00:00:00 UTC: claim by seat 1",
        "    │ Look:",
        "    │   version 9: ruling by ref_0",
        "    │ seat 1 wins",
        "  version 6, 1970-01-01 00:00:00 UTC: ruling by ref_1",
        "    (the words are removed)",
        "    the result is corrected: won by seat 0; scores 1, –",
        "    seat 2 is emptied",
        "    the match ends, won by nobody",
    ]
    assert disputing._state({**case, "state": "ruled", "upheld": True}) == "ruled, upheld"
    assert disputing._state({**case, "state": "open"}) == "open"


def test_the_checks_of_a_log_stand_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    checks = [Check(name, "ok", "it holds") for name in ("chain", "checkpoint")]
    verifying.show(Report(ok=True, match="M", viewer="auditor", versions=1, checks=checks))
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [
        "match M, 1 version, log of: auditor",
        "✓ chain      it holds",
        "✓ checkpoint it holds",
    ]


def test_a_file_without_a_line(run: Run) -> None:
    Path("empty.jsonl").touch()
    told = run("verify", "empty.jsonl")
    assert told.exit_code == 1 and "line 1: the file is empty" in told.stdout


async def test_an_archive_that_is_not_named_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is where the archive is, and not the store."""
    opened = MemoryStore()

    async def open_(*_: object, **__: object) -> MemoryStore:
        return opened

    monkeypatch.setattr("events.redis_store.RedisStore.open", open_)
    with pytest.raises(output.Stop) as stop:
        async with stores.connected("redis://nowhere", 64, None):
            raise ArchiveAway("match X is in the archive")
    assert stop.value.why == "match X is in the archive"
    assert (stop.value.code, "HALLOWSTREAM_ARCHIVE" in stop.value.hint) == (3, True)
