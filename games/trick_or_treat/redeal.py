"""Another table that a viewer can't tell from this one: every hidden zone dealt otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from games import rules
from games.dealing import dealt, filled, fits, laid, stacked, taken
from games.forms import Below
from games.memory import Memory
from games.recall import NO_PAST, Past, recalled
from games.sight import Seat, Viewer
from games.trick_or_treat import claims, haunted, home
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
from games.trick_or_treat.options import Give
from games.trick_or_treat.state import State, put
from games.trick_or_treat.tables import TERMS

DECK, SETS = "deck", "sets"


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    """Other hands and the deck, the Set deck and the Sets taken out; what the viewer has seen going
    to a hand or lying on the deck stays, and who is paying can pay, be it with other cards."""
    hidden = [seat for seat in range(state.players) if seat != viewer]
    pool = Counter([card for seat in hidden for card in state.hands[seat]] + list(state.deck))
    sizes, left = {seat: len(state.hands[seat]) for seat in hidden}, len(state.deck)
    memory = recalled(past, viewer, below, watch, lambda m: fits(m, pool, sizes, DECK, left))
    hands = list(state.hands)
    kept = {seat: taken(pool, memory.sure(seat), sizes[seat]) for seat in hidden}
    free = pool - Counter(memory.top(DECK, guessed=False)[:left])
    for seat in hidden:
        needed = _promised(state, seat, kept[seat], free, below)
        kept[seat] += taken(pool, needed, sizes[seat] - len(kept[seat]))
    known = laid(pool, memory, DECK, left)
    for seat in hidden:
        kept[seat] += taken(pool, memory.unsure(seat), sizes[seat] - len(kept[seat]))
    deck = filled(pool, known, below)
    for seat in hidden:
        more = dealt(pool, sizes[seat] - len(kept[seat]), below)
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


def _promised(
    state: State, seat: Seat, hand: Sequence[str], free: Counter[str], below: Below
) -> tuple[str, ...]:
    """What it must hold besides as far as all can see, by the question it is asked: of what is
    free for it, whatever it does hold."""
    item = state.pending[-1].item if state.pending else None
    if not isinstance(item, home.TurnIn | haunted.ScareWith | haunted.CalmWith):
        return ()
    if item.seat != seat:
        return ()
    most = tuple(sorted((*hand, *free.elements())))
    whole = state.but(hands=put(state.hands, seat, most))
    if isinstance(item, home.TurnIn):
        return _turned_in(whole, item, Counter(hand), below)
    cards = item.cards(whole)
    return () if {*cards} & {*hand} else (cards[below(len(cards))],)


def _turned_in(
    state: State, item: home.TurnIn, hand: Counter[str], below: Below
) -> tuple[str, ...]:
    """What meets the Set and is not in hand: as little as may be, lest there be no room for it."""
    while terms := TERMS[item.set][len(item.given) :]:
        ways = claims.ways(item.left(state), terms)
        prices = [_price((*item.given, give), hand) for give in ways]
        best = [give for give, price in zip(ways, prices, strict=True) if price == min(prices)]
        item = replace(item, given=(*item.given, best[below(len(best))]))
    return tuple((Counter(home.turned_in(item.given)) - hand).elements())


def _price(given: tuple[Give, ...], hand: Counter[str]) -> tuple[int, int]:
    """Cards that are not in hand, and Egging Houses: another part may need those more."""
    missing = Counter(home.turned_in(given)) - hand
    return missing.total(), sum(len(give.eggs) for give in given)


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
