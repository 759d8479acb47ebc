"""The OpenAPI 3.1 document of the whole API."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from games.forms import Page as Form
from services.api.play import ANSWER_PATH, ANSWER_SPEC
from services.api.schema import COMPONENTS, ref
from services.inputs import KEY
from services.shapes import StreamMessage

DESCRIPTION = (
    "Turn-based tabletop games as logs of facts. Every reply carries the version and the head of "
    "its match; every command takes an Idempotency-Key; every error is an RFC 9457 problem."
)

_SECURITY = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An opaque token, `hs_<kind>_...`: of a seat, a host, a watcher, a player, "
        "an auditor or an admin.",
    }
}


def document(app: FastAPI) -> dict[str, Any]:
    """Made once, then kept on the app."""
    if app.openapi_schema:
        return app.openapi_schema
    made = get_openapi(
        title=app.title,
        version="1",
        openapi_version="3.1.0",
        description=DESCRIPTION,
        routes=app.routes,
    )
    made["paths"][ANSWER_PATH] = {"post": _answers()}
    for path in made["paths"].values():
        for operation in path.values():
            _tidy(operation)
    ref(Form, "Form")
    ref(StreamMessage, "StreamMessage")
    schemas = made.setdefault("components", {}).setdefault("schemas", {})
    schemas.clear()
    schemas.update(sorted(COMPONENTS.items()))
    schemas["GameView"]["additionalProperties"] = True
    schemas["Event"]["additionalProperties"] = True
    made["components"]["securitySchemes"] = _SECURITY
    app.openapi_schema = made
    return made


def _answers() -> dict[str, Any]:
    """The answers route is Starlette's: FastAPI does not know of it."""
    extra = dict(ANSWER_SPEC["openapi_extra"])
    return {
        "tags": ["play"],
        "summary": ANSWER_SPEC["summary"],
        "operationId": "answer",
        "parameters": [
            {
                "name": "match",
                "in": "path",
                "required": True,
                "schema": {"type": "string"},
                "description": "The match's id.",
            },
            {"name": "idempotency-key", "in": "header", "schema": {"type": "string"}},
        ],
        "responses": {str(status): made for status, made in ANSWER_SPEC["responses"].items()},
        **extra,
    }


def _tidy(operation: dict[str, Any]) -> None:
    """Short ids; keys as they are required; our problems in the place of FastAPI's own."""
    operation["operationId"] = operation["operationId"].partition("_v1_")[0]
    for parameter in operation.get("parameters", ()):
        if parameter["name"].lower() == "idempotency-key":
            parameter.update(
                name="Idempotency-Key",
                required=True,
                schema={"type": "string", "pattern": KEY, "examples": ["8e03978e-40d5-43dd"]},
                description="16 to 128 printable ASCII characters, a UUID at best: the same "
                "command sent again under the same key gives the first result again.",
            )
