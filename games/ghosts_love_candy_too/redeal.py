"""Another table that a viewer can't tell from this one: every hidden zone dealt otherwise."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games import rules
from games.dealing import dealt, stacked
from games.forms import Below
from games.ghosts_love_candy_too.ability_events import CravingPeeked
from games.ghosts_love_candy_too.end_events import CravingsShown
from games.ghosts_love_candy_too.events import (
    BagFilled,
    BagRefilled,
    DeckShuffled,
    Drawn,
    KidRevealed,
    Placed,
)
from games.ghosts_love_candy_too.order_events import TieCardDrawn
from games.ghosts_love_candy_too.state import Secret, State
from games.memory import Memory
from games.recall import NO_PAST, Past, recalled
from games.sight import Viewer

DECK, BAG, CRAVING = "deck", "bag", "craving"


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    """Deck, bag, boxed cravings and those the viewer has not seen, dealt otherwise; what it saw
    come out before that was taken back lies on top again."""
    memory = recalled(past, viewer, below, watch)
    unseen = [
        i
        for i, secret in enumerate(state.secrets)
        if viewer not in secret.knowers and not memory.known((CRAVING, i))
    ]
    pool = Counter([*[state.secrets[i].card for i in unseen], *state.boxed])
    cards = dealt(pool, pool.total(), below)
    secrets = list(state.secrets)
    for i in unseen:
        secrets[i] = Secret(cards.pop(), secrets[i].knowers)
    other = state.but(
        deck=stacked(Counter(state.deck), memory, DECK, len(state.deck), below),
        bag=stacked(Counter(state.bag), memory, BAG, len(state.bag), below),
        secrets=tuple(secrets),
        boxed=tuple(cards),
    )
    return rules.rechosen(other, viewer, below, memory.disclosed)


def watch(memory: Memory, state: Any, event: Any) -> None:
    match event:
        case DeckShuffled():
            memory.shuffled(DECK)
        case BagFilled():
            memory.shuffled(BAG)
        case BagRefilled():
            memory.laid_beneath(BAG, len(state.bag) if state else 0)
        case KidRevealed(kid=kid) | TieCardDrawn(kid=kid):
            memory.drawn(DECK, kid)
        case Placed(treats=treats) | Drawn(treats=treats):
            for treat in treats:
                memory.drawn(BAG, treat)
        case CravingPeeked(by=by, whose=whose, card=card) if by == memory.viewer:
            memory.saw((CRAVING, whose), card)
        case CravingsShown(cards=cards):
            for seat, card in enumerate(cards):
                memory.saw((CRAVING, seat), card)
