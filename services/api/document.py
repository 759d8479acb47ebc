"""The OpenAPI 3.1 document of the whole API."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from games.forms import Page as Form
from services.api import facts
from services.api.answers import PATH, SPEC
from services.api.schema import COMPONENTS, ref
from services.inputs import KEY
from services.shapes import StreamMessage

DESCRIPTION = (
    "Turn-based tabletop games as logs of facts. Every reply carries the version and the head of "
    "its match; every command takes an Idempotency-Key; every error is an RFC 9457 problem."
)

UNIONS: dict[str, Any] = {"Form": Form, "StreamMessage": StreamMessage}
"""What TypeScript would otherwise get as nameless unions."""

OPEN = ("GameView", "Event")
"""Objects that have members of their game's own."""

LISTS_OF_CHOICES = (("Arrangement_Choice_", "items"), ("Split", "parts"))
"""What the forms' own types leave open."""

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
    made["paths"][PATH] = {"post": _answers()}
    for path in made["paths"].values():
        for operation in path.values():
            _tidy(operation)
    for name, union in UNIONS.items():
        ref(union, name)
    schemas = {name: _named(schema, name) for name, schema in sorted(COMPONENTS.items())}
    for name, member in LISTS_OF_CHOICES:
        schemas[name]["properties"][member]["items"] = {"$ref": "#/components/schemas/Choice"}
    for name in OPEN:
        schemas[name] = {**schemas[name], "additionalProperties": True}
    schemas |= _events(schemas.pop("Event")) | facts.match()
    schemas["View"]["properties"]["match"] = {"$ref": "#/components/schemas/Match"}
    made["components"] = {"schemas": schemas, "securitySchemes": _SECURITY}
    text = msgspec.json.encode(made).replace(b"_Choice_", b"")
    app.openapi_schema = msgspec.json.decode(text)
    return dict(app.openapi_schema or {})


def _named(schema: Any, within: str = "") -> Any:
    """Every union of objects by its name, wherever it stands."""
    if isinstance(schema, list):
        return [_named(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    members = schema.get("anyOf", ())
    refs = [part["$ref"] for part in members if "$ref" in part]
    for name in UNIONS:
        if name != within and len(refs) > 1 and refs == _refs(COMPONENTS[name]):
            others = [part for part in members if "$ref" not in part]
            union = {"$ref": f"#/components/schemas/{name}"}
            return {"anyOf": [union, *others]} if others else union
    return {key: _named(part) for key, part in schema.items()}


def _events(game: dict[str, Any]) -> dict[str, Any]:
    """Facts by name: those on the match are the same for all games, each game has its own."""
    union, parts = facts.match_events()
    either = [{"$ref": f"#/components/schemas/{name}"} for name in ("MatchEvent", "GameEvent")]
    event = {"title": "Event", "description": game["description"], "anyOf": either}
    own = {**game, "title": "GameEvent", "description": "A fact of the game that is played."}
    return {"Event": event, "GameEvent": own, "MatchEvent": union, **parts}


def _refs(schema: dict[str, Any]) -> list[str]:
    return [part["$ref"] for part in schema["anyOf"] if "$ref" in part]


def _answers() -> dict[str, Any]:
    """Answers are taken ahead of the framework: it does not know of them."""
    extra = dict(SPEC["openapi_extra"])
    return {
        "tags": ["play"],
        "summary": SPEC["summary"],
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
            {
                "name": "Prefer",
                "in": "header",
                "schema": {"type": "string", "examples": ["return=minimal"]},
                "description": "`return=minimal`: the reply comes without the view (RFC 7240).",
            },
        ],
        "responses": {str(status): made for status, made in SPEC["responses"].items()},
        **extra,
    }


def _tidy(operation: dict[str, Any]) -> None:
    """Keys as they are required."""
    for parameter in operation.get("parameters", ()):
        if parameter["name"].lower() == "idempotency-key":
            parameter.update(
                name="Idempotency-Key",
                required=True,
                schema={"type": "string", "pattern": KEY, "examples": ["8e03978e-40d5-43dd"]},
                description="16 to 128 printable ASCII characters, a UUID at best: the same "
                "command sent again under the same key gives the first result again.",
            )
