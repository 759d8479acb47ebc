"""Our own Redis while `serve` runs: started again when it ends."""

from __future__ import annotations

import time

import structlog

from events.server import NoServer, Server

log = structlog.get_logger(__name__)

PAUSE = 1.0
"""Seconds between two starts; twice as long after each that fails, up to ten times."""


class Kept:
    """A server that is looked after."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._next = 0.0
        self._pause = PAUSE

    def tend(self) -> None:
        """Start it again if it ended: all that it has acknowledged is on disk."""
        now = time.monotonic()
        process = self.server.process
        if now < self._next or (process is not None and process.poll() is None):
            return
        if process is not None:
            code = process.returncode
            log.warning("process ended; it is started again", name="store", code=code)
        try:
            self.server.again()
            self._pause = PAUSE
        except NoServer as error:
            self._pause = min(self._pause * 2, 10 * PAUSE)
            log.error("the store does not start", why=str(error))
        self._next = time.monotonic() + self._pause
