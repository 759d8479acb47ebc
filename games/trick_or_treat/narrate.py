"""One sentence per event, from the viewer's cut of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.trick_or_treat.tables import (
    CARD_NAMES,
    FACE_NAMES,
    HOUSES,
    PLACE_NAMES,
    SETS,
    cards_in_words,
    in_words,
)

Told = dict[str, Any]

SENTENCES: dict[str, Callable[[Told], str]] = {}


def tell(event: Told) -> str:
    sentence = SENTENCES.get(event["type"])
    return sentence(event) if sentence else ""


def of(kind: str) -> Callable[[Callable[[Told], str]], Callable[[Told], str]]:
    return lambda sentence: SENTENCES.setdefault(kind, sentence)


def who(seat: int) -> str:
    return f"Seat {seat}"


def card(shown: Any) -> str:
    return CARD_NAMES[shown] if isinstance(shown, str) else "a card"


def points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


@of("table_laid")
def table_laid(e: Told) -> str:
    houses = "1 House is" if e["houses"] == 1 else f"{e['houses']} Houses are"
    return f"{houses} laid out; seat {e['first']} begins."


@of("sets_shuffled")
def sets_shuffled(e: Told) -> str:
    return f"Sets on offer: {in_words([SETS[code].name for code in e['middle']])}."


@of("house_stocked")
def house_stocked(e: Told) -> str:
    return f"{CARD_NAMES[e['card']]} is turned up at {PLACE_NAMES[HOUSES[e['house']]]}."


@of("carnival_stocked")
def carnival_stocked(e: Told) -> str:
    return f"{CARD_NAMES[e['card']]} is turned up at the Carnival."


@of("kid_chosen")
def kid_chosen(e: Told) -> str:
    return f"{who(e['seat'])} plays the {FACE_NAMES[e['face']]}."


@of("turn_started")
def turn_started(e: Told) -> str:
    return f"Turn {e['turn']}: seat {e['seat']}."


@of("trick_played")
def trick_played(e: Told) -> str:
    return f"{who(e['seat'])} plays {CARD_NAMES[e['trick']]}."


@of("kid_moved")
def kid_moved(e: Told) -> str:
    return f"{who(e['seat'])} goes to {PLACE_NAMES[e['to']]}."


@of("kid_stayed")
def kid_stayed(e: Told) -> str:
    return f"{who(e['seat'])} stays at {PLACE_NAMES[e['at']]}."


@of("free_move_granted")
def free_move_granted(e: Told) -> str:
    return f"{who(e['seat'])} may go anywhere on the next turn."


@of("bully_moved")
def bully_moved(e: Told) -> str:
    return f"{who(e['seat'])} sends the Bully to {PLACE_NAMES[e['to']]}."


@of("kid_chased")
def kid_chased(e: Told) -> str:
    return f"{who(e['seat'])} is chased away from {PLACE_NAMES[e['left']]}."


@of("card_stolen")
def card_stolen(e: Told) -> str:
    return f"{who(e['thief'])} steals {card(e['card'])} from seat {e['victim']}."


@of("victim_spared")
def victim_spared(e: Told) -> str:
    return f"{who(e['by'])} takes nothing from seat {e['seat']}."


@of("card_drawn")
def card_drawn(e: Told) -> str:
    return f"{who(e['seat'])} draws {card(e['card'])}."


@of("house_card_taken")
def house_card_taken(e: Told) -> str:
    house = PLACE_NAMES[HOUSES[e["house"]]]
    return f"{who(e['seat'])} takes {CARD_NAMES[e['card']]} from {house}."


@of("carnival_card_taken")
def carnival_card_taken(e: Told) -> str:
    return f"{who(e['seat'])} takes {CARD_NAMES[e['card']]} from the Carnival."


@of("cards_discarded")
def cards_discarded(e: Told) -> str:
    return f"{who(e['seat'])} discards {cards_in_words(e['cards'])}."


@of("fear_given")
def fear_given(e: Told) -> str:
    return f"{who(e['seat'])} gives every other player {e['amount']} Fear."


@of("fear_returned")
def fear_returned(e: Told) -> str:
    return f"{who(e['seat'])} returns {e['amount']} Fear."


@of("set_claimed")
def set_claimed(e: Told) -> str:
    eggs = f", Egging Houses as {cards_in_words(e['eggs'])}" if e["eggs"] else ""
    set = SETS[e["set"]].name
    return f"{who(e['seat'])} claims the Set {set} for {points(e['points'])}{eggs}."


@of("set_revealed")
def set_revealed(e: Told) -> str:
    return f"The next Set is {SETS[e['set']].name}."


@of("discards_reshuffled")
def discards_reshuffled(e: Told) -> str:
    return "The discard pile is shuffled into a new deck."


@of("hands_thinned")
def hands_thinned(e: Told) -> str:
    parts = [f"seat {s} {cards_in_words(lost)}" for s, lost in enumerate(e["lost"]) if lost]
    return f"No cards are left to draw; from the hands go: {'; '.join(parts)}."


@of("draw_skipped")
def draw_skipped(e: Told) -> str:
    return f"There is no card to draw ({e['missing']} missing)."


@of("game_ended")
def game_ended(e: Told) -> str:
    names = in_words([f"seat {seat}" for seat in e["winners"]])
    wins = "wins" if len(e["winners"]) == 1 else "share the win"
    return f"The Sets are gone: {names} {wins} with {points(max(e['scores']))}."
