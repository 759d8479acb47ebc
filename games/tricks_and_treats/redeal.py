"""Another table that a viewer can't tell from this one: every hidden zone dealt otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from games import rules
from games.dealing import dealt, filled, fits, laid, taken
from games.forms import Below
from games.memory import Memory
from games.recall import NO_PAST, Past, recalled
from games.sight import Viewer
from games.tricks_and_treats.cards import TIMES_UP, TIMES_UP_AMONG_LAST
from games.tricks_and_treats.events import (
    CandyDrawn,
    CandyPlayed,
    CandyShuffled,
    CandyTraded,
    GuessesRevealed,
    GuessWritten,
    OpeningExchange,
    SecretLetterHandedOver,
    SecretLetterShown,
    SecretLettersRevealed,
    TattleMade,
)
from games.tricks_and_treats.setup import GiveHighest, GiveLowest
from games.tricks_and_treats.state import Owned, State, Written

DECK = "deck"
UNDER, LESS = "under Time's Up", "less under Time's Up"


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    hidden = [seat for seat in state.seats if seat != viewer]
    cards = [card for card in state.deck if card != TIMES_UP]
    pool = Counter([*cards, *[card for seat in hidden for card in state.hands[seat]]])
    sizes = {seat: len(state.hands[seat]) for seat in hidden}
    memory = recalled(past, viewer, below, watch, lambda m: fits(m, pool, sizes, DECK, len(cards)))
    for deal in (_candy, _letters, _guesses, _passed):
        state = deal(state, viewer, below, memory)
    return rules.rechosen(state, viewer, below, memory.disclosed)


def _candy(state: State, viewer: Viewer, below: Below, memory: Memory) -> State:
    """Other hands and the deck; Time's Up stays among the last, and where it is known to lie. A
    card that the viewer has seen going to a hand stays there, and one that it knows on the deck."""
    hidden = [seat for seat in state.seats if seat != viewer]
    cards = [card for card in state.deck if card != TIMES_UP]
    pool = Counter([card for seat in hidden for card in state.hands[seat]] + cards)
    hands = list(state.hands)
    kept = {seat: taken(pool, memory.sure(seat), len(hands[seat])) for seat in hidden}
    known = laid(pool, memory, DECK, len(cards))
    for seat in hidden:
        kept[seat] += taken(pool, memory.unsure(seat), len(hands[seat]) - len(kept[seat]))
    deck = list(filled(pool, known, below))
    for seat in hidden:
        more = dealt(pool, len(hands[seat]) - len(kept[seat]), below)
        hands[seat] = tuple(_shuffled([*kept[seat], *more], below))
    last = min(len(cards), TIMES_UP_AMONG_LAST + 1, *memory.known(LESS))
    under = len(cards) if state.times_up else next(iter(memory.known(UNDER)), None)
    deck.insert(len(cards) - (below(last) if under is None else under), TIMES_UP)
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
    pool = sorted([*[state.letters[seat] for seat in hidden], *state.undealt])
    ruled_out = {(owned.seat, owned.letter) for owned in state.ruled_out}
    ruled_out |= {(seat, letter) for seat in hidden for letter in memory.known(_not(seat))}
    while True:
        dealt = _shuffled(pool, below)
        if not ruled_out & set(zip(hidden, dealt, strict=False)):
            break
    letters = list(state.letters)
    for seat, letter in zip(hidden, dealt, strict=False):
        letters[seat] = letter
    known = tuple([tuple([Owned(o.seat, letters[o.seat]) for o in seen]) for seen in state.known])
    return state.but(letters=tuple(letters), undealt=tuple(dealt[len(hidden) :]), known=known)


def _guesses(state: State, viewer: Viewer, below: Below, memory: Memory) -> State:
    """Others' written guesses, until they are revealed."""
    if state.judged:
        return state
    letters = state.lettered
    guesses = [
        g
        if g.guesser == viewer or memory.known(_guess(g.guesser, g.target))
        else Written(g.guesser, g.target, letters[below(len(letters))])
        for g in state.guesses
    ]
    return state.but(guesses=tuple(guesses))


def _passed(state: State, viewer: Viewer, below: Below, memory: Memory) -> State:
    """The card the starter has chosen to give, out of the hand she now has."""
    if not state.pending or not isinstance(state.pending[-1].item, GiveLowest):
        return state
    (open,) = state.pending
    if viewer == open.item.to:
        return state
    giver = GiveHighest(open.item.to, open.item.seat)
    seen = iter(memory.known(giver.seat))
    high = next(seen, None) or giver.form(state, giver.seat).sample(below).card
    return state.but(pending=(rules.Open(open.id, replace(open.item, high=high)),))


def _shuffled(cards: Sequence[str], below: Below) -> list[str]:
    left = list(cards)
    return [left.pop(below(len(left))) for _ in cards]


def _letter(seat: int) -> tuple[str, int]:
    return "letter", seat


def _not(seat: int) -> tuple[str, int]:
    return "another letter than", seat


def _guess(guesser: int, target: int) -> tuple[str, int, int]:
    return "guess", guesser, target


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
            elif state:
                memory.exchanged(first, last, (len(state.hands[first]), len(state.hands[last])))
        case CandyDrawn(seat=seat, card=card, deck_left=left, times_up=over):
            memory.drew(seat, DECK, card if seat == memory.viewer else None)
            memory.saw(UNDER if over else LESS, left - 1)
        case CandyPlayed(seat=seat, card=card):
            memory.went(seat, card, size=_size(state, seat))
        case SecretLetterShown(owner=owner, viewer=viewer, letter=letter):
            if memory.viewer == viewer:
                memory.saw(_letter(owner), letter)
        case SecretLetterHandedOver(owner=owner, letter=letter):
            memory.saw(_letter(owner), letter)
        case SecretLettersRevealed(letters=letters):
            for seat, letter in enumerate(letters):
                memory.saw(_letter(seat), letter)
        case TattleMade(target=target, letter=letter, correct=False):
            memory.saw(_not(target), letter)
        case GuessWritten(guesser=guesser, target=target):
            memory.came(_guess(guesser, target), None)
        case GuessesRevealed(guesses=guesses):
            for guess in guesses:
                memory.saw(_guess(guess.guesser, guess.target), guess.letter)
        case CandyTraded(seat=seat, given=given, taken=got):
            memory.went(seat, given, size=_size(state, seat))
            memory.came(seat, got)


def _size(state: State | None, seat: int) -> int | None:
    return None if state is None else len(state.hands[seat])
