"""Logging: JSON in production, readable on a terminal, never a secret."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from services.settings import Settings

_token = re.compile(r"hs_[a-z]+_[A-Za-z0-9]{8,}")
_private = frozenset(
    {"token", "secret", "authorization", "admin_key", "server_keys", "seed", "key"}
)


def redacted(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """No line holds a token or a key, whoever wrote it."""
    for name, value in event.items():
        if name in _private:
            event[name] = "[hidden]"
        elif isinstance(value, str) and "hs_" in value:
            event[name] = _token.sub("[hidden]", value)
    return event


def configure(settings: Settings) -> None:
    """Set up structlog, and send what libraries log the same way."""
    level = getattr(logging, settings.log_level.upper())
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
