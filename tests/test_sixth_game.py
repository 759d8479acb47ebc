"""Adding a game touches one new folder, one line of the catalogue and the import contracts.

The files come from `docs/add-a-game.md`; they are added to a copy of the project.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "events", "projections", "replay", "services")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for package in PACKAGES:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignore)
    page = (ROOT / "docs" / "add-a-game.md").read_text()
    files = dict(re.findall(r'```python title="([^"]+)"\n(.*?)```', page, re.DOTALL))
    line = files.pop("games/catalog.py")
    catalog = tmp_path / "games" / "catalog.py"
    before, after = catalog.read_text().split("FOLDERS: tuple[str, ...] = (\n")
    catalog.write_text(f"{before}FOLDERS: tuple[str, ...] = (\n{line}{after}")
    (tmp_path / "games" / "pumpkin_patch").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def hallowstream(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from services.cli import main; main()", *words]
    return subprocess.run(
        command, cwd=project, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_game_of_the_page_is_played_replayed_and_verified(project: Path) -> None:
    played = hallowstream(
        project, "play", "pumpkin-patch", "--seats", "3", "--seed", "7", "--out", "p.jsonl"
    )
    assert played.returncode == 0, played.stderr
    verified = hallowstream(project, "verify", "p.jsonl")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    replayed = hallowstream(project, "replay", "p.jsonl", "--as", "1")
    assert replayed.returncode == 0, replayed.stderr
    assert "Round 1 begins." in replayed.stdout
    assert "pumpkin-patch" in hallowstream(project, "games").stdout


def test_its_files_are_as_lint_wants_them(project: Path) -> None:
    config = ("--config", str(ROOT / "pyproject.toml"), "--no-cache", "games/pumpkin_patch")
    for words in (("check", *config), ("format", "--check", *config)):
        told = subprocess.run(
            [sys.executable, "-m", "ruff", *words],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
        )
        assert told.returncode == 0, told.stdout + told.stderr
