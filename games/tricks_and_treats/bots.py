"""A player by rule of thumb: feeds its Basket without showing off, accuses late or for sure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from math import exp, prod
from typing import Any, NamedTuple

from games.forms import Below
from games.tricks_and_treats.cards import LETTER_POINTS, LETTERS, VALUE

View = dict[str, Any]
Line = list[str]
Piles = list[list[str]]

SURE = 0.9
"""How likely a letter must be to accuse for it while there is time."""

LATE = 5
"""Cards in the deck, Time's Up included, when any draw may be the last."""

BOLD = 1000.0
"""Above whatever a card or a Basket is worth."""

SHY = 5
"""By how many candies its own Basket may lead before the bot feeds it slowly."""

OTHERS_LEFT = 0.6
"""How likely one wins who has just put out one rival of several."""


class Owners(NamedTuple):
    """One way the other players' letters may lie, and how likely it is."""

    chance: float
    letters: dict[int, str]


def bot(view: View, question: dict[str, Any], below: Below) -> str:
    """Picks the option worth most; among equals by chance."""
    me = question["seats"][0]
    offered = [option["id"].split(":") for option in question["form"]["options"]]
    table = Table(view, me)
    worth = [table.worth(question, option) for option in offered]
    best = [option for option, value in zip(offered, worth, strict=True) if value == max(worth)]
    return ":".join(best[below(len(best))])


class Table:
    """What one seat makes of its view."""

    def __init__(self, view: View, me: int) -> None:
        self.view = view
        self.me = me
        self.line: Line = view["line"]
        self.piles: Piles = [[laid["card"] for laid in pile] for pile in view["piles"]]
        self.owners = list(self._owners())
        self.odds: dict[tuple[int, str], float] = defaultdict(float)
        for owners in self.owners:
            for seat, letter in owners.letters.items():
                self.odds[seat, letter] += owners.chance

    def worth(self, question: dict[str, Any], option: list[str]) -> float:
        name, *parts = option
        if name == "tattle":
            return self._tattle(int(parts[0]), parts[1])
        if name == "guess":
            return self._guess(int(parts[0]))
        if name == "write":
            return self.odds[question["about"]["target"], parts[0]]
        if name == "put":
            return self._put(*parts)
        return self._position(*self._after(question["about"].get("basket"), name, parts))

    def _tattle(self, seat: int, letter: str) -> float:
        """Above all else when sure, or when better than what the count would bring; else below."""
        odds = self.odds[seat, letter]
        gain = odds - SURE
        if self.view["deck"]["hidden"] <= LATE:
            others = len(self.view["letters"]) - len(self.view["out"]) - 1
            gain = (odds if others == 1 else odds * OTHERS_LEFT) - self._wins()
        return BOLD + gain if gain > 0 else -BOLD

    def _guess(self, seat: int) -> float:
        """As late as there are turns for all guesses: they cost nothing and grow better."""
        seats = len(self.view["letters"])
        made = sum(guess["guesser"] == self.me for guess in self.view["guesses"])
        due = self.view["deck"]["hidden"] - LATE <= seats * (seats - 1 - made)
        surest = max(self.odds[seat, letter] for letter in LETTERS)
        return BOLD + surest if due else -BOLD

    def _put(self, card: str, basket: str) -> float:
        value = VALUE[card]
        if basket not in LETTERS:
            return 0.0
        if basket != self.view["letters"][self.me]:
            return -value * self._rivalry(basket)
        rest = [self._candy(b) for b in self.line if b in LETTERS and b != basket]
        shy = self._candy(basket) + value - max(rest) > SHY
        return value / 4 if shy else value

    def _after(self, basket: str, name: str, parts: list[str]) -> tuple[Line, Piles]:
        """The line and the piles after a Special Basket did what is asked."""
        line, piles = [*self.line], [[*pile] for pile in self.piles]
        if name in ("swap", "jump"):
            side = -1 if parts[0] == "left" else 1
            for _ in range(2 if name == "jump" else 1):
                here = line.index(basket)
                there = (here + side) % len(line)
                line[here], line[there] = line[there], line[here]
        elif name == "move":
            piles[line.index(parts[1])].append(piles[line.index(parts[0])].pop())
        elif name == "trade":
            piles[line.index(parts[1])][-1] = parts[0]
        return line, piles

    def _position(self, line: Line, piles: Piles) -> float:
        """Its own candies less those of Baskets that may be a rival's."""
        value = 0.0
        for basket, pile in zip(line, piles, strict=True):
            candies = sum(VALUE[card] for card in pile)
            if basket == self.view["letters"][self.me]:
                value += candies
            elif basket in LETTERS:
                value -= candies * self._rivalry(basket)
        return value

    def _rivalry(self, letter: str) -> float:
        """How likely it is that a player still in owns the Basket."""
        return sum(odds for (_, owned), odds in self.odds.items() if owned == letter)

    def _wins(self) -> float:
        """How likely it has more points than every player still in."""
        mine = self._points(self.me, self.view["letters"][self.me])
        return sum(
            owners.chance
            for owners in self.owners
            if all(self._points(s, letter) < mine for s, letter in owners.letters.items())
        )

    def _points(self, seat: int, letter: str) -> int:
        return self._candy(letter) + LETTER_POINTS * len(self.view["shown"][seat])

    def _candy(self, basket: str) -> int:
        return sum(VALUE[card] for card in self.piles[self.line.index(basket)])

    def _owners(self) -> Iterator[Owners]:
        """Every way the letters of the players still in may lie; full piles are suspect."""
        view, me = self.view, self.me
        seen = (*view["shown"], view["known"][me])
        told = {owned["seat"]: owned["letter"] for owneds in seen for owned in owneds}
        told[me] = view["letters"][me]
        rivals = [s for s in range(len(view["letters"])) if s not in told]
        free = [b for b in self.line if b in LETTERS and b not in told.values()]
        denied = {(owned["seat"], owned["letter"]) for owned in view["ruled_out"]}
        suspect = {letter: exp(self._candy(letter) / 8) for letter in free}
        ways = [
            (prod(suspect[letter] for letter in way), dict(zip(rivals, way, strict=True)))
            for way in permutations(free, len(rivals))
            if not denied & set(zip(rivals, way, strict=True))
        ]
        total = sum(weight for weight, _ in ways)
        for weight, letters in ways:
            yield Owners(weight / total, letters)
