"""The README is true: its tour runs against a server, its links lead somewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.cli.running import Serve

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


@pytest.fixture
def api(tmp_path: Path) -> Iterator[str]:
    """`hallowstream serve` with nothing configured, in a folder of its own."""
    with Serve(tmp_path) as serve:
        yield serve.url


@pytest.mark.skipif(shutil.which("curl") is None, reason="the tour needs curl, and there is none")
def test_the_tour_runs(api: str) -> None:
    found = re.search(r"```sh tour\n(.*?)```", README, re.DOTALL)
    assert found is not None
    script = found[1].replace("http://127.0.0.1:8000", api)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    hands, prompt, first, second, stale, foreign, line = done.stdout.splitlines()
    assert "hidden" in hands
    assert prompt.startswith("Draw")
    assert (first, second) == ("False", "True")
    assert json.loads(stale)["code"] == "stale_question"
    assert json.loads(foreign)["code"] == "wrong_scope"
    assert line.startswith('{"hallowstream":1')


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_demo_shown_is_one_that_could_be() -> None:
    assert "verified, head " in README
    assert "@@" not in README
