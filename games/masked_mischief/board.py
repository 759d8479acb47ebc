"""A board as the rules use it: what lies next to what, how far things are, what is where."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import pairwise

import msgspec

from games.masked_mischief.words import Facing, Space

BACK: dict[Facing, Facing] = {"cw": "ccw", "ccw": "cw", "in": "out", "out": "in", "free": "free"}
"""The other way about."""


class House(msgspec.Struct, frozen=True):
    id: str
    space: Space
    cauldron: int
    character: str


class Arm(msgspec.Struct, frozen=True):
    """A path to the Haunted House; its spaces are listed from the skull inwards."""

    id: str
    skull: Space
    spaces: tuple[Space, ...]


class Board:
    """Made once from checked data, never changed; `notes` are for whoever publishes it."""

    def __init__(
        self,
        id: str,
        players: tuple[int, int],
        cauldrons: int,
        centre: Space,
        loop: tuple[Space, ...],
        houses: tuple[House, ...],
        arms: tuple[Arm, ...],
        xy: dict[Space, tuple[int, int]],
        notes: tuple[str, ...] = (),
    ) -> None:
        self.id = id
        self.players = players
        self.cauldrons = cauldrons
        self.centre = centre
        self.loop = loop
        self.houses = houses
        self.arms = arms
        self.xy = xy
        self.notes = notes
        self.house_at = {house.space: house for house in houses}
        self.skulls = tuple([s for s in loop if any(arm.skull == s for arm in arms)])
        self.arm_spaces = frozenset(space for arm in arms for space in arm.spaces)
        special = {*self.house_at, *self.skulls}
        self.loop_plain = tuple([s for s in loop if s not in special])
        self.plain = (*self.loop_plain, *(s for arm in arms for s in arm.spaces))
        self._next = self._steps()
        self._far: dict[Space, dict[Space, int]] = {}

    def _steps(self) -> dict[tuple[Space, Facing], Space]:
        steps: dict[tuple[Space, Facing], Space] = {}
        for here, there in zip(self.loop, (*self.loop[1:], self.loop[0]), strict=True):
            steps[here, "cw"] = there
            steps[there, "ccw"] = here
        for arm in self.arms:
            way = (arm.skull, *arm.spaces, self.centre)
            for here, there in pairwise(way):
                steps[here, "in"] = there
                steps[there, "out"] = here
        return steps

    def step(self, space: Space, facing: Facing) -> Space:
        """The space one step on."""
        return self._next[space, facing]

    def listed(self) -> tuple[tuple[Space, str, int, int], ...]:
        """Every space, its kind and where it is drawn, in the order that tells what is next."""
        kinds = {space: f"house:{house.id}" for space, house in self.house_at.items()}
        kinds.update(dict.fromkeys(self.skulls, "skull"))
        rows = [(space, kinds.get(space, "plain")) for space in self.loop]
        for arm in self.arms:
            rows += [(space, f"arm:{arm.skull}") for space in arm.spaces]
        rows.append((self.centre, "centre"))
        return tuple([(space, kind, *self.xy[space]) for space, kind in rows])

    def distances(self, space: Space) -> dict[Space, int]:
        """Q58: steps along loop and arms, either way, never through the Haunted House."""
        if space not in self._far:
            self._far[space] = self._search(space)
        return self._far[space]

    def _search(self, start: Space) -> dict[Space, int]:
        far, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for way in ("cw", "ccw", "in", "out"):
                there = self._next.get((here, way))
                if there and there != self.centre and there not in far:
                    far[there] = far[here] + 1
                    queue.append(there)
        return far

    def nearest(self, space: Space, among: Iterable[Space]) -> tuple[Space, ...]:
        """Those of the spaces that are fewest steps away."""
        far = self.distances(space)
        steps = {there: far[there] for there in among}
        least = min(steps.values(), default=0)
        return tuple([there for there in steps if steps[there] == least])
