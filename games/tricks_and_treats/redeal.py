"""Another table that a viewer can't tell from this one: every hidden zone dealt otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from games import rules
from games.forms import Below
from games.memory import NO_PAST, Memory, Past, dealt, recalled, stacked, taken
from games.sight import Viewer
from games.tricks_and_treats.cards import TIMES_UP, TIMES_UP_AMONG_LAST
from games.tricks_and_treats.events import (
    CandyDrawn,
    CandyPlayed,
    CandyShuffled,
    CandyTraded,
    OpeningExchange,
    SecretLetterHandedOver,
    SecretLetterShown,
)
from games.tricks_and_treats.setup import GiveHighest, GiveLowest
from games.tricks_and_treats.state import Owned, State, Written

DECK = "deck"


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    memory = recalled(past, viewer, below, watch)
    for deal in (_candy, _letters):
        state = deal(state, viewer, below, memory)
    for change in (_guesses, _passed):
        state = change(state, viewer, below)
    return rules.rechosen(state, viewer, below)


def _candy(state: State, viewer: Viewer, below: Below, memory: Memory) -> State:
    """Other hands and the deck; Time's Up stays among the last, and on top if it shows. A card
    that the viewer has seen going to a hand stays there, and one that it knows on the deck."""
    hidden = [seat for seat in state.seats if seat != viewer]
    cards = [card for card in state.deck if card != TIMES_UP]
    pool = Counter([card for seat in hidden for card in state.hands[seat]] + cards)
    hands = list(state.hands)
    kept = {seat: taken(pool, memory.kept(seat), len(hands[seat])) for seat in hidden}
    deck = list(stacked(pool, memory.top(DECK), len(cards), below))
    for seat in hidden:
        more = dealt(pool, len(hands[seat]) - len(kept[seat]), below)
        hands[seat] = tuple(_shuffled([*kept[seat], *more], below))
    if not state.times_up:
        last = min(len(state.deck) - 1, TIMES_UP_AMONG_LAST + 1)
        deck.insert(len(deck) - below(last), TIMES_UP)
    else:
        deck.insert(0, TIMES_UP)
    return state.but(hands=tuple(hands), deck=tuple(deck))


def _letters(state: State, viewer: Viewer, below: Below, memory: Memory) -> State:
    """Letters nobody showed the viewer, and those not dealt; what a wrong tattle told holds.

    What others were shown in private follows the letters.
    """
    told = {owned.seat for shown in state.shown for owned in shown}
    told |= {seat for seat in state.seats if memory.known(_letter(seat))}
    if isinstance(viewer, int):
        told |= {viewer, *(owned.seat for owned in state.known[viewer])}
    if state.revealed:
        told = set(state.seats)
    hidden = [seat for seat in state.seats if seat not in told]
    pool = [*(state.letters[seat] for seat in hidden), *state.undealt]
    ruled_out = {(owned.seat, owned.letter) for owned in state.ruled_out}
    while True:
        dealt = _shuffled(pool, below)
        if not ruled_out & set(zip(hidden, dealt, strict=False)):
            break
    letters = list(state.letters)
    for seat, letter in zip(hidden, dealt, strict=False):
        letters[seat] = letter
    known = tuple([tuple([Owned(o.seat, letters[o.seat]) for o in seen]) for seen in state.known])
    return state.but(letters=tuple(letters), undealt=tuple(dealt[len(hidden) :]), known=known)


def _guesses(state: State, viewer: Viewer, below: Below) -> State:
    """Others' written guesses, until they are revealed."""
    if state.judged:
        return state
    letters = state.lettered
    guesses = [
        g if g.guesser == viewer else Written(g.guesser, g.target, letters[below(len(letters))])
        for g in state.guesses
    ]
    return state.but(guesses=tuple(guesses))


def _passed(state: State, viewer: Viewer, below: Below) -> State:
    """The card the starter has chosen to give, out of the hand she now has."""
    if not state.pending or not isinstance(state.pending[-1].item, GiveLowest):
        return state
    (open,) = state.pending
    if viewer == open.item.to:
        return state
    giver = GiveHighest(open.item.to, open.item.seat)
    high = giver.form(state, giver.seat).sample(below).card
    return state.but(pending=(rules.Open(open.id, replace(open.item, high=high)),))


def _shuffled(cards: Sequence[str], below: Below) -> list[str]:
    left = list(cards)
    return [left.pop(below(len(left))) for _ in cards]


def _letter(seat: int) -> tuple[str, int]:
    return "letter", seat


def watch(memory: Memory, state: State | None, event: Any) -> None:
    """Hands are known by their seat."""
    match event:
        case CandyShuffled():
            memory.shuffled(DECK)
        case OpeningExchange(first=first, last=last, high=high, low=low):
            if memory.viewer in (first, last):
                memory.went(first, high)
                memory.went(last, low)
                memory.came(first, low)
                memory.came(last, high)
        case CandyDrawn(seat=seat, card=card):
            memory.came(seat, memory.drawn(DECK, card if seat == memory.viewer else None))
        case CandyPlayed(seat=seat, card=card):
            memory.went(seat, card)
        case SecretLetterShown(owner=owner, viewer=viewer, letter=letter):
            if memory.viewer == viewer:
                memory.saw(_letter(owner), letter)
        case SecretLetterHandedOver(owner=owner, letter=letter):
            memory.saw(_letter(owner), letter)
        case CandyTraded(seat=seat, given=given, taken=got):
            memory.went(seat, given)
            memory.came(seat, got)
