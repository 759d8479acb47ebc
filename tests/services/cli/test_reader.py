"""The interactive replay."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from games import catalog
from replay import files, load, seeking
from replay.fold import fold
from services.cli import drawing, keyboard
from services.cli.book import Log
from services.cli.reader import Reader
from tests.services.cli.conftest import Run

ROOT = Path(__file__).parents[3]


@pytest.fixture
def reader(log: Path) -> Reader:
    story = load.read(files.read(log.read_bytes()))
    return Reader(Log(story, fold(story), "auditor"))


def strike(reader: Reader, *keys: str) -> str:
    """The step and the eyes after these keys."""
    for key in keys:
        reader.strike(key)
    return f"{reader.step} {reader.viewer}"


def shown(reader: Reader, height: int = 60) -> str:
    console = Console(width=140, height=height, file=io.StringIO())
    with console.capture() as capture:
        console.print(reader.page())
    return capture.get()


def test_forward_back_and_jump(reader: Reader) -> None:
    last = reader.book.positions.last
    assert strike(reader) == "1 auditor"
    assert strike(reader, "left", "p") == "1 auditor"
    assert strike(reader, "right", "n", " ") == "4 auditor"
    assert strike(reader, "left") == "3 auditor"
    assert strike(reader, "end", "right") == f"{last} auditor"
    assert strike(reader, "1", "0", "enter") == "10 auditor"
    assert strike(reader, "home") == "1 auditor"
    assert strike(reader, "enter") == "1 auditor"


def test_event_by_event(reader: Reader) -> None:
    assert strike(reader, "4", "enter", "down") == "5.1 auditor"
    assert strike(reader, "down", "down") == "5.3 auditor"
    assert strike(reader, "up", "up", "up") == "4 auditor"
    assert strike(reader, "down", "right") == "5 auditor"
    assert strike(reader, "5", ".", "2", "enter", "left") == "4 auditor"


def test_a_jump_to_nowhere_says_where_one_can_go(reader: Reader) -> None:
    assert strike(reader, "9", "9", "9", "enter") == "1 auditor"
    assert "there is no version 999" in shown(reader)
    strike(reader, "2", "3")
    assert "go to step 23" in shown(reader)
    assert strike(reader, "backspace", "enter") == "2 auditor"


def test_eyes_go_round(reader: Reader) -> None:
    strike(reader, "5", "enter")
    met = [strike(reader, "s").split()[1] for _ in range(5)]
    assert met == ["0", "1", "2", "spectator", "auditor"]
    strike(reader, "s")
    page = shown(reader)
    assert "seen by seat 0" in page and "2 hidden" in page


def test_what_is_longer_than_the_screen_is_scrolled(reader: Reader) -> None:
    strike(reader, "6", "enter")
    whole = shown(reader).splitlines()
    part = shown(reader, height=12).splitlines()
    assert part[:12] == whole[:12]
    strike(reader, "pagedown", "pagedown", "pagedown")
    assert shown(reader, height=12).splitlines()[2:12] == whole[-10:]
    strike(reader, "pageup", "pageup", "pageup", "pageup")
    assert shown(reader, height=12).splitlines() == part


def test_the_eyes_of_a_seats_log(run: Run, log: Path) -> None:
    run("export", str(log), "--as", "1", "--out", "one.jsonl")
    story = load.read(files.read(Path("one.jsonl").read_bytes()))
    assert Log(story, fold(story), 1).eyes == [1, "spectator"]


def typed(keys: list[bytes], path: Path) -> tuple[int, str]:
    """What a terminal shows of `replay` while somebody types, and the exit code."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    command = [sys.executable, "-c", "from services.cli import main; main()", "replay", str(path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        seen = b""
        for key in [b"", *keys]:
            os.write(ours, key)
            seen += read(ours, process)
        code = process.wait(30)
    assert termios.tcgetattr(theirs) == before, "the terminal is left as it was"
    os.close(theirs)
    os.close(ours)
    return code, seen.decode(errors="replace")


def read(terminal: int, process: subprocess.Popen[bytes]) -> bytes:
    """All that is written until it rests."""
    seen, until = b"", time.monotonic() + 50
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.15)[0]:
            seen += os.read(terminal, 65536)
        elif seen or process.poll() is not None:
            break
    return seen


def test_on_a_terminal(tmp_path: Path, run: Run) -> None:
    game = next(iter(catalog.GAMES))
    path = tmp_path / "t.jsonl"
    run("play", game, "--seed", "1", "--out", str(path))
    keys = [b"\x1b[C", b"\x1bOC", b"\x1b[B", b"s", b"\x1b[4~", b"2\r", b"q"]
    code, seen = typed(keys, path)
    assert code == 0
    assert "step" in seen and "seat 0" in seen and "what happened" in seen


def test_without_a_terminal_nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not keyboard.interactive()


def test_a_question_that_other_rules_asked_is_marked(reader: Reader) -> None:
    strike(reader, "6", "enter")
    seen = reader.book.shown(reader.step, "auditor")
    assert "Made again" not in rendered(drawing.asked(seen))
    seen["asked"]["same_rules"] = False
    assert "Made again by rules" in rendered(drawing.asked(seen))
    seen["answer"] = {**seen["answer"], "labels": [], "hidden": True}
    assert "hidden" in rendered(drawing.asked(seen))


def test_what_changed_is_shown_with_what_was_asked(reader: Reader) -> None:
    strike(reader, "6", "enter")
    page = shown(reader)
    assert page.index("what was asked") < page.index("what happened") < page.index("the table")
    assert "Answered: seat" in page
    strike(reader, "8", "enter")
    assert "what changed" in shown(reader)


def rendered(part: Any) -> str:
    console = Console(width=140, file=io.StringIO())
    with console.capture() as capture:
        console.print(part)
    return capture.get()


def test_to_a_turn_and_to_a_time(run: Run, tmp_path: Path) -> None:
    run("play", "trick-or-treat", "--seats", "3", "--seed", "2", "--out", "t.jsonl")
    story = load.read(files.read(Path("t.jsonl").read_bytes()))
    reader = Reader(Log(story, fold(story), "auditor"))
    began = seeking.begun(story, "turn", 5)
    assert strike(reader, "t", "5") == "1 auditor" and "go to turn 5" in shown(reader)
    assert strike(reader, "enter") == f"{began} auditor"
    assert reader._seen["view"]["game"]["turn"] == 5
    assert strike(reader, "home", "t", " ", "5", "enter") == f"{began} auditor"
    assert strike(reader, "t", "9", "9", "9", "9", "enter") == f"{began} auditor"
    assert "no turn 9999 has begun" in shown(reader)
    assert strike(reader, "r", "1", "enter") == f"{began} auditor"
    assert "there is no round 1: Trick or Treat goes by turns" in shown(reader)
    # Offline matches begin at 19:00 and take a commit each three seconds.
    assert strike(reader, "@", *"19:00:09", "enter") == "3 auditor"
    assert strike(reader, "@", *"2025-10-31 19:00:10", "enter") == "3 auditor"
    assert strike(reader, "@", *"18:00", "enter") == "3 auditor"
    assert "there was no match yet" in shown(reader)
    assert strike(reader, "@", *"25:00", "enter") == "3 auditor"
    assert "is no time" in shown(reader)
    strike(reader, "t", "escape")
    assert not reader.typing
    strike(reader, "t", "backspace")
    assert not reader.typing and "? keys" in shown(reader)


def test_what_happened_since_a_mark(reader: Reader) -> None:
    assert "what happened since" not in shown(reader)
    strike(reader, "5", "enter", "m", "8", "enter")
    page = shown(reader)
    assert "what happened since step 5" in page and "what changed since step 5" in page
    assert "m unmark 5" in page
    assert [commit["version"] for commit in reader._seen["passed"]["commits"]] == [6, 7, 8]
    strike(reader, "left", "left", "left", "left")
    assert reader._seen["passed"] is None
    strike(reader, "m", "8", "enter")
    assert "since step" not in shown(reader)


def test_another_view_beside(reader: Reader) -> None:
    strike(reader, "6", "enter", "c")
    page = shown(reader)
    assert "╮╭─ the table as seat 0 sees it" in page and "what seat 0 sees otherwise" in page
    met = [strike(reader, "c") and reader.other for _ in range(4)]
    assert met == [1, 2, "spectator", None]
    strike(reader, "c", "s")
    assert reader.other == reader.viewer == 0 and "sees it" not in shown(reader)
    console = Console(width=80, height=80, file=io.StringIO())
    strike(reader, "c")
    with console.capture() as capture:
        console.print(reader.page())
    assert "\n╭─ the table as auditor" not in capture.get()
    assert "\n╭─ the table as the auditor sees it" in capture.get()


def test_a_seats_log_has_no_other_view_beside(run: Run, log: Path) -> None:
    run("export", str(log), "--as", "1", "--out", "one.jsonl")
    story = load.read(files.read(Path("one.jsonl").read_bytes()))
    reader = Reader(Log(story, fold(story), 1))
    strike(reader, "6", "enter", "c")
    assert reader.other == "spectator" and "as the spectator sees it" in shown(reader)


def test_nothing_is_wider_than_eighty_columns(reader: Reader) -> None:
    for keys in ("?", "6", "enter", "m", "2", "0", "enter", "c"):
        strike(reader, keys)
        console = Console(width=80, height=24, file=io.StringIO())
        with console.capture() as capture:
            console.print(reader.page())
        lines = capture.get().splitlines()
        assert len(lines) <= 24 and "…" not in "".join(lines[:2])
        assert all(cell_len(line) <= 80 for line in lines)
    strike(reader, "?")
    assert "where turn 5 began" in shown(reader)
