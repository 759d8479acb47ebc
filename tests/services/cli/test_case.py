"""The whole case of the page for referees, run as it stands; bundles, keys and the survey."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.server import candidates
from tests.services.cli.conftest import Run
from tests.services.cli.running import ROOT, Serve, environment, hallowstream

pytestmark = [
    pytest.mark.skipif(next(candidates(), None) is None, reason="no Redis is here"),
    # Whichever comes first begins with a server and the two dozen commands of the page.
    pytest.mark.timeout(300),
]
needs = pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("sha256sum")), reason="needs curl and sha256sum"
)

DOCS = ROOT / "docs"
OURS = f"""hallowstream() {{ {sys.executable} -c "from services.cli import main; main()" "$@"; }}
"""


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serve, str]]:
    """A server, and what the script of the page has said."""
    found = re.search(r"```sh case\n(.*?)```", (DOCS / "referees.md").read_text(), re.DOTALL)
    assert found is not None
    with Serve(tmp_path_factory.mktemp("case")) as serve:
        script = OURS + found[1].replace("http://127.0.0.1:8000", serve.url)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=serve.cwd,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        yield serve, done.stdout


def the_match(serve: Serve) -> str:
    view = msgspec.json.decode((serve.cwd / "resigned.json").read_bytes())["view"]
    return str(view["match"]["id"])


@pytest.fixture(scope="module")
def bundled(case: tuple[Serve, str]) -> subprocess.CompletedProcess[str]:
    """`here.zip`, made before anything that was said is forgotten, whichever test comes first."""
    serve, _ = case
    words = ("--dispute", "1", "--mode", "full", "--out", "here.zip")
    return serve.run("bundle", the_match(serve), *words)


@needs
def test_the_case_of_the_page_runs(case: tuple[Serve, str]) -> None:
    _, said = case
    assert "dispute 1 of" in said and ": appealed, after it was upheld" in said
    assert "a ruling stands until somebody appeals" in said
    assert "what is over cannot be ended" in said
    assert "  seat 1 disputes step 5\n" in said
    assert "    the result is corrected: won by nobody\n" in said
    lines = said.splitlines()
    assert "[]" in lines and "all of it holds" in lines
    assert lines[-1].startswith("verified, head ")


@needs
def test_the_bundle_is_the_same_from_the_store_and_through_the_api(
    case: tuple[Serve, str], bundled: subprocess.CompletedProcess[str]
) -> None:
    serve, _ = case
    match = the_match(serve)
    assert bundled.returncode == 0 and "with a signed checkpoint" in bundled.stdout, bundled.stderr
    told = claims(serve.cwd / "here.zip")
    assert {word["words"] for word in told["words"]} == {"kept"} and len(told["words"]) == 5
    found = serve.run("keys")
    assert found.stdout == serve.run("keys", "--url", serve.url).stdout
    folder = serve.cwd / f"match-{match}-dispute-1" / "data"
    log, note = str(folder / "events.ndjson"), str(folder / "checkpoint.txt")
    for words, code in (
        (("--checkpoint", note, "--key", found.stdout.strip()), 0),
        (("--checkpoint", note), 2),
        (("--key", found.stdout.strip()), 2),
        (("--checkpoint", log, "--key", found.stdout.strip()), 1),
    ):
        assert serve.run("verify", log, *words).returncode == code
    # Another match's log, and the checkpoint of this one.
    assert serve.run("verify", match, "--head", f"1:{'0' * 64}").returncode == 1


@needs
@pytest.mark.parametrize("mode", [("public",), ("seat", "--as", "0"), ("seat", "--as", "1")])
def test_every_mode_is_the_same_from_the_store_and_through_the_api(
    case: tuple[Serve, str], mode: tuple[str, ...]
) -> None:
    serve, _ = case
    told = serve.run("tokens", "audit", "--json", "--url", serve.url)
    there = ("--url", serve.url, "--token", msgspec.json.decode(told.stdout)["token"])
    made = []
    for name, more in (("store.zip", ()), ("api.zip", there)):
        done = serve.run("bundle", the_match(serve), "--mode", *mode, "--out", name, *more)
        assert done.returncode == 0, done.stderr
        made.append((serve.cwd / name).read_bytes())
    assert made[0] == made[1]


def claims(path: Path) -> Any:
    with zipfile.ZipFile(path) as packed:
        name = next(name for name in packed.namelist() if name.endswith("claim.json"))
        return msgspec.json.decode(packed.read(name))["disputes"][0]


@needs
@pytest.mark.usefixtures("bundled")
def test_words_that_are_forgotten(case: tuple[Serve, str]) -> None:
    serve, _ = case
    match = the_match(serve)
    key = (serve.cwd / ".hallowstream" / "admin-key").read_text().strip()
    there = ("--url", serve.url, "--token", key)
    shown = serve.run("disputes", "show", match, "1", *there, "--json")
    version = msgspec.json.decode(shown.stdout)["items"][0]["said"][0]["version"]
    done = serve.run("disputes", "forget", match, "1", str(version), *there)
    assert done.returncode == 0 and "forgotten" in done.stdout
    (last,) = re.findall(r"(\d+) versions, log of", serve.run("verify", match).stdout)
    told = serve.run("disputes", "show", match, *there).stdout
    assert f"(the words are removed in version {last})" in told
    assert serve.run("verify", match).returncode == 0
    assert serve.run("bundle", match, "--mode", "full", "--out", "later.zip").returncode == 0
    words = [word["words"] for word in claims(serve.cwd / "later.zip")["words"]]
    assert words == ["removed", "kept", "kept", "kept", "kept"]


@needs
def test_every_stored_match_is_surveyed(case: tuple[Serve, str]) -> None:
    serve, _ = case
    told = serve.run("verify", "--all")
    assert told.returncode == 0 and "1 match: 1 unchanged" in told.stdout, told.stderr
    found = msgspec.json.decode(serve.run("verify", "--all", "--json").stdout)
    assert found["ok"] and found["matches"] == 1 and found["running"] == 0


def test_what_cannot_be_done(run: Run, log: Path, tmp_path: Path) -> None:
    assert run("verify").exit_code == 2
    assert run("verify", str(log), "--all").exit_code == 2
    assert run("verify", "--all").exit_code == 2
    assert run("keys").exit_code == 2
    told = run("disputes", "list")
    assert told.exit_code == 2 and "--url" in told.stderr
    out = str(tmp_path / "b.zip")
    for words, why in (
        (("--mode", "seat"), "needs a seat"),
        (("--mode", "full", "--dispute", "1"), "has 0 disputes"),
        (("--mode", "seat", "--as", "7"), "no seat 7"),
    ):
        told = run("bundle", str(log), "--out", out, *words)
        assert told.exit_code == 2 and why in told.stderr
    assert run("bundle", str(log), "--out", str(tmp_path / "no" / "b.zip")).exit_code == 2
    assert not Path(out).exists()
    ruling = ("disputes", "rule", "M", "1", "--upheld", "--reason", "x", "--url", "http://[::1]:1")
    for name in ("--score", "--winner"):
        assert run(*ruling, name, "many").exit_code == 2


def test_a_bundle_from_a_file(said: Any, run: Run, log: Path) -> None:
    told = said("bundle", str(log), "--mode", "seat", "--as", "1", "--out", "b.zip")
    assert told["viewer"] == 1 and told["signed"] is False
    with zipfile.ZipFile("b.zip") as packed:
        assert not [name for name in packed.namelist() if "checkpoint" in name]
    assert "without a checkpoint" in run("bundle", str(log), "--out", "b.zip").stdout


def test_a_server_that_is_nowhere(tmp_path: Path) -> None:
    told = hallowstream("keys", "--url", "http://127.0.0.1:1", cwd=tmp_path)
    assert told.returncode == 3
