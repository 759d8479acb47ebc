"""Phase Two: all choose ghosts in secret, show them together, and settle the order of turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, product

from games.forms import Form, OneOf
from games.ghosts_love_candy_too.options import First, Play
from games.ghosts_love_candy_too.order_events import (
    GhostsPicked,
    GhostsShown,
    OwnTieOrdered,
    TieByLot,
    TieCardDrawn,
    TieWon,
    TurnsOrdered,
)
from games.ghosts_love_candy_too.standing import ascending, wins_ties
from games.ghosts_love_candy_too.state import Ghost, State
from games.ghosts_love_candy_too.supply import next_kid
from games.rules import Draft, Together
from games.sight import Seat


def choose_ghosts(draft: Draft[State]) -> None:
    """G24, G68: a secret choice, or chance, or the last ghosts there are (GR47)."""
    state = draft.state
    if state.random_ghosts:
        for seat, hand in enumerate(state.hands):
            picked = tuple([draft.dice.choose(own) for own in hand])
            draft.emit(GhostsPicked(seat, picked))
        order_ties(draft)
    elif all(len(own) == 1 for hand in state.hands for own in hand):
        show(
            draft, {seat: Play(tuple([own[0] for own in h])) for seat, h in enumerate(state.hands)}
        )
    else:
        draft.ask(ChooseGhosts(tuple(range(state.seats))))


class ChooseGhosts(Together[State, Play], frozen=True):
    """G24, G58: one ghost of each own set."""

    def prompt(self, state: State) -> str:
        return f"Round {state.round}: choose what to play face down; all are shown together."

    def form(self, state: State, seat: Seat) -> Form[Play]:
        return OneOf(tuple([Play(values) for values in product(*state.hands[seat])]))

    def reveal(self, draft: Draft[State], chosen: dict[Seat, Play]) -> None:
        show(draft, chosen)


def show(draft: Draft[State], chosen: dict[Seat, Play]) -> None:
    for seat, play in sorted(chosen.items()):
        draft.emit(GhostsShown(seat, play.values))
    order_ties(draft)


def order_ties(draft: Draft[State]) -> None:
    """GR37: who has two equal ghosts says first which of them goes first."""
    values = [[g.value for g in draft.state.played if g.seat == s] for s in range(2)]
    doubled = tuple([s for s, own in enumerate(values) if len(own) == 2 and own[0] == own[1]])
    if doubled:
        draft.ask(OrderOwnTie(doubled))
    else:
        order_turns(draft)


class OrderOwnTie(Together[State, First], frozen=True):
    def prompt(self, state: State) -> str:
        return "Your two ghosts are equal: choose which goes first."

    def form(self, state: State, seat: Seat) -> Form[First]:
        return OneOf((First(0), First(1)))

    def reveal(self, draft: Draft[State], chosen: dict[Seat, First]) -> None:
        for seat, first in chosen.items():
            draft.emit(OwnTieOrdered(seat, first.set))
        order_turns(draft)


def order_turns(draft: Draft[State]) -> None:
    """G27-G30: highest ghost first (or lowest, by kid 69); ties by kids off the deck."""
    rising = ascending(draft.state)
    ghosts = sorted(draft.state.played, key=lambda g: g.value if rising else -g.value)
    order: list[Ghost] = []
    for value, group in groupby(ghosts, key=lambda ghost: ghost.value):
        order += _settled(draft, value, list(group))
    draft.emit(TurnsOrdered(tuple(order)))


def _settled(draft: Draft[State], value: int, group: list[Ghost]) -> Iterator[Ghost]:
    """Ghosts of one value in order; each player's first comes up before their second (GR38)."""
    queues: dict[Seat, list[Ghost]] = {}
    for ghost in group:
        queues.setdefault(ghost.seat, []).append(ghost)
    queues = dict(sorted(queues.items()))
    while len(queues) > 1:
        ranked = _ranked(draft, value, tuple(queues))
        paired = draft.state.seats == 2
        for seat in ranked[:1] if paired else ranked:
            yield queues[seat].pop(0)
            if not queues[seat]:
                del queues[seat]
    for rest in queues.values():
        yield from rest


def _ranked(draft: Draft[State], value: int, seats: tuple[Seat, ...]) -> list[Seat]:
    """Who wins ties by a kid goes first, then the others (GR67)."""
    sure = tuple([seat for seat in seats if wins_ties(draft.state, seat)])
    rest = tuple([seat for seat in seats if seat not in sure])
    for seat in sure if rest else ():
        draft.emit(TieWon(seat, value))
    return [*_drawn(draft, value, sure), *_drawn(draft, value, rest)]


def _drawn(draft: Draft[State], value: int, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """G29: each draws a kid, the highest number first; by lot if there are too few (GR15)."""
    state = draft.state
    if len(seats) < 2:
        return seats
    if len(state.deck) + len(state.under) + len(state.kid_discard) < len(seats):
        lot = draft.dice.shuffle(seats)
        draft.emit(TieByLot(value, lot))
        return lot
    numbers: dict[Seat, int] = {}
    for seat in seats:
        kid = next_kid(draft)
        assert kid is not None
        draft.emit(TieCardDrawn(seat, value, kid))
        numbers[seat] = kid
    return tuple(sorted(seats, key=numbers.__getitem__, reverse=True))
