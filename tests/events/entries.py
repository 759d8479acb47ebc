"""Entries to store: what is in them is nobody's business here."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from events.log import Entry, Span


def entry(version: int, text: str = "") -> Entry:
    facts = f"fact {version} {text}".encode()
    return Entry(version, facts, (Span(1, 4, (0, 2)),), sha256(facts).digest())


def entries(last: int, text: str = "") -> list[Entry]:
    return [entry(version, text) for version in range(1, last + 1)]


async def filled(store: Any, match: str, last: int) -> list[Entry]:
    made = entries(last, match)
    for one in made:
        await store.append(match, one, "playing")
    return made


def hurry(store: Any, patience: float) -> None:
    """From now on appends are tried for so many seconds."""
    appender: Any = store._appender
    for lane in getattr(appender, "_lanes", {"": appender}).values():
        lane._patience = patience


def names(number: int) -> Iterator[str]:
    for n in range(number):
        yield f"01J{n:05d}"
