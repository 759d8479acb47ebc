"""What `doctor` tells."""

from __future__ import annotations

from typing import Literal

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at; `fix` says what to do where it is not well."""

    name: str
    state: Literal["ok", "failed", "unknown"]
    says: str
    fix: str = ""


def found(name: str, well: bool, says: str, fix: str) -> Finding:
    return Finding(name, "ok", says) if well else Finding(name, "failed", says, fix)
