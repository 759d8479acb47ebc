"""Skulls, the race, the arrival at the Haunted House, LET THE GAMES BEGIN."""

from __future__ import annotations

from typing import NoReturn

from games.forms import Form, OneOf, Split
from games.masked_mischief.cauldrons import PaySplit, cauldrons
from games.masked_mischief.effects import Ask, Onward, Posed, Work, end_turn, pose, put_away
from games.masked_mischief.events import (
    CauldronsFilled,
    CauldronTaken,
    HauntedHouseReached,
    HauntedSet,
    LtgbPlaced,
    LtgbTaken,
    RaceStarted,
    Relocated,
)
from games.masked_mischief.options import Cauldron, Go, Keep
from games.masked_mischief.state import State
from games.masked_mischief.words import Space
from games.rules import Draft
from games.sight import Seat


def haunt(draft: Draft[State]) -> None:
    """R41, R42: a skull counts; at the last one everybody races."""
    draft.emit(HauntedSet(draft.state.haunted + 1))
    if draft.state.haunted >= draft.state.constants.race_at:
        draft.emit(HauntedSet(0))
        race(draft, deposit=True)


def race(draft: Draft[State], deposit: bool) -> NoReturn:
    """Q56: at once; every unfinished effect is dropped and the turn ends."""
    put_away(draft, lambda user: True)
    draft.cut(
        "race",
        Race(draft.state.active, (), deposit),
        spare=lambda item: isinstance(item, Onward),
    )


class Race(Work, frozen=True):
    """R42, Q59: in table order from the active player, who comes last, to the nearest skull.

    `to` holds where, in that order, as far as it is settled.
    """

    to: tuple[Space, ...]
    deposit: bool

    def run(self, draft: Draft[State]) -> None:
        state, to = draft.state, self.to
        order = (*state.others(self.user), self.user)
        while len(to) < len(order):
            moved = order[len(to)]
            near = state.map.nearest(state.at[moved], state.map.skulls)
            if len(near) > 1:
                asked = self.user if state.plays("nearest_tie", "effect_user") else moved
                return draft.ask(NearestSkull(asked, self.user, moved, to, self.deposit))
            to += near
        places = tuple([to[order.index(seat)] for seat in range(len(order))])
        deposits, counted = self._deposits(state)
        draft.emit(RaceStarted(places, deposits, counted))
        return None

    def _deposits(self, state: State) -> tuple[tuple[int, ...], dict[str, int]]:
        """R43, Q61: a candy into the cauldron of each House with a player, for every visit."""
        pots, counted = [0] * len(state.cauldrons), {}
        new_only = state.plays("deposit_basis", "since_last_race")
        for seat in (*state.others(self.user), self.user) if self.deposit else ():
            house = state.map.house_at[state.homes[seat]]
            visits = state.visits_to(house.id)
            due = visits - state.deposited.get(house.id, 0)
            pots[house.cauldron] += min(due, state.left_in_bowl(sum(pots) + due) - sum(pots))
            if new_only:
                counted[house.id] = visits
        return tuple(pots), counted


class NearestSkull(Ask[Go], frozen=True):
    """Q59: of skulls equally near, one is picked for the moved player."""

    moved: Seat
    to: tuple[Space, ...]
    deposit: bool

    def prompt(self, state: State) -> str:
        return f"To which skull does seat {self.moved} go?"

    def form(self, state: State, seat: Seat) -> Form[Go]:
        near = state.map.nearest(state.at[self.moved], state.map.skulls)
        return OneOf(tuple([Go(space) for space in near]))

    def answer(self, draft: Draft[State], option: Go) -> None:
        draft.ask(Race(self.user, (*self.to, option.space), self.deposit))


def arrive(draft: Draft[State], user: Seat, seat: Seat) -> None:
    """R45 to R47, Q68: a cauldron, then LET THE GAMES BEGIN, then home."""
    draft.emit(HauntedHouseReached(seat))
    draft.ask(Empty(user, seat), PlaceLtgb(user, seat), GoHome(user, seat))


class Empty(Posed, frozen=True):
    """Q64: one cauldron, if any holds candy."""

    seat: Seat

    def question(self, state: State) -> PickCauldron | None:
        return PickCauldron(self.seat, self.user) if any(state.cauldrons) else None


class PickCauldron(Ask[Cauldron], frozen=True):
    """R45: any of them, an empty one too (Q64)."""

    def prompt(self, state: State) -> str:
        return "Which cauldron do you empty?"

    def form(self, state: State, seat: Seat) -> Form[Cauldron]:
        return OneOf(cauldrons(state))

    def answer(self, draft: Draft[State], option: Cauldron) -> None:
        candy = draft.state.cauldrons[option.number]
        draft.emit(CauldronTaken(self.seat, option.number, candy))


class PlaceLtgb(Posed, frozen=True):
    """R46, Q67: onto the loop, if it is off the board and there is room."""

    seat: Seat

    def question(self, state: State) -> PickLtgb | None:
        asked = PickLtgb(self.seat, self.user)
        return None if state.ltgb or not asked.spaces(state) else asked


class PickLtgb(Ask[Go], frozen=True):
    """R46, R52: a blank space of the loop."""

    def prompt(self, state: State) -> str:
        return "On which space of the loop do you lay LET THE GAMES BEGIN?"

    def spaces(self, state: State) -> tuple[Go, ...]:
        return tuple([Go(space) for space in state.map.loop_plain if state.blank(space)])

    def form(self, state: State, seat: Seat) -> Form[Go]:
        return OneOf(self.spaces(state))

    def answer(self, draft: Draft[State], option: Go) -> None:
        draft.emit(LtgbPlaced(self.seat, option.space))


class GoHome(Work, frozen=True):
    """R47, Q69, Q70: uncounted, and the end of the active player's turn."""

    seat: Seat

    def run(self, draft: Draft[State]) -> None:
        draft.emit(Relocated(self.seat, draft.state.homes[self.seat], "free", home=True))
        if self.seat == draft.state.active:
            end_turn(draft)


def games_begin(draft: Draft[State], user: Seat, seat: Seat) -> None:
    """R49 to R51: the lander may pay, the others pay down to what he has left; then the race."""
    draft.emit(LtgbTaken(seat, draft.state.at[seat]))
    if draft.state.haunted:
        draft.emit(HauntedSet(0))
    if draft.state.candy[seat]:
        draft.ask(LtgbPay(seat, user))
    draft.ask(PayDown(user, seat, draft.state.others(seat)))


class LtgbPay(Ask[tuple[int, ...]], frozen=True):
    """Q75: any part of the bowl."""

    def prompt(self, state: State) -> str:
        return "How much do you pay into the cauldrons? Everybody else pays down to what you keep."

    def form(self, state: State, seat: Seat) -> Form[tuple[int, ...]]:
        return Split(state.candy[self.seat], (*cauldrons(state), Keep()))

    def answer(self, draft: Draft[State], option: tuple[int, ...]) -> None:
        if any(option[:-1]):
            draft.emit(CauldronsFilled(self.seat, option[:-1]))


class PayDown(Work, frozen=True):
    """Q75: in table order from the lander."""

    lander: Seat
    payers: tuple[Seat, ...]

    def run(self, draft: Draft[State]) -> None:
        state = draft.state
        if not self.payers:
            race(draft, deposit=not state.plays("ltgb_deposit", "false"))
        payer, *rest = self.payers
        due = state.candy[payer] - state.candy[self.lander]
        if due > 0:
            pose(draft, PaySplit(payer, self.user, payer, due))
        draft.ask(PayDown(self.user, self.lander, tuple(rest)))
