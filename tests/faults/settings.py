"""The settings that a run can be made on, by name."""

from __future__ import annotations

from pathlib import Path

from tests.faults.stores import Backing, Standalone, binary_for

SETTINGS = ("standalone",)


def backing(setting: str, seed: int, directory: Path) -> Backing:
    """The servers of this setting; Redis and Valkey in turn. Raises ValueError."""
    if setting == "standalone":
        return Standalone(directory / "redis", binary_for(seed))
    raise ValueError(f"no setting {setting!r}; there are: {', '.join(SETTINGS)}")
