"""The few requests that commands make to an API."""

from __future__ import annotations

import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import msgspec

from services.cli import output

RESERVED = ":/?#[]@!$&'()*+,;=%"
"""What a URL is made of stays; what it can't hold, like a blank, is escaped."""


def command(method: str, url: str, token: str, content: Any = None) -> bytes:
    """A request that changes something, under a key of its own."""
    return request(method, url, token, content, key=str(uuid4()))


def request(method: str, url: str, token: str = "", content: Any = None, *, key: str = "") -> bytes:
    """The body of a good reply. Raises Stop for a problem, and where nobody answers."""
    try:
        made = urllib.request.Request(quote(url, safe=RESERVED), method=method)
        if key:
            made.add_header("Idempotency-Key", key)
        if token:
            made.add_header("Authorization", f"Bearer {token}")
        if content is not None:
            made.data = msgspec.json.encode(content)
            made.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(made, timeout=30) as reply:
            return bytes(reply.read())
    except urllib.error.HTTPError as error:
        with error:
            raise _problem(error.code, error.read()) from None
    except (OSError, ValueError, HTTPException) as error:
        why = getattr(error, "reason", error)
        hint = "check --url; `hallowstream serve` starts an API"
        raise output.no_connection(f"no API answers at {url}: {why}", hint) from None


class Problem(output.Stop):
    """The API refuses; `named` is the code of its problem, if it gave one of ours."""

    def __init__(self, code: int, why: str, hint: str, named: str) -> None:
        super().__init__(code, why, hint)
        self.named = named


def _problem(status: int, body: bytes) -> Problem:
    named = ""
    try:
        problem = msgspec.json.decode(body)
        named = str(problem["code"])
        why = f"{problem['detail']} ({named})"
    except (msgspec.DecodeError, KeyError, TypeError):
        why = f"the API answers {status}, and not in words of ours"
    hints = {401: "give a token with --token", 403: "give a token that allows it with --token"}
    if status >= 500:
        return Problem(output.NO_CONNECTION, why, "try again in a moment", named)
    return Problem(output.USAGE, why, hints.get(status, ""), named)
