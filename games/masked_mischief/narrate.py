"""One sentence per event, from the viewer's cut of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.masked_mischief.printed import MASKS, TILES

Shown = dict[str, Any]


def tell(event: Shown) -> str:
    """A sentence, or nothing where the event is not worth one."""
    sentence = SENTENCES.get(event["type"])
    return sentence(event) if sentence else ""


def _mask(mask: str) -> str:
    return MASKS[mask].name if mask in MASKS else "no mask"


def _tile(code: Any, unknown: str) -> str:
    return TILES[code].name if isinstance(code, str) else unknown


def _tiles(codes: Any, unknown: str) -> str:
    if not isinstance(codes, list | tuple):
        return unknown
    return ", ".join(_tile(code, unknown) for code in codes) or f"no {unknown}"


def _candy(event: Shown) -> str:
    if event["src"] is None:
        return f"Seat {event['dst']} gets {event['candy']} candy from the Big Bowl."
    return f"Seat {event['src']} gives {event['candy']} candy to seat {event['dst']}."


def _filled(event: Shown) -> str:
    amounts = ", ".join(map(str, event["amounts"]))
    return f"Seat {event['payer']} pays into the cauldrons: {amounts}."


def _rolled(event: Shown) -> str:
    die, steps = event["die"], event["steps"]
    doubled = "" if die == steps else f" and walks {steps} steps"
    return f"Seat {event['seat']} rolls {die}{doubled}."


STATUS = {
    "skips": "Seat {seat} has {value} turns to sit out.",
    "ignores": "Seat {seat} may ignore the next {value} Tricks of others.",
    "doubles": "The next roll of seat {seat} is doubled {value} times.",
    "gambles": "The next roll of seat {seat} pays its number in candy {value} times.",
    "replaced": "A tile stands in for the next roll of seat {seat}.",
    "cleaning": "Seat {seat} cleans the streets until its next turn.",
    "sticky": "Seat {seat} has sticky fingers this turn.",
}


def _status(event: Shown) -> str:
    return STATUS[event["status"]].format(**event)


def _faced(event: Shown) -> str:
    ways = {
        "cw": "clockwise",
        "ccw": "counter-clockwise",
        "in": "inwards",
        "out": "outwards",
        "free": "either way",
    }
    turned = [f"seat {seat} faces {ways[way]}" for seat, way in event["facings"].items()]
    text = ", ".join(turned)
    return f"{text[0].upper()}{text[1:]}."


def _relocated(event: Shown) -> str:
    if event["home"]:
        return f"Seat {event['seat']} goes home."
    return f"Seat {event['seat']} is put on {event['to']}."


def _visited(event: Shown) -> str:
    how = "" if event["by"] == "roll" else " because of a tile"
    mask, house, visits = _mask(event["mask"]), event["house"], event["visits"]
    return f"Seat {event['seat']} enters {house} as {mask}{how}: visit {visits}."


def _haunted(event: Shown) -> str:
    return f"The Haunted House counter stands at {event['value']}."


def _race(event: Shown) -> str:
    spaces = ", ".join(event["to"])
    return f"The race to the Haunted House begins; everybody is on a skull: {spaces}."


def _ended(event: Shown) -> str:
    age = ", by age" if event["by_age"] else ""
    scores = ", ".join(map(str, event["scores"]))
    mask, house = _mask(event["mask"]), event["house"]
    return f"{mask} has seen enough of {house}: seat {event['winner']} wins{age} ({scores} candy)."


def _laid(event: Shown) -> str:
    count = len(event["spaces"])
    kind = event["kind"].capitalize()
    what = _tiles(event["codes"], f"{count} {kind}s" if count > 1 else f"a {kind}")
    spaces = ", ".join(event["spaces"])
    return f"Seat {event['seat']} lays {what} on {spaces}."


def _flipped(event: Shown) -> str:
    name = _tile(event["code"], "a Trick")
    return f"Seat {event['victim']} flips {name} of seat {event['owner']} on {event['space']}."


def _returned(event: Shown) -> str:
    how = "goes" if event["why"] == "resolved" else "is cut short and goes"
    return f"The Trick of {event['space']} {how} back to its owner."


def _cleared(event: Shown) -> str:
    name = _tile(event["code"], "a Trick")
    return f"Seat {event['owner']} takes {name} back from {event['space']}, unflipped."


def _moved(event: Shown) -> str:
    moves = ", ".join(f"{src} to {dst}" for src, dst in event["moves"])
    return f"Seat {event['owner']} moves Tricks: {moves}."


def _stolen(event: Shown) -> str:
    name = _tile(event["code"], "a Treat")
    return f"Seat {event['thief']} takes {name} from seat {event['victim']}."


SENTENCES: dict[str, Callable[[Shown], str]] = {
    "dropped": lambda e: "What was still to be done is dropped." if e["ids"] else "",
    "board_laid": lambda e: f"The board {e['board']} is laid out.",
    "character_chosen": lambda e: f"Seat {e['seat']} plays {e['character']}.",
    "mask_chosen": lambda e: f"Seat {e['seat']} puts on {_mask(e['mask'])}.",
    "spare_kept": lambda e: f"{_mask(e['mask'])} is the spare mask.",
    "starting_rolled": lambda e: (
        "For the start: " + ", ".join(f"seat {s} rolls {n}" for s, n in e["rolls"].items()) + "."
    ),
    "starter_decided": lambda e: f"Seat {e['seat']} begins.",
    "turn_started": lambda e: f"Turn {e['turn']}: seat {e['seat']}.",
    "turn_skipped": lambda e: f"Seat {e['seat']} sits out a turn.",
    "bought": lambda e: f"Seat {e['seat']} buys: {e['item']}, {e['count']}.",
    "candy_moved": _candy,
    "cauldrons_filled": _filled,
    "cauldron_taken": lambda e: (
        f"Seat {e['seat']} empties cauldron {e['cauldron']} of {e['candy']} candy."
    ),
    "masks_changed": lambda e: f"The masks are now: {', '.join(map(_mask, e['masks']))}.",
    "die_rolled": _rolled,
    "roll_withheld": lambda e: f"Seat {e['seat']} does not roll.",
    "status_set": _status,
    "faced": _faced,
    "walked": lambda e: f"Seat {e['seat']} walks from {e['path'][0]} to {e['path'][-1]}.",
    "player_passed": lambda e: f"Seat {e['seat']} passes seat {e['passed']}.",
    "relocated": _relocated,
    "house_visited": _visited,
    "house_entered_uncounted": lambda e: f"Seat {e['seat']} enters {e['house']}, uncounted.",
    "haunted_set": _haunted,
    "ltgb_placed": lambda e: f"Seat {e['seat']} lays LET THE GAMES BEGIN on {e['space']}.",
    "ltgb_taken": lambda e: f"Seat {e['seat']} lands on LET THE GAMES BEGIN.",
    "race_started": _race,
    "haunted_house_reached": lambda e: f"Seat {e['seat']} reaches the Haunted House.",
    "game_ended": _ended,
    "tricks_drawn": lambda e: f"Seat {e['seat']} draws {_tiles(e['codes'], 'Tricks')}.",
    "treats_drawn": lambda e: f"Seat {e['seat']} draws {_tiles(e['codes'], 'Treats')}.",
    "hand_lifted": lambda e: f"Seat {e['seat']} must lay all Treats of the hand.",
    "tiles_laid": _laid,
    "tricks_put_back": lambda e: f"Seat {e['seat']} puts back {_tiles(e['codes'], 'Tricks')}.",
    "treats_put_back": lambda e: f"Seat {e['seat']} puts back {_tiles(e['codes'], 'Treats')}.",
    "treats_kept": lambda e: f"Seat {e['seat']} keeps {_tiles(e['codes'], 'Treats')}.",
    "trick_flipped": _flipped,
    "trick_ignored": lambda e: f"Seat {e['seat']} ignores the Trick on {e['space']}.",
    "trick_returned": _returned,
    "trick_cleared": _cleared,
    "tricks_moved": _moved,
    "treat_taken": lambda e: (
        f"Seat {e['seat']} picks up {_tile(e['code'], 'a Treat')} from {e['space']}."
    ),
    "treat_stolen": _stolen,
    "treat_played": lambda e: f"Seat {e['seat']} plays {_tile(e['code'], 'a Treat')}.",
    "hands_shown": lambda e: f"Seat {e['to']} looks at all Treats in hands.",
    "hands_rearranged": lambda e: f"Seat {e['by']} shares the Treats out anew.",
}
