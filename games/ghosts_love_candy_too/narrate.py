"""One sentence on what happened, from the viewer's cut of the event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from games.ghosts_love_candy_too.options import TREATS
from games.ghosts_love_candy_too.sheet import SHEETS

Shown = dict[str, Any]


def treats(tokens: list[str]) -> str:
    """`2 Chocolate and Junk`."""
    words = [TREATS[t] if n == 1 else f"{n} {TREATS[t]}" for t, n in Counter(tokens).items()]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]])) or "nothing"


def seats(those: list[int]) -> str:
    words = [f"seat {seat}" for seat in those]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def place(at: int) -> str:
    return f"place {at + 1}"


def ghost(card: Shown) -> str:
    return f"ghost {card['value']} of seat {card['seat']}"


def _settled(e: Shown) -> str:
    start = f"Seat {e['seat']} keeps {treats(e['kept'])}"
    if not e["rest"]:
        return f"{start}."
    be, go = ("are", "go") if len(e["rest"]) > 1 else ("is", "goes")
    where = {"discard": f"{be} discarded", "bag": f"{go} back into the bag"}
    end = where.get(e["to"], f"{go} onto the kid in {place(e['slot'])}")
    return f"{start}; {treats(e['rest'])} {end}."


def _scared(e: Shown) -> str:
    end = "goes to the discard" if e["to"] is None else f"goes to seat {e['to']}"
    return f"{{kid}} is scared and {end}."


def _taken(e: Shown) -> str:
    source = "from the discarded treats" if e["slot"] < 0 else f"from {place(e['slot'])}"
    return f"Seat {e['seat']} takes {treats(e['treats'])} {source}."


def _used(e: Shown) -> str:
    return "The ability of {of} is used at {kid}." if e["of"] != e["kid"] else "{kid} acts."


def _moved(e: Shown) -> str:
    how = " by chance" if e["random"] else ""
    return f"Seat {e['giver']} gives {treats(e['treats'])} to seat {e['to']}{how}."


def _dropped(e: Shown) -> str:
    if e["to"] == "discard":
        return f"Seat {e['seat']} discards {{kid}}."
    return f"Seat {e['seat']} puts {{kid}} under the deck."


def _peeked(e: Shown) -> str:
    seen = f": it is {e['card']}" if isinstance(e["card"], str) else ""
    return f"Seat {e['by']} looks at the craving of seat {e['whose']}{seen}."


def _tallied(e: Shown) -> str:
    totals = [sum(score.values()) for score in e["scores"]]
    return "Points: " + ", ".join(f"seat {s} has {n}" for s, n in enumerate(totals)) + "."


SENTENCES: dict[str, Callable[[Shown], str]] = {
    "cravings_dealt": lambda e: "Everybody gets a secret craving.",
    "deck_shuffled": lambda e: "The kid deck is shuffled.",
    "kid_revealed": lambda e: f"{{kid}} comes to {place(e['slot'])}.",
    "bag_filled": lambda e: "The bag is filled.",
    "bag_mixed": lambda e: "The bag is mixed.",
    "bag_refilled": lambda e: "The discarded treats go back into the empty bag.",
    "placed": lambda e: f"{treats(e['treats'])} onto the kid in {place(e['slot'])}.",
    "placement_stopped": lambda e: "The bag is empty: no more treats are placed.",
    "drawn": lambda e: f"Seat {e['seat']} draws {treats(e['treats'])}.",
    "start_kept": lambda e: f"Seat {e['seat']} starts with {treats(e['kept'])}.",
    "round_started": lambda e: f"Round {e['round']} begins.",
    "ghosts_shown": lambda e: f"Seat {e['seat']} shows {_ghosts(e['values'])}.",
    "ghosts_picked": lambda e: f"Chance picks {_ghosts(e['values'])} for seat {e['seat']}.",
    "own_tie_ordered": lambda e: f"Seat {e['seat']} orders its two equal ghosts.",
    "tie_card_drawn": lambda e: f"Seat {e['seat']} draws number {e['kid']} for the tie, {{kid}}.",
    "tie_won": lambda e: f"Seat {e['seat']} wins the tie without drawing.",
    "tie_by_lot": lambda e: f"Chance settles the tie: {seats(e['order'])}.",
    "turns_ordered": lambda e: f"The turns: {seats([g['seat'] for g in e['order']])}.",
    "haunted": lambda e: f"Seat {e['seat']} haunts {{kid}} with ghost {e['ghost']['value']}.",
    "haunt_skipped": lambda e: f"No kid can be haunted: the {ghost(e['ghost'])} is lost.",
    "treats_taken": _taken,
    "ability_used": _used,
    "kid_scared": _scared,
    "slot_left_empty": lambda e: f"No kid is left for {place(e['slot'])}.",
    "candy_given_back": lambda e: f"Seat {e['seat']} gives back {TREATS[e['treat']]}, sorry.",
    "cravings_shown": lambda e: f"The cravings are shown: {', '.join(e['cards'])}.",
    "scored": lambda e: f"Seat {e['seat']} scores {e['points']}.",
    "junk_valued": lambda e: f"Junk of seat {e['seat']} counts {e['worth']}.",
    "tallied": _tallied,
    "tie_compared": lambda e: f"A tie: most {e['value']}-point candy has {seats(e['left'])}.",
    "won": lambda e: f"The winner: {seats(e['winners'])}.",
    "held_tossed": lambda e: f"Seat {e['seat']} discards {TREATS[e['treat']]} of those drawn.",
    "held_settled": _settled,
    "treats_tossed": lambda e: f"Seat {e['seat']} discards {treats(e['treats'])}.",
    "treats_moved": _moved,
    "traded_with_kid": lambda e: (
        f"Seat {e['seat']} swaps {TREATS[e['gave']]} for {TREATS[e['got']]} in {place(e['slot'])}."
    ),
    "traded_with_seat": lambda e: (
        f"Seat {e['seat']} swaps {TREATS[e['gave']]} for {TREATS[e['got']]} of seat {e['other']}."
    ),
    "treats_laid": lambda e: f"Seat {e['seat']} puts {treats(e['treats'])} in {place(e['slot'])}.",
    "treats_shifted": lambda e: (
        f"{treats(e['treats'])} from {place(e['source'])} to {place(e['to'])}."
    ),
    "treats_returned": lambda e: f"Seat {e['seat']} puts {treats(e['treats'])} into the bag.",
    "treat_passed": lambda e: f"Seat {e['giver']} passes {TREATS[e['treat']]} to seat {e['to']}.",
    "ghost_moved": lambda e: f"The {ghost(e['ghost'])} moves to {place(e['to'])}.",
    "ghost_discarded": lambda e: f"The {ghost(e['ghost'])} is discarded.",
    "ghost_exchanged": lambda e: f"The {ghost(e['out'])} gives way to ghost {e['into']['value']}.",
    "pile_reordered": lambda e: f"The ghosts in {place(e['slot'])} lie in a new order.",
    "kids_exchanged": lambda e: f"The kids in {place(e['a'])} and {place(e['b'])} change places.",
    "kid_slid": lambda e: f"The kid in {place(e['source'])} goes to {place(e['to'])}.",
    "row_kid_discarded": lambda e: f"{{kid}} leaves {place(e['slot'])}.",
    "stash_kid_moved": lambda e: f"{{kid}} goes from seat {e['giver']} to seat {e['to']}.",
    "stash_kid_dropped": _dropped,
    "craving_peeked": _peeked,
    "ties_granted": lambda e: f"Seat {e['seat']} wins ties in round {e['round']}.",
}


def _ghosts(values: list[int]) -> str:
    return " and ".join(f"ghost {value}" for value in values)


def tell(edition: str, event: Shown) -> str:
    """The sentence, empty where there is none worth telling."""
    sentence = SENTENCES.get(event["type"])
    if sentence is None:
        return ""
    kids = SHEETS[edition].kids
    names = {key: kids[event[key]].name for key in ("kid", "of") if event.get(key) in kids}
    text = sentence(event).format(**names)
    return text[:1].upper() + text[1:]
