"""What a log line may not hold, wherever in it a library or we have put it."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from services.logs import HIDDEN, Access, Redacting, redacted

TOKEN = "hs_seat_" + "a1B2" * 10


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"event": f"GET /x?token={TOKEN}"}, {"event": f"GET /x?token={HIDDEN}"}),
        ({"token": "anything"}, {"token": HIDDEN}),
        ({"why": ["a", {"b": (TOKEN, 1)}]}, {"why": ["a", {"b": [HIDDEN, 1]}]}),
        ({"sent": {"entropy": "mine", "seat": 1}}, {"sent": {"entropy": HIDDEN, "seat": 1}}),
        (
            {"why": "cannot reach redis://user:pass@host:6379/0"},
            {"why": f"cannot reach redis://{HIDDEN}@host:6379/0"},
        ),
        ({"url": "http://host/a@b"}, {"url": "http://host/a@b"}),
        ({"event": "accepted", "version": 3}, {"event": "accepted", "version": 3}),
    ],
    ids=["address", "name", "deep", "names within", "password", "no password", "plain"],
)
def test_of_events(given: dict[str, Any], shown: dict[str, Any]) -> None:
    assert redacted(None, "info", given) == shown


def record(text: str, *args: Any) -> logging.LogRecord:
    return logging.LogRecord("uvicorn.error", 20, "", 0, text, args, None)


def test_of_a_librarys_own_lines() -> None:
    line = record('%s - "WebSocket %s" [accepted]', "127.0.0.1", f"/stream?token={TOKEN}")
    assert Redacting().filter(line)
    assert line.getMessage() == f'127.0.0.1 - "WebSocket /stream?token={HIDDEN}" [accepted]'
    line = record('%s - "%s %s HTTP/%s" %d', "127.0.0.1", "GET", f"/x?a={TOKEN}", "1.1", 200)
    assert Access().filter(line)
    assert line.args == ("127.0.0.1", "GET", f"/x?a={HIDDEN}", "1.1", 200)
