"""Versions of a projection: each has cells, rows, a group and leases under a name of its own."""

from __future__ import annotations

from events.store import Store
from projections.projection import Made, Projection
from projections.story import Story

REMAINS = 30.0
"""Seconds for which a version that is read no more stays, for who has just looked up its name."""


def named(projection: str, version: int) -> str:
    """What a version's cells and group are called."""
    return f"{projection}@{version}" if version else projection


def parted(name: str) -> tuple[str, int]:
    """Projection and version of a name."""
    projection, _, version = name.partition("@")
    return projection, int(version or 0)


class Version:
    """A projection under the name of one of its versions."""

    def __init__(self, projection: Projection, version: int) -> None:
        self.name = named(projection.name, version)
        self._projection = projection

    def made(self, story: Story) -> Made:
        return self._projection.made(story)


async def retire(store: Store, projection: str) -> list[str]:
    """Forget all versions that are neither read nor built, some time after that has changed.

    Their names. The groups are looked up first: one that is not in use afterwards never will be.
    The group goes last, so that what is left half way is found again.
    """
    found = [name for name in await store.groups() if parted(name)[0] == projection]
    versions = await store.versions(projection)
    if versions.unchanged_ms < REMAINS * 1000:
        return []
    stale = [name for name in found if parted(name)[1] not in versions.kept]
    for name in stale:
        await store.drop(name)
        await store.disband(name)
    return stale
