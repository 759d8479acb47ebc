"""The servers that are measured, each a process of its own: ours, and the barest that writes.

    python -m benchmarks.peers ours|bare PORT

`REDIS_URL` says where the log is. Bare is FastAPI with one endpoint and one socket, each doing one
XADD of the request through redis-py and answering with a reply that ours once gave.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from redis.asyncio import Redis


class Answer(msgspec.Struct):
    question: str
    option: Any
    seen: int = 0
    id: str = ""
    type: str = ""


def bare() -> FastAPI:
    reply = Path(os.environ["BENCH_REPLY"]).read_bytes()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.redis = Redis.from_url(os.environ["REDIS_URL"])
        gc.collect()
        gc.freeze()
        yield
        await app.state.redis.aclose()

    app = FastAPI(lifespan=lifespan)
    decoder = msgspec.json.Decoder(Answer)

    async def write(match: str, body: bytes) -> bytes:
        answer = decoder.decode(body)
        await app.state.redis.xadd(f"bare:{match}", {"c": msgspec.msgpack.encode(answer)})
        return reply

    @app.post("/v1/matches/{match}/answers")
    async def answers(match: str, request: Request) -> Response:
        return Response(await write(match, await request.body()), media_type="application/json")

    @app.websocket("/v1/matches/{match}/stream")
    async def stream(match: str, socket: WebSocket) -> None:
        await socket.accept()
        try:
            while True:
                done = await write(match, (await socket.receive_text()).encode())
                await socket.send_text(done.decode())
        except WebSocketDisconnect:
            return

    return app


def main() -> None:
    which, port = sys.argv[1], int(sys.argv[2])
    if which == "bare":
        uvicorn.run(bare(), port=port, log_level="warning", access_log=False)
        return
    from services.api.app import create_app
    from services.server import serve
    from services.settings import Settings

    # All clients are one here.
    unbounded: Any = {"rate_token": "0", "rate_address": "0", "rate_create": "0"}
    unbounded |= {"sockets_address": 0, "connections_address": 0}
    settings = Settings(port=port, log_level="warning", **unbounded)
    serve(create_app(settings), settings)


if __name__ == "__main__":
    main()
