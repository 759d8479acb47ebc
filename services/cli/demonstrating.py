"""`demo`: everything on this machine, one match, from nothing to verified."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.game import Game
from services.cli import catalogue, output, serving, stores, verifying

if TYPE_CHECKING:
    from services.demo import Outcome
    from services.serve import Serving


def run(id: str, seats: int | None, keep: bool, port: int, data: Path | None, json: bool) -> None:
    from services import logs

    begun = time.monotonic()
    catalogue.load(data)
    game = catalogue.find(id)
    seats = catalogue.seats(game, seats)
    settings = stores.settings(redis_url="", replicas=0, port=port, editions=data)
    for name in ("REDIS_URL", "HALLOWSTREAM_REDIS_URL", "HALLOWSTREAM_REPLICAS"):
        os.environ.pop(name, None)
    os.environ.setdefault("HALLOWSTREAM_LOG_LEVEL", "warning")
    logs.configure(settings.model_copy(update={"log_level": "warning"}))
    # Told to end, it must still stop what it has started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    say = _silent if json else _say
    say("Starting a server of our own, the API and a worker ...")
    up = None
    try:
        with serving.unbroken():
            up = serving.started(settings, workers=1)
        outcome = _played(up, game, seats, say)
        kept = _keep(settings.data, outcome)
        took = time.monotonic() - begun
        if json:
            output.as_json(_told(up, outcome, kept, took))
        else:
            _show(up, outcome, kept, took, keep)
        if not outcome.report.ok:
            raise output.Quiet(output.FAILED)
        if keep:
            _wait(up)
    finally:
        if up is not None:
            with serving.unbroken():
                up.stop()


def _say(text: str) -> None:
    output.console().print(output.sentence(text))


def _silent(text: str) -> None:
    """With --json the match is not told."""


def _played(up: Serving, game: Game, seats: int, say: Any) -> Outcome:
    from services.demo import Demo, Stuck

    try:
        return asyncio.run(Demo(up.url, up.admin_key, game, seats, say).play())
    except Stuck as stuck:
        raise output.failed(str(stuck), "`hallowstream doctor` looks for causes") from None


def _keep(data: Path, outcome: Outcome) -> Path:
    """The auditor's log, as a file beside the data."""
    path = data / "logs" / f"{outcome.match}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(outcome.log)
    return path


def _told(up: Serving, outcome: Outcome, kept: Path, took: float) -> dict[str, Any]:
    return {
        "ok": outcome.report.ok,
        "match": outcome.match,
        "result": outcome.result,
        "answers": outcome.answers,
        "versions": outcome.report.versions,
        "head": outcome.report.head,
        "checks": outcome.report.checks,
        "file": str(kept),
        "seconds": round(took, 2),
    }


def _show(up: Serving, outcome: Outcome, kept: Path, took: float, keep: bool) -> None:
    console = output.console()
    console.print()
    result = outcome.result
    output.show_scores(result["winners"], result["scores"])
    console.print(f"  {result['why'].replace('_', ' ')}\n", markup=False)
    verifying.show(outcome.report)
    console.print(
        f"\n{outcome.answers} answers through the API; {took:.1f} seconds from start to end"
    )
    console.print(f"step through it:  hallowstream replay {kept}")
    console.print(f"or from the log:  hallowstream replay {outcome.match}")
    if keep:
        console.print(f"as anybody sees:  {up.url}/v1/matches/{outcome.match}")
        console.print(f"API docs:         {up.url}/docs  (Ctrl-C stops it)")
    else:
        console.print("API docs:         hallowstream serve, then http://127.0.0.1:8000/docs")


def _wait(up: Serving) -> None:
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ending.set())
    up.tend(ending)
