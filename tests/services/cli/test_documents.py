"""The pages on the command line and on replay say what there is, and their examples run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from replay import files, load, steps
from replay.survey import Survey
from services.cli.app import app
from services.shapes import UndoQuote
from tests.services.cli.conftest import Run

DOCS = Path(__file__).parents[3] / "docs"
BLOCKS = {
    page: re.findall(r"```(\w+)\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    for page in ("cli.md", "replay.md", "players.md")
}
LINES = [
    shlex.split(line, comments=True)[1:]
    for blocks in BLOCKS.values()
    for language, text in blocks
    if language == "sh"
    for line in text.splitlines()
]
RUN = ("play", "replay", "verify", "export", "games", "bundle")


def test_every_command_is_told() -> None:
    commands = {command.name or command.callback.__name__ for command in app.registered_commands}
    commands |= {group.name for group in app.registered_groups}
    assert {words[0] for words in LINES} | {"doctor", "verify"} >= commands
    page = (DOCS / "cli.md").read_text()
    assert all(f"{name}" in page for name in commands)


def test_every_example_is_understood() -> None:
    group = typer.main.get_command(app)
    for words in LINES:
        name, *rest = words
        command = group.commands[name]
        command.make_context(name, list(rest), resilient_parsing=False).close()


def test_the_examples_on_files_run(run: Run, tmp_path: Path) -> None:
    begun = [words for words in LINES if words[0] == "play"]
    others = [w for w in LINES if w[0] in RUN[1:] and not _of_a_store(w)]
    assert begun and others
    for words in [*begun, *others]:
        assert run(*words).exit_code == 0, words


def _of_a_store(words: list[str]) -> bool:
    return "--all" in words or any(word.startswith("01M") for word in words)


def test_the_example_in_python_runs(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    (source,) = [text for language, text in BLOCKS["replay.md"] if language == "python"]
    assert (
        run("play", "tricks-and-treats", "--bots", "heuristic", "--out", "m.jsonl").exit_code == 0
    )
    exec(source, {})
    story = load.read(files.read(Path("m.jsonl").read_bytes()))
    told = steps.told_to(story, 12, 1)
    assert told["version"] == 12 and "[" in capsys.readouterr().out


def told_of(command: str) -> set[str]:
    """The members that the page names for what `--json` prints."""
    page = (DOCS / "cli.md").read_text()
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{command}` |")]
    named = re.sub(r"\(.*?\)|: of each.*", "", row.split("|")[2])
    return set(re.findall(r"`(\w+)`", named))


def test_the_page_names_what_json_has(said: Callable[..., Any], tmp_path: Path) -> None:
    said("play", "tricks-and-treats", "--seed", "3", "--out", "m.jsonl")
    found = {
        "replay": said("replay", "m.jsonl"),
        "verify": said("verify", "m.jsonl"),
        "export": said("export", "m.jsonl", "--as", "1", "--out", "1.jsonl"),
        "bundle": said("bundle", "m.jsonl", "--out", "m.zip"),
    }
    found["play"] = said("play", "tricks-and-treats", "--out", "p.jsonl")
    for command, data in found.items():
        assert set(data) == told_of(command), command
    (row,) = [line for line in (DOCS / "cli.md").read_text().splitlines() if "| `games` |" in line]
    one = said("games", "tricks-and-treats")
    assert {*re.findall(r"`(\w+)`", row), "editions"} == {"games", *one}
    step = said("replay", "m.jsonl", "--step", "5")
    page = " ".join((DOCS / "replay.md").read_text().split())
    members = re.search(r"With `--json` a step is `\{(.*?)\}`", page)
    assert members is not None and set(members[1].split(", ")) == set(step)
    assert told_of("verify --all") == {"ok", *Survey.__struct_fields__}
    assert told_of("undo cost") == {"ok", *UndoQuote.__struct_fields__}


def test_modules_that_pages_name_are_there() -> None:
    pages = [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")]
    path = re.compile(r"`((?:games|events|projections|replay|services|tests)/[\w/]+\.py)`")
    named = {name for page in pages for name in path.findall(page.read_text())}
    assert "services/deciding.py" in named
    assert [name for name in sorted(named) if not (DOCS.parent / name).exists()] == []
