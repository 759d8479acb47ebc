"""What a trick and a card are worth to whom, for a player that follows rules of thumb."""

from __future__ import annotations

from abc import ABC, abstractmethod

from games.trickn_treat.guesses import BITS, FACES, GHOST, Place, Sight, Trick
from games.trickn_treat.tables import TOKENS

LEAD = 0.2
"""Together: for each colour that the next leader still lacks."""
LOST_GHOST = 0.2
"""Together: a ghost costs no card to play, until the Dummy wins it."""
GHOST_FEAR = 2.5
"""Against each other: a ghost on the own side, in points."""


class Judge(ABC):
    """What a seat should like and dislike; the numbers were found by playing many games."""

    @abstractmethod
    def trick(self, trick: Trick, place: Place) -> float:
        """What the side of that place has of the trick, if it ends like this."""

    @abstractmethod
    def keep(self, card: str, place: Place) -> float:
        """What the card is worth in the hand of that place."""

    @abstractmethod
    def gift(self, card: str, giver: Place, receiver: Place) -> float:
        """How gladly it is given."""

    @abstractmethod
    def candy(self, cards: list[str], place: Place) -> float:
        """How good it is to score these."""

    @abstractmethod
    def target(self, place: Place, other: Place) -> float:
        """How gladly the place exchanges a card with the other."""


class Coop(Judge):
    """Every seat needs candy of four colours: a trick is good if its winner needs some of it."""

    def __init__(self, sight: Sight) -> None:
        view = sight.view
        colours = sum(BITS[colour] for colour in view["colours"])
        self.needs: dict[Place, int] = {"dummy": 0}
        for seat, (score, token) in enumerate(zip(view["scores"], view["tokens"], strict=True)):
            had = BITS[TOKENS[token].candy_side] if token else 0
            for card in score:
                had |= FACES[card][0]
            self.needs[seat] = colours & ~had if had.bit_count() < 4 else 0
        self.wanted = 0
        for need in self.needs.values():
            self.wanted |= need

    def trick(self, trick: Trick, place: Place) -> float:
        winner = trick.winner()
        if winner == "dummy":
            return -LOST_GHOST * trick.ghosts
        need = self.needs[winner]
        met = (need & trick.colours).bit_count()
        return min(met, 2 if trick.extra else 1) + LEAD * need.bit_count()

    def keep(self, card: str, place: Place) -> float:
        suit, number = FACES[card]
        if suit == GHOST:
            return -0.05
        if number < 6:
            return 0.1 if suit & self.wanted else 0.02
        return 0.02 + (0.04 * (number - 10) if suit & self.needs[place] else 0.0)

    def gift(self, card: str, giver: Place, receiver: Place) -> float:
        """A friend of a colour that the other needs; ghosts are kept: they cost no card."""
        if FACES[card][0] == GHOST:
            return -1.0
        return self.keep(card, receiver) - self.keep(card, giver)

    def candy(self, cards: list[str], place: Place) -> float:
        """As many wanted colours as may be, and of the rest what fewest others want."""
        need, worth = self.needs[place], 0.0
        for suit in {FACES[card][0] for card in cards}:
            others = sum(bool(suit & wanted) for wanted in self.needs.values())
            worth += 10 if suit & need else -1 - others
        return worth

    def target(self, place: Place, other: Place) -> float:
        """Who needs most; the Dummy gives nothing back that counts."""
        return self.needs[other].bit_count() - (other == "dummy")


class Teams(Judge):
    """Points for the own team, ghosts for the other: who holds every ghost has lost."""

    def __init__(self, sight: Sight) -> None:
        self.dark = {*sight.view["dark"], "dummy"}

    def friends(self, a: Place, b: Place) -> bool:
        return (a in self.dark) == (b in self.dark)

    def trick(self, trick: Trick, place: Place) -> float:
        points = sum(sorted(trick.candies)[: 2 if trick.extra else 1])
        worth = points - GHOST_FEAR * trick.ghosts
        return worth if self.friends(trick.winner(), place) else -worth

    def keep(self, card: str, place: Place) -> float:
        suit, number = FACES[card]
        if suit == GHOST:
            return -0.5
        return 0.1 * (number - 10) if number > 10 else 0.2 * (5 - number)

    def gift(self, card: str, giver: Place, receiver: Place) -> float:
        return -self.keep(card, giver)

    def candy(self, cards: list[str], place: Place) -> float:
        return 0.0

    def target(self, place: Place, other: Place) -> float:
        return 0.0 if self.friends(place, other) else 1.0


def judge(sight: Sight) -> Judge:
    return Coop(sight) if sight.coop else Teams(sight)
