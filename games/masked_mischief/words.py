"""The few types that all of the game speaks in."""

from __future__ import annotations

from typing import Annotated, Literal

from games.sight import secret

Space = str
"""A position on the board by its id: `o7` on the loop, `a3` on an arm, `hh` in the centre."""

Facing = Literal["cw", "ccw", "in", "out", "free"]

Code = Annotated[str, secret]
"""The face of a tile: `K07` is a Trick, `T10` a Treat."""

Kind = Literal["trick", "treat"]

By = Literal["roll", "other", "own"]
"""What moved a figure: the die or what stands in for it, another player's tile, its own tile."""
