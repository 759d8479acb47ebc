"""A player that follows rules of thumb; it sees its seat's view and the open question."""

from __future__ import annotations

from games.bots import random_bot as bot

__all__ = ["bot"]
