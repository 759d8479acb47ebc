"""Another table that a viewer can't tell from this one: every hidden zone dealt otherwise."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games import rules
from games.dealing import dealt, filled, fits, laid, stacked, taken
from games.forms import Below
from games.memory import Memory
from games.recall import NO_PAST, Past, recalled
from games.sight import Viewer
from games.trick_or_treat import haunted, home
from games.trick_or_treat.deck_events import (
    CardDrawn,
    CardsShuffled,
    CarnivalCardTaken,
    CarnivalStocked,
    DiscardsReshuffled,
    HandsThinned,
    HouseCardTaken,
    HouseStocked,
)
from games.trick_or_treat.events import CardsDiscarded, CardStolen, SetRevealed, TrickPlayed
from games.trick_or_treat.state import State

DECK, SETS = "deck", "sets"


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    """Other hands and the deck, the Set deck and the Sets taken out; what was promised stays, and
    what the viewer has seen going to a hand or lying on the deck."""
    hidden = [seat for seat in range(state.players) if seat != viewer]
    pool = Counter([card for seat in hidden for card in state.hands[seat]] + list(state.deck))
    sizes, left = {seat: len(state.hands[seat]) for seat in hidden}, len(state.deck)
    memory = recalled(past, viewer, below, watch, lambda m: fits(m, pool, sizes, DECK, left))
    kept = {seat: _kept(state, seat, memory, pool) for seat in hidden}
    known = laid(pool, memory, DECK, left)
    hands = list(state.hands)
    for seat in hidden:
        kept[seat] += taken(pool, memory.unsure(seat), len(hands[seat]) - len(kept[seat]))
    deck = filled(pool, known, below)
    for seat in hidden:
        more = dealt(pool, len(hands[seat]) - len(kept[seat]), below)
        hands[seat] = tuple(sorted((*kept[seat], *more)))
    pool = Counter([*state.set_deck, *state.removed])
    sets = stacked(pool, memory, SETS, len(state.set_deck), below)
    other = state.but(
        hands=tuple(hands),
        deck=deck[::-1],
        set_deck=sets[::-1],
        removed=tuple(dealt(pool, len(state.removed), below)),
    )
    return rules.rechosen(other, viewer, below, memory.disclosed)


def _kept(state: State, seat: int, memory: Memory, pool: Counter[str]) -> list[str]:
    """Cards of a hand that stay: what all know it must hold, and what the viewer is sure of."""
    promised = _promised(state, seat)
    more = Counter(memory.sure(seat)) - Counter(promised)
    return taken(pool, (*promised, *more.elements()), len(state.hands[seat]))


def _promised(state: State, seat: int) -> tuple[str, ...]:
    """Cards that a hand must hold as far as all can see: by the question it is asked."""
    item = state.pending[-1].item if state.pending else None
    if isinstance(item, home.TurnIn) and item.seat == seat:
        return item.promised(state)
    if isinstance(item, haunted.ScareWith | haunted.CalmWith) and item.seat == seat:
        return item.cards(state)[:1]
    return ()


def watch(memory: Memory, state: State | None, event: Any) -> None:
    """Hands are known by their seat."""
    match event:
        case CardsShuffled() | DiscardsReshuffled():
            memory.shuffled(DECK)
        case HouseStocked(card=card) | CarnivalStocked(card=card):
            memory.drawn(DECK, card)
        case CardDrawn(seat=seat, card=card):
            memory.drew(seat, DECK, card if seat == memory.viewer else None)
        case HouseCardTaken(seat=seat, card=card) | CarnivalCardTaken(seat=seat, card=card):
            memory.came(seat, card)
        case CardStolen(thief=thief, victim=victim, card=card) if memory.viewer in (thief, victim):
            memory.went(victim, card, size=_size(state, victim))
            memory.came(thief, card)
        case CardStolen(thief=thief, victim=victim):
            memory.slipped(victim, thief, _size(state, victim) or 0)
        case CardsDiscarded(seat=seat, cards=cards):
            memory.went(seat, *cards, size=_size(state, seat))
        case SetRevealed(set=code):
            memory.drawn(SETS, code)
        case TrickPlayed(seat=seat, trick=card):
            memory.went(seat, card, size=_size(state, seat))
        case HandsThinned(lost=lost):
            for seat, cards in enumerate(lost):
                memory.went(seat, *cards, size=_size(state, seat))


def _size(state: State | None, seat: int) -> int | None:
    return None if state is None else len(state.hands[seat])
