"""serve, worker, tokens, and everything that takes a match id; with a real server."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from events.server import candidates
from games import catalog
from services import tied
from services.demo import Demo, Stuck
from services.serve import Serving
from services.settings import Settings
from tests.services.cli.conftest import Run
from tests.services.cli.running import (
    COMMAND,
    Serve,
    environment,
    gone,
    hallowstream,
    wait,
)

pytestmark = [
    pytest.mark.skipif(next(candidates(), None) is None, reason="no Redis or Valkey is here"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
]

GAME = next(iter(catalog.GAMES))
MISSING = "01M8NF2MGT5JF7K42DXMAW1AVX"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of one finished match: what a demo leaves behind.

    It was played on a server of its own, whatever the environment says of another one.
    """
    place = tmp_path_factory.mktemp("s")
    elsewhere = {"REDIS_URL": "redis://127.0.0.1:1", "HALLOWSTREAM_REPLICAS": "1"}
    words = ("demo", "--json", "--seats", "2", "--game", GAME)
    done = hallowstream(*words, cwd=place, **elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr
    told = msgspec.json.decode(done.stdout)
    assert told["ok"] and {check["state"] for check in told["checks"]} == {"ok"}
    assert told["answers"] > 0 and told["result"]["winners"] is not None and not done.stderr
    (place / "match").write_text(told["match"])
    return place


@pytest.fixture(scope="module")
def serve(place: Path) -> Iterator[Serve]:
    with Serve(place) as serve:
        yield serve
        assert serve.stop() == 0


@pytest.fixture
def match(place: Path) -> str:
    return (place / "match").read_text()


def test_a_match_is_read_from_our_own_store_while_nothing_runs(place: Path, match: str) -> None:
    told = hallowstream("verify", match, cwd=place)
    assert told.returncode == 0 and "verified, head" in told.stdout
    kept = place / ".hallowstream" / "logs" / f"{match}.jsonl"
    assert hallowstream("verify", str(kept), cwd=place).returncode == 0
    out = place / "again.jsonl"
    assert hallowstream("export", match, "--out", str(out), cwd=place).returncode == 0
    assert out.read_bytes() == kept.read_bytes()
    step = hallowstream("replay", match, "--step", "4", "--as", "0", "--json", cwd=place)
    view = msgspec.json.decode(step.stdout)["view"]
    assert view["status"] == "playing"


def test_a_match_that_is_not_there(place: Path) -> None:
    told = hallowstream("verify", MISSING, cwd=place)
    assert told.returncode == 2 and "there is no match" in told.stderr


def test_a_match_cannot_be_read_without_its_server_key(place: Path, match: str) -> None:
    told = hallowstream("verify", match, cwd=place, HALLOWSTREAM_SERVER_KEYS="ab" * 32)
    assert told.returncode == 2 and "is not here" in told.stderr
    told = hallowstream("verify", match, cwd=place, HALLOWSTREAM_SERVER_KEYS="no key")
    assert told.returncode == 2 and "are no keys" in told.stderr


def test_tokens_open_the_log_through_the_api(serve: Serve, match: str) -> None:
    url = {"HALLOWSTREAM_URL": serve.url}
    made = msgspec.json.decode(serve.run("tokens", "audit", "--hours", "1", "--json", **url).stdout)
    auditor = {**url, "HALLOWSTREAM_TOKEN": made["token"]}
    told = serve.run("verify", match, **auditor)
    assert told.returncode == 0 and "log of: auditor" in told.stdout
    anyone = serve.run("verify", match, **url)
    assert anyone.returncode == 0 and "log of: spectator" in anyone.stdout
    assert serve.run("export", match, "--as", "1", "--out", "one.jsonl", **auditor).returncode == 0
    assert "log of: seat 1" in serve.run("verify", "one.jsonl").stdout
    assert serve.run("tokens", "--revoke", made["id"], **url).returncode == 0
    told = serve.run("replay", match, "--step", "3", **auditor)
    assert told.returncode == 2 and "unknown_token" in told.stderr and "--token" in told.stderr


def test_a_players_token(serve: Serve) -> None:
    told = serve.run("tokens", "player", "--player", "jo", "--url", serve.url)
    assert re.match(r"hs_player_\w+\n", told.stdout) and "player  jo" in told.stdout
    until = serve.run("tokens", "audit", "--hours", "2", "--url", serve.url)
    assert "until" in until.stdout
    refused = serve.run("tokens", "player", "--player", "no player", "--url", serve.url)
    assert refused.returncode == 2 and "bad_player" in refused.stderr


def test_the_admin_key_is_for_its_owner_alone(serve: Serve) -> None:
    for name in ("admin-key", "keys"):
        assert (serve.cwd / ".hallowstream" / name).stat().st_mode & 0o077 == 0


def test_wrong_uses_of_tokens(serve: Serve, tmp_path: Path) -> None:
    assert "say what for" in serve.run("tokens").stderr
    told = hallowstream("tokens", "audit", cwd=tmp_path)
    assert told.returncode == 2 and "there is no admin key" in told.stderr
    told = serve.run("tokens", "audit", "--url", "http://127.0.0.1:1")
    assert told.returncode == 3 and "no API answers" in told.stderr
    told = serve.run("tokens", "audit", HALLOWSTREAM_PORT="1")
    assert told.returncode == 3 and "no API answers at http://127.0.0.1:1/" in told.stderr


def test_tokens_are_asked_for_where_serve_listens(serve: Serve) -> None:
    """Both go by `HALLOWSTREAM_PORT`."""
    port = serve.url.rpartition(":")[2]
    told = serve.run("tokens", "audit", HALLOWSTREAM_PORT=port)
    assert told.returncode == 0 and told.stdout.startswith("hs_audit_")


def test_a_match_is_read_from_the_store_that_serve_has_open(serve: Serve, match: str) -> None:
    assert serve.run("verify", match).returncode == 0


def test_who_has_the_data_or_the_port_is_not_disturbed(serve: Serve, tmp_path: Path) -> None:
    told = serve.run("serve", "--port", "0")
    assert told.returncode == 3 and "another program uses" in told.stderr
    assert "set HALLOWSTREAM_DATA to another folder" in told.stderr
    port = serve.url.rsplit(":", 1)[1]
    told = hallowstream("serve", "--port", port, cwd=tmp_path)
    assert told.returncode == 3 and "cannot listen on" in told.stderr
    assert serve.ready()


@pytest.mark.parametrize("name", ["serve", "worker"])
def test_a_process_that_is_killed_is_started_again(serve: Serve, name: str) -> None:
    """And the port never refuses: the listening socket is the parent's."""
    before = serve.children()[name]
    os.kill(before, signal.SIGKILL)
    wait(lambda: serve.children().get(name, before) != before)
    wait(serve.ready)
    assert "process ended; it is started again" in serve.out.read_text()


def test_keys_that_are_none_are_named_before_anything_runs(tmp_path: Path) -> None:
    told = hallowstream("serve", "--port", "0", cwd=tmp_path, HALLOWSTREAM_SERVER_KEYS="zz")
    assert told.returncode == 3 and "the server keys cannot be used" in told.stderr
    assert "Traceback" not in told.stderr + told.stdout


def test_a_store_that_is_killed_is_started_again(serve: Serve, match: str) -> None:
    """And all that was acknowledged is there."""
    pid = serve.cwd / ".hallowstream" / "redis" / "server.pid"
    before = pid.read_text()
    os.kill(int(before), signal.SIGKILL)
    wait(lambda: pid.exists() and pid.read_text() not in ("", before))
    wait(serve.ready)
    assert serve.run("verify", match).returncode == 0


def test_after_a_crash_nothing_is_left_running_and_the_data_are_kept(
    tmp_path: Path, serve: Serve
) -> None:
    with Serve(tmp_path) as crashed:
        children = crashed.children()
        assert set(children) == {"serve", "worker"}
        assert crashed.stop(signal.SIGKILL) == -signal.SIGKILL
    wait(lambda: all(map(gone, children.values())))
    orphan = int((tmp_path / ".hallowstream" / "redis" / "server.pid").read_text())
    assert not gone(orphan)
    with Serve(tmp_path) as again:
        assert gone(orphan) and again.ready()
        assert again.stop(signal.SIGTERM) == 0


def test_processes_that_cannot_begin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("serve", "--workers", "0")
    assert told.exit_code == 2 and "set REDIS_URL" in told.stderr
    told = run("worker", "--group", "nope")
    assert told.exit_code == 2 and "no group 'nope'" in told.stderr
    told = run("verify", MISSING)
    assert told.exit_code == 3 and "no REDIS_URL is set" in told.stderr
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1")
    told = run("verify", MISSING)
    assert told.exit_code == 3 and "doctor" in told.stderr
    monkeypatch.setenv("HALLOWSTREAM_PORT", "many")
    told = run("serve")
    assert told.exit_code == 2 and "setting port" in told.stderr


def test_processes_without_their_store(tmp_path: Path) -> None:
    told = hallowstream("worker", cwd=tmp_path)
    assert told.returncode == 2 and "REDIS_URL is not set" in told.stderr


def test_an_api_without_its_store_says_so(tmp_path: Path) -> None:
    nowhere = "redis://127.0.0.1:1"
    told = hallowstream("serve", "--workers", "0", cwd=tmp_path, REDIS_URL=nowhere)
    assert told.returncode == 3 and "cannot reach the store" in told.stderr
    assert "Traceback" not in told.stderr
    nowhere = {"REDIS_URL": "redis://127.0.0.1:1"}
    told = hallowstream("worker", "--group", "views", cwd=tmp_path, **nowhere)
    assert told.returncode == 3 and "cannot reach the store" in told.stderr
    told = hallowstream("serve", "--port", "0", cwd=tmp_path, **nowhere)
    assert told.returncode == 3 and "cannot be reached" in told.stderr


def test_a_demo_without_an_api_says_so() -> None:
    game = catalog.GAMES[GAME]
    with pytest.raises(Stuck, match="the API went away"):
        asyncio.run(Demo("http://127.0.0.1:1", "", game, 2, str).play())


def test_a_demo_that_is_told_to_end_leaves_nothing_running(tmp_path: Path) -> None:
    command = [*COMMAND, "demo", "--keep", "--json"]
    pid = tmp_path / ".hallowstream" / "redis" / "server.pid"
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL
    ) as demo:
        try:
            wait(lambda: pid.exists() and pid.read_text().strip().isdigit())
            redis = int(pid.read_text())
            demo.send_signal(signal.SIGTERM)
            assert demo.wait(40) == 130
        finally:
            demo.kill()
    assert gone(redis) and not pid.exists()


def test_the_workers_of_two_serves_on_one_store_have_names_and_ports_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(tied, "start", lambda command, *_: started.append(command))
    serves = [Serving(Settings(port=0, worker_metrics_port=9100), 2, {}) for _ in range(2)]
    for serve in serves:
        serve._listen()
        serve._begin()
    workers = [command[3:] for command in started if "worker" in command]
    for serve in serves:
        serve.children = []
        serve.stop()
    names = {words[words.index("--name") + 1] for words in workers}
    assert len(workers) == len(names) == 4
    ports = [words[words.index("--metrics-port") + 1] for words in workers]
    assert ports == ["9100", "9101"] * 2
