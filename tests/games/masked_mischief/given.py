"""Scenarios: the table as a sentence sets it, and dice that fall as the sentence says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from games import sight
from games.dice import Dice
from games.forms import option_id
from games.game import Game
from games.masked_mischief.game import GAME
from games.masked_mischief.options import Done, Play, Roll
from games.masked_mischief.shop import Shop
from games.masked_mischief.state import Held, Tile
from games.masked_mischief.turns import EndTurn, TreatOrRoll
from games.rules import Open
from tests.play import Match

A, B, C, D, E, F = range(6)
MASKS = ("chuckles", "esmerelda", "clyde", "moonmoon", "dullahan", "plain")

T = TypeVar("T")


class Loaded(Dice):
    """Dice that fall as told, in order; where nothing is told, as they like."""

    rolls: list[int] = []
    draws: list[tuple[str, ...]] = []
    slots: list[int] = []

    @classmethod
    def clear(cls) -> None:
        cls.rolls, cls.draws, cls.slots = [], [], []

    def roll(self, sides: int) -> int:
        return self.rolls.pop(0) if self.rolls else super().roll(sides)

    def take(self, items: Sequence[T], k: int) -> tuple[T, ...]:
        if not self.draws:
            return super().take(items, k)
        told: Any = self.draws.pop(0)
        assert len(told) == min(k, len(items)) and all(code in items for code in told)
        return tuple(told)

    def below(self, n: int) -> int:
        return self.slots.pop(0) if self.slots else super().below(n)


class Given(Match):
    """A match laid out by hand; it is the active seat's turn, not yet rolled."""

    def say(self, option: Any) -> list[Any]:
        """The one seat that is asked answers."""
        return self.answer(self.asked.seat, option)

    def roll(self, die: int) -> list[Any]:
        Loaded.rolls = [die]
        return self.say(Roll())

    def play_treat(self, code: str) -> list[Any]:
        hand = self.state.hands[self.asked.user]
        slot = next(slot for slot, held in enumerate(hand) if held.code == code)
        return self.say(Play(slot, code))

    def done(self) -> list[Any]:
        return self.say(Done())

    def ask(self) -> tuple[str, int]:
        """The kind of the open question and who is asked."""
        return type(self.asked).__name__, self.asked.seat

    def offered(self) -> list[str]:
        """The ids of the options of the open question."""
        return [option_id(option) for option in self.form(self.asked.seat).options]

    def where(self, seat: int) -> str:
        return f"{self.state.at[seat]} {self.state.facing[seat]}"

    def hand(self, seat: int) -> list[str]:
        return [held.code for held in self.state.hands[seat]]


def draws(*told: str) -> None:
    """What the next draws bring: `draws("K08 K15", "T01")`."""
    Loaded.draws = [tuple(codes.split()) for codes in told]


def slots(*told: int) -> None:
    """Which places in hands are robbed, and other small chances."""
    Loaded.slots = list(told)


def mischief(
    seats: int = 4,
    game: Game = GAME,
    options: dict[str, Any] | None = None,
    at: dict[int, str] | None = None,
    tiles: dict[str, str] | None = None,
    hands: dict[int, str] | None = None,
    candy: dict[int, int] | None = None,
    active: int = A,
    **fields: Any,
) -> Given:
    """`at={A: "o10 cw"}`, `tiles={"o12": "K07/B"}` (a Treat's layer after the stroke, D if none
    is named), `hands={A: "T02 T10"}`; everything else as at the start, first turns over."""
    match = Given.started(game, seats, **(options or {}))
    state = match.state
    homes = tuple(house.space for house in state.map.houses[:seats])
    spots = {seat: (home, "free") for seat, home in enumerate(homes)}
    spots.update({seat: tuple(spot.split()) for seat, spot in (at or {}).items()})
    bags, treats = [list(bag) for bag in state.bags], list(state.treats)
    laid = {}
    for space, text in (tiles or {}).items():
        code, _, by = text.partition("/")
        owner = "ABCDEF".index(by or "D")
        (bags[owner] if code[0] == "K" else treats).remove(code)
        laid[space] = Tile("trick" if code[0] == "K" else "treat", owner, code)
    held = [(hands or {}).get(seat, "").split() for seat in range(seats)]
    for code in (code for hand in held for code in hand):
        treats.remove(code)
    pending: list[Any] = [EndTurn(active), TreatOrRoll(active, active, True)]
    if spots[active][0] in state.map.house_at:
        pending.append(Shop(active, active))
    given: dict[str, Any] = {
        "characters": tuple(house.character for house in state.map.houses[:seats]),
        "homes": homes,
        "at": tuple(spots[seat][0] for seat in range(seats)),
        "facing": tuple(spots[seat][1] for seat in range(seats)),
        "masks": MASKS[:seats],
        "spares": MASKS[seats : 5 if seats < 6 else 6],
        "candy": tuple((candy or {}).get(seat, 5) for seat in range(seats)),
        "hands": tuple(
            tuple(Held((seat,), code) for code in hand) for seat, hand in enumerate(held)
        ),
        "bags": tuple(tuple(bag) for bag in bags),
        "treats": tuple(treats),
        "tiles": laid,
        "begun": (1,) * seats,
        "active": active,
        "pending": tuple(Open(f"0.{i}", item) for i, item in enumerate(pending)),
    }
    match.lay(**{**given, **fields})
    return match


def status(seats: int = 4, **values: int) -> tuple[int, ...]:
    """`status(A=2)` is (2, 0, 0, 0)."""
    return tuple(values.get("ABCDEF"[seat], 0) for seat in range(seats))


def facts(events: Iterable[Any], kind: type[T]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]


def shown(fact: Any, viewer: Any) -> Any:
    """What the viewer sees of it, as a client gets it."""
    return json.loads(msgspec.json.encode(sight.cut(fact, viewer)))
