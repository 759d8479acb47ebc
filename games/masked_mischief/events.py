"""The facts of Masked Mischief about figures, candy, masks and turns; `tiles.py` holds the others.

Names and fields are the storage format: a field may be added at the end and nowhere else.
"""

from __future__ import annotations

from typing import Literal, Self, TypeVar

from msgspec.structs import replace

from games.dice import Dice
from games.masked_mischief.state import State
from games.masked_mischief.words import By, Facing, Space
from games.rules import Event
from games.sight import Seat

T = TypeVar("T")

Status = Literal["skips", "ignores", "doubles", "gambles", "replaced", "cleaning", "sticky"]


def at(values: tuple[T, ...], i: int, value: T) -> tuple[T, ...]:
    """The values with another in place i."""
    return (*values[:i], value, *values[i + 1 :])


class BoardLaid(Event[State], frozen=True):
    """What is at every space, and where it is drawn: see `State.spaces`."""

    board: str
    spaces: tuple[tuple[Space, str, int, int], ...]

    def apply(self, state: State) -> State:
        return state.but(spaces=self.spaces)


class CharacterChosen(Event[State], frozen=True):
    seat: Seat
    character: str
    home: Space

    def apply(self, state: State) -> State:
        return state.but(
            characters=at(state.characters, self.seat, self.character),
            homes=at(state.homes, self.seat, self.home),
            at=at(state.at, self.seat, self.home),
        )


class MaskChosen(Event[State], frozen=True):
    seat: Seat
    mask: str

    def apply(self, state: State) -> State:
        return state.but(
            masks=at(state.masks, self.seat, self.mask),
            spares=tuple([mask for mask in state.spares if mask != self.mask]),
        )


class SpareKept(Event[State], frozen=True):
    """Of the unworn masks only this one stays in play."""

    chance = True

    mask: str

    def apply(self, state: State) -> State:
        out = tuple([mask for mask in state.spares if mask != self.mask])
        return state.but(spares=(self.mask,), unused=out)


class StartingRolled(Event[State], frozen=True):
    chance = True

    rolls: dict[Seat, int]

    def apply(self, state: State) -> State:
        return state

    def redrawn(self, dice: Dice, opening: State) -> Self:
        sides = opening.constants.die
        return replace(self, rolls={seat: dice.roll(sides) for seat in sorted(self.rolls)})


class StarterDecided(Event[State], frozen=True):
    seat: Seat

    def apply(self, state: State) -> State:
        return state.but(active=self.seat)


class TurnStarted(Event[State], frozen=True):
    seat: Seat
    turn: int

    def apply(self, state: State) -> State:
        return state.but(
            active=self.seat, turn=self.turn, cleaning=at(state.cleaning, self.seat, 0), bought=()
        )


class TurnSkipped(Event[State], frozen=True):
    seat: Seat
    skips: int

    def apply(self, state: State) -> State:
        return state.but(skips=at(state.skips, self.seat, self.skips))


class TurnEnded(Event[State], frozen=True):
    seat: Seat

    def apply(self, state: State) -> State:
        return state.but(sticky=at(state.sticky, self.seat, 0), begun=at(state.begun, self.seat, 1))


class Bought(Event[State], frozen=True):
    """Of which kind and how many; the candy moves in an event of its own."""

    seat: Seat
    item: Literal["tricks", "treats", "mask"]
    count: int

    def apply(self, state: State) -> State:
        return state.but(bought=(*state.bought, self.item))


class CandyMoved(Event[State], frozen=True):
    """From a bowl, or from the Big Bowl (None), into a bowl."""

    src: Seat | None
    dst: Seat
    candy: int

    def apply(self, state: State) -> State:
        bowls = list(state.candy)
        bowls[self.dst] += self.candy
        if self.src is None:
            return state.but(candy=tuple(bowls), given=state.given + self.candy)
        bowls[self.src] -= self.candy
        return state.but(candy=tuple(bowls))


class CauldronsFilled(Event[State], frozen=True):
    payer: Seat
    amounts: tuple[int, ...]

    def apply(self, state: State) -> State:
        pairs = zip(state.cauldrons, self.amounts, strict=True)
        left = state.candy[self.payer] - sum(self.amounts)
        return state.but(
            cauldrons=tuple([a + b for a, b in pairs]), candy=at(state.candy, self.payer, left)
        )


class CauldronTaken(Event[State], frozen=True):
    seat: Seat
    cauldron: int
    candy: int

    def apply(self, state: State) -> State:
        return state.but(
            cauldrons=at(state.cauldrons, self.cauldron, 0),
            candy=at(state.candy, self.seat, state.candy[self.seat] + self.candy),
        )


class MasksChanged(Event[State], frozen=True):
    """Every kind of swap: who wears what from now on."""

    masks: tuple[str, ...]
    spares: tuple[str, ...]

    def apply(self, state: State) -> State:
        return state.but(masks=self.masks, spares=self.spares)


class DieRolled(Event[State], frozen=True):
    """All waiting doublings and gambles are spent by it."""

    chance = True

    seat: Seat
    die: int
    steps: int

    def apply(self, state: State) -> State:
        return state.but(
            doubles=at(state.doubles, self.seat, 0), gambles=at(state.gambles, self.seat, 0)
        )

    def redrawn(self, dice: Dice, opening: State) -> Self:
        return replace(self, die=dice.roll(opening.constants.die))


class RollWithheld(Event[State], frozen=True):
    """The roll that a tile stood in for does not happen."""

    seat: Seat

    def apply(self, state: State) -> State:
        return state.but(replaced=at(state.replaced, self.seat, 0))


class StatusSet(Event[State], frozen=True):
    """What waits for a player: turns to skip, Tricks to ignore, doublings, gambles and so on."""

    seat: Seat
    status: Status
    value: int

    def apply(self, state: State) -> State:
        values: tuple[int, ...] = getattr(state, self.status)
        return state.but(**{self.status: at(values, self.seat, self.value)})


class Faced(Event[State], frozen=True):
    """Who faces where from now on."""

    facings: dict[Seat, Facing]

    def apply(self, state: State) -> State:
        facing = list(state.facing)
        for seat, way in self.facings.items():
            facing[seat] = way
        return state.but(facing=tuple(facing))


class Walked(Event[State], frozen=True):
    """One unbroken stretch, from the first space of the path to the last."""

    seat: Seat
    path: tuple[Space, ...]
    facing: Facing

    def apply(self, state: State) -> State:
        return state.but(
            at=at(state.at, self.seat, self.path[-1]),
            facing=at(state.facing, self.seat, self.facing),
        )


class PlayerPassed(Event[State], frozen=True):
    seat: Seat
    passed: Seat
    opposite: bool

    def apply(self, state: State) -> State:
        return state


class Relocated(Event[State], frozen=True):
    """Put on a space without walking."""

    seat: Seat
    to: Space
    facing: Facing
    home: bool = False

    def apply(self, state: State) -> State:
        return state.but(
            at=at(state.at, self.seat, self.to), facing=at(state.facing, self.seat, self.facing)
        )


class HouseVisited(Event[State], frozen=True):
    seat: Seat
    mask: str
    house: str
    visits: int
    by: By

    def apply(self, state: State) -> State:
        return state.but(visits={**state.visits, f"{self.mask}@{self.house}": self.visits})


class HouseEnteredUncounted(Event[State], frozen=True):
    seat: Seat
    house: str

    def apply(self, state: State) -> State:
        return state


class HauntedSet(Event[State], frozen=True):
    value: int

    def apply(self, state: State) -> State:
        return state.but(haunted=self.value)


class LtgbPlaced(Event[State], frozen=True):
    seat: Seat
    space: Space

    def apply(self, state: State) -> State:
        return state.but(ltgb=self.space)


class LtgbTaken(Event[State], frozen=True):
    seat: Seat
    space: Space

    def apply(self, state: State) -> State:
        return state.but(ltgb="")


class RaceStarted(Event[State], frozen=True):
    """Everybody stands on a skull, facing in; the Big Bowl filled the cauldrons.

    `counted` says up to which visit each House has been paid for, where only new ones count.
    """

    to: tuple[Space, ...]
    deposits: tuple[int, ...]
    counted: dict[str, int]

    def apply(self, state: State) -> State:
        pairs = zip(state.cauldrons, self.deposits, strict=True)
        return state.but(
            at=self.to,
            facing=("in",) * len(self.to),
            cauldrons=tuple([a + b for a, b in pairs]),
            given=state.given + sum(self.deposits),
            deposited={**state.deposited, **self.counted},
        )


class HauntedHouseReached(Event[State], frozen=True):
    seat: Seat

    def apply(self, state: State) -> State:
        return state


class GameEnded(Event[State], frozen=True):
    """The mask has been at the House for the last time; `by_age` where candy alone was a tie."""

    mask: str
    house: str
    scores: tuple[int, ...]
    winner: Seat
    by_age: bool

    def apply(self, state: State) -> State:
        return state.but(winner=self.winner)
