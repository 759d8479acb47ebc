"""The deal, the first treats, and the treats that players start with."""

from __future__ import annotations

from typing import Any

from games.forms import Form, Subset
from games.ghosts_love_candy_too.events import (
    BagFilled,
    CravingsDealt,
    DeckShuffled,
    Drawn,
    StartKept,
)
from games.ghosts_love_candy_too.options import Treat
from games.ghosts_love_candy_too.sheet import SHEETS
from games.ghosts_love_candy_too.state import JUNK, RANK, Slot, State, kinds
from games.ghosts_love_candy_too.supply import draw, replace_kid, serve
from games.ghosts_love_candy_too.tables import CRAVINGS, SEATS, TREATS
from games.ghosts_love_candy_too.turns import Round
from games.rules import Draft, Step, Together
from games.sight import Seat


class Setup(Step[State], frozen=True):
    """G6-G17: cravings, kids, the first treats; then all choose what to keep."""

    def run(self, draft: Draft[State]) -> None:
        state, dice = draft.state, draft.dice
        cards = dice.shuffle(list(CRAVINGS))
        draft.emit(CravingsDealt(cards[: state.seats], cards[state.seats :]))
        kids = SHEETS[state.edition].numbers(state.easier)
        draft.emit(DeckShuffled(dice.shuffle(kids)))
        draft.emit(BagFilled(dice.shuffle(tokens(state.easier or state.super_kid))))
        for at in range(len(state.row)):
            replace_kid(draft, at)
        for at in range(len(state.row)):
            serve(draft, at, at)
        draft.ask(StartingTreats())


class StartingTreats(Step[State], frozen=True):
    """G16, GR5: every seat draws in turn, for all to see; then all choose at once."""

    def run(self, draft: Draft[State]) -> None:
        count = SEATS[draft.state.seats]
        choosers = []
        for seat in range(draft.state.seats):
            treats = draw(draft, count.draw)
            draft.emit(Drawn(seat, treats, True))
            if len(kinds(treats)) > 1:
                choosers.append(seat)
        if choosers:
            draft.ask(KeepTreats(tuple(choosers)))
        else:
            settle(draft, {})
        draft.ask(Round(1))


class KeepTreats(Together[State, tuple[Treat, ...]], frozen=True):
    def prompt(self, state: State) -> str:
        count = SEATS[state.seats]
        return f"Keep {count.keep} of the {count.draw} treats you drew; the others are discarded."

    def form(self, state: State, seat: Seat) -> Form[tuple[Treat, ...]]:
        held = sorted(state.held[seat], key=RANK.__getitem__)
        keep = SEATS[state.seats].keep
        return Subset(tuple([Treat(token) for token in held]), keep, keep)

    def reveal(self, draft: Draft[State], chosen: dict[Seat, tuple[Treat, ...]]) -> None:
        settle(draft, {s: tuple([t.token for t in kept]) for s, kept in chosen.items()})


def settle(draft: Draft[State], chosen: dict[Seat, tuple[str, ...]]) -> None:
    """All that is kept, seat by seat; who drew one kind alone had no choice (GR47)."""
    keep = SEATS[draft.state.seats].keep
    for seat in range(draft.state.seats):
        draft.emit(StartKept(seat, chosen.get(seat, draft.state.held[seat][:keep])))


def tokens(no_junk: bool) -> list[str]:
    """G13, G64, G65."""
    return [t for t, n in TREATS.items() for _ in range(n) if t != JUNK or not no_junk]


def opening(seats: int) -> dict[str, Any]:
    """Seats, hands and an empty row, before the deal (G3, G5, G11)."""
    count = SEATS[seats]
    hand = (tuple(range(1, 10)),) * count.sets
    nothing: tuple[Any, ...] = ((),) * seats
    return {
        "rounds": count.rounds,
        "row": (Slot(),) * count.kids,
        "hands": (hand,) * seats,
        "stashes": nothing,
        "scared": nothing,
        "held": nothing,
        "wins": (0,) * seats,
        "bonus": (0,) * seats,
        "junk_worth": (None,) * seats,
    }
