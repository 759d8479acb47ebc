"""One sentence on each event worth telling, from the viewer's cut of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.trickn_treat.scoring import WHY
from games.trickn_treat.tables import COLOURS, card_name, card_names, token_name

Shown = dict[str, Any]

IDLE = {
    "no_card": "there is no other card in the hand",
    "no_fit": "no card of the Dummy fits",
    "empty_pile": "the pile is empty",
    "no_target": "nobody else has a card",
    "dummy": "the Dummy makes no choices",
}


def who(place: int | str) -> str:
    return f"Seat {place}" if isinstance(place, int) else "The Dummy"


def whom(place: int | str) -> str:
    return f"seat {place}" if isinstance(place, int) else "the Dummy"


def seats(numbers: list[int]) -> str:
    """seat 0, or seats 1, 2 and 4."""
    *most, last = map(str, numbers)
    return f"seats {', '.join(most)} and {last}" if most else f"seat {last}"


def colour_removed(event: Shown) -> str:
    return f"{COLOURS[event['colour']]} goes back to the box."


def dealt(event: Shown) -> str:
    ghosts = " Ghosts that are left leave the game unseen." if len(event["hands"]) < 5 else ""
    return f"Everybody is dealt a hand and one ghost.{ghosts}"


def dummy_dealt(event: Shown) -> str:
    return f"The Dummy's row, bottom to top: {card_names(event['row'])}."


def starter_chosen(event: Shown) -> str:
    most = event["candies"][event["seat"]]
    lot = ", as others do; the lot fell on that seat" if event["by_lot"] else ""
    return f"Seat {event['seat']} starts with {most} candy cards in hand{lot}."


def token_taken(event: Shown) -> str:
    return f"Seat {event['seat']} takes {token_name(event['token'])}."


def teams_formed(event: Shown) -> str:
    return f"Dark: {seats(event['dark'])}. Light: {seats(event['light'])}."


def trick_started(event: Shown) -> str:
    return f"{who(event['order'][0])} leads."


def skipped(event: Shown) -> str:
    return f"{who(event['place'])} has no card left and is passed over."


def card_played(event: Shown) -> str:
    return f"Seat {event['seat']} plays {card_name(event['card'])}."


def dummy_played(event: Shown) -> str:
    return f"The Dummy plays {card_name(event['card'])}."


def effect_set(event: Shown) -> str:
    told = {
        (True, False): "the lowest card wins this trick",
        (False, True): "the winner of this trick scores one candy more",
        (True, True): "the lowest card wins this trick and scores one candy more",
    }[event["reversed"], event["extra"]]
    return f"From now on {told}."


def ghost_idle(event: Shown) -> str:
    return f"{card_name(event['ghost'])} does nothing: {IDLE[event['why']]}."


def cards_swapped(event: Shown) -> str:
    put, took = card_name(event["put"]), card_name(event["took"])
    return f"{who(event.get('seat', 'dummy'))} swaps {put} for {took} on the table."


def pile_searched(event: Shown) -> str:
    if not event["taken"]:
        return f"Seat {event['seat']} takes nothing from its pile."
    hidden = isinstance(event["card"], dict)
    card = "a card" if hidden else card_name(event["card"])
    return f"Seat {event['seat']} takes {card} from its pile."


def dummy_pile_searched(event: Shown) -> str:
    card = card_names(event["taken"]) if event["taken"] else "nothing"
    return f"The Dummy takes {card} from its pile."


def exchange_begun(event: Shown) -> str:
    return f"{who(event['place'])} exchanges a card with {whom(event['target'])}."


def cards_exchanged(event: Shown) -> str:
    if isinstance(event["from_a"], dict):
        return f"Seats {event['a']} and {event['b']} have exchanged a card in secret."
    from_a, from_b = card_name(event["from_a"]), card_name(event["from_b"])
    return f"Seat {event['a']} gives {from_a}, seat {event['b']} gives {from_b}."


def dummy_exchanged(event: Shown) -> str:
    gave, took = card_name(event["gave"]), card_name(event["took"])
    return f"Seat {event['seat']} gives {gave} and has {took} from the Dummy."


def trick_won(event: Shown) -> str:
    return f"{who(event['place'])} wins the trick with {card_name(event['card'])}."


def candy_scored(event: Shown) -> str:
    return f"{who(event['place'])} scores {card_names(event['cards'])}."


def trick_taken(event: Shown) -> str:
    if not event["ghosts"]:
        return ""
    return f"Seat {event['seat']} takes {card_names(event['ghosts'])} into the hand."


def dummy_took(event: Shown) -> str:
    if event["kept"]:
        return f"The Dummy keeps {card_names(event['kept'])}."
    return f"{card_names(event['lost'])} left the game." if event["lost"] else ""


def game_ended(event: Shown) -> str:
    what = "no card left" if event["why"] == "no_cards" else "only ghosts left"
    return f"{who(event['place'])} should lead and has {what}: the game is over."


def hands_shown(event: Shown) -> str:
    held = [
        f"seat {seat} {card_names(ghosts)}" for seat, ghosts in enumerate(event["ghosts"]) if ghosts
    ]
    return f"Ghosts in hand: {'; '.join(held)}." if held else "No seat holds a ghost."


def scored(event: Shown) -> str:
    if not event["winners"]:
        return f"Nobody wins: {WHY[event['why']]}."
    won = seats(event["winners"])
    return f"Won by {won}: {WHY[event['why']]}."


SENTENCES: dict[str, Callable[[Shown], str]] = {
    "colour_removed": colour_removed,
    "zeros_removed": lambda event: "The zeros go back to the box.",
    "dealt": dealt,
    "dummy_dealt": dummy_dealt,
    "starter_chosen": starter_chosen,
    "token_taken": token_taken,
    "teams_formed": teams_formed,
    "trick_started": trick_started,
    "skipped": skipped,
    "card_played": card_played,
    "dummy_played": dummy_played,
    "effect_set": effect_set,
    "ghost_idle": ghost_idle,
    "cards_swapped": cards_swapped,
    "dummy_swapped": cards_swapped,
    "pile_searched": pile_searched,
    "dummy_pile_searched": dummy_pile_searched,
    "exchange_begun": exchange_begun,
    "cards_exchanged": cards_exchanged,
    "dummy_exchanged": dummy_exchanged,
    "trick_won": trick_won,
    "candy_scored": candy_scored,
    "trick_taken": trick_taken,
    "dummy_took": dummy_took,
    "game_ended": game_ended,
    "hands_shown": hands_shown,
    "scored": scored,
}


def tell(event: Shown) -> str:
    sentence = SENTENCES.get(event["type"])
    return sentence(event) if sentence else ""
