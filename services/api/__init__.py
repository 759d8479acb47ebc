"""The HTTP and WebSocket API: `uvicorn --factory services.api:create_app`."""

from services.api.app import create_app

__all__ = ["create_app"]
