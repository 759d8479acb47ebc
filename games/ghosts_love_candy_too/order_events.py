"""The facts of rounds and the order of turns. Names and fields are the storage format."""

from __future__ import annotations

from typing import Annotated, Self

from msgspec.structs import replace

from games.dice import Dice
from games.ghosts_love_candy_too.events import kid_off_deck
from games.ghosts_love_candy_too.state import Ghost, State, put, without
from games.rules import Event
from games.sight import Seat, everyone


class RoundStarted(Event[State], frozen=True):
    round: int

    def apply(self, state: State) -> State:
        return state.but(round=self.round)


class GhostsShown(Event[State], frozen=True):
    """G25, GR8: what a seat has chosen leaves its hand for good."""

    seat: Seat
    values: Annotated[tuple[int, ...], everyone(of="seat")]

    def apply(self, state: State) -> State:
        hand = state.hands[self.seat]
        left = tuple([without(own, v) for own, v in zip(hand, self.values, strict=True)])
        ghosts = [Ghost(self.seat, value, of) for of, value in enumerate(self.values)]
        hands = put(state.hands, self.seat, left)
        return replace(state, hands=hands, played=(*state.played, *ghosts))


class GhostsPicked(GhostsShown, frozen=True):
    """GR46: as chance has it, a secret of nobody."""

    chance = True

    values: tuple[int, ...]


class OwnTieOrdered(Event[State], frozen=True):
    """GR37: which of two equal own ghosts goes first."""

    seat: Seat
    first: Annotated[int, everyone(of="seat")]

    def apply(self, state: State) -> State:
        own = [ghost for ghost in state.played if ghost.seat == self.seat]
        others = [ghost for ghost in state.played if ghost.seat != self.seat]
        own.sort(key=lambda ghost: ghost.of != self.first)
        return state.but(played=(*others, *own))


class TieCardDrawn(Event[State], frozen=True):
    """G28: a kid off the deck, for its number alone."""

    seat: Seat
    value: int
    kid: Annotated[int, everyone()]

    def apply(self, state: State) -> State:
        return kid_off_deck(state).but(tie_cards=(*state.tie_cards, self.kid))


class TieWon(Event[State], frozen=True):
    """GR67: the seat wins a tie without drawing."""

    seat: Seat
    value: int

    def apply(self, state: State) -> State:
        return state


class TieByLot(Event[State], frozen=True):
    """GR15: too few kids to draw; chance alone decides."""

    chance = True

    value: int
    order: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        return state

    def redrawn(self, dice: Dice, opening: State) -> Self:
        return replace(self, order=dice.shuffle(sorted(self.order)))


class TurnsOrdered(Event[State], frozen=True):
    """G27, G30: the order of turns; the kids drawn for ties are discarded."""

    order: tuple[Ghost, ...]

    def apply(self, state: State) -> State:
        return state.but(
            played=self.order,
            kid_discard=(*state.kid_discard, *state.tie_cards),
            tie_cards=(),
        )
