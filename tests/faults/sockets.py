"""A client's stream: it follows a match for ever, and answers over it."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.faults.caller import PATIENCE, Caller, commit_digests, outcome_of
from tests.faults.history import Op, Read

QUIET = 6.0
"""Seconds without a sign of life after which a client connects anew."""


class Follower:
    """One client on one match. `cursor` is the last version it has, `news` is set by each."""

    def __init__(
        self, caller: Caller, client: str, match: str, token: str, rng: random.Random
    ) -> None:
        self.client = client
        self.match = match
        self.cursor = 0
        self.over = False
        self.news = asyncio.Event()
        self._caller = caller
        self._token = token
        self._rng = rng
        self._epoch = self._head = self._viewer = self._via = ""
        self._line = 0
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            try:
                await self._once()
            except (WebSocketException, OSError, TimeoutError):
                pass
            finally:
                self._socket = None
                self._lost()
            await asyncio.sleep(self._rng.uniform(0.02, 0.3))

    async def _once(self) -> None:
        caller = self._caller
        self._via = self._rng.choice(caller.names)
        caller.sockets += 1
        self._line = caller.sockets
        query = f"after={self.cursor}"
        if self.cursor:
            query += f"&epoch={self._epoch}&head={self._head}"
        url = caller.urls[self._via].replace("http", "ws", 1)
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else None
        async with connect(
            f"{url}/v1/matches/{self.match}/stream?{query}",
            additional_headers=headers,
            compression=None,
            open_timeout=PATIENCE,
            close_timeout=0.5,
            ping_interval=None,
            proxy=None,
        ) as socket:
            self._socket = socket
            try:
                while True:
                    text = await asyncio.wait_for(socket.recv(), QUIET)
                    self._hear(msgspec.json.decode(text))
            except ConnectionClosed as closed:
                self._closed(closed.rcvd.code if closed.rcvd else 1006)
                raise

    def _closed(self, code: int) -> None:
        self._note("closed", status=code)
        if code == 4409:
            # History was lost: the match is read anew, as the guide says.
            self.cursor, self._epoch, self._head = 0, "", ""
            self.news.set()

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "hello":
            self._epoch = message["epoch"]
            self._viewer = str(message["viewer"])
            self.over = message["status"] == "over"
            self._note("hello", message, after=commit_digests(message)[1])
        elif kind == "commit":
            told, after = commit_digests(message)
            self._note("commit", message, told, after)
            self.cursor, self._head = message["version"], message["head"]
            self.over = message.get("status", "") == "over"
            self.news.set()
        elif kind == "ping":
            self._note("ping", message)
        elif message["id"] in self._waiting:
            self._waiting.pop(message["id"]).set_result(message)

    def _note(
        self,
        source: Any,
        message: dict[str, Any] | None = None,
        shown: str = "",
        after: str = "",
        status: int = 200,
    ) -> None:
        message = message or {"version": 0, "head": ""}
        self._caller.history.add(
            Read(
                client=self.client,
                match=self.match,
                viewer=self._viewer,
                source=source,
                via=self._via,
                line=self._line,
                at=self._caller.clock(),
                least=self.cursor,
                version=message["version"],
                head=message["head"],
                epoch=self._epoch,
                shown=shown,
                after=after,
                status=status,
            )
        )

    def _lost(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            future.cancel()

    @property
    def connected(self) -> bool:
        return self._socket is not None and bool(self._viewer)

    async def answer(self, op: Op) -> None:
        """One attempt over the socket, recorded when it ends."""
        socket = self._socket
        assert socket is not None
        op.via = f"{self._via} socket"
        op.invoked = self._caller.clock()
        told = asyncio.get_running_loop().create_future()
        self._waiting[op.key] = told
        try:
            message = {"type": "answer", "id": op.key, **op.body}
            await socket.send(msgspec.json.encode(message).decode())
            self._told(op, await asyncio.wait_for(told, PATIENCE))
        except (WebSocketException, OSError, TimeoutError, asyncio.CancelledError) as error:
            op.code = type(error).__name__
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
        finally:
            self._waiting.pop(op.key, None)
            self._caller.done(op)

    def _told(self, op: Op, message: dict[str, Any]) -> None:
        if message["type"] == "accepted":
            op.outcome, op.status = "ok", 200
            op.version, op.head, op.again = message["version"], message["head"], message["again"]
            op.reverted = message["reverted"]
            return
        problem = message["problem"]
        op.status, op.code = problem["status"], problem["code"]
        op.outcome = outcome_of(op.status, op.code)
