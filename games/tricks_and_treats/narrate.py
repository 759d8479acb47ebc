"""One sentence per event, in words, from a viewer's cut of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.tricks_and_treats.cards import NAME

Cut = dict[str, Any]

ELIMINATED = {
    "tattled": "Seat {} is out: her Basket was named.",
    "wrong_tattle": "Seat {} is out: she accused wrongly.",
    "guessed_by_all": "Seat {} is out: everybody else guessed her Basket.",
}
COUNTED = {"odd": "an odd number of", "even": "an even number of", "zero": "no"}


def tell(event: Cut) -> str:
    sentence = SENTENCES.get(event["type"])
    return sentence(event) if sentence else ""


def _known(card: Any, otherwise: str) -> str:
    """The card's name, or other words where it is hidden."""
    return otherwise if isinstance(card, dict) else NAME[card]


def _listed(things: list[str]) -> str:
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


def _line(e: Cut) -> str:
    return f"The Baskets lie in a line: {_listed([NAME[basket] for basket in e['line']])}."


def _exchange(e: Cut) -> str:
    high, low = _known(e["high"], "her highest card"), _known(e["low"], "her lowest card")
    return f"Seat {e['first']} gives {high} to seat {e['last']}, who gives {low} for it."


def _drawn(e: Cut) -> str:
    drawn = f"Seat {e['seat']} draws {_known(e['card'], 'a card')}"
    return f"{drawn}, and Time's Up shows on the deck." if e["times_up"] else f"{drawn}."


def _tattle(e: Cut) -> str:
    verdict = "right" if e["correct"] else "wrong"
    said = f"Seat {e['accuser']} accuses seat {e['target']} of owning Basket {e['letter']}"
    return f"{said}, and is {verdict}."


def _letter_shown(e: Cut) -> str:
    what = "her Secret Letter" if isinstance(e["letter"], dict) else f"the letter {e['letter']}"
    return f"Seat {e['owner']} shows {what} to seat {e['viewer']} alone."


def _written(e: Cut) -> str:
    what = "a guess" if isinstance(e["letter"], dict) else f"the letter {e['letter']}"
    return f"Seat {e['guesser']} writes {what} and lays it before seat {e['target']}."


def _moved(e: Cut) -> str:
    cards = [NAME[move["card"]] for move in e["moves"]]
    verb = "move" if len(cards) > 1 else "moves"
    return f"{NAME[e['cause']]}: {_listed(cards)} {verb} to another Basket."


def _removed(e: Cut) -> str:
    cards = [NAME[lying["card"]] for lying in e["cards"]]
    verb = "leave" if len(cards) > 1 else "leaves"
    return f"{NAME[e['cause']]}: {_listed(cards)} {verb} the game."


def _doubled(e: Cut) -> str:
    cards = [NAME[lying["card"]] for lying in e["cards"]]
    verb = "count" if len(cards) > 1 else "counts"
    return f"{NAME[e['cause']]}: {_listed(cards)} {verb} double."


def _traded(e: Cut) -> str:
    given, taken = NAME[e["given"]], NAME[e["taken"]]
    return f"Seat {e['seat']} trades {given} for {taken} under {NAME[e['basket']]}."


def _order(e: Cut) -> str:
    names = [NAME[basket] for basket in e["specials"]]
    return f"At the end these do their part: {_listed(names)}." if names else ""


def _resolved(e: Cut) -> str:
    if e["outcome"] == "done":
        return f"{NAME[e['basket']]} does its part."
    return f"{NAME[e['basket']]} has {COUNTED[e['outcome']]} cards under it."


def _revealed(e: Cut) -> str:
    owners = [f"seat {seat} owns Basket {letter}" for seat, letter in enumerate(e["letters"])]
    return f"All letters are revealed: {_listed(owners)}."


def _judged(e: Cut) -> str:
    right = [f"seat {g['guesser']} at seat {g['target']}" for g in e["guesses"] if g["correct"]]
    if not right:
        return "The guesses are revealed: none is right."
    return f"The guesses are revealed; right were {_listed(right)}."


def _scored(e: Cut) -> str:
    rows = [f"seat {seat} has {row['total']}" for seat, row in e["rows"].items()]
    return f"The count: {_listed(rows)}." if rows else "Nobody is left to be counted."


def _struck_out(e: Cut) -> str:
    seats = _listed([str(seat) for seat in e["seats"]])
    return f"Seats {seats} tie at {e['score']} and are out."


def _ended(e: Cut) -> str:
    if e["winner"] is None:
        return "The game is over, and nobody wins."
    last = ", the last one in," if e["cause"] == "last_player" else ""
    return f"The game is over: seat {e['winner']}{last} wins."


SENTENCES: dict[str, Callable[[Cut], str]] = {
    "starter_chosen": lambda e: f"Seat {e['seat']} takes the first turn.",
    "line_laid_out": _line,
    "hands_dealt": lambda e: f"Everybody has two Candy cards; {e['deck_left']} are left.",
    "times_up_buried": lambda e: "Time's Up is shuffled into the last cards of the deck.",
    "letters_dealt": lambda e: "Everybody has a Secret Letter.",
    "opening_exchange": _exchange,
    "turn_started": lambda e: f"Turn {e['turn']}: seat {e['seat']}.",
    "candy_drawn": _drawn,
    "candy_played": lambda e: f"Seat {e['seat']} puts {NAME[e['card']]} under {NAME[e['basket']]}.",
    "tattle_made": _tattle,
    "secret_letter_shown": _letter_shown,
    "secret_letter_handed_over": lambda e: (
        f"Seat {e['owner']}'s letter {e['letter']} lies face up before seat {e['holder']}."
    ),
    "player_eliminated": lambda e: ELIMINATED[e["cause"]].format(e["seat"]),
    "guess_written": _written,
    "line_changed": lambda e: (
        f"{NAME[e['cause']]} changes the line: {_listed([NAME[b] for b in e['line']])}."
    ),
    "candy_moved": _moved,
    "candy_traded": _traded,
    "candy_removed": _removed,
    "candy_doubled": _doubled,
    "resolution_ordered": _order,
    "special_resolved": _resolved,
    "secret_letters_revealed": _revealed,
    "guesses_revealed": _judged,
    "scored": _scored,
    "ties_struck_out": _struck_out,
    "game_ended": _ended,
}
