"""The settings that a run can be made on, by name."""

from __future__ import annotations

from pathlib import Path

from tests.faults.replicated import Clustered, Sentineled
from tests.faults.stores import Backing, Standalone, binary_for

SETTINGS = ("standalone", "sentinel", "cluster")


def backing(setting: str, seed: int, directory: Path) -> Backing:
    """The servers of this setting; Redis and Valkey in turn. Raises ValueError."""
    binary = binary_for(seed)
    if setting == "standalone":
        return Standalone(directory / "redis", binary)
    kinds = {"sentinel": Sentineled, "cluster": Clustered}
    if setting not in kinds:
        raise ValueError(f"no setting {setting!r}; there are: {', '.join(SETTINGS)}")
    return kinds[setting](directory / "nodes", binary.kind, seed)
