"""What happened, in sentences: those of the game, and those on the match that all games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from games.game import Game
from games.sight import Viewer

Told = dict[str, Any]

ANSWERS = ("answered", "chosen", "answered_many", "chosen_many")


def name(viewer: Viewer) -> str:
    """A viewer in words."""
    return f"seat {viewer}" if isinstance(viewer, int) else f"the {viewer}"


def actor(by: Any) -> str:
    """Who acted, as a heading."""
    return f"Seat {by}" if isinstance(by, int) else f"The {by}"


def status(view: Mapping[str, Any]) -> str:
    """How far a match is, as a view has it."""
    known = {"lobby": "in the lobby", "playing": "being played"}
    return "closed" if view["closed"] else known.get(view["status"], "over")


def moment(at: int) -> str:
    """A time in UTC milliseconds, to the second."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def points(score: int | None) -> str:
    return "–" if score is None else str(score)


def scores(each: Iterable[int | None]) -> str:
    """Once a seat and in their order."""
    return ", ".join(map(points, each))


def counted(each: Iterable[int | None]) -> bool:
    """Whether any seat has points at all."""
    return any(score is not None for score in each)


def sentences(game: Game, events: Sequence[Any], by: Any) -> list[str]:
    """The events of one commit, by name as a viewer may read them, told in order; `by` acted.

    An answer is told by what it leads to; where that has no sentence, by itself.
    """
    told = [sentence(game, event, by) for event in events]
    told = [text for text in told if text]
    if not told and events and _kind(events[0]) in ANSWERS:
        told = [answer(events[0])]
    return told


def sentence(game: Game, event: Any, by: Any = None) -> str:
    """One sentence, or nothing where there is nothing worth telling."""
    kind = _kind(event)
    if kind is None:
        return "Something happens that stays hidden."
    if not isinstance(event, dict):
        return f"Something happens that only a newer version can tell ({kind})."
    tell = (REFEREE.get(kind) if by == "admin" else None) or MATCH.get(kind)
    return tell(event) if tell else game.tell(event)


def answer(event: Told) -> str:
    """An answer by itself, from its option as it was sent."""
    option = event["option"]
    if option == {"hidden": True}:
        return f"Seat {event['seat']} has chosen; what, stays hidden."
    return f"Seat {event['seat']} answers: {brief(option)}."


def names(game: Game) -> dict[str, str]:
    """Ids of cards and spaces with their printed names, where an id can mean but one."""
    found: dict[str, str] = {}
    for card in game.cards:
        known = found.setdefault(card.id, card.name)
        found[card.id] = card.name if known == card.name else card.id
    return found


MANY = 40
"""Of more things with parts than that, as the spaces of a board, only the number is told."""


def seat_by_seat(game: Game, key: str, value: Any, seats: int) -> bool:
    """Whether what a view has there has a part for each seat."""
    return key in game.seated and isinstance(value, list | tuple) and len(value) == seats


def parted(value: Any) -> list[tuple[str, Any]]:
    """A list or record of things that have parts themselves: each with its number or name."""
    if isinstance(value, dict):
        found = [(key.replace("_", " "), part) for key, part in value.items()]
    elif isinstance(value, list | tuple):
        found = [(str(n), part) for n, part in enumerate(value)]
    else:
        return []
    return found if any(isinstance(part, list | tuple | dict) for _, part in found) else []


def brief(value: Any, names: Mapping[str, str] = {}) -> str:
    """Data in a few words, with names for ids."""
    if isinstance(value, dict):
        return _brief_dict(value, names)
    if isinstance(value, list | tuple):
        return ", ".join(brief(part, names) for part in value) or "–"
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return names.get(value, value) if isinstance(value, str) else str(value)


def _brief_dict(value: Told, names: Mapping[str, str]) -> str:
    if set(value) == {"hidden"}:
        # One that is hidden is not all of it: 1 == True.
        return "hidden" if value["hidden"] is True else f"{value['hidden']} hidden"
    if "type" not in value:
        return _brief_parts(value, names)
    parts = [brief(part, names) for key, part in value.items() if key != "type"]
    return " ".join([str(value["type"]).replace("_", " "), *parts])


def _brief_parts(value: Told, names: Mapping[str, str]) -> str:
    """Marks behind a thing: those it has, by their name; a thing that is one value, by that."""
    things = {k: v for k, v in value.items() if not isinstance(v, bool)}
    marks = [k.replace("_", " ") for k, v in value.items() if v is True]
    if not things or len(value) == 1:
        return "; ".join(f"{k}: {brief(v, names)}" for k, v in value.items()) or "–"
    if len(things) == 1:
        (told,) = [brief(v, names) for v in things.values()]
    else:
        told = "; ".join(f"{k.replace('_', ' ')}: {brief(v, names)}" for k, v in things.items())
    return f"{told} ({', '.join(marks)})" if marks else told


def _kind(event: Any) -> str | None:
    if isinstance(event, dict):
        return event.get("type")
    return str(event[0]) if isinstance(event, list) and event else None


def _created(event: Told) -> str:
    edition = f", edition {event['edition']}" if event["edition"] else ""
    options = ", ".join(f"{k}={brief(v)}" for k, v in event["options"].items())
    with_options = f" with {options}" if options else ""
    return f"A match of {event['game']}{edition} is opened for {event['seats']}{with_options}."


def _forfeited(event: Told) -> str:
    winners = event["winners"]
    if not winners:
        return "Nobody is left: the match ends."
    return f"Seat {brief(winners)} is the last one left and wins."


def _steps(steps: Any) -> str:
    return f"step{'s' * (len(steps) > 1)} {', '.join(steps)}"


def _ruled(event: dict[str, Any]) -> str:
    ruling = f"Dispute {event['dispute']} is {'upheld' if event['upheld'] else 'rejected'}"
    correction = event["correction"]
    if not correction:
        return f"{ruling}."
    winners = " and ".join(f"seat {seat}" for seat in correction["winners"]) or "nobody"
    win = "win" if len(correction["winners"]) > 1 else "wins"
    return f"{ruling}: the result is corrected, and {winners} {win}."


def _ended(event: Told) -> str:
    winners = " and ".join(f"seat {seat}" for seat in event["winners"])
    win = "win" if len(event["winners"]) > 1 else "wins"
    return f"A referee ends the match: {winners} {win}."


def _taken_back(event: Told) -> str:
    """Before referees signed for it, an undo had neither author nor reason."""
    who = f"A referee ({event['author']})" if event.get("author") else "A referee"
    back = f"{who} takes the game back to where it stood after version {event['to']}"
    return f"{back}: {event['reason']}" if event.get("reason") else f"{back}."


MATCH: dict[str, Callable[[Told], str]] = {
    "created": _created,
    "seat_taken": lambda e: f"Seat {e['seat']} is taken by a player.",
    "bot_seated": lambda e: f"Seat {e['seat']} is taken by a bot.",
    "replaced": lambda e: f"A player takes over seat {e['seat']}.",
    "left": lambda e: f"Seat {e['seat']} is left.",
    "kicked": lambda e: f"Seat {e['seat']} is emptied by the host.",
    "started": lambda e: "The match starts.",
    "forked": lambda e: f"Play goes on from {e['origin']}; every seat is free.",
    "resigned": lambda e: f"Seat {e['seat']} resigns.",
    "forfeited": _forfeited,
    "aborted": lambda e: f"The match is {e['cause']}: it ends without a result.",
    "undo_asked": lambda e: f"Seat {e['seat']} asks to go back to version {e['to']}.",
    "undo_agreed": lambda e: f"Seat {e['seat']} agrees to go back.",
    "undo_declined": lambda e: f"Seat {e['seat']} is not for going back any more.",
    "undo_expired": lambda e: "Nobody may go back any more: the time to agree is over.",
    "reverted": lambda e: f"The game goes back to where it stood after version {e['to']}.",
    "dispute_opened": lambda e: f"Seat {e['seat']} disputes what happened at {_steps(e['steps'])}.",
    "dispute_noted": lambda e: f"A referee notes something on dispute {e['dispute']}.",
    "ruled": _ruled,
    "appealed": lambda e: f"Seat {e['seat']} appeals against the ruling on dispute {e['dispute']}.",
    "words_removed": lambda e: (
        f"The words said on dispute {e['dispute']} in version {e['version']} are removed."
    ),
    "closed": lambda e: f"Play is final. The seed is revealed: {e['seed'][:16]}…",
    "closed_sealed": lambda e: "Play is final. The seed stays with the auditor.",
}
"""Sentences on the match itself, by the kind of the event."""

REFEREE: dict[str, Callable[[Told], str]] = {
    "kicked": lambda e: f"Seat {e['seat']} is emptied by a referee.",
    "forfeited": _ended,
    "aborted": lambda e: "A referee ends the match without a result.",
    "reverted": _taken_back,
}
"""What reads otherwise where a referee or an admin did it."""
