"""`serve` and `worker`: what runs until it is stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from services import tied
from services.cli import output, stores

if TYPE_CHECKING:
    from services.serve import Serving
    from services.settings import Settings


def serve(workers: int, chosen: dict[str, Any]) -> None:
    from services import logs
    from services.serve import api

    settings = stores.settings(**chosen)
    if workers == 0:
        tied.hold()
        if not settings.redis_url:
            raise output.usage("the API alone needs a store", "set REDIS_URL, or give --workers 1")
        _guarded(lambda: api(settings))
        return
    logs.configure(settings)
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ending.set())
    serving = started(settings, workers)
    try:
        _banner(serving)
        serving.tend(ending)
    finally:
        serving.stop()


def started(settings: Settings, workers: int) -> Serving:
    """Raises Stop where it does not come up."""
    from events.server import InUse, NoServer
    from services.serve import NotServing, Serving

    for name, value in _told(settings).items():
        os.environ[name] = value
    try:
        return Serving(settings, workers).start()
    except InUse as error:
        hint = "end it (a `serve` that runs here?), or set HALLOWSTREAM_DATA to another folder"
        raise output.no_connection(str(error), hint) from None
    except (NoServer, NotServing) as error:
        raise output.no_connection(str(error), "`hallowstream doctor` looks for causes") from None


@contextmanager
def unbroken() -> Iterator[None]:
    """Signals to end wait until what is begun in here is whole."""
    came = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {n: signal.signal(n, lambda number, _: came.append(number)) for n in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt


def _told(settings: Settings) -> dict[str, str]:
    """What was given on the command line, as the children's environment has it."""
    told = {"HALLOWSTREAM_DATA": str(settings.data)}
    if settings.editions is not None:
        told["HALLOWSTREAM_EDITIONS"] = str(settings.editions)
    return told


def _banner(serving: Serving) -> None:
    from rich.text import Text

    console = output.console()
    console.print(Text.assemble(("Hallowstream ", "bold"), (serving.url, "bold cyan")))
    console.print(f"  docs     {serving.url}/docs")
    console.print(f"  matches  {serving.store}")
    console.print("  tokens   hallowstream tokens --help")
    console.print("  stop     Ctrl-C", style="dim")


def worker(groups: list[str], name: str, metrics_port: int | None) -> None:
    tied.hold()
    from projections.heart import Superseded
    from services import logs
    from services.worker import JOBS, work

    settings = stores.settings(worker_metrics_port=metrics_port)
    unknown = [group for group in groups if group not in JOBS]
    if unknown:
        raise output.usage(f"no group {unknown[0]!r}; there are: {', '.join(JOBS)}")
    logs.configure(settings)
    chosen = groups or list(JOBS)
    name = name or f"{socket.gethostname()}-{os.getpid()}"
    try:
        _guarded(lambda: asyncio.run(work(settings, chosen, name)))
    except Superseded as error:
        raise output.usage(str(error), "give each worker a --name of its own") from None


def _guarded(run: Any) -> None:
    """Raises Stop for what keeps a process from starting."""
    from events.store import Unavailable, Unfit
    from games.game import BadData

    try:
        run()
    except Unavailable as error:
        raise output.no_connection(f"cannot reach the store: {error}", stores.REACH) from None
    except (Unfit, BadData, ValueError) as error:
        raise output.usage(str(error)) from None
    except OSError as error:
        raise output.no_connection(f"cannot listen: {error.strerror or error}") from None
    except KeyboardInterrupt:
        raise output.Quiet(0) from None
