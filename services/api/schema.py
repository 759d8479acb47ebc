"""OpenAPI 3.1 from msgspec types: one helper documents every route, no route writes schemas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec
from starlette.responses import Response

from services.problems import MEDIA, PROBLEMS, WHAT_TO_DO, Problem

COMPONENTS: dict[str, Any] = {}
_TEMPLATE = "#/components/schemas/{name}"

EVERYWHERE = ("too_many_requests", "body_too_large", "internal", "bad_request", "bad_parameter")
STORED = ("unavailable", "stopping", "corrupt_log")
BEARER = ("unknown_token", "token_expired")
COMMANDED = ("key_required", "bad_key", "key_reused", "busy", "unconfirmed")
SENT = ("malformed_json", "bad_body", "not_json")

VERSION_HEADERS: dict[str, Any] = {
    "ETag": {
        "schema": {"type": "string"},
        "description": "The version of the match, how its head begins and, where others are "
        "shown something else, who sees it so, quoted.",
    }
}


def ref(type: Any, name: str = "") -> dict[str, Any]:
    """A reference to the schema of a type; a union needs the name it is to have."""
    (schema,), parts = msgspec.json.schema_components((type,), ref_template=_TEMPLATE)
    for part, made in parts.items():
        _add(part, made)
    if not name:
        return dict(schema)
    _add(name, schema)
    return {"$ref": _TEMPLATE.format(name=name)}


def either(name: str, *types: Any) -> dict[str, Any]:
    """A reference to one schema or another, under a name of its own."""
    _add(name, {"title": name, "anyOf": [ref(type) for type in types]})
    return {"$ref": _TEMPLATE.format(name=name)}


def _add(name: str, schema: dict[str, Any]) -> None:
    if COMPONENTS.setdefault(name, schema) != schema:
        raise ValueError(f"two schemas want the name {name}")


def spec(
    *,
    summary: str,
    reply: Any = None,
    status: int = 200,
    body: Any = None,
    problems: Iterable[str] = (),
    media: str = "application/json",
    open_to_all: bool = False,
    headers: dict[str, Any] | None = None,
    also: dict[int, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """What a FastAPI route takes to be documented."""
    codes = {*problems, *EVERYWHERE, *STORED, *BEARER}
    extra: dict[str, Any] = {}
    if body is not None:
        codes |= set(SENT)
        required = bool(msgspec.json.schema(body)["$defs"][body.__name__].get("required"))
        extra["requestBody"] = {
            "content": {"application/json": {"schema": ref(body)}},
            "required": required,
        }
    extra["security"] = [{}, {"bearer": []}] if open_to_all else [{"bearer": []}]
    content = {media: {"schema": ref(reply) if reply is not None else {"type": "string"}}}
    ok: dict[str, Any] = {"description": "Successful", "content": content}
    if headers:
        ok["headers"] = headers
    return {
        # Of a route without a class the framework says that it gives JSON, too.
        **({} if media == "application/json" else {"response_class": Response}),
        "summary": summary,
        "status_code": status,
        "openapi_extra": extra,
        "responses": {status: ok, **(also or {}), **responses(codes)},
        "response_model": None,
    }


def responses(codes: Iterable[str]) -> dict[int | str, Any]:
    """The documented problems by status."""
    by_status = defaultdict(list)
    for code in sorted(codes):
        by_status[PROBLEMS[code].status].append(code)
    found: dict[int | str, Any] = {}
    for status, names in sorted(by_status.items()):
        listed = ", ".join(f"`{name}`" for name in names)
        advice = WHAT_TO_DO.get(status, "")
        found[status] = {
            "description": f"Problem: {listed}. {advice}".strip(),
            "content": {MEDIA: {"schema": ref(Problem)}},
        }
    return found
