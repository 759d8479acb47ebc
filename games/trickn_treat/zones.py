"""Where every card is: the count of all, and another deal of the hidden ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from games import rules
from games.dealing import dealt, taken
from games.forms import Below
from games.history import led_here
from games.memory import Memory
from games.recall import NO_PAST, Past, recalled
from games.sight import Viewer
from games.trickn_treat.events import CardPlayed, HandsShown, TrickTaken
from games.trickn_treat.ghost_events import (
    CardsExchanged,
    CardsSwapped,
    DummyExchanged,
    PileSearched,
)
from games.trickn_treat.setup_events import Dealt
from games.trickn_treat.state import Dummy, State, is_candy, is_ghost
from games.trickn_treat.turns import PlayCard

HAND, PILE = "hand", "pile"
Zone = tuple[str, int]
Known = Callable[[Zone], tuple[str, ...]]
OUT: Zone = "out", 0


def census(state: State) -> Mapping[str, int]:
    """Every card and token, wherever it is."""
    dummy = state.dummy or Dummy()
    zones = (
        *(*state.hands, *state.piles, *state.scores, *state.ghosts),
        *(dummy.row, dummy.pile, dummy.score),
        *(state.out, state.boxed, state.discard, state.free_tokens),
        tuple([token for token in state.tokens if token]),
        tuple([played.card for played in state.table]),
    )
    return Counter([thing for zone in zones for thing in zone])


PATIENCE = 50
"""Deals that are tried with all that is guessed kept; then what is guessed counts no more."""


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    """The hidden hands, piles and ghosts out of the game, dealt anew.

    What all have seen stays true: how many ghosts and candies a hand has, as far as that can be
    counted, and that a leader about to lead can. What the viewer has seen going to a hand or a pile
    stays there.
    """
    memory = recalled(past, viewer, below, watch)
    counted = _counted(state, viewer, past)
    deals = (
        _redealt(state, viewer, below, memory.kept if n < PATIENCE else memory.sure, counted)
        for n in count()
    )
    other = next(deal for deal in deals if deal is not None and _consistent(deal))
    return rules.rechosen(other, viewer, below, memory.disclosed)


def _consistent(dealt: State) -> bool:
    asked = dealt.pending[-1].item if dealt.pending else None
    return not isinstance(asked, PlayCard) or bool(dealt.table) or dealt.can_lead(asked.place)


def _counted(state: State, viewer: Viewer, past: Past) -> set[Zone]:
    """Where the viewer can tell how many ghosts and candies lie: all are told at the deal, and see
    what comes and goes, mostly. Out of the game are ghosts alone."""
    hands = {(HAND, seat) for seat in range(state.seats)}
    dealt = not (state.table or any(state.piles) or any(state.scores))
    for commit in led_here(past.commits, past.version):
        for event in commit.events:
            match event:
                case Dealt():
                    dealt = True
                case PileSearched(seat=seat, taken=True) if seat != viewer:
                    hands -= {(HAND, seat)}
                case CardsExchanged(a=a, b=b) if viewer not in (a, b):
                    hands -= {(HAND, a), (HAND, b)}
    return {*hands, OUT} if dealt else {OUT}


def _redealt(
    state: State, viewer: Viewer, below: Below, known: Known, counted: set[Zone]
) -> State | None:
    """None where what is guessed leaves too little of a kind to a hand that has been counted."""
    hidden = [seat for seat in range(state.seats) if seat != viewer]
    zones: dict[Zone, tuple[str, ...]] = {(HAND, s): state.hands[s] for s in hidden}
    zones |= {(PILE, s): state.piles[s] for s in hidden}
    zones[OUT] = state.out
    pool = Counter([card for zone in zones.values() for card in zone])
    kept = {zone: taken(pool, known(zone), len(cards)) for zone, cards in zones.items()}
    for zone in sorted(zones, key=lambda zone: zone not in counted):
        like = _kind if zone in counted else _any
        wanted = sorted([like(card) for card in zones[zone]])
        for card in kept[zone]:
            wanted.remove(like(card))
        for kind in wanted:
            alike = Counter([card for card in pool.elements() if like(card) == kind])
            if not alike:
                return None
            kept[zone] += (chosen := dealt(alike, 1, below))
            pool.subtract(chosen)
    hands, piles = list(state.hands), list(state.piles)
    for seat in hidden:
        hands[seat], piles[seat] = tuple(kept[HAND, seat]), tuple(kept[PILE, seat])
    return state.but(hands=tuple(hands), piles=tuple(piles), out=tuple(kept[OUT]))


def _kind(card: str) -> str:
    return "ghost" if is_ghost(card) else "candy" if is_candy(card) else "friend"


def _any(card: str) -> str:
    return "any"


def watch(memory: Memory, state: State | None, event: Any) -> None:
    match event:
        case CardPlayed(seat=seat, card=card):
            memory.went((HAND, seat), card)
        case TrickTaken(seat=seat, ghosts=ghosts, rest=rest):
            memory.came((HAND, seat), *ghosts)
            memory.came((PILE, seat), *rest)
        case CardsSwapped(seat=seat, put=put, took=took):
            memory.went((HAND, seat), put)
            memory.came((HAND, seat), took)
        case HandsShown(ghosts=ghosts, discarded=discarded):
            for seat, cards in enumerate(zip(ghosts, discarded, strict=True)):
                memory.went((HAND, seat), *cards[0], *cards[1])
        case DummyExchanged(seat=seat, gave=gave, took=took):
            memory.went((HAND, seat), gave)
            memory.came((HAND, seat), took)
        case PileSearched(seat=seat, taken=True) if seat != memory.viewer and state:
            memory.slipped((PILE, seat), (HAND, seat), len(state.piles[seat]))
        case CardsExchanged(a=a, b=b, from_a=from_a, from_b=from_b):
            if memory.viewer in (a, b):
                memory.went((HAND, a), from_a)
                memory.went((HAND, b), from_b)
                memory.came((HAND, a), from_b)
                memory.came((HAND, b), from_a)
            elif state:
                sizes = len(state.hands[a]), len(state.hands[b])
                memory.exchanged((HAND, a), (HAND, b), sizes)
