"""Our packages have plain names that somebody else's may have too; this needs none of them."""

from __future__ import annotations

from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

OURS = ("games", "events", "projections", "replay", "services")
ROOT = Path(__file__).resolve().parents[1]
FIX = "install hallowstream into an environment of its own, and run it from another folder"


def foreign() -> list[str]:
    """What is found under our names and is not ours, in words; nothing where all is well."""
    said = []
    for name in OURS:
        spec = find_spec(name)
        places = list((spec and spec.submodule_search_locations) or [])
        if not places or Path(places[0]).resolve() != ROOT / name:
            said.append(f"{name} is {places[0] if places else 'missing'}")
    installed = packages_distributions()
    for name in OURS:
        others = {d for d in installed.get(name, []) if d.lower() != "hallowstream"}
        said += [f"{name} is also installed by {other}" for other in sorted(others)]
    return said
