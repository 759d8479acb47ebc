"""The table of Pumpkin Patch: rows of face-up pumpkins, a bag of more, secret hands."""

from __future__ import annotations

from typing import Annotated

from games import rules
from games.sight import each_own, nobody, secret

Pumpkin = Annotated[int, secret]
"""A pumpkin is worth its size, 1 to 5."""

ROUNDS = 3


class State(rules.State, frozen=True, kw_only=True):
    hands: Annotated[tuple[tuple[Pumpkin, ...], ...], each_own(counted=True)] = ()
    bag: Annotated[tuple[Pumpkin, ...], nobody(counted=True)] = ()
    shown: tuple[tuple[int, ...], ...] = ()
    round: int = 0
    over: bool = False
