"""A heuristic player: gathers while its hand is small, claims what pays most, scares in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from games.forms import Below
from games.trick_or_treat.claims import Means, can_claim
from games.trick_or_treat.tables import (
    ALLEY,
    BRAVE,
    BRAVE_RETURNS,
    CARNIVAL,
    CHANGE_COSTUME,
    EGGING_HOUSES,
    FAMILY,
    HAUNTED,
    HAUNTED_MOST,
    HOME,
    HOUSE_AT,
    MOVE_BULLY,
    SETS,
    TERMS,
    TRICKS,
)

CARD = 1.5
"""What another card is worth to a small hand, in points."""
STOLEN = 1.2


class Eyes(NamedTuple):
    """What the bot goes by: its seat's view, its seat and its hand."""

    view: dict[str, Any]
    seat: int
    hand: list[str]
    claim: float
    """Points of the best Set that the hand meets."""

    @property
    def fear(self) -> int:
        return int(self.view["fear"][self.seat])

    @property
    def tricks(self) -> int:
        return sum(card in TRICKS for card in self.hand)


Worth = Callable[[Eyes, list[str]], float]


def bot(view: dict[str, Any], question: dict[str, Any], below: Below) -> Any:
    """The option worth most; of equals any."""
    seat = question["seats"][0]
    hand = view["hands"][seat]
    eyes = Eyes(view, seat, hand, _best_claim(view, hand))
    form = question["form"]
    if form["type"] == "subset":
        return _least_missed(eyes, form, question["kind"])
    worths = [(_worth(eyes, option["id"]), option["id"]) for option in form["options"]]
    best = max(worth for worth, _ in worths)
    ids = [id for worth, id in worths if worth == best]
    return ids[below(len(ids))]


def _worth(eyes: Eyes, id: str) -> float:
    kind, *parts = id.split(":")
    worth = WORTH.get(kind)
    return worth(eyes, parts) if worth else 0.0


def _least_missed(eyes: Eyes, form: dict[str, Any], kind: str) -> list[str]:
    """As many as may be where Tricks scare; else no more than must be, or what calms."""
    ids = sorted([option["id"] for option in form["options"]], key=lambda id: _value(eyes, id[8:]))
    size = form["least"] if kind == "hand_limit" else min(form["most"], len(ids))
    return ids[:size]


def _value(eyes: Eyes, card: str) -> float:
    """What the card is worth in this hand."""
    if card in TRICKS:
        return 1.3 if card in (MOVE_BULLY, CHANGE_COSTUME) else 1.0
    held = sum(FAMILY.get(other) == FAMILY[card] for other in eyes.hand)
    wanted = [SETS[s].points / _size(s) for s in eyes.view["sets"] if _asks(s, card, eyes.hand)]
    return max(wanted, default=0.6) - 0.15 * held


def _size(set: str) -> int:
    return sum(term.size for term in TERMS[set])


def _asks(set: str, card: str, hand: list[str]) -> bool:
    alike = hand.count(card) > 1
    return any(term.family == FAMILY[card] if term.family else alike for term in TERMS[set])


def _best_claim(view: dict[str, Any], hand: list[str]) -> float:
    """Points of the best Set that the hand meets, 0 if none."""
    open = {card for card in (*view["row"], *view["houses"]) if card in FAMILY}
    treats = tuple([card for card in hand if card in FAMILY])
    have = Means(treats, hand.count(EGGING_HOUSES), tuple(sorted(open)))
    return max([SETS[set].points for set in view["sets"] if can_claim(have, set)], default=0)


def _gather(eyes: Eyes, cards: int) -> float:
    """Cards are worth less, the more there are already."""
    return CARD * cards * max(0.1, 1 - len(eyes.hand) / 14)


def _haul(eyes: Eyes, place: str) -> float:
    """What the Bully would steal there."""
    seats = [s for s, at in enumerate(eyes.view["at"]) if at == place and s != eyes.seat]
    return STOLEN * sum(_cards(eyes.view["hands"][s]) > 0 for s in seats)


def _cards(hidden: Any) -> int:
    return int(hidden["hidden"])


def _best_haul(eyes: Eyes) -> float:
    shut = (HOME, ALLEY, eyes.view["bully"])
    return max([_haul(eyes, place) for place in set(eyes.view["at"]) - set(shut)], default=0)


def _at_haunted(eyes: Eyes) -> float:
    brave = min(BRAVE_RETURNS, eyes.fear) if BRAVE in eyes.hand else 0
    return float(max(_scare(eyes), brave, _calm(eyes)))


def _scare(eyes: Eyes) -> float:
    return min(HAUNTED_MOST, eyes.tricks) * 1.1


def _calm(eyes: Eyes) -> float:
    spare = max(0, len(eyes.hand) - eyes.tricks - 6)
    return min(HAUNTED_MOST, eyes.fear, spare) * 0.9


def _place(eyes: Eyes, place: str) -> float:
    """What a turn there is worth."""
    if place == HOME:
        return eyes.claim
    if place == HAUNTED:
        return _at_haunted(eyes)
    if place == ALLEY:
        return _best_haul(eyes)
    if place == CARNIVAL:
        row = [card for card in eyes.view["row"] if card]
        return _gather(eyes, 1) + max([_gain(eyes, card) for card in row], default=0)
    if place in HOUSE_AT:
        card = eyes.view["houses"][HOUSE_AT[place]]
        return _gather(eyes, 3) + (0.2 * _gain(eyes, card) if card else -1)
    return _gather(eyes, 3)


def _gain(eyes: Eyes, card: str) -> float:
    """How much better a claim the card allows, and a little for what it is worth itself."""
    better = _best_claim(eyes.view, [*eyes.hand, card]) - eyes.claim
    return better * 0.6 + 0.3 * _value(eyes, card)


def _stay(eyes: Eyes, parts: list[str]) -> float:
    return _place(eyes, eyes.view["at"][eyes.seat]) - 1


def _swap(eyes: Eyes, parts: list[str]) -> float:
    hand = list(eyes.hand)
    hand.remove(parts[0])
    change = _best_claim(eyes.view, [*hand, parts[2]]) - eyes.claim
    return change + _value(eyes, parts[2]) - _value(eyes, parts[0]) - 0.1


def _claim(eyes: Eyes, parts: list[str]) -> float:
    return SETS[parts[0]].points - 0.5 * _size(parts[0])


def _give(eyes: Eyes, parts: list[str]) -> float:
    """Rather Treats than Egging Houses, and of Treats what there is more of."""
    cards, eggs = [part.split("+") if part else [] for part in parts]
    return sum(eyes.hand.count(card) for card in cards) - 5 * len(eggs)


def _bully(eyes: Eyes, parts: list[str]) -> float:
    """Worth a Trick only if it steals, and spares nobody; the question's own options come first."""
    haul = _haul(eyes, parts[0])
    return 9 + haul if haul and not parts[1] else -9


WORTH: dict[str, Worth] = {
    "go": lambda eyes, parts: _place(eyes, parts[0]),
    "sneak": lambda eyes, parts: _place(eyes, parts[0]) - 1,
    "stay": _stay,
    "send": lambda eyes, parts: -9 if parts[1] else _haul(eyes, parts[0]),
    "bully": _bully,
    "take": lambda eyes, parts: _gain(eyes, parts[1]),
    "swap": _swap,
    "scare": lambda eyes, parts: _scare(eyes),
    "calm": lambda eyes, parts: _calm(eyes),
    "brave": lambda eyes, parts: min(BRAVE_RETURNS, eyes.fear),
    "claim": _claim,
    "give": _give,
}
