"""One sentence per event, from the viewer's cut of it."""

from __future__ import annotations

from typing import Any


def tell(event: dict[str, Any]) -> str:
    return "Something happens."
