"""Tables of Trick or Treat laid for a test."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Answered, Asked, Dropped, Open, Refused, Stepped
from games.trick_or_treat.game import GAME
from games.trick_or_treat.options import Discard, Give, Pick
from games.trick_or_treat.tables import CARD_NAMES
from games.trick_or_treat.turns import EndTurn, HandLimit, Move
from tests.play import Match

CODES = {name: code for code, name in CARD_NAMES.items()}
FACES = ("pirate", "robot", "witch", "dinosaur", "vampire", "superhero")


def codes(names: str) -> tuple[str, ...]:
    """`Caramel, Sneak` to their codes, sorted as hands are."""
    return tuple(sorted(CODES[name.strip()] for name in names.split(",") if name.strip()))


def code(name: str) -> str:
    return CODES[name]


def slots(names: str) -> tuple[str | None, ...]:
    """Open cards in their order; `-` is a gap."""
    return tuple(CODES.get(name.strip()) for name in names.split(","))


def discards(names: str) -> tuple[Discard, ...]:
    return tuple(map(Discard, codes(names)))


def give(names: str, eggs: str = "") -> Give:
    return Give(codes(names), codes(eggs))


def board(item: Any = None, players: int = 3, **fields: Any) -> Match:
    """Kids chosen, seat 0 asked `item`, its turn to end after it, and the fields as given."""
    match = Match.started(GAME, players, first=0)
    for seat in range(players):
        match.answer(seat, Pick(FACES[seat]))
    if item is not None:
        last = isinstance(item, Move | EndTurn | HandLimit)
        below = () if last else (Open("0.1", EndTurn(item.seat)),)
        fields["pending"] = (*below, Open("0.2", item))
    match.lay(**fields)
    return match


def hands(*names: str) -> tuple[tuple[str, ...], ...]:
    return tuple(map(codes, names))


KERNEL = (Asked, Answered, Stepped, Dropped)


def facts(events: list[Any]) -> list[Any]:
    """What happened, without what was asked and answered."""
    return [event for event in events if not isinstance(event, KERNEL)]


def kinds(events: list[Any]) -> list[str]:
    return [type(event).__name__ for event in facts(events)]


def refused(match: Match, seat: int, option: Any, code: str = "not_an_option") -> bool:
    """The answer is refused, and nothing has changed."""
    before, asked = len(match.commits), match.asked
    with pytest.raises(Refused) as caught:
        match.answer(seat, option)
    assert caught.value.code == code
    assert len(match.commits) == before and match.asked == asked
    return True
