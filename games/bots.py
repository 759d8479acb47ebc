"""Players that see what any client sees: the view of their seat and the open question."""

from __future__ import annotations

from typing import Any

import msgspec

from games.forms import Below, Choice, Page

_page: Any = Page


def page_of(question: dict[str, Any]) -> Any:
    """The form in a question's JSON, ready to count and to sample."""
    return msgspec.convert(question["form"], _page)


def sent(sampled: Any) -> Any:
    """What a client sends for a sample of a page."""
    if isinstance(sampled, Choice):
        return sampled.id
    if isinstance(sampled, tuple):
        return [sent(part) for part in sampled]
    return sampled


def random_bot(view: dict[str, Any], question: dict[str, Any], below: Below) -> Any:
    """Any answer, each equally likely."""
    return sent(page_of(question).sample(below))
