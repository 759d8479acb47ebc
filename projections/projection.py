"""What a projection is: a name and one pure function of a match's story."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from events.store import Row
from projections.story import Story


class Made(NamedTuple):
    """What a projection makes of a match: its cell's value, and what it shows in listings."""

    value: bytes
    rows: tuple[Row, ...] | None = None


class Projection(Protocol):
    """`made` depends on nothing but the story, so it can be done again at any time, by anybody."""

    @property
    def name(self) -> str:
        """Of its consumer group, its cells and its listings."""

    def made(self, story: Story) -> Made: ...
