"""uvicorn as this API wants it: fast sockets, no compression of secrets, a clean end."""

from __future__ import annotations

import socket as sockets
from typing import Any

import uvicorn
from fastapi import FastAPI

from services.doors import guarded, many_files
from services.fastws import FastWS
from services.settings import Settings


def config(app: FastAPI, settings: Settings, **more: Any) -> uvicorn.Config:
    """Compression stays off: what is secret must not change the size of what is not."""
    made: dict[str, Any] = {
        "host": settings.host,
        "port": settings.port,
        "http": guarded(settings),
        "ws": FastWS,
        "ws_per_message_deflate": False,
        "ws_max_size": settings.body_limit,
        "access_log": False,
        "log_config": None,
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
        "timeout_graceful_shutdown": settings.shutdown_seconds,
        "lifespan": "on",
    }
    return uvicorn.Config(app, **{**made, **more})


class Server(uvicorn.Server):
    """Tells the app to let go of what waits before it closes connections."""

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        desk = getattr(self.config.app.state, "desk", None)  # type: ignore[union-attr]
        if desk is not None:
            desk.drain()
        await super().shutdown(sockets)


def serve(app: FastAPI, settings: Settings, **more: Any) -> None:
    """Until SIGINT or SIGTERM."""
    many_files()
    Server(config(app, settings, **more)).run()
