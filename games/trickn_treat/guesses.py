"""What a seat can work out from its view: the trick so far, and what others may hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.forms import Below
from games.trickn_treat.tables import COLOURS, PRINTED

Place = int | str
Cards = Sequence[str]
Hands = dict[Place, Cards]

GHOST = 0
BITS = {colour: 1 << i for i, colour in enumerate(COLOURS)}
FACES = {card.id: (BITS[card.colour], card.number) for card in PRINTED.cards} | {
    ghost.id: (GHOST, ghost.number) for ghost in PRINTED.ghosts
}
"""Each card's suit as a bit, and its number."""


class Trick(NamedTuple):
    """A trick under way, as far as it decides who wins what."""

    led: int = GHOST
    compared: tuple[tuple[int, Place], ...] = ()
    colours: int = 0
    candies: tuple[int, ...] = ()
    ghosts: int = 0
    reversed: bool = False
    extra: bool = False

    def plus(self, place: Place, card: str) -> Trick:
        led, compared, colours, candies, ghosts, lowest, extra = self
        suit, number = FACES[card]
        led = led or suit
        if suit in (led, GHOST):
            compared = (*compared, (number, place))
        if suit == GHOST:
            ghosts += 1
            lowest = lowest or number == 6
            extra = extra or number == 7
        elif number < 6:
            colours |= suit
            candies = (*candies, number)
        return Trick(led, compared, colours, candies, ghosts, lowest, extra)

    def winner(self) -> Place:
        chosen = min(self.compared) if self.reversed else max(self.compared)
        return chosen[1]


def legal(hand: Cards, led: int) -> Cards:
    """What may follow the suit led."""
    if any(FACES[card][0] == led for card in hand):
        return [card for card in hand if FACES[card][0] in (led, GHOST)]
    return hand


def forced(row: Cards, led: int) -> str:
    """What a cooperative Dummy plays."""
    follows = [card for card in row if FACES[card][0] in (led, GHOST)]
    return (follows or row)[-1]


class Sight:
    """A seat's view, made handy."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.hands: list[Any] = view["hands"]
        self.me = next(seat for seat, hand in enumerate(self.hands) if not isinstance(hand, dict))
        self.hand: list[str] = self.hands[self.me]
        self.dummy: dict[str, list[str]] = view["dummy"] or {"row": [], "pile": [], "score": []}
        self.coop: bool = view["mode"] == "coop"

    def size(self, place: Place) -> int:
        if isinstance(place, str):
            return len(self.dummy["row"])
        hand = self.hands[place]
        return hand["hidden"] if isinstance(hand, dict) else len(hand)

    def trick(self, put: str = "", take: str = "") -> Trick:
        """As it lies; or as it would with one card put in the place of another."""
        trick = Trick()
        for played in self.view["table"]:
            card = put if played["card"] == take else played["card"]
            trick = trick.plus(played["place"], card)
        return trick._replace(reversed=self.view["reversed"], extra=self.view["extra"])

    def later(self, place: Place) -> list[Place]:
        """Who plays after this place in this trick."""
        order = self.view["order"]
        return [other for other in order[order.index(place) + 1 :] if self.size(other)]

    def deals(self, places: Sequence[Place], count: int, below: Below) -> list[Hands]:
        """So many guesses of what these places hold; one is enough where nothing is hidden."""
        known: Hands = {self.me: self.hand, "dummy": self.dummy["row"]}
        hidden = [place for place in places if place not in known]
        if not hidden:
            return [known]
        unseen = self._unseen()
        return [{**known, **self._deal(hidden, list(unseen), below)} for _ in range(count)]

    def _deal(self, places: Sequence[Place], pool: list[str], below: Below) -> Hands:
        hands: Hands = {}
        for place in places:
            hand = []
            for _ in range(self.size(place)):
                at = below(len(pool))
                hand.append(pool[at])
                pool[at] = pool[-1]
                pool.pop()
            hands[place] = hand
        return hands

    def _unseen(self) -> list[str]:
        view = self.view
        seen = {played["card"] for played in view["table"]}
        own = (self.hand, view["piles"][self.me], view["boxed"])
        seen.update(*own, *view["scores"], *self.dummy.values())
        return [card for card in FACES if card not in seen]
