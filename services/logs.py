"""Logging: JSON in production, readable on a terminal, never a secret."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from services.settings import Settings

_token = re.compile(r"hs_[a-z]+_[A-Za-z0-9]{8,}|(?<=://)[^/@\s]*(?=@)")
"""A token of ours; the user and password of an address."""

HIDDEN = "[hidden]"

_private = frozenset(
    {"token", "secret", "authorization", "admin_key", "server_keys", "seed", "key", "entropy"}
)


def redacted(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """No line holds a token or a key, whoever wrote it."""
    for name, value in event.items():
        event[name] = HIDDEN if name in _private else _without(value)
    return event


def _without(value: Any) -> Any:
    """The same without what looks like a token, however deep."""
    if isinstance(value, str):
        if "hs_" in value or "://" in value:
            return _token.sub(HIDDEN, value)
    elif isinstance(value, list | tuple):
        return [_without(part) for part in value]
    elif isinstance(value, dict):
        return {name: HIDDEN if name in _private else _without(v) for name, v in value.items()}
    return value


class Redacting(logging.Filter):
    """For loggers with handlers of their own, like uvicorn's: an address may hold a token."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _without(record.getMessage()), None
        return True


class Access(logging.Filter):
    """uvicorn's formatter takes the parts of an access line apart: they stay parts."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.args = tuple(map(_without, record.args or ()))
        return True


_least = logging.NOTSET


def heard(level: int) -> bool:
    """Whether lines of that level are written: on the hot path, making one that is not costs."""
    return level >= _least


FILTERS = {"uvicorn.error": Redacting(), "uvicorn.access": Access()}


def configure(settings: Settings) -> None:
    """Set up structlog, and send what libraries log the same way."""
    global _least
    level = _least = getattr(logging, settings.log_level.upper())
    pretty = settings.log_format == "console" or (
        settings.log_format == "auto" and sys.stderr.isatty()
    )
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redacted,
    ]
    last: Any = structlog.processors.JSONRenderer()
    if pretty:
        # The renderer's own tracebacks would show the values of variables, secrets among them.
        plain = structlog.dev.plain_traceback
        last = structlog.dev.ConsoleRenderer(exception_formatter=plain)
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.WARNING))
    for name, kept in FILTERS.items():
        logging.getLogger(name).addFilter(kept)
