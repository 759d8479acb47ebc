"""`make bench-peers`: Tricks and Treats on ours and on boardgame.io, one client for both.

Needs node and npm; the packages of `benchmarks/boardgameio` are installed by `npm ci`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from benchmarks.common import Row, save
from benchmarks.proc import cpu, memory
from benchmarks.sides import FOLDER, Side, boardgameio, ours

SEATS = 4
WARMUP = 0.5
POOL = {1: 150, 20: 24, 200: 4}
"""Matches made ready for each one that is played at a time; a run ends where one has no more."""

PEER = "boardgame.io"
SIDES: dict[str, Callable[[], AbstractContextManager[Side]]] = {
    PEER: boardgameio,
    "ours, fsync always": partial(ours, "always"),
    "ours, fsync everysec": partial(ours, "everysec"),
}


class Run(NamedTuple):
    """What one run measured: per second, ms, us of processor time a move, bytes."""

    rate: float
    p50: float
    p99: float
    cost: dict[str, float]
    client: float
    memory: float
    update: float
    state: float

    @property
    def server(self) -> float:
        return sum(self.cost.values())


class Client:
    """The Node program, spoken to in lines."""

    def __init__(self, side: Side) -> None:
        command = ["node", "client.js", side.kind, *map(str, side.ports)]
        self._process = subprocess.Popen(
            command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self, what: str) -> dict[str, Any]:
        """The next line, which must be that one. Raises RuntimeError."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        said: dict[str, Any] = json.loads(line) if line else {}
        if said.get("what") != what:
            raise RuntimeError(f"the client did not come to {what!r}: {line or 'it ended'}")
        return said

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()


def measured(side: Side, matches: int, seconds: float, seed: int) -> Run:
    """One run. Raises RuntimeError where what was told is not what the server holds."""
    task: dict[str, float] = {"matches": matches, "pool": POOL[matches], "seats": SEATS}
    task |= {"warmup": WARMUP, "seconds": seconds, "seed": seed}
    empty = sum(map(memory, side.pids.values()))
    with Client(side) as client:
        client.say(json.dumps(task))
        client.hear("started")
        client.hear("ready")
        client.say("go")
        client.hear("begin")
        before = {name: cpu(pid) for name, pid in side.pids.items()}
        end = client.hear("end")
        spent = {name: cpu(pid) - before[name] for name, pid in side.pids.items()}
        checked = client.hear("checked")
        grown = sum(map(memory, side.pids.values())) - empty
        _cross_check(side, checked["logs"])
    moves = end["moves"]
    return Run(
        moves / end["seconds"],
        end["p50"],
        end["p99"],
        {name: used / moves * 1e6 for name, used in spent.items()},
        end["client"],
        grown / (matches * POOL[matches]),
        end["bytes"] / end["updates"],
        checked["state"],
    )


def _cross_check(side: Side, logs: list[list[Any]]) -> None:
    """The client asks the server where each match stands; ours is also asked in the store."""
    for match, began, moves in logs if side.url else ():
        if side.written(match) != began + moves:
            raise RuntimeError(f"{match}: {moves} moves were told, {side.written(match)} written")


def rows_of(matches: int, runs: dict[str, list[Run]]) -> list[Row]:
    """The medians, and how many times better than the peer ours is, round by round."""
    group = f"{matches} {'match' if matches == 1 else 'matches'} x {SEATS} sockets"
    rows = []
    for what, unit, figure in FIGURES:
        for name, mine in runs.items():
            values = tuple(map(figure, mine))
            pairs = zip(runs[PEER], mine, strict=True)
            ratio = median([_better(unit, figure(p), figure(m)) for p, m in pairs])
            own = name == PEER
            bar = "3" if what == "server CPU a move" and "always" in name else ""
            label = f"{what}, {name}"
            peer = "" if own else PEER
            rows.append(
                Row(group, label, median(values), unit, values, None if own else ratio, peer, bar)
            )
    for name, mine in runs.items():
        for part in mine[0].cost if len(mine[0].cost) > 1 else ():
            costs = tuple([run.cost[part] for run in mine])
            rows.append(Row(group, f"of which {part}, {name}", median(costs), "us", costs))
    return rows


FIGURES: tuple[tuple[str, str, Callable[[Run], float]], ...] = (
    ("accepted moves", "/s", lambda run: run.rate),
    ("server CPU a move", "us", lambda run: run.server),
    ("send to last seat told p50", "ms", lambda run: run.p50),
    ("send to last seat told p99", "ms", lambda run: run.p99),
    ("client CPU a move", "us", lambda run: run.client),
    ("an update", "bytes", lambda run: run.update),
    ("state", "bytes", lambda run: run.state),
    ("memory a match with its sockets", "bytes", lambda run: run.memory),
)


def _better(unit: str, peer: float, mine: float) -> float:
    """How many times better than the peer: more a second, less of everything else."""
    return mine / peer if unit == "/s" else peer / max(mine, 1e-9)


def shown(rows: Sequence[Row]) -> None:
    """One table for each number of matches: a line a figure, a column a server."""
    from rich.console import Console
    from rich.table import Table

    groups = dict.fromkeys(row.group for row in rows)
    for group in groups:
        table = Table(title=group, title_justify="left")
        for column in ("", *SIDES, f"times better than {PEER}"):
            table.add_column(column, justify="right" if column else "left")
        mine = [row for row in rows if row.group == group]
        for what in dict.fromkeys(row.what.partition(", ")[0] for row in mine):
            line = {row.what.partition(", ")[2]: row for row in mine if row.what.startswith(what)}
            unit = next(iter(line.values())).unit
            cells = [_cell(line[name]) if name in line else "" for name in SIDES]
            ratios = [f"{row.ratio:.2f}" for row in line.values() if row.ratio is not None]
            table.add_row(f"{what}, {unit}", *cells, "  ".join(ratios))
        Console(width=130).print(table)


def _cell(row: Row) -> str:
    digits = 0 if row.value >= 100 else 2
    low, high = min(row.rounds), max(row.rounds)
    return f"{row.value:,.{digits}f} ({low:,.{digits}f}-{high:,.{digits}f})"


def versus(sizes: list[int], rounds: int, seconds: float) -> list[Row]:
    """All sides one after another, then again: what slows the machine slows them all."""
    rows: list[Row] = []
    for matches in sizes:
        runs: dict[str, list[Run]] = {name: [] for name in SIDES}
        for number in range(rounds):
            for name in list(SIDES)[:: 1 if number % 2 == 0 else -1]:
                with SIDES[name]() as side:
                    run = measured(side, matches, seconds, number + 1)
                runs[name].append(run)
                print(
                    f"{matches:4} matches, round {number + 1}, {name:22} {_line(run)}", flush=True
                )
        rows += rows_of(matches, runs)
    return rows


def _line(run: Run) -> str:
    parts = " + ".join(f"{name} {cost:.0f}" for name, cost in run.cost.items())
    return f"{run.rate:6.0f}/s  p50 {run.p50:6.2f} p99 {run.p99:6.2f} ms  {parts} us a move"


def installed() -> None:
    """The packages as the lock says. Ends the program where that cannot be."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        sys.exit("bench-peers needs node 18 or newer and npm on PATH (Debian: nodejs, npm)")
    lock, mark = FOLDER / "package-lock.json", FOLDER / "node_modules" / ".package-lock.json"
    if mark.exists() and mark.stat().st_mtime >= lock.stat().st_mtime:
        return
    if subprocess.run(["npm", "ci", "--silent"], cwd=FOLDER, check=False).returncode:
        sys.exit("npm could not install boardgame.io; what it said stands above")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versus", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each side")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each run")
    parser.add_argument("--matches", type=int, nargs="*", choices=[*POOL], default=[*POOL])
    given = parser.parse_args()
    installed()
    rows = versus(given.matches, given.rounds, given.seconds)
    shown(rows)
    print(f"written to {save(rows)}")


if __name__ == "__main__":
    main()
