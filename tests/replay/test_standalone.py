"""The verifier for outsiders: alone with Python, it agrees with ours and with the page."""

from __future__ import annotations

import hmac
import random
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from events.log import genesis
from games.dice import Dice, commitment, match_seed
from replay import naming
from replay.standalone import Wrong, verify, word
from replay.verify import verify_file
from tests.replay import mutations
from tests.replay.recordings import begun, data, whole

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "replay" / "standalone.py"
VECTORS = dict(re.findall(r"\| (.+?) \| `(.+?)` \|", (ROOT / "docs" / "fairness.md").read_text()))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One match with its seed revealed, as the auditor, a seat and the spectator have it."""
    folder = tmp_path_factory.mktemp("logs")
    whole = folder / "auditor.jsonl"
    hallowstream("play", "tricks-and-treats", "--seats", "3", "--seed", "5", "--out", str(whole))
    cut = [folder / f"{viewer}.jsonl" for viewer in ("1", "spectator")]
    for path in cut:
        hallowstream("export", str(whole), "--as", path.stem, "--out", str(path))
    return [whole, *cut]


def hallowstream(*words: str) -> None:
    command = [sys.executable, "-c", "from services.cli import main; main()", *words]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)


def alone(*words: str) -> subprocess.CompletedProcess[str]:
    """With nothing but the standard library to import."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_it_finds_whole_logs_whole(logs: list[Path]) -> None:
    for path in logs:
        done = alone(str(path))
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "all of it holds")
        assert "it is the one committed to before play" in done.stdout


def test_it_knows_a_head_from_elsewhere(logs: list[Path]) -> None:
    heads = re.findall(r'"head":"(\w+)"', logs[0].read_text())
    assert alone(str(logs[1]), "--head", f"3:{heads[2]}").returncode == 0
    other = alone(str(logs[1]), "--head", f"3:{heads[3]}")
    assert other.returncode == 1
    assert "WRONG: version 3" in other.stdout
    assert alone(str(logs[1]), "--head", f"99:{heads[2]}").returncode == 1


def test_it_names_what_is_wrong(logs: list[Path], tmp_path: Path) -> None:
    lines = logs[0].read_text().splitlines(keepends=True)
    for name, text in {
        "cut": "".join(lines[:-1]),
        "swapped": "".join([lines[0], lines[2], lines[1], *lines[3:]]),
        "repeated": "".join([*lines[:2], *lines[1:]]),
        "halved": "".join(lines)[:-40],
        "empty": "",
    }.items():
        path = tmp_path / name
        path.write_text(text)
        done = alone(str(path))
        assert done.returncode == 1, name
        assert re.search(r"WRONG: (line|version) \d+", done.stdout), name


def test_every_changed_byte_is_found(logs: list[Path]) -> None:
    """Also in the names of fields, for which it has a table."""
    rng = random.Random(5)
    for path in logs:
        data = path.read_bytes()
        for at in rng.sample(range(len(data)), 100):
            changed = bytearray(data)
            changed[at] ^= 1 << rng.randrange(7)
            with pytest.raises(Wrong, match=r"^(line|version) \d+: "):
                list(verify(bytes(changed)))


def test_its_table_of_names_is_that_of_the_games() -> None:
    assert naming.held() == naming.table(), "make openapi writes it anew"


def test_a_game_that_it_does_not_know_is_verified_but_for_names() -> None:
    """And says so."""
    match = whole()
    said = list(verify(data(match)))
    assert any(line.startswith("names: ") for line in said)
    assert "seed: it is the one committed to before play" in said
    shuffled = data(match).replace(b'"seat":', b'"chair":')
    assert list(verify(shuffled)) == said


def test_a_kind_that_only_a_newer_writer_knows_is_left_as_it_is() -> None:
    """As `verify` leaves it: positional, its seals as seals."""
    story = mutations.story("tricks-and-treats", 0)
    made = mutations.with_newer_kind("tricks-and-treats", 0)
    text = made.decode()
    assert '["pumpkin_carved",0,' in text
    assert verify_file(made).bad == verify_file(mutations.file(story)).bad is None
    list(verify(made))
    for changed in (
        text.replace("pumpkin_carved", "pumpkin_eaten"),
        text.replace("[0,7]", "[0,8]"),
    ):
        with pytest.raises(Wrong, match=r"^line "):
            list(verify(changed.encode()))


def test_a_match_that_goes_on_is_whole_as_far_as_it_goes() -> None:
    said = list(verify(data(begun())))
    assert said[-1] == "end: whole up to version 4, later commits unknown"


def test_it_says_how_it_is_used(tmp_path: Path) -> None:
    asked = alone("--help")
    assert asked.returncode == 0 and "verify.py" in asked.stdout
    assert alone().returncode == 2
    assert alone(str(tmp_path / "nothing")).returncode == 2
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    assert alone(str(tmp_path / "binary")).returncode == 1


def test_the_vectors_of_the_page() -> None:
    v = VECTORS
    server = bytes.fromhex(v["server seed"])
    seed = match_seed(server, ["pumpkin", "", "ghost"])
    assert v["commitment"] == commitment(server)
    assert v["seed of the match"] == seed.hex()
    first = hmac.digest(seed, b"01J0TEST|0|0", "sha256").hex()
    assert v["word 0 at place 0"] == first == f"{word(seed, '01J0TEST', 0, 0):064x}"
    assert v["ABCDEFGH shuffled at place 0"] == "".join(dice(seed, 0).shuffle("ABCDEFGH"))
    rolls = ", ".join(str(dice(seed, place).roll(6)) for place in (1, 2, 3))
    assert v["a die at places 1, 2, 3"] == rolls
    start = genesis("01J0TEST", "tricks-and-treats", "1.0")
    assert v["genesis"] == start.hex()
    seal = sha256(bytes.fromhex(v["salt"]) + bytes.fromhex(v["value"])).hexdigest()
    assert v["seal"] == seal
    assert v["head"] == sha256(start + bytes.fromhex(v["public form"])).hexdigest()
    assert seal in v["public form"]


def dice(seed: bytes, place: int) -> Dice:
    return Dice(seed, "01J0TEST", place, 1)
