from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from games import catalog
from services.cli.app import app
from tests.toy.pumpkin_patch.game import GAME

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The toy game is in the catalogue, no store is set up, and files are written elsewhere."""
    monkeypatch.setitem(catalog.GAMES, GAME.id, GAME)
    for name in list(os.environ):
        if name.startswith(("HALLOWSTREAM_", "REDIS_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run() -> Run:
    """Runs a command line; the result has `exit_code`, `stdout` and `stderr`."""
    runner = CliRunner()

    def run(*words: str) -> Result:
        result = runner.invoke(app, list(words), prog_name="hallowstream")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def said(run: Run) -> Callable[..., Any]:
    """What a command line prints with --json; it must end well."""

    def said(*words: str) -> Any:
        result = run(*words, "--json")
        assert result.exit_code == 0, result.output
        return msgspec.json.decode(result.stdout)

    return said


@pytest.fixture
def log(said: Callable[..., Any], tmp_path: Path) -> Path:
    """The auditor's log of a match for three."""
    path = tmp_path / "m.jsonl"
    said("play", GAME.id, "--seats", "3", "--seed", "7", "--out", str(path))
    return path
