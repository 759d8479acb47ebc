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
from replay.standalone import Wrong, verify, word

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


def test_every_changed_byte_is_found_but_in_the_names_of_fields(logs: list[Path]) -> None:
    rng = random.Random(5)
    for path in logs:
        data = path.read_bytes()
        names = [match.span() for match in re.finditer(rb'"[a-z_]+":', data)]
        loose = {at for begin, end in names for at in range(begin, end)}
        for at in rng.sample(sorted(set(range(len(data))) - loose), 250):
            changed = bytearray(data)
            changed[at] ^= 1 << rng.randrange(7)
            with pytest.raises((Wrong, UnicodeDecodeError)):
                list(verify(changed.decode()))


def test_it_says_how_it_is_used(tmp_path: Path) -> None:
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
