"""`make chaos`: long runs, one seed after the other. Exits with 1 if any of them went wrong.

python -m tests.faults [--seed N] [--runs N] [--setting NAME|all] [--seconds N] [--keep DIR]
python -m tests.faults --check HISTORY
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.faults.history import Fault, History
from tests.faults.logs import Violation
from tests.faults.run import Shape, counts, run
from tests.faults.settings import SETTINGS, backing
from tests.faults.verdict import violations

SHOWN = 20
"""Violations that are printed of one run."""


def main(words: Sequence[str]) -> int:
    given = _parsed(words)
    if given.check:
        return _told(violations(History.load(given.check)))
    settings = SETTINGS if given.setting == "all" else (given.setting,)
    bad = 0
    for setting in settings:
        for seed in range(given.seed, given.seed + given.runs):
            bad += _one(setting, seed, given)
    print(f"{bad} of {len(settings) * given.runs} runs went wrong", flush=True)
    return int(bad > 0)


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("--seed", type=int, default=1, help="of the first run")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--setting", choices=[*SETTINGS, "all"], default="standalone")
    parser.add_argument("--seconds", type=float, default=45.0, help="of load and faults")
    parser.add_argument("--matches", type=int, default=24, help="at a time")
    parser.add_argument("--keep", type=Path, default=Path("chaos"), help="for failed histories")
    parser.add_argument("--check", type=Path, help="check a saved history again")
    return parser.parse_args(words)


def _one(setting: str, seed: int, given: argparse.Namespace) -> bool:
    """One run, told in a line; whether it went wrong. A failed history is kept."""
    began = time.monotonic()
    # Every third run ends with the crash of everything, the store included.
    shape = Shape(given.seconds, given.matches, 3, 2, killed=seed % 3 == 0)
    with tempfile.TemporaryDirectory(prefix="hallowstream-") as name:
        directory = Path(name)
        history = asyncio.run(run(seed, shape, backing(setting, seed, directory), directory))
    found = violations(history)
    told = ", ".join(f"{count} {what}" for what, count in counts(history).items())
    took = time.monotonic() - began
    print(f"{setting} seed {seed}: {told}; {len(found)} violations; {took:.0f} s", flush=True)
    if not found:
        return False
    given.keep.mkdir(parents=True, exist_ok=True)
    kept = given.keep / f"{setting}-{seed}.jsonl"
    history.save(kept)
    for fault in history.of(Fault):
        print(f"  {fault.at:7.2f} to {fault.until:7.2f} s  {fault.what}: {fault.target}")
    _told(found)
    print(f"  again:  python -m tests.faults --check {kept}")
    print(
        f"  anew:   make chaos SETTING={setting} SEED={seed} SECONDS={given.seconds:g}", flush=True
    )
    return True


def _told(found: Sequence[Violation]) -> int:
    for violation in found[:SHOWN]:
        print(f"  {violation.check}: {violation.says}")
    if len(found) > SHOWN:
        print(f"  and {len(found) - SHOWN} more")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
