"""Coordinates for a board that brings none: skulls at the corners, arms to the centre.

x grows to the right and y downwards, both from 0 to 1000.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from games.masked_mischief.words import Space

Point = tuple[float, float]

MIDDLE, RADIUS = 500.0, 480.0


def coordinates(
    loop: Sequence[Space], centre: Space, arms: Sequence[tuple[Space, Sequence[Space]]]
) -> dict[Space, tuple[int, int]]:
    """Where every space is drawn; the loop runs clockwise."""
    corners = sorted(loop.index(skull) for skull, _ in arms)
    found = _outline(loop, corners) if len(corners) > 2 else _circle(loop)
    found[centre] = (MIDDLE, MIDDLE)
    for skull, spaces in arms:
        for i, space in enumerate(spaces, 1):
            found[space] = _between(found[skull], found[centre], i / (len(spaces) + 1))
    return {space: (round(x), round(y)) for space, (x, y) in found.items()}


def _outline(loop: Sequence[Space], corners: Sequence[int]) -> dict[Space, Point]:
    """A regular polygon with a skull at each corner."""
    found = {}
    for k, start in enumerate(corners):
        end = corners[(k + 1) % len(corners)]
        length = (end - start) % len(loop) or len(loop)
        a, b = _on_circle(k / len(corners)), _on_circle((k + 1) / len(corners))
        for i in range(length):
            found[loop[(start + i) % len(loop)]] = _between(a, b, i / length)
    return found


def _circle(loop: Sequence[Space]) -> dict[Space, Point]:
    return {space: _on_circle(i / len(loop)) for i, space in enumerate(loop)}


def _on_circle(turn: float) -> Point:
    """Clockwise from the upper left."""
    angle = 2 * pi * turn - 3 * pi / 4
    return MIDDLE + RADIUS * cos(angle), MIDDLE + RADIUS * sin(angle)


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
