"""A heuristic player: sees its seat's view and the open question, nothing else."""

from __future__ import annotations

from typing import Any

from games.bots import random_bot
from games.forms import Below


def bot(view: dict[str, Any], question: dict[str, Any], below: Below) -> Any:
    return random_bot(view, question, below)
