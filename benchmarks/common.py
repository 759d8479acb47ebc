"""What the benchmarks share: interleaved rounds, medians, ratios, a table and a JSON file."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

RESULTS = Path(__file__).parent / "results"


class Row(NamedTuple):
    """One figure: the median of its rounds, in `unit`; `ratio` is to the peer named."""

    group: str
    what: str
    value: float
    unit: str
    rounds: tuple[float, ...] = ()
    ratio: float | None = None
    peer: str = ""
    good: str = ""


async def interleaved(
    sides: dict[str, Callable[[], Awaitable[float]]], rounds: int
) -> dict[str, list[float]]:
    """Every side once, then every side again: what slows the machine slows them all."""
    figures: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(rounds):
        names = list(sides)
        for name in names if number % 2 == 0 else reversed(names):
            figures[name].append(await sides[name]())
    return figures


def compared(
    group: str,
    figures: dict[str, list[float]],
    unit: str,
    peer: str,
    good: str = "",
) -> list[Row]:
    """A row a side, each with its ratio to the peer, round by round, then the median."""
    rows = []
    for name, values in figures.items():
        ratios = [v / p for v, p in zip(values, figures[peer], strict=True)]
        ratio = None if name == peer else median(ratios)
        rows.append(
            Row(
                group,
                name,
                median(values),
                unit,
                tuple(values),
                ratio,
                "" if name == peer else peer,
                "" if name == peer else good,
            )
        )
    return rows


def show(rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Hallowstream, medians and ratios", title_justify="left")
    for column in ("group", "what"):
        table.add_column(column)
    for column in ("value", "unit", "spread", "ratio"):
        table.add_column(column, justify="right")
    table.add_column("to")
    table.add_column("bar")
    group = ""
    for row in rows:
        if row.group != group:
            table.add_section()
        spread = f"{min(row.rounds):,.4g}..{max(row.rounds):,.4g}" if row.rounds else ""
        table.add_row(
            row.group if row.group != group else "",
            row.what,
            f"{row.value:,.4g}" if row.value < 1000 else f"{row.value:,.0f}",
            row.unit,
            spread,
            f"{row.ratio:.2f}" if row.ratio is not None else "",
            row.peer,
            row.good,
        )
        group = row.group
    Console().print(table)


def save(rows: Sequence[Row]) -> Path:
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.json"
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    path.write_text(json.dumps({"on": machine, "rows": [r._asdict() for r in rows]}, indent=1))
    return path
