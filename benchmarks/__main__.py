"""`make bench`: runs all or the named parts, prints a table and writes the figures as JSON."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable

from benchmarks import api, append, archive, decide, fold, memory, replay, size
from benchmarks.common import Row, save, show

PARTS: dict[str, Callable[[int], Awaitable[list[Row]]]] = {
    "api": api.run,
    "append": append.run,
    "fold": fold.run,
    "decide": decide.run,
    "replay": replay.run,
    "size": lambda rounds: size.run(),
    "archive": archive.run,
    "memory": lambda rounds: memory.run(),
}


async def _all(names: list[str], rounds: int) -> list[Row]:
    rows: list[Row] = []
    for name in names:
        rows += await PARTS[name](rounds)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which; all if none")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each side")
    given = parser.parse_args()
    rows = asyncio.run(_all(given.parts or list(PARTS), given.rounds))
    show(rows)
    print(f"written to {save(rows)}")


if __name__ == "__main__":
    main()
