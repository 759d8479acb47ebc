"""Requests generated from the document, with a fixed seed and a cap, against the API."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, seed
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from services.api import create_app
from services.desk import Desk
from tests.services.api import ADMIN, TOY, bearer, memory, settings

CASES = 8
"""Generated requests for each operation; each is sent by everybody below."""

CHECKS: Any = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


def app() -> Any:
    """An API whose desk is there without a start: requests come from loops of their own."""
    chosen = settings(wait_limit=0.01)
    made = create_app(chosen, parts := memory())
    made.state.desk = Desk(chosen, parts.store, parts.vault, parts.keys)
    return made


APP = app()
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)


class Known:
    """A match that is being played, and who may ask for what."""

    def __init__(self) -> None:
        self.client = TestClient(APP)
        made = self.post("/v1/matches", "", {"game": TOY, "seats": 3})
        self.match: str = made["match"]
        path = f"/v1/matches/{self.match}"
        seats = [self.post(f"{path}/seats", "", {})["token"] for _ in range(3)]
        self.post(f"{path}/start", made["host_token"], None)
        tokens = [
            self.post("/v1/tokens", ADMIN, {"scope": s})["token"] for s in ("audit", "player")
        ]
        self.bearers = ["", "nonsense", ADMIN, made["host_token"], *seats[:1], *tokens]

    def post(self, path: str, token: str, body: Any) -> Any:
        headers = {"idempotency-key": str(uuid4()), **(bearer(token) if token else {})}
        reply = self.client.post(path, json=body, headers=headers)
        assert reply.status_code < 300, reply.text
        return reply.json()


@pytest.fixture
def known() -> Known:
    return Known()


@SCHEMA.parametrize()
@hypothesis_settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@seed(2)
def test_every_operation(case: Any, known: Known) -> None:
    for number, token in enumerate(known.bearers):
        if number > 1 and "match" in case.path_parameters:
            case.path_parameters["match"] = known.match
        if number > 3 and "seat" in case.path_parameters:
            case.path_parameters["seat"] = 0
        response = case.call(headers=bearer(token) if token else {})
        case.validate_response(response, checks=CHECKS)
